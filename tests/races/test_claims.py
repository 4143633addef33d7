"""Claims that race with each other, and with what would take their ground away."""

from collections import Counter
from functools import partial
from typing import Any

import pytest
from claims import claim, consumer, error, generation, held_by, load, post, put, used
from cloud import uuid_of
from derived import drift
from flask.testing import FlaskClient
from graph import look
from neo4j.exceptions import TransientError
from together import together
from werkzeug.test import TestResponse

from graphplace.graph.database import Database

ROUNDS = 8
CONFLICT = "placement.concurrent_update"


def statuses(answers: list[TestResponse]) -> Counter[int]:
    return Counter(answer.status_code for answer in answers)


@pytest.mark.difference("Claims at once")
def test_the_last_unit_is_claimed_by_one_of_100(client: FlaskClient) -> None:
    """LP 1719933: what is granted is what is stored, and never more than there is."""
    load(client, "cn1  VCPU:10(used=9)")
    answers = together([partial(put, client, f"c{number}", {"cn1": {"VCPU": 1}}) for number in range(100)])

    assert statuses(answers) == {204: 1, 409: 99}
    assert {error(answer)[1] for answer in answers if answer.status_code == 409} == {"placement.undefined_code"}
    assert used(client, "cn1") == {"VCPU": 10}
    assert generation(client, "cn1") == 3


@pytest.mark.difference("Claims at once")
def test_claims_on_one_provider_do_not_refuse_each_other(client: FlaskClient) -> None:
    """LP 1719933, SB 2006467."""
    load(client, "cn1  VCPU:1000")
    answers = together([partial(put, client, f"c{number}", {"cn1": {"VCPU": 1}}) for number in range(24)])

    assert statuses(answers) == {204: 24}
    assert used(client, "cn1") == {"VCPU": 24}


def test_a_new_consumer_is_claimed_for_once(client: FlaskClient) -> None:
    """LP 1728722, LP 1770220: on one provider, and on two."""
    load(client, "cn1  VCPU:1000\ncn2  VCPU:1000")
    for number in range(ROUNDS):
        name = f"c{number}"
        answers = together(
            [partial(put, client, name, {provider: {"VCPU": 1}}) for provider in ("cn1", "cn1", "cn2", "cn2")]
        )
        assert statuses(answers) == {204: 1, 409: 3}
        for answer in answers:
            if answer.status_code == 409:
                assert error(answer)[1] == CONFLICT
                assert "consumer generation conflict" in error(answer)[2]
        assert consumer(client, name)["consumer_generation"] == 1
    assert used(client, "cn1")["VCPU"] + used(client, "cn2")["VCPU"] == ROUNDS


def test_a_consumer_is_changed_by_one_of_two(client: FlaskClient) -> None:
    load(client, "cn1  VCPU:1000\ncn2  VCPU:1000")
    put(client, "c1", {"cn1": {"VCPU": 1}})
    for at in range(1, ROUNDS + 1):
        answers = together([partial(put, client, "c1", {name: {"VCPU": 1}}, at) for name in ("cn1", "cn2", "cn1")])
        assert statuses(answers) == {204: 1, 409: 2}
        assert consumer(client, "c1")["consumer_generation"] == at + 1
        assert used(client, "cn1")["VCPU"] + used(client, "cn2")["VCPU"] == 1


def test_claims_over_the_same_providers_and_consumers_in_opposite_order(
    client: FlaskClient, deadlocks: list[TransientError]
) -> None:
    """opsmill/infrahub#1620: two that wait for each other."""
    load(client, "cn1  VCPU:1000\ncn2  VCPU:1000")
    here, there = {"cn1": {"VCPU": 1}, "cn2": {"VCPU": 1}}, {"cn2": {"VCPU": 1}, "cn1": {"VCPU": 1}}
    for number in range(ROUNDS):
        a, b, c, d = (f"{letter}{number}" for letter in "abcd")
        answers = together(
            [
                partial(post, client, {a: claim(here), b: claim(there)}),
                partial(post, client, {d: claim(there), c: claim(here)}),
                partial(post, client, {f"{c}x": claim(there), f"{a}x": claim(here)}),
            ]
        )
        assert statuses(answers) == {204: 3}
    assert used(client, "cn1") == used(client, "cn2") == {"VCPU": 6 * ROUNDS}
    assert deadlocks == []


def test_a_full_host_is_handed_over_to_one(client: FlaskClient) -> None:
    load(client, "cn1  VCPU:4")
    put(client, "c0", {"cn1": {"VCPU": 4}})
    for number in range(ROUNDS):
        takers = [f"c{number + 1}" if taker == 0 else f"taker{number}-{taker}" for taker in range(3)]
        claims = [{f"c{number}": claim({}, 1), taker: claim({"cn1": {"VCPU": 4}})} for taker in takers]
        answers = together([partial(post, client, one) for one in claims])
        assert statuses(answers) == {204: 1, 409: 2}
        assert used(client, "cn1") == {"VCPU": 4}
        (winner,) = (taker for taker in takers if held_by(client, taker))
        post(
            client, {winner: claim({}, 1), f"c{number + 1}": claim({"cn1": {"VCPU": 4}})} if winner != takers[0] else {}
        )


