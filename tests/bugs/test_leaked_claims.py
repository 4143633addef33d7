"""Claims that nobody owns any more, from reports about Nova: moves in two steps that ended after the first.

LP is a bug of Launchpad. Each story is what the services sent, and how what they left is found and put right.
"""

import pytest
from claims import claim, consumer, error, generation, held_by, load, post, put, used
from cloud import uuid_of
from flask.testing import FlaskClient

SOURCE, TARGET = uuid_of("source"), uuid_of("target")
RESOURCES = {"VCPU": 2}


@pytest.fixture
def hosts(client: FlaskClient) -> FlaskClient:
    """Two hosts, and an instance on the first."""
    load(client, "source  VCPU:4\ntarget  VCPU:4")
    assert put(client, "vm", {"source": RESOURCES}).status_code == 204
    return client


def test_an_evacuated_instance_holds_its_dead_host_until_that_is_put_right(hosts: FlaskClient) -> None:
    """LP 1829479, LP 1713786, LP 1715182, LP 1712411: the claim on the source stays, and so does the provider."""
    assert put(hosts, "vm", {"source": RESOURCES, "target": RESOURCES}, 1).status_code == 204
    assert error(hosts.delete(f"/resource_providers/{SOURCE}"))[:2] == (409, "placement.resource_provider.inuse")

    # Who holds it is told by the provider itself; what the instance has elsewhere stays.
    assert list(hosts.get(f"/resource_providers/{SOURCE}/allocations").json["allocations"]) == [uuid_of("vm")]
    assert put(hosts, "vm", {"target": RESOURCES}, 2).status_code == 204
    assert hosts.delete(f"/resource_providers/{SOURCE}").status_code == 204
    assert held_by(hosts, "vm") == {TARGET: RESOURCES}


@pytest.mark.parametrize("confirmed", [True, False])
def test_a_resize_ends_with_one_claim_whichever_way_it_goes(hosts: FlaskClient, *, confirmed: bool) -> None:
    """LP 1821594, LP 1825537: the migration holds the source for as long as the resize is not confirmed."""
    begun = {"migration": claim({"source": RESOURCES}, kind="MIGRATION"), "vm": claim({"target": RESOURCES}, 1)}
    assert post(hosts, begun).status_code == 204
    assert (held_by(hosts, "vm"), held_by(hosts, "migration")) == ({TARGET: RESOURCES}, {SOURCE: RESOURCES})

    kept = {"target": RESOURCES} if confirmed else {"source": RESOURCES}
    ended = {"migration": claim({}, 1, kind="MIGRATION"), "vm": claim(kept, 2)}
    assert post(hosts, ended).status_code == 204
    assert consumer(hosts, "migration") == {"allocations": {}}
    assert (used(hosts, "source"), used(hosts, "target")) == (
        ({"VCPU": 0}, RESOURCES) if confirmed else (RESOURCES, {"VCPU": 0})
    )
    assert error(post(hosts, ended))[:2] == (409, "placement.concurrent_update")


def test_a_resize_on_the_same_host_counts_the_old_size_and_the_new(hosts: FlaskClient) -> None:
    """LP 1707252."""
    too_much = {"migration": claim({"source": RESOURCES}, kind="MIGRATION"), "vm": claim({"source": {"VCPU": 3}}, 1)}
    assert post(hosts, too_much).status_code == 409
    assert held_by(hosts, "vm") == {SOURCE: RESOURCES}

    assert post(hosts, too_much | {"vm": claim({"source": {"VCPU": 2}}, 1)}).status_code == 204
    assert used(hosts, "source") == {"VCPU": 4}


def test_an_instance_that_is_deleted_while_it_is_claimed_for_is_not_claimed_for_again(hosts: FlaskClient) -> None:
    """LP 1859496, LP 1798688: the second writer's generation is no longer that of the consumer."""
    known = consumer(hosts, "vm")["consumer_generation"]
    assert hosts.delete(f"/allocations/{uuid_of('vm')}").status_code == 204

    late = put(hosts, "vm", {"target": RESOURCES}, known)

    assert error(late)[:2] == (409, "placement.concurrent_update")
    assert "consumer generation conflict" in error(late)[2]
    assert used(hosts, "target") == {"VCPU": 0}


def test_a_node_that_is_being_cleaned_is_not_offered(client: FlaskClient) -> None:
    """LP 1974070: it is reserved when it is claimed, so that releasing it does not open it."""
    load(client, "node  CUSTOM_METAL:1")
    path = f"/resource_providers/{uuid_of('node')}/inventories/CUSTOM_METAL"

    def reserve(amount: int) -> int:
        body = {"total": 1, "reserved": amount, "resource_provider_generation": generation(client, "node")}
        return client.put(path, json=body).status_code

    def offers() -> int:
        return len(client.get("/allocation_candidates?resources=CUSTOM_METAL:1").json["allocation_requests"])

    assert put(client, "vm", {"node": {"CUSTOM_METAL": 1}}).status_code == 204
    assert reserve(1) == 200
    assert client.delete(f"/allocations/{uuid_of('vm')}").status_code == 204
    assert offers() == 0
    assert reserve(0) == 200
    assert offers() == 1


def test_a_provider_that_was_deleted_by_mistake_comes_back(client: FlaskClient) -> None:
    """LP 1853009, LP 1841481: with the same uuid and name, and nothing of what it had."""
    load(client, "host  VCPU:4  HW_CPU_X86_AVX  @A")
    assert client.delete(f"/resource_providers/{uuid_of('host')}").status_code == 204
    created = client.post("/resource_providers", json={"name": "host", "uuid": uuid_of("host")})
    assert (created.status_code, created.json["generation"]) == (200, 0)
    for part in ("inventories", "traits", "aggregates"):
        assert not client.get(f"/resource_providers/{uuid_of('host')}/{part}").json[part]


def test_a_ratio_of_nothing_leaves_nothing(hosts: FlaskClient) -> None:
    """LP 1789654: it is stored, as Placement does, and what is held stays."""
    body = {"total": 4, "allocation_ratio": 0.0, "resource_provider_generation": generation(hosts, "source")}
    assert hosts.put(f"/resource_providers/{SOURCE}/inventories/VCPU", json=body).status_code == 200
    answer = hosts.get("/allocation_candidates?resources=VCPU:1").json
    assert set(answer["provider_summaries"]) == {TARGET}
    assert held_by(hosts, "vm") == {SOURCE: RESOURCES}
