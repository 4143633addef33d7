"""GET /resource_providers/{uuid}/tree: a whole tree in one answer, and whether it is still the same."""

from collections.abc import Callable

import pytest
from between import write_between
from claims import error, generation, load, put
from cloud import uuid_of
from flask.testing import FlaskClient
from graphplace.cypher import Statement
from neo4j import Record
from werkzeug.test import TestResponse

from graphplace.graph.database import Transaction

CLOUD = """
cn1  VCPU:8(reserved=1,allocation_ratio=2.0,used=3)  HW_CPU_X86_AVX2  HW_CPU_X86_AVX  @A
  numa1
  numa0  MEMORY_MB:100(min_unit=10,max_unit=50,step_size=10)  @B
    pf0  SRIOV_NET_VF:2
cn2  VCPU:4  @A
storage
  pool  DISK_GB:1000  MISC_SHARES_VIA_AGGREGATE  @A  @B  @C
"""
EXTENDED = {"OpenStack-API-Version": "placement 1.39, graphplace 1.0"}
Write = Callable[[FlaskClient], TestResponse]


def path(name: str) -> str:
    return f"/resource_providers/{uuid_of(name)}"


def get(client: FlaskClient, name: str, tag: str | None = None) -> TestResponse:
    return client.get(f"{path(name)}/tree", headers=EXTENDED | ({"If-None-Match": tag} if tag else {}))


def provider(name: str, parent: str | None, root: str, generation: int, **rest: object) -> dict[str, object]:
    nothing: dict[str, object] = {"inventories": {}, "traits": [], "aggregates": []}
    return nothing | {
        "uuid": uuid_of(name),
        "name": name,
        "generation": generation,
        "parent_provider_uuid": parent and uuid_of(parent),
        "root_provider_uuid": uuid_of(root),
        **rest,
    }


def inventory(total: int, capacity: int, used: int = 0, **rest: float) -> dict[str, float]:
    limits: dict[str, float] = {"min_unit": 1, "max_unit": 2**31 - 1, "step_size": 1}
    numbers = {"total": total, "reserved": 0, "allocation_ratio": 1.0, "capacity": capacity, "used": used}
    return limits | numbers | {"free": capacity - used} | rest


def test_a_tree_is_given_whole_whoever_of_it_is_asked_for(client: FlaskClient) -> None:
    load(client, CLOUD)
    for name in ("cn1", "pf0"):
        assert get(client, name).json == {
            "root_provider_uuid": uuid_of("cn1"),
            "providers": [
                provider("cn1", None, "cn1", 4, depth=0, traits=["HW_CPU_X86_AVX", "HW_CPU_X86_AVX2"])
                | {"inventories": {"VCPU": inventory(8, 14, 3, reserved=1, allocation_ratio=2.0)}}
                | {"aggregates": [uuid_of("A")]},
                provider("numa0", "cn1", "cn1", 2, depth=1, aggregates=[uuid_of("B")])
                | {"inventories": {"MEMORY_MB": inventory(100, 100, min_unit=10, max_unit=50, step_size=10)}},
                provider("pf0", "numa0", "cn1", 1, depth=2, inventories={"SRIOV_NET_VF": inventory(2, 2)}),
                provider("numa1", "cn1", "cn1", 0, depth=1),
            ],
            "sharing_providers": [
                provider("pool", "storage", "storage", 3, traits=["MISC_SHARES_VIA_AGGREGATE"])
                | {"inventories": {"DISK_GB": inventory(1000, 1000)}}
                | {"aggregates": sorted(map(uuid_of, "ABC")), "shares_via": sorted(map(uuid_of, "AB"))},
            ],
        }


def test_it_is_an_extension_and_what_is_not_there_is_not_found(client: FlaskClient) -> None:
    load(client, CLOUD)
    assert client.get(f"{path('cn1')}/tree").status_code == 404
    status, code, detail = error(get(client, "nobody"))
    assert (status, code) == (404, "placement.undefined_code")
    assert uuid_of("nobody") in detail
    assert get(client, "nobody", '"some"').status_code == 404