def test_new_projects_users_and_types_are_made_once(client: FlaskClient, database: Database) -> None:
    """LP 1818498, LP 1804453, LP 1786703."""
    load(client, "\n".join(f"cn{number}  VCPU:4" for number in range(30)))
    for number in range(3):
        owner = {"project": f"p{number}", "user": f"u{number}", "kind": f"T{number}"}
        calls = [
            partial(put, client, f"c{host}", {f"cn{host}": {"VCPU": 1}}, number or None, **owner) for host in range(30)
        ]
        assert statuses(together(calls)) == {204: 30}
    for label in ("Project", "User", "ConsumerType"):
        (row,) = look(database, f"MATCH (n:{label}) RETURN count(n) AS count")
        assert row == {"count": 3}


@pytest.mark.difference("Deletions at once")
def test_a_claim_and_the_end_of_its_provider(client: FlaskClient) -> None:
    """Either the claim is granted and the provider stays, or the provider goes and the claim is refused."""
    for number in range(ROUNDS):
        name = f"cn{number}"
        load(client, f"{name}  VCPU:4")
        path = f"/resource_providers/{uuid_of(name)}"
        claimed, deleted = together(
            [partial(put, client, f"c{number}", {name: {"VCPU": 1}}), partial(client.delete, path)]
        )
        assert (claimed.status_code, deleted.status_code) in {(204, 409), (400, 204)}
        assert client.get(path).status_code == (200 if claimed.status_code == 204 else 404)
        assert bool(held_by(client, f"c{number}")) == (claimed.status_code == 204)


@pytest.mark.difference("Deletions at once")
def test_a_claim_and_the_end_of_its_inventory(client: FlaskClient) -> None:
    load(client, "cn1  VCPU:4")
    path = f"/resource_providers/{uuid_of('cn1')}/inventories"
    for number in range(ROUNDS):
        claimed, deleted = together(
            [partial(put, client, f"c{number}", {"cn1": {"VCPU": 1}}), partial(client.delete, path)]
        )
        assert (claimed.status_code, deleted.status_code) in {(204, 409), (409, 204)}
        assert used(client, "cn1") == ({"VCPU": 1} if claimed.status_code == 204 else {})
        client.delete(f"/allocations/{uuid_of(f'c{number}')}")
        client.post(path, json={"resource_class": "VCPU", "total": 4})


def test_a_claim_and_a_shrinking_inventory(client: FlaskClient) -> None:
    """A shrink after the claim is fine, a claim after the shrink is not: never the other way round."""
    load(client, "cn1  VCPU:4")
    path = f"/resource_providers/{uuid_of('cn1')}/inventories/VCPU"
    for number in range(ROUNDS):
        at = generation(client, "cn1")
        claimed, shrunk = together(
            [
                partial(put, client, f"c{number}", {"cn1": {"VCPU": 4}}),
                partial(client.put, path, json={"total": 2, "resource_provider_generation": at}),
            ]
        )
        assert (claimed.status_code, shrunk.status_code) in {(204, 409), (409, 200)}
        assert used(client, "cn1") == {"VCPU": 4 if claimed.status_code == 204 else 0}
        client.delete(f"/allocations/{uuid_of(f'c{number}')}")
        client.put(path, json={"total": 4, "resource_provider_generation": generation(client, "cn1")})


@pytest.mark.difference("Deletions at once")
def test_a_claim_and_the_end_of_its_class(client: FlaskClient) -> None:
    """With its inventory a class goes, or with the claim both stay."""
    load(client, "cn1  CUSTOM_GOLD:4")
    inventories, gold = f"/resource_providers/{uuid_of('cn1')}/inventories", "/resource_classes/CUSTOM_GOLD"
    for number in range(ROUNDS):
        (claimed, deleted), (_, gone) = together(
            [
                lambda name=f"c{number}": (put(client, name, {"cn1": {"CUSTOM_GOLD": 1}}), client.delete(inventories)),
                lambda: (client.delete(inventories), client.delete(gold)),
            ]
        )
        if claimed.status_code == 204:
            assert (deleted.status_code, gone.status_code) == (409, 409)
            assert used(client, "cn1") == {"CUSTOM_GOLD": 1}
        else:
            assert claimed.status_code in {400, 409}
            assert (deleted.status_code, gone.status_code) == (204, 204)
            assert used(client, "cn1") == {}
        client.delete(f"/allocations/{uuid_of(f'c{number}')}")
        client.put(gold)
        client.post(inventories, json={"resource_class": "CUSTOM_GOLD", "total": 4})


def test_a_claim_and_a_move_of_its_provider(client: FlaskClient, database: Database) -> None:
    """Both are done, whichever comes first, and neither undoes the other."""
    load(client, "old\n  cn  VCPU:100\nnew")
    body = {"name": "cn", "parent_provider_uuid": None}
    for number in range(ROUNDS):
        move = body | {"parent_provider_uuid": uuid_of("old" if number % 2 else "new")}
        answers = together(
            [
                *(partial(put, client, f"c{number}-{one}", {"cn": {"VCPU": 1}}) for one in range(2)),
                partial(client.put, f"/resource_providers/{uuid_of('cn')}", json=move),
            ]
        )
        assert statuses(answers) == {204: 2, 200: 1}
        assert used(client, "cn") == {"VCPU": 2 * (number + 1)}
        assert generation(client, "cn") == 1 + 2 * (number + 1)
    assert drift(database) == []


