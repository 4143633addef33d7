"""Candidates that there would be, over HTTP: what is supposed and what is refused. Nothing is written or locked."""

from io import BytesIO
from typing import Any

import neo4j
import pytest
from claims import claim, put
from cloud import load_cloud, read_cloud, uuid_of
from flask.testing import FlaskClient
from graphplace.cypher import Statement

from graphplace.dumping import dump
from graphplace.graph.database import Database, Transaction

PATH = "/allocation_candidates/what-if"
EXTENDED = {"OpenStack-API-Version": "placement 1.39, graphplace 1.0"}
CLOUD = """
cn1  VCPU:8(used=6)  MEMORY_MB:4096  HW_CPU_X86_AVX  @az1
  numa1  SRIOV_NET_VF:4
cn2  VCPU:8  MEMORY_MB:4096  @az1
cn3  VCPU:8  MEMORY_MB:4096
pool  DISK_GB:1000  @az1
"""
NAMES = {uuid_of(name): name for name in ("cn1", "numa1", "cn2", "cn3", "pool")}
CN1, NUMA1, CN2, CN3, POOL = NAMES
AVX = "HW_CPU_X86_AVX"
AZ1, CONSUMER, NOBODY = uuid_of("az1"), uuid_of("cn1 VCPU"), uuid_of("nobody")
SHARING = {"traits": {POOL: {"add": ["MISC_SHARES_VIA_AGGREGATE"]}}}
INVENTORY = {"total": 8, "reserved": 0, "min_unit": 1, "max_unit": 8, "step_size": 1, "allocation_ratio": 1.0}
MOVE = {
    "inventories": {
        CN1: {"resource_provider_generation": 4, "inventories": {"MEMORY_MB": INVENTORY | {"total": 4096}}},
        NUMA1: {"resource_provider_generation": 1, "inventories": {"VCPU": INVENTORY, "SRIOV_NET_VF": INVENTORY}},
    },
    "allocations": {CONSUMER: claim({"numa1": {"VCPU": 6}}, 1)},
}


@pytest.fixture
def cloud(client: FlaskClient) -> FlaskClient:
    load_cloud(client, read_cloud(CLOUD))
    return client


def ask(client: FlaskClient, query: str, supposed: dict[str, Any]) -> Any:
    return client.post(f"{PATH}?{query}", json=supposed, headers=EXTENDED)


def found(client: FlaskClient, query: str, supposed: dict[str, Any]) -> list[set[str]]:
    """The names of the providers of each candidate."""
    answer = ask(client, query, supposed)
    assert answer.status_code == 200, answer.text
    return sorted(({NAMES[uuid] for uuid in one["allocations"]} for one in answer.json["allocation_requests"]), key=min)


def test_it_is_there_for_those_who_ask_for_it(cloud: FlaskClient) -> None:
    for version in ("placement 1.39", "placement 1.0", "placement latest"):
        headers = {"OpenStack-API-Version": version}
        assert cloud.post(f"{PATH}?resources=VCPU:1", json={}, headers=headers).status_code == 404


def test_the_answer_is_that_of_a_request_for_candidates(cloud: FlaskClient) -> None:
    now = cloud.get("/allocation_candidates?resources=VCPU:4", headers=EXTENDED).json
    assert ask(cloud, "resources=VCPU:4", {}).json == now


