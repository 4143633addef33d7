"""Trees that a process remembers: they are not read again, and whatever is written to them shows at once."""

from collections.abc import Callable
from typing import Any

import pytest
from claims import claim, load, put
from cloud import uuid_of
from flask.testing import FlaskClient
from graphplace.cypher import Statement

from graphplace.candidates import remembered
from graphplace.candidates.find import find_candidates
from graphplace.graph.database import Database, Transaction
from graphplace.request.parse import parse_candidate_request

pytestmark = pytest.mark.usefixtures("_long_ago")
CN1, NUMA0, CN2 = (uuid_of(name) for name in ("cn1", "numa0", "cn2"))
QUERY = [("resources", "VCPU:1")]


@pytest.fixture
def cloud(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    """Two hosts whose trees have been read often enough to be remembered."""
    monkeypatch.setattr(remembered, "DOUBTED_SECONDS", 0)
    load(
        client,
        """
        cn1  VCPU:8  HW_CPU_X86_AVX
          numa0  MEMORY_MB:512
        cn2  VCPU:8
        """,
    )
    assert put(client, "c1", {"cn1": {"VCPU": 3}}).status_code == 204
    for _ in range(2):
        assert len(ask(client)["allocation_requests"]) == 2
    return client


def ask(client: FlaskClient) -> Any:
    return client.get("/allocation_candidates?resources=VCPU:1").get_json()


def run_by(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> list[str]:
    names = []
    stream = Transaction.stream

    def noted(self: Transaction, one: Statement, /, **parameters: Any) -> Any:
        names.append(one.name)
        return stream(self, one, **parameters)

    monkeypatch.setattr(Transaction, "stream", noted)
    act()
    return names


def test_a_tree_that_nobody_wrote_to_is_not_read_again(cloud: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    names = run_by(monkeypatch, lambda: ask(cloud))
    assert "candidates.stamps" in names
    assert "candidates.summaries" not in names


def generation(client: FlaskClient, uuid: str) -> int:
    found: int = client.get(f"/resource_providers/{uuid}").get_json()["generation"]
    return found


def put_part(part: str, uuid: str, value: Any) -> Callable[[FlaskClient], int]:
    def write(client: FlaskClient) -> int:
        body = {"resource_provider_generation": generation(client, uuid), part: value}
        return client.put(f"/resource_providers/{uuid}/{part}", json=body).status_code

    return write


def create(client: FlaskClient, **body: str) -> int:
    return client.post("/resource_providers", json=body).status_code


def make_anew(client: FlaskClient) -> int:
    """Delete a host, and create one with the same uuid that has something else, by as many writes."""
    assert client.delete(f"/resource_providers/{CN2}").status_code == 204
    assert create(client, uuid=CN2, name="cn2") == 200
    return put_part("inventories", CN2, {"VCPU": {"total": 4}})(client)


def reshape(client: FlaskClient) -> int:
    inventories = {
        CN1: {"resource_provider_generation": generation(client, CN1), "inventories": {}},
        NUMA0: {
            "resource_provider_generation": generation(client, NUMA0),
            "inventories": {"VCPU": {"total": 8}},
        },
    }
    moved = {uuid_of("c1"): claim({"numa0": {"VCPU": 3}}, 1)}
    return client.post("/reshaper", json={"inventories": inventories, "allocations": moved}).status_code


WRITES: dict[str, Callable[[FlaskClient], int]] = {
    "a claim": lambda client: put(client, "c2", {"cn1": {"VCPU": 1}}).status_code,
    "a release": lambda client: client.delete(f"/allocations/{uuid_of('c1')}").status_code,
    "inventories": put_part("inventories", CN2, {"VCPU": {"total": 9}, "DISK_GB": {"total": 5}}),
    "no inventories": lambda client: client.delete(f"/resource_providers/{NUMA0}/inventories").status_code,
    "traits": put_part("traits", NUMA0, ["HW_NUMA_ROOT"]),
    "no traits": lambda client: client.delete(f"/resource_providers/{CN1}/traits").status_code,
    "a child": lambda client: create(client, name="nic", parent_provider_uuid=NUMA0),
    "a child that goes": lambda client: client.delete(f"/resource_providers/{NUMA0}").status_code,
    "a child that moves": lambda client: (
        client.put(f"/resource_providers/{NUMA0}", json={"name": "numa0", "parent_provider_uuid": CN2}).status_code
    ),
    "a host that goes": lambda client: client.delete(f"/resource_providers/{CN2}").status_code,
    "a host made anew": make_anew,
    "a reshape": reshape,
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES.keys())
def test_each_write_shows_at_once(cloud: FlaskClient, database: Database, write: Callable[[FlaskClient], int]) -> None:
    before = ask(cloud)
    assert write(cloud) in {200, 204}
    expected = find_candidates(database, parse_candidate_request(QUERY))
    for _ in range(3):
        answer = ask(cloud)
        assert answer["provider_summaries"] == expected.provider_summaries
        assert answer["allocation_requests"] == expected.allocation_requests
    assert answer != before
