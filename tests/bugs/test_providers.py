"""Public reports about providers, classes and traits, each as a short story: LP is a bug of Launchpad."""

from typing import Any

import neo4j
import pytest
from claims import error, generation, held_by, load, put
from cloud import uuid_of
from flask.testing import FlaskClient
from graphplace.api import create_app
from together import together

from graphplace.graph import schema
from graphplace.graph.database import Database
from graphplace.settings import Settings

HOST, CARD, PORT = (uuid_of(name) for name in ("host", "card", "port"))
CARDS = """
host  VCPU:4
  card
    port  SRIOV_NET_VF:2
"""


def path(name: str) -> str:
    return f"/resource_providers/{uuid_of(name)}"


def write(client: FlaskClient, name: str, part: str, value: Any) -> int:
    """PUT a part of the provider with the generation that it has; returns by how much that grew."""
    before = generation(client, name)
    answer = client.put(f"{path(name)}/{part}", json={part: value, "resource_provider_generation": before})
    assert answer.status_code == 200
    return answer.json["resource_provider_generation"] - before


def test_a_device_in_use_is_not_removed_with_its_subtree(client: FlaskClient) -> None:
    """LP 1872385, LP 2115905: an agent that no longer sees a card takes it away from the bottom up."""
    load(client, CARDS)
    assert put(client, "vm", {"host": {"VCPU": 1}, "port": {"SRIOV_NET_VF": 1}}).status_code == 204

    assert error(client.delete(path("port")))[:2] == (409, "placement.resource_provider.inuse")
    assert error(client.delete(path("card")))[:2] == (409, "placement.resource_provider.cannot_delete_parent")
    gone = client.put(f"{path('port')}/inventories", json={"inventories": {}, "resource_provider_generation": 2})
    assert error(gone)[:2] == (409, "placement.inventory.inuse")
    assert held_by(client, "vm")[PORT] == {"SRIOV_NET_VF": 1}

    assert client.delete(f"/allocations/{uuid_of('vm')}").status_code == 204
    assert [client.delete(path(name)).status_code for name in ("port", "card")] == [204, 204]
    assert [one["uuid"] for one in client.get("/resource_providers").json["resource_providers"]] == [HOST]


def test_generations_grow_as_clients_expect(client: FlaskClient) -> None:
    """LP 1746075: which writes count, and that a provider is read before its first one."""
    load(client, CARDS)
    inventories = {"VCPU": {"total": 8}}
    assert [write(client, "card", "inventories", inventories) for _ in range(2)] == [1, 1]
    assert [write(client, "card", "traits", ["HW_NIC_VMDQ"]) for _ in range(2)] == [1, 0]
    assert [write(client, "card", "aggregates", [HOST]) for _ in range(2)] == [1, 1]

    before = generation(client, "card")
    for number, claimed in enumerate([None, 1]):
        assert put(client, "vm", {"card": {"VCPU": 1}}, claimed).status_code == 204
        assert generation(client, "card") == before + number + 1
    client.delete(f"/allocations/{uuid_of('vm')}")
    client.put(path("card"), json={"name": "renamed"})
    client.put(path("card"), json={"name": "renamed", "parent_provider_uuid": None})
    assert generation(client, "card") == before + 2


def test_all_inventories_go_at_once_with_a_generation_or_without(client: FlaskClient) -> None:
    """LP 1746373, LP 1746374: DELETE asks for no generation and may race; PUT of nothing is the safe form."""
    load(client, CARDS)
    stale = client.put(f"{path('port')}/inventories", json={"inventories": {}, "resource_provider_generation": 0})
    assert error(stale)[:2] == (409, "placement.concurrent_update")
    assert write(client, "port", "inventories", {}) == 1

    assert put(client, "vm", {"host": {"VCPU": 1}}).status_code == 204
    assert error(client.delete(f"{path('host')}/inventories"))[:2] == (409, "placement.inventory.inuse")


@pytest.mark.parametrize(
    ("kind", "standard", "refused"), [("resource_classes", "VCPU", 400), ("traits", "HW_CPU_X86_AVX", 400)]
)
def test_what_is_in_use_or_standard_is_not_deleted(client: FlaskClient, kind: str, standard: str, refused: int) -> None:
    """LP 1723123."""
    load(client, "host  CUSTOM_USED:1  CUSTOM_USED_TRAIT")
    used = "CUSTOM_USED" if kind == "resource_classes" else "CUSTOM_USED_TRAIT"

    assert client.delete(f"/{kind}/{standard}").status_code == refused
    assert client.delete(f"/{kind}/{used}").status_code == 409
    longest = "CUSTOM_" + "X" * 248
    assert client.put(f"/{kind}/{longest}").status_code == 201
    assert client.put(f"/{kind}/{longest}X").status_code == 400
    assert client.put(f"/{kind}/CUSTOM_lower").status_code == 400


def test_what_one_worker_creates_another_knows_at_once(client: FlaskClient, neo4j_settings: Settings) -> None:
    """LP 1746615, LP 1775308, LP 1706207: classes were cached by each worker."""
    database = Database.connect(neo4j_settings)
    other = create_app(database).test_client()
    other.environ_base |= client.environ_base
    try:
        other.get("/resource_classes")
        load(client, "host  CUSTOM_GOLD:2  CUSTOM_SHINY")
        assert put(other, "vm", {"host": {"CUSTOM_GOLD": 1}}).status_code == 204
        assert other.get(f"{path('host')}/usages").json["usages"] == {"CUSTOM_GOLD": 1}
        found = other.get("/allocation_candidates?resources=CUSTOM_GOLD:1&required=CUSTOM_SHINY").json
        assert len(found["allocation_requests"]) == 1
    finally:
        database.close()


def test_workers_that_start_together_leave_every_standard_name_once(
    client: FlaskClient, database: Database, driver: neo4j.Driver
) -> None:
    """LP 1738083, LP 1702304, LP 1759863: what was lost is there again, too."""
    client.delete("/traits/CUSTOM_NONE")
    before = [sorted(one["name"] for one in client.get("/resource_classes").json["resource_classes"])]
    before.append(sorted(client.get("/traits").json["traits"]))
    lost = "MATCH (n) WHERE n:Trait OR n:ResourceClass WITH n LIMIT 100 DETACH DELETE n"
    driver.execute_query(lost)

    together([lambda: schema.initialise(database)] * 4)

    after = [sorted(one["name"] for one in client.get("/resource_classes").json["resource_classes"])]
    after.append(sorted(client.get("/traits").json["traits"]))
    assert after == before