SUPPOSED: tuple[tuple[str, dict[str, Any], list[set[str]]], ...] = (
    ("resources=VCPU:4", {}, [{"cn2"}, {"cn3"}]),
    ("resources=VCPU:4", {"drained": [CN2]}, [{"cn3"}]),
    ("resources=SRIOV_NET_VF:1", {"drained": [CN1]}, []),
    ("resources=VCPU:4", {"consumers_gone": [CONSUMER]}, [{"cn1"}, {"cn2"}, {"cn3"}]),
    ("resources=VCPU:4", {"inventories": {CN1: {"VCPU": {"allocation_ratio": 2.0}}}}, [{"cn1"}, {"cn2"}, {"cn3"}]),
    ("resources=VCPU:4", {"inventories": {CN2: {"VCPU": None}, CN3: {"VCPU": {"reserved": 5}}}}, []),
    ("resources=VGPU:1", {"inventories": {NUMA1: {"VGPU": {"total": 1}}}}, [{"numa1"}]),
    (
        "resources=VCPU:1&required=HW_CPU_X86_AVX",
        {"traits": {CN3: {"add": ["HW_CPU_X86_AVX"]}}},
        [{"cn1"}, {"cn3"}],
    ),
    ("resources=VCPU:1&required=HW_CPU_X86_AVX", {"traits": {CN1: {"remove": ["HW_CPU_X86_AVX"]}}}, []),
    (f"resources=VCPU:1&member_of={NOBODY}", {"aggregates": {CN3: {"add": [NOBODY]}}}, [{"cn3"}]),
    ("resources=VCPU:1,DISK_GB:1", SHARING, [{"cn1", "pool"}, {"cn2", "pool"}]),
    (
        "resources=VCPU:1,DISK_GB:1",
        SHARING | {"aggregates": {CN1: {"remove": [AZ1]}, CN3: {"add": [AZ1]}}},
        [{"cn2", "pool"}, {"cn3", "pool"}],
    ),
    ("resources=VCPU:1,DISK_GB:1", SHARING | {"aggregates": {POOL: {"remove": [AZ1]}}}, []),
    ("resources=VCPU:2,SRIOV_NET_VF:8", {"reshape": MOVE}, [{"numa1"}]),
    ("resources=VCPU:8", {"reshape": MOVE, "drained": [CN2, CN3]}, []),
)


def test_what_is_supposed_counts(cloud: FlaskClient) -> None:
    for query, supposed, expected in SUPPOSED:
        assert found(cloud, query, supposed) == expected, supposed
        for limit in range(1, len(expected)):
            assert len(found(cloud, f"{query}&limit={limit}", supposed)) == limit, supposed


def test_summaries_tell_what_is_supposed(cloud: FlaskClient) -> None:
    supposed = {"consumers_gone": [CONSUMER], "drained": [NUMA1], "traits": {CN1: {"add": ["CUSTOM_NEW"]}}}
    cloud.put("/traits/CUSTOM_NEW")
    summaries = ask(cloud, "resources=VCPU:8&required=HW_CPU_X86_AVX", supposed).json["provider_summaries"]
    assert summaries == {
        CN1: {
            "resources": {"MEMORY_MB": {"capacity": 4096, "used": 0}, "VCPU": {"capacity": 8, "used": 0}},
            "traits": ["HW_CPU_X86_AVX", "CUSTOM_NEW"],
            "parent_provider_uuid": None,
            "root_provider_uuid": CN1,
        },
        NUMA1: {
            "resources": {"SRIOV_NET_VF": {"capacity": 0, "used": 0}},
            "traits": [],
            "parent_provider_uuid": CN1,
            "root_provider_uuid": CN1,
        },
    }


REFUSED: tuple[tuple[dict[str, Any], int, str], ...] = (
    ({"drained": [NOBODY]}, 404, f"No resource provider with uuid {NOBODY} found"),
    ({"traits": {NOBODY: {"add": ["HW_CPU_X86_AVX"]}}}, 404, f"No resource provider with uuid {NOBODY} found"),
    ({"traits": {CN1: {"add": ["CUSTOM_NONE"]}}}, 400, "No such trait CUSTOM_NONE"),
    ({"traits": {CN1: {"add": ["CUSTOM_A"], "remove": ["CUSTOM_A"]}}}, 400, "added and removed at once: CUSTOM_A"),
    ({"inventories": {CN1: {"CUSTOM_NONE": {"total": 1}}}}, 400, "No such resource class CUSTOM_NONE."),
    ({"inventories": {CN1: {"VGPU": {"reserved": 1}}}}, 400, "a new one needs a total, not only reserved."),
    ({"inventories": {CN1: {"VCPU": {"reserved": 9}}}}, 400, "The reserved value is greater than total."),
    (
        {"inventories": {CN1: {"VGPU": None}}},
        404,
        "No inventory of class VGPU found for delete on resource provider",
    ),
    ({"inventories": {CN1: {"VCPU": None}}}, 409, f"Inventory for 'VCPU' on resource provider '{CN1}' in use."),
    ({"consumers_gone": [NOBODY]}, 404, f"No allocations for consumer '{NOBODY}'"),
    (
        {"consumers_gone": [CONSUMER], "reshape": MOVE},
        409,
        "consumer generation conflict - expected null but got 1",
    ),
    ({"reshape": MOVE | {"allocations": {}}}, 409, f"Inventory for 'VCPU' on resource provider '{CN1}' in use."),
    ({"colour": "blue"}, 400, "Additional properties are not allowed ('colour' was unexpected)"),
)


