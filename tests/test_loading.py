"""Loading documents: what they make of the graph, and what is refused."""

from typing import Any

import orjson
import pytest
from between import write_between
from cloud import uuid_of
from derived import drift
from flask.testing import FlaskClient
from graph import look

from graphplace.check import check
from graphplace.errors import BadRequestError, ConcurrentUpdateError, ConflictError, GraphplaceError
from graphplace.graph.database import Database
from graphplace.loading import Loaded, load, read_cloud

NOTHING = Loaded(0, 0, 0, 0)
EVERYTHING = "RETURN COUNT { MATCH (n) } AS nodes, COUNT { MATCH ()-[r]->() } AS relationships"
OWNER = {"type": "INSTANCE", "project_id": "p", "user_id": "u"}


def provider(name: str, *, uuid: str | None = None, **rest: Any) -> dict[str, Any]:
    return {"name": name, "uuid": uuid or uuid_of(name)} | rest


def consumer(name: str, allocations: dict[str, Any], **owner: str) -> dict[str, Any]:
    return {"uuid": uuid_of(name), "allocations": allocations} | OWNER | owner


def cloud() -> dict[str, Any]:
    """A host with a NUMA cell, a pool that it shares, and a consumer of both; children stand before parents."""
    return {
        "version": 1,
        "resource_classes": ["CUSTOM_GOLD"],
        "traits": ["CUSTOM_SHINY"],
        "providers": [
            provider("cell", parent="host", inventories={"VCPU": {"total": 8, "allocation_ratio": 0.57}}),
            provider(
                "host",
                inventories={"DISK_GB": {"total": 100, "reserved": 10}, "CUSTOM_GOLD": {"total": 1}},
                traits=["CUSTOM_SHINY", "HW_CPU_X86_AVX"],
                aggregates=[uuid_of("A")],
            ),
            provider(
                "pool",
                inventories={"DISK_GB": {"total": 1000}},
                traits=["MISC_SHARES_VIA_AGGREGATE"],
                aggregates=[uuid_of("A"), uuid_of("B")],
            ),
        ],
        "consumers": [consumer("vm", {"cell": {"VCPU": 2}, "pool": {"DISK_GB": 5}})],
    }


def load_document(database: Database, document: dict[str, Any]) -> Loaded:
    return load(database, read_cloud(orjson.dumps(document)))


def of(document: dict[str, Any], name: str) -> dict[str, Any]:
    """The entry of the provider called *name*."""
    found: dict[str, Any] = next(entry for entry in document["providers"] if entry["name"] == name)
    return found


@pytest.mark.parametrize("entries", [1, 2000])
def test_everything_is_there_through_the_api(
    database: Database, client: FlaskClient, monkeypatch: pytest.MonkeyPatch, entries: int
) -> None:
    monkeypatch.setattr("graphplace.loading.batches.ENTRIES_AT_ONCE", entries)
    assert load_document(database, cloud()) == Loaded(3, 0, 1, 0)

    cell = f"/resource_providers/{uuid_of('cell')}"
    shown = client.get(cell).json
    assert shown["parent_provider_uuid"] == shown["root_provider_uuid"] == uuid_of("host")
    assert shown["generation"] == 0
    assert client.get(f"{cell}/inventories").json["inventories"]["VCPU"]["allocation_ratio"] == 0.57
    assert client.get(f"{cell}/usages").json["usages"] == {"VCPU": 2}
    host = f"/resource_providers/{uuid_of('host')}"
    assert client.get(f"{host}/traits").json["traits"] == ["CUSTOM_SHINY", "HW_CPU_X86_AVX"]
    assert client.get(f"{host}/aggregates").json["aggregates"] == [uuid_of("A")]
    held = client.get(f"/allocations/{uuid_of('vm')}").json
    assert held["consumer_generation"] == 1
    assert (held["consumer_type"], held["project_id"], held["user_id"]) == ("INSTANCE", "p", "u")
    assert held["allocations"][uuid_of("pool")]["resources"] == {"DISK_GB": 5}
    candidates = client.get("/allocation_candidates?resources=VCPU:1,DISK_GB:900").json["allocation_requests"]
    assert [one["allocations"].keys() for one in candidates] == [{uuid_of("cell"), uuid_of("pool")}]
    assert drift(database) == []
    assert list(check(database)) == []


