"""Writes to trees, aggregates and traits that race with each other."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from uuid import uuid4

import pytest
from derived import drift
from flask.testing import FlaskClient
from graph import look
from together import together
from werkzeug.test import TestResponse

from graphplace.graph.database import Database

ROUNDS = 8
SHARING = "MISC_SHARES_VIA_AGGREGATE"


def create(client: FlaskClient, uuid: str, parent: str | None = None, name: str | None = None) -> TestResponse:
    body = {"name": name or uuid, "uuid": uuid, "parent_provider_uuid": parent}
    return client.post("/resource_providers", json=body)


def created(client: FlaskClient, parent: str | None = None) -> str:
    uuid = str(uuid4())
    assert create(client, uuid, parent).status_code == 200
    return uuid


def move(client: FlaskClient, uuid: str, parent: str | None) -> TestResponse:
    return client.put(f"/resource_providers/{uuid}", json={"name": uuid, "parent_provider_uuid": parent})


def rename(client: FlaskClient, uuid: str, name: str) -> TestResponse:
    return client.put(f"/resource_providers/{uuid}", json={"name": name})


def delete(client: FlaskClient, uuid: str) -> TestResponse:
    return client.delete(f"/resource_providers/{uuid}")


def join(client: FlaskClient, uuid: str, aggregates: list[str], generation: int = 0) -> TestResponse:
    body = {"aggregates": aggregates, "resource_provider_generation": generation}
    return client.put(f"/resource_providers/{uuid}/aggregates", json=body)


def give(client: FlaskClient, uuid: str, traits: list[str], generation: int = 0) -> TestResponse:
    body = {"traits": traits, "resource_provider_generation": generation}
    return client.put(f"/resource_providers/{uuid}/traits", json=body)


def statuses(answers: Sequence[TestResponse]) -> list[int]:
    return [answer.status_code for answer in answers]


def errors(answers: list[TestResponse]) -> list[dict[str, str]]:
    return [answer.json["errors"][0] for answer in answers if answer.status_code >= 400]


def codes(answers: list[TestResponse]) -> set[str]:
    return {error["code"] for error in errors(answers)}


@pytest.mark.difference("Moves at once")
@pytest.mark.parametrize("length", [2, 3, 5])
def test_moves_never_close_a_ring(client: FlaskClient, database: Database, length: int) -> None:
    for _ in range(ROUNDS):
        ring = [created(client) for _ in range(length)]
        moves = [partial(move, client, uuid, parent) for uuid, parent in zip(ring, ring[1:] + ring[:1], strict=True)]

        answers = together(moves)

        assert sorted(statuses(answers)) == [200] * (length - 1) + [400]
        assert ["creating loop in the provider tree" in error["detail"] for error in errors(answers)] == [True]
        assert drift(database) == []


def test_a_subtree_moves_with_all_that_is_created_and_moved_in_it(client: FlaskClient, database: Database) -> None:
    for _ in range(ROUNDS):
        old, new, other = created(client), created(client), created(client)
        top = created(client, old)
        middle = created(client, top)
        answers = together(
            [
                partial(move, client, top, new),
                partial(create, client, str(uuid4()), middle),
                partial(create, client, str(uuid4()), top),
                partial(move, client, middle, other),
            ]
        )

        assert statuses(answers) == [200] * 4
        assert drift(database) == []


@pytest.mark.parametrize("by_moving", [False, True])
def test_a_parent_is_deleted_or_gets_a_child(client: FlaskClient, database: Database, *, by_moving: bool) -> None:
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(ROUNDS):
        parent = created(client, created(client))
        child = created(client) if by_moving else str(uuid4())
        place = partial(move if by_moving else create, client, child, parent)
        seen[tuple(statuses(together([partial(delete, client, parent), place])))] += 1

    assert set(seen) <= {(204, 400), (409, 200)}
    assert drift(database) == []


def test_a_provider_is_created_once(client: FlaskClient) -> None:
    """LP 1817833: of the same uuid, and of the same name."""
    for _ in range(ROUNDS):
        uuid = str(uuid4())
        answers = together([partial(create, client, uuid) for _ in range(4)])
        assert sorted(statuses(answers)) == [200, 409, 409, 409]
        assert all(f"Conflicting resource provider uuid: {uuid}" in error["detail"] for error in errors(answers))

        answers = together([partial(create, client, str(uuid4()), name=f"n{uuid}") for _ in range(4)])
        assert sorted(statuses(answers)) == [200, 409, 409, 409]
        assert codes(answers) == {"placement.duplicate_name"}
        assert all(f"Conflicting resource provider name: n{uuid}" in error["detail"] for error in errors(answers))


def test_a_name_is_taken_once(client: FlaskClient) -> None:
    for _ in range(ROUNDS):
        one, other = created(client), created(client)
        answers = together([partial(rename, client, uuid, f"n{one}") for uuid in (one, other)])
        assert sorted(statuses(answers)) == [200, 409]


def test_a_new_aggregate_is_made_once(client: FlaskClient, database: Database) -> None:
    """LP 1818498: thirty providers join the same new aggregates, named in any order."""
    uuids = [created(client) for _ in range(30)]
    aggregates = [str(uuid4()) for _ in range(4)]
    orders = [aggregates[shift:] + aggregates[:shift] for shift in range(4)]

    answers = together([partial(join, client, uuid, orders[at % 4]) for at, uuid in enumerate(uuids)])

    assert statuses(answers) == [200] * 30
    rows = look(database, "MATCH (a:Aggregate) RETURN a.uuid AS uuid, COUNT { (a)<-[:MEMBER_OF]-() } AS members")
    assert {(row["uuid"], row["members"]) for row in rows} == {(aggregate, 30) for aggregate in aggregates}
    assert len(rows) == 4


def test_a_new_trait_is_made_once(client: FlaskClient, database: Database) -> None:
    """Thirty providers that are given the same new trait by clients that first make sure of it."""
    uuids = [created(client) for _ in range(30)]

    def make_and_give(uuid: str) -> list[TestResponse]:
        return [client.put("/traits/CUSTOM_NEW"), give(client, uuid, ["CUSTOM_NEW"])]

    made, given = zip(*together([partial(make_and_give, uuid) for uuid in uuids]), strict=True)

    assert sorted(statuses(made)) == [201] + [204] * 29
    assert statuses(given) == [200] * 30
    count = "MATCH (t:Trait {name: 'CUSTOM_NEW'}) RETURN COUNT { (t)<-[:HAS_TRAIT]-() } AS providers"
    assert look(database, count) == [{"providers": 30}]


def test_a_pool_begins_to_share_while_a_host_joins(client: FlaskClient, database: Database) -> None:
    for _ in range(ROUNDS):
        pool, host, aggregate = created(client), created(client), str(uuid4())
        join(client, pool, [aggregate])
        for uuid, name in ((pool, "DISK_GB"), (host, "VCPU")):
            client.post(f"/resource_providers/{uuid}/inventories", json={"resource_class": name, "total": 4})

        answers = together([partial(give, client, pool, [SHARING], 2), partial(join, client, host, [aggregate], 1)])

        assert statuses(answers) == [200, 200]
        assert drift(database) == []
        query = f"/allocation_candidates?resources=VCPU:1,DISK_GB:1&member_of={aggregate}"
        (found,) = client.get(query).json["allocation_requests"]
        assert found["allocations"].keys() == {pool, host}


def test_an_aggregate_is_left_and_joined(client: FlaskClient) -> None:
    for _ in range(ROUNDS):
        aggregate = str(uuid4())
        leaver, joiner = created(client), created(client)
        join(client, leaver, [aggregate])

        answers = together([partial(join, client, leaver, [], 1), partial(join, client, joiner, [aggregate])])

        assert statuses(answers) == [200, 200]
        members = client.get(f"/resource_providers?member_of={aggregate}").json["resource_providers"]
        assert [member["uuid"] for member in members] == [joiner]


def test_one_generation_is_good_for_one_write(client: FlaskClient, database: Database) -> None:
    for _ in range(ROUNDS):
        uuid, aggregate = created(client), str(uuid4())
        writes = [partial(give, client, uuid, [SHARING]), partial(join, client, uuid, [aggregate])]
        answers = together(writes * 2)

        assert sorted(statuses(answers)) == [200, 409, 409, 409]
        assert codes(answers) == {"placement.concurrent_update"}
        assert client.get(f"/resource_providers/{uuid}").json["generation"] == 1
        assert drift(database) == []


def test_a_trait_is_deleted_or_given(client: FlaskClient, database: Database) -> None:
    seen: Counter[tuple[int, ...]] = Counter()
    for number in range(ROUNDS):
        uuid, trait = created(client), f"CUSTOM_{number}"
        client.put(f"/traits/{trait}")
        answers = together([partial(client.delete, f"/traits/{trait}"), partial(give, client, uuid, [trait])])
        seen[tuple(statuses(answers))] += 1
        held = client.get(f"/resource_providers/{uuid}/traits").json["traits"]
        assert held == ([trait] if answers[1].status_code == 200 else [])

    assert set(seen) <= {(204, 400), (409, 200)}


def test_a_provider_is_deleted_under_those_who_write_to_it(client: FlaskClient, database: Database) -> None:
    for _ in range(ROUNDS):
        uuid = created(client, created(client))
        gone, *written = together(
            [
                partial(delete, client, uuid),
                partial(give, client, uuid, [SHARING]),
                partial(join, client, uuid, [str(uuid4())]),
                partial(rename, client, uuid, f"n{uuid}"),
                partial(client.delete, f"/resource_providers/{uuid}/traits"),
            ]
        )

        assert gone.status_code == 204
        assert set(statuses(written)) <= {200, 204, 404, 409}
        assert codes(written) <= {"placement.undefined_code", "placement.concurrent_update"}
        assert client.get(f"/resource_providers/{uuid}").status_code == 404
    assert drift(database) == []
    assert look(database, "MATCH (:ResourceProvider)-[:CHILD_OF]->() RETURN 1") == []
