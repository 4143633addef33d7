"""What the graph holds of the providers and consumers that a document names, read under locks."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from graphplace import allocations
from graphplace.allocations import Claim, Held
from graphplace.cypher import statement
from graphplace.errors import BadRequestError
from graphplace.graph.database import StaleReadError, Transaction
from graphplace.inventory import Inventory
from graphplace.loading.document import Cloud
from graphplace.locks import LockedProvider


class Place(NamedTuple):
    """A provider that exists, and where it stands."""

    uuid: str
    name: str
    parent_uuid: str | None
    root_uuid: str


@dataclass(frozen=True)
class Having:
    """All that a provider has."""

    inventories: Mapping[str, Inventory] = field(default_factory=dict)
    traits: AbstractSet[str] = frozenset()
    aggregates: AbstractSet[str] = frozenset()


@dataclass(frozen=True)
class Present:
    """What is there.

    ``places`` and ``having`` are by uuid and cover providers that exist; ``uuids`` maps the names of these, and of
    those that the document brings, to uuids. ``claims`` are the document's consumers. ``held`` is what decides about
    them; new providers are in it, since nobody else sees them yet.
    """

    places: Mapping[str, Place]
    uuids: Mapping[str, str]
    having: Mapping[str, Having]
    claims: list[Claim]
    held: Held


def read_present(tx: Transaction, cloud: Cloud) -> Present:
    """Lock all that exists of what *cloud* names, and the roots of its trees, and return it.

    Raises BadRequestError for a provider of whom a consumer holds something and that is nowhere, StaleReadError when
    something was created, moved or deleted before the locks were there.
    """
    found = _find_places(tx, cloud)
    places = {place.uuid: place for place in found}
    uuids = {place.name: place.uuid for place in found} | {one.name: one.uuid for one in cloud.providers}
    claims = _claims(cloud, uuids)
    held = allocations.lock(tx, claims, providers=[*places, *(place.root_uuid for place in found)])
    if _find_places(tx, cloud) != found:
        raise StaleReadError
    new = {one.uuid: LockedProvider(one.uuid, one.name, 0) for one in cloud.providers if one.uuid not in places}
    having = _read_having(tx, [one.uuid for one in cloud.providers if one.uuid in places])
    return Present(places, uuids, having, claims, replace(held, providers={**held.providers, **new}))


def absent(cloud: Cloud) -> Present:
    """Return what a graph without providers and consumers has of *cloud*. Raises BadRequestError as above."""
    uuids = {one.name: one.uuid for one in cloud.providers}
    held = Held({}, {}, {one.uuid: LockedProvider(one.uuid, one.name, 0) for one in cloud.providers}, {})
    return Present({}, uuids, {}, _claims(cloud, uuids), held)


def _find_places(tx: Transaction, cloud: Cloud) -> frozenset[Place]:
    parents = {provider.parent for provider in cloud.providers if provider.parent is not None}
    giving = {name for consumer in cloud.consumers for name in consumer.allocations}
    row = tx.one(
        statement("loading.find_places"),
        uuids=[provider.uuid for provider in cloud.providers],
        names=sorted(parents | giving | {provider.name for provider in cloud.providers}),
    )
    return frozenset(Place(*place) for place in row["places"]) if row else frozenset()


def _claims(cloud: Cloud, uuids: Mapping[str, str]) -> list[Claim]:
    for consumer in cloud.consumers:
        if missing := [name for name in consumer.allocations if name not in uuids]:
            raise BadRequestError(f"Consumer {consumer.uuid} holds something of an unknown provider: {missing[0]}.")
    return [
        Claim(
            consumer_uuid=consumer.uuid,
            consumer_generation=None,
            project_id=consumer.project_id,
            user_id=consumer.user_id,
            consumer_type=consumer.type,
            allocations={uuids[name]: amounts for name, amounts in consumer.allocations.items()},
        )
        for consumer in cloud.consumers
    ]


def _read_having(tx: Transaction, uuids: list[str]) -> dict[str, Having]:
    row = tx.one(statement("loading.read_having"), uuids=uuids)
    return {
        uuid: Having({name: Inventory(**fields) for name, fields in inventories}, set(traits), set(aggregates))
        for uuid, inventories, traits, aggregates in (row["having"] if row else ())
    }