def test_a_load_that_is_broken_off_says_so_and_stays_so(
    database: Database, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphplace.loading.batches.ENTRIES_AT_ONCE", 1)

    def take_the_name() -> None:
        assert client.post("/resource_providers", json={"name": "pool"}).status_code == 200

    # Of the three places where traits are created the last belongs to the second tree.
    seen = iter([False, False, True])
    write_between(monkeypatch, "schema.sync_traits", lambda: next(seen) and take_the_name(), times=3)
    with pytest.raises(ConcurrentUpdateError, match=r"broken off: 2 providers have been written.*db wipe"):
        load_document(database, cloud())
    with pytest.raises(ConflictError, match="holds a part of a file"):
        load_document(database, cloud())
    assert [one.check for one in check(database)] == ["load"]


def test_a_second_load_changes_nothing(database: Database, client: FlaskClient) -> None:
    load_document(database, cloud())
    before = client.get("/resource_providers").json

    assert load_document(database, cloud()) == NOTHING
    assert client.get("/resource_providers").json == before
    assert client.get(f"/allocations/{uuid_of('vm')}").json["consumer_generation"] == 1


def test_what_the_document_does_not_name_stays(database: Database, client: FlaskClient) -> None:
    load_document(database, cloud())
    before = client.get("/resource_providers").json

    load_document(database, {"version": 1, "providers": [provider("other")]})

    assert [one for one in client.get("/resource_providers").json["resource_providers"] if one["name"] != "other"] == (
        before["resource_providers"]
    )
    assert client.get(f"/allocations/{uuid_of('vm')}").json["allocations"]


def test_what_is_named_becomes_what_the_document_says(database: Database, client: FlaskClient) -> None:
    load_document(database, cloud())
    changed = cloud()
    of(changed, "host").update(name="renamed", inventories={"DISK_GB": {"total": 50}}, traits=[], aggregates=[])
    of(changed, "cell")["parent"] = "renamed"
    of(changed, "pool").update(traits=[], aggregates=[uuid_of("B")])
    changed["consumers"] = [consumer("vm", {"renamed": {"DISK_GB": 7}}, project_id="other")]

    assert load_document(database, changed) == Loaded(0, 2, 0, 1)

    host = client.get(f"/resource_providers/{uuid_of('host')}").json
    assert (host["name"], host["generation"]) == ("renamed", 1)
    assert client.get(f"/resource_providers/{uuid_of('host')}/inventories").json["inventories"].keys() == {"DISK_GB"}
    assert client.get(f"/resource_providers/{uuid_of('host')}/traits").json["traits"] == []
    assert client.get(f"/resource_providers/{uuid_of('host')}/usages").json["usages"] == {"DISK_GB": 7}
    assert client.get(f"/resource_providers/{uuid_of('cell')}/usages").json["usages"] == {"VCPU": 0}
    held = client.get(f"/allocations/{uuid_of('vm')}").json
    assert (held["consumer_generation"], held["project_id"]) == (2, "other")
    assert look(database, "MATCH ()-[s:SHARES]->() RETURN s") == []
    assert drift(database) == []


def test_a_rename_alone_leaves_the_generation(database: Database, client: FlaskClient) -> None:
    load_document(database, {"version": 1, "providers": [provider("old")]})

    renamed = {"version": 1, "providers": [provider("new", uuid=uuid_of("old"))]}
    assert load_document(database, renamed) == Loaded(0, 1, 0, 0)

    assert client.get(f"/resource_providers/{uuid_of('old')}").json["generation"] == 0


def test_children_of_providers_that_are_there(database: Database, client: FlaskClient) -> None:
    load_document(database, cloud())

    load_document(database, {"version": 1, "providers": [provider("core", parent="cell")]})

    shown = client.get(f"/resource_providers/{uuid_of('core')}").json
    assert shown["parent_provider_uuid"] == uuid_of("cell")
    assert shown["root_provider_uuid"] == uuid_of("host")


def test_uuids_are_kept_as_the_api_keeps_them(database: Database, client: FlaskClient) -> None:
    shouted = uuid_of("x").upper().replace("-", "")

    load_document(database, {"version": 1, "providers": [provider("x", uuid=shouted)]})

    assert client.get(f"/resource_providers/{uuid_of('x')}").status_code == 200


WRONG: dict[str, tuple[type[GraphplaceError], str, dict[str, Any]]] = {
    "unknown trait": (BadRequestError, "CUSTOM_NOPE", {"providers": [provider("x", traits=["CUSTOM_NOPE"])]}),
    "unknown class": (
        BadRequestError,
        "CUSTOM_NOPE",
        {"providers": [provider("x", inventories={"CUSTOM_NOPE": {"total": 1}})]},
    ),
    "unknown parent": (BadRequestError, "nowhere", {"providers": [provider("x", parent="nowhere")]}),
    "name of another": (ConflictError, "host", {"providers": [provider("host", uuid=uuid_of("x"))]}),
    "moved": (ConflictError, "cell", {"providers": [provider("cell", inventories={"VCPU": {"total": 8}})]}),
    "class in use": (ConflictError, "in use", {"providers": [provider("cell", parent="host")]}),
    "unknown provider": (BadRequestError, "nowhere", {"consumers": [consumer("new", {"nowhere": {"VCPU": 1}})]}),
    "no inventory": (ConflictError, "MEMORY_MB", {"consumers": [consumer("new", {"cell": {"MEMORY_MB": 1}})]}),
    "over capacity": (ConflictError, "capacity", {"consumers": [consumer("new", {"cell": {"VCPU": 3}})]}),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_document_that_does_not_fit_is_not_written_at_all(database: Database, client: FlaskClient, name: str) -> None:
    load_document(database, cloud())
    generations = client.get("/resource_providers").json
    size = look(database, EVERYTHING)
    error, words, rest = WRONG[name]
    document = {"version": 1, "traits": ["CUSTOM_NEW"], "resource_classes": ["CUSTOM_NEW"]} | rest
    document["providers"] = [provider("good", inventories={"VCPU": {"total": 1}}), *rest.get("providers", [])]

    with pytest.raises(error, match=words):
        load_document(database, document)

    assert look(database, EVERYTHING) == size
    assert client.get("/resource_providers").json == generations
    assert client.get("/traits/CUSTOM_NEW").status_code == 404
    assert client.get("/resource_classes/CUSTOM_NEW").status_code == 404