def test_an_inventory_and_the_end_of_its_class(client: FlaskClient) -> None:
    load(client, "cn1")
    path = f"/resource_providers/{uuid_of('cn1')}/inventories"
    for _ in range(ROUNDS):
        client.put("/resource_classes/CUSTOM_GOLD")
        made, deleted = together(
            [
                partial(client.post, path, json={"resource_class": "CUSTOM_GOLD", "total": 4}),
                partial(client.delete, "/resource_classes/CUSTOM_GOLD"),
            ]
        )
        assert (made.status_code, deleted.status_code) in {(201, 409), (400, 204)}
        client.delete(path)


def test_an_inventory_and_a_new_name_of_its_class(client: FlaskClient, database: Database) -> None:
    """Below 1.7 a class can be renamed: an inventory that is written meanwhile has the new name, or is refused."""
    load(client, "cn1\ncn2")
    client.put("/resource_classes/CUSTOM_NAME0")
    for number in range(ROUNDS):
        old, new = f"CUSTOM_NAME{number}", f"CUSTOM_NAME{number + 1}"
        *made, renamed = together(
            [
                *(
                    partial(
                        client.post,
                        f"/resource_providers/{uuid_of(name)}/inventories",
                        json={"resource_class": old, "total": 4},
                    )
                    for name in ("cn1", "cn2")
                ),
                partial(
                    client.put,
                    f"/resource_classes/{old}",
                    json={"name": new},
                    headers={"OpenStack-API-Version": "placement 1.6"},
                ),
            ]
        )
        assert renamed.status_code == 200
        assert set(statuses(made)) <= {201, 400}
        written = statuses(made)[201]
        names = "MATCH (i:Inventory)-[:OF_CLASS]->(k) RETURN i.resource_class AS of, k.name AS name"
        assert look(database, names) == [{"of": new, "name": new}] * written
        for name in ("cn1", "cn2"):
            client.delete(f"/resource_providers/{uuid_of(name)}/inventories")


def test_releases_and_claims_of_one_provider_all_count_and_each_once(client: FlaskClient) -> None:
    load(client, "cn1  VCPU:1000")
    held: list[str] = []
    for number in range(ROUNDS):
        new = [f"c{number}-{one}" for one in range(8)]
        claims = [partial(put, client, name, {"cn1": {"VCPU": 2}}) for name in new]
        releases = [partial(client.delete, f"/allocations/{uuid_of(name)}") for name in held]
        answers = together([*releases, *claims, *releases])

        assert statuses(answers) == Counter({204: len(new) + len(held), 404: len(held)})
        assert used(client, "cn1") == {"VCPU": 2 * len(new)}
        held = new


def test_a_release_while_the_claim_moves(client: FlaskClient) -> None:
    """A release names no generation: it takes away what there is by then."""
    load(client, "cn1  VCPU:4\ncn2  VCPU:4")
    for number in range(2 * ROUNDS):
        name = f"c{number}"
        put(client, name, {"cn1": {"VCPU": 1}})
        moved, released = together(
            [
                partial(put, client, name, {"cn2": {"VCPU": 1}}, 1),
                partial(client.delete, f"/allocations/{uuid_of(name)}"),
            ]
        )
        assert (moved.status_code, released.status_code) in {(204, 204), (409, 204)}
        assert consumer(client, name) == {"allocations": {}}
        assert used(client, "cn1") == used(client, "cn2") == {"VCPU": 0}


def test_a_release_while_a_reshape_moves_what_is_released(client: FlaskClient) -> None:
    load(client, "cn  VGPU:2\n  numa")
    here, there = (f"/resource_providers/{uuid_of(name)}/inventories" for name in ("cn", "numa"))
    for number in range(ROUNDS):
        name = f"c{number}"
        put(client, name, {"cn": {"VGPU": 2}})
        reshape: dict[str, Any] = {
            "inventories": {
                uuid_of(provider): {"inventories": given, "resource_provider_generation": generation(client, provider)}
                for provider, given in (("cn", {}), ("numa", {"VGPU": {"total": 2}}))
            },
            "allocations": {uuid_of(name): claim({"numa": {"VGPU": 2}}, 1)},
        }
        released, reshaped = together(
            [
                partial(client.delete, f"/allocations/{uuid_of(name)}"),
                partial(client.post, "/reshaper", json=reshape),
            ]
        )
        assert (released.status_code, reshaped.status_code) in {(204, 204), (204, 409)}
        assert consumer(client, name) == {"allocations": {}}
        assert set(used(client, "cn").values()) | set(used(client, "numa").values()) == {0}
        for path in (here, there):
            client.delete(path)
        client.post(here, json={"resource_class": "VGPU", "total": 2})