def aggregates(name: str, *members: str) -> Write:
    def write(client: FlaskClient) -> TestResponse:
        body = {
            "aggregates": [uuid_of(one) for one in members],
            "resource_provider_generation": generation(client, name),
        }
        return client.put(f"{path(name)}/aggregates", json=body)

    return write


def traits(name: str, *names: str) -> Write:
    def write(client: FlaskClient) -> TestResponse:
        body = {"traits": names, "resource_provider_generation": generation(client, name)}
        return client.put(f"{path(name)}/traits", json=body)

    return write


def created(name: str, parent: str) -> Write:
    body = {"name": name, "uuid": uuid_of(name), "parent_provider_uuid": uuid_of(parent)}
    return lambda client: client.post("/resource_providers", json=body)


def placed(name: str, called: str, parent: str | None) -> Write:
    body = {"name": called, "parent_provider_uuid": parent and uuid_of(parent)}
    return lambda client: client.put(path(name), json=body)


def total(name: str, resource_class: str, amount: int) -> Write:
    def write(client: FlaskClient) -> TestResponse:
        body = {"total": amount, "resource_provider_generation": generation(client, name)}
        return client.put(f"{path(name)}/inventories/{resource_class}", json=body)

    return write


CHANGES: list[Write] = [
    lambda client: put(client, "c", {"pf0": {"SRIOV_NET_VF": 1}}),
    lambda client: client.delete(f"/allocations/{uuid_of('c')}"),
    lambda client: put(client, "d", {"pool": {"DISK_GB": 1}}),
    total("numa0", "MEMORY_MB", 200),
    traits("pf0", "HW_NIC_SRIOV"),
    placed("numa1", "other", "cn1"),
    placed("numa1", "numa1", None),
    placed("numa1", "numa1", "cn1"),
    placed("cn2", "cn2", "cn1"),
    placed("cn2", "cn2", None),
    created("new", "pf0"),
    aggregates("numa0"),
    traits("cn2", "MISC_SHARES_VIA_AGGREGATE"),
    traits("cn2"),
    lambda client: client.delete(path("numa1")),
    created("numa1", "cn1"),
]
ELSEWHERE: list[Write] = [
    placed("cn2", "cn2-again", None),
    total("cn2", "VCPU", 40),
    aggregates("cn2", "A", "other"),
    placed("storage", "other-storage", None),
]


def test_the_tag_is_another_one_after_every_write_to_the_tree_and_to_the_pools(client: FlaskClient) -> None:
    load(client, CLOUD)
    answers = [get(client, "cn1")]
    for number, write in enumerate(CHANGES):
        assert write(client).status_code in {200, 204}
        answers.append(get(client, "numa0", answers[-1].headers["etag"]))
        assert answers[-1].status_code == 200, number
    assert len({(one.headers["etag"], one.data) for one in answers}) == len({one.headers["etag"] for one in answers})


def test_a_tree_that_is_the_same_is_not_read_again(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    load(client, CLOUD)
    tag = get(client, "cn1").headers["etag"]
    for write in ELSEWHERE:
        assert write(client).status_code == 200
    asked = []
    run = Transaction.run

    def counting(self: Transaction, statement: Statement, /, **parameters: object) -> list[Record]:
        asked.append(statement.name)
        return run(self, statement, **parameters)

    monkeypatch.setattr(Transaction, "run", counting)
    for known in (tag, f'"other", {tag}', f"W/{tag}", "*"):
        answer = get(client, "cn1", known)
        assert (answer.status_code, answer.data, answer.headers["etag"]) == (304, b"", tag)
        assert answer.headers["cache-control"] == "no-cache"
    assert asked == ["views.tree_revision"] * 4


def test_a_tree_is_of_one_moment(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    load(client, CLOUD)
    reads = write_between(monkeypatch, "views.tree", lambda: put(client, "c", {"pool": {"DISK_GB": 7}}))

    answer = get(client, "cn1")

    assert reads() == 2
    assert answer.json["sharing_providers"][0]["inventories"]["DISK_GB"]["used"] == 7
    assert get(client, "cn1", answer.headers["etag"]).status_code == 304