def test_what_the_write_would_refuse_is_refused(cloud: FlaskClient) -> None:
    for supposed, status, detail in REFUSED:
        answer = ask(cloud, "resources=VCPU:1", supposed)
        assert (answer.status_code, detail in answer.json["errors"][0]["detail"]) == (status, True), answer.text


def test_what_the_search_refuses_is_refused(cloud: FlaskClient) -> None:
    for query in ("", "resources=VCPU", "resources=VCPU:1&colour=blue", "resources=CUSTOM_NONE:1"):
        refused = cloud.get(f"/allocation_candidates?{query}", headers=EXTENDED)
        answer = ask(cloud, query, SHARING)
        assert answer.json["errors"][0]["detail"] == refused.json["errors"][0]["detail"]


EVERYTHING = {
    "consumers_gone": [CONSUMER],
    "inventories": {CN3: {"VCPU": {"total": 16}, "MEMORY_MB": None, "VGPU": {"total": 1}}},
    "drained": [CN2],
    "aggregates": {CN3: {"add": [NOBODY, AZ1]}},
} | SHARING


def test_nothing_is_written(cloud: FlaskClient, database: Database, driver: neo4j.Driver) -> None:
    everything = "MATCH (n) OPTIONAL MATCH (n)-[r]->(m) RETURN n, r, m ORDER BY elementId(n), elementId(r)"
    dumped_before = dumped(database)
    before = [record.data() for record in driver.execute_query(everything).records]
    for supposed in (EVERYTHING, {"reshape": MOVE}):
        assert ask(cloud, "resources=VCPU:1", supposed).status_code == 200
    assert [record.data() for record in driver.execute_query(everything).records] == before
    assert dumped(database) == dumped_before


def dumped(database: Database) -> bytes:
    out = BytesIO()
    dump(database, out)
    return out.getvalue()


def test_no_lock_is_waited_for(cloud: FlaskClient, driver: neo4j.Driver) -> None:
    """Every node is locked by somebody else, who would have to be waited for."""
    with driver.session() as session, session.begin_transaction() as transaction:
        transaction.run("MATCH (n) SET n.locked = true").consume()
        for supposed in (EVERYTHING, {"reshape": MOVE}):
            assert ask(cloud, "resources=VCPU:1", supposed).status_code == 200
        transaction.rollback()


def test_claims_go_on_meanwhile(cloud: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever a statement was run, somebody claims what it is about: no lock keeps them waiting."""
    stream = Transaction.stream
    claimed: list[str] = []

    def interrupted(self: Transaction, one: Statement, /, **parameters: Any) -> Any:
        rows = list(stream(self, one, **parameters))
        if "overlay" in parameters or one.name.startswith("what_if."):
            with monkeypatch.context() as patch:
                patch.setattr(Transaction, "stream", stream)
                claimed.append(one.name)
                answer = put(cloud, f"new {len(claimed)}", {"cn1": {"MEMORY_MB": 1}, "cn3": {"MEMORY_MB": 1}})
                assert answer.status_code == 204, answer.text
        return rows

    monkeypatch.setattr(Transaction, "stream", interrupted)
    answer = ask(cloud, "resources=VCPU:8,MEMORY_MB:100", {"consumers_gone": [CONSUMER]}).json
    monkeypatch.undo()
    assert {NAMES[uuid] for one in answer["allocation_requests"] for uuid in one["allocations"]} == {
        "cn1",
        "cn2",
        "cn3",
    }
    assert len(claimed) >= 3


def test_it_is_explained_too(cloud: FlaskClient) -> None:
    path = "/allocation_candidates/explain?resources=VCPU:4&host=cn2"
    now = cloud.get(path, headers=EXTENDED).json
    assert now["candidates"] == {"count": 2, "more": False}
    assert cloud.post(path, json={}, headers=EXTENDED).json == now
    supposed = cloud.post(path, json={"drained": [CN2, CN3]}, headers=EXTENDED).json
    assert (supposed["candidates"]["count"], supposed["if_empty"]["count"]) == (0, 1)
    assert [reason["about"] for reason in supposed["reasons"]] == ["capacity"]
    assert supposed["host"]["verdict"] == "no candidate"
