"""What a load has to change: the difference between a document and what is there, found without the graph."""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from graphplace.allocations import Claim, Held
from graphplace.errors import BadRequestError, ConflictError
from graphplace.inventories import Inventories
from graphplace.loading.document import Cloud, Provider
from graphplace.loading.present import Having, Present

NOTHING = Having()
Pairs = list[tuple[str, str]]


@dataclass(frozen=True)
class NewProvider:
    """A provider to be created, in its place; ``parent_uuid`` is None for a root, which is its own root."""

    uuid: str
    name: str
    parent_uuid: str | None
    root_uuid: str


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What to write. Pairs are of provider uuid and trait, or aggregate; ``shapes`` are inventories by provider."""

    created: list[NewProvider]
    renamed: Pairs
    shapes: Mapping[str, Inventories]
    traits_added: Pairs
    traits_removed: Pairs
    joined: Pairs
    left: Pairs
    claims: list[Claim]

    @property
    def refitted(self) -> set[str]:
        """The uuids of the providers that have other inventories, traits or aggregates than the document says."""
        pairs = self.traits_added + self.traits_removed + self.joined + self.left
        return {*self.shapes, *(uuid for uuid, _ in pairs)}


def make_plan(cloud: Cloud, present: Present) -> Plan:
    """Return what makes *present* what *cloud* says.

    Raises BadRequestError for a parent that is nowhere, ConflictError for a name that another provider has, and for a
    provider that stands elsewhere.
    """
    _check_names(cloud, present)
    _check_parents(cloud, present)
    having = {one.uuid: present.having.get(one.uuid, NOTHING) for one in cloud.providers}
    traits = {one.uuid: one.traits for one in cloud.providers}
    aggregates = {one.uuid: one.aggregates for one in cloud.providers}
    old_traits = {uuid: one.traits for uuid, one in having.items()}
    old_aggregates = {uuid: one.aggregates for uuid, one in having.items()}
    return Plan(
        created=list(_created(cloud, present)),
        renamed=[(one.uuid, one.name) for one in cloud.providers if _old_name(one, present) != one.name],
        shapes={
            one.uuid: one.inventories for one in cloud.providers if one.inventories != having[one.uuid].inventories
        },
        traits_added=_difference(traits, old_traits),
        traits_removed=_difference(old_traits, traits),
        joined=_difference(aggregates, old_aggregates),
        left=_difference(old_aggregates, aggregates),
        claims=[
            _at_its_generation(claim, present.held) for claim in present.claims if not _is_met(claim, present.held)
        ],
    )


def _difference(first: Mapping[str, AbstractSet[str]], second: Mapping[str, AbstractSet[str]]) -> Pairs:
    """Return what of *first* is not in *second*."""
    return [(uuid, name) for uuid, names in first.items() for name in sorted(names - second[uuid])]


def _old_name(provider: Provider, present: Present) -> str:
    place = present.places.get(provider.uuid)
    return place.name if place else provider.name


def _check_names(cloud: Cloud, present: Present) -> None:
    holders = {place.name: place.uuid for place in present.places.values()}
    for provider in cloud.providers:
        holder = holders.get(provider.name, provider.uuid)
        if holder != provider.uuid:
            raise ConflictError(f"Provider {provider.uuid} cannot be called {provider.name}: {holder} is.")


def _check_parents(cloud: Cloud, present: Present) -> None:
    for provider in cloud.providers:
        if provider.parent is not None and provider.parent not in present.uuids:
            raise BadRequestError(f"The parent of provider {provider.name} is nowhere: {provider.parent}.")
        place = present.places.get(provider.uuid)
        if place is not None and place.parent_uuid != _parent_uuid(provider, present):
            raise ConflictError(
                f"Provider {provider.name} stands under {place.parent_uuid or 'no parent'}, not under "
                f"{provider.parent or 'none'}. Loading does not move providers: use PUT /resource_providers/{{uuid}}."
            )


def _parent_uuid(provider: Provider, present: Present) -> str | None:
    return None if provider.parent is None else present.uuids[provider.parent]


def _created(cloud: Cloud, present: Present) -> Iterator[NewProvider]:
    """Yield those that are not there yet, parents first, as *cloud* has them."""
    roots = {place.uuid: place.root_uuid for place in present.places.values()}
    for provider in cloud.providers:
        if provider.uuid not in present.places:
            parent_uuid = _parent_uuid(provider, present)
            roots[provider.uuid] = roots[parent_uuid] if parent_uuid else provider.uuid
            yield NewProvider(provider.uuid, provider.name, parent_uuid, roots[provider.uuid])


def _at_its_generation(claim: Claim, held: Held) -> Claim:
    consumer = held.consumers.get(claim.consumer_uuid)
    return replace(claim, consumer_generation=consumer.generation if consumer else None)


def _is_met(claim: Claim, held: Held) -> bool:
    consumer = held.consumers.get(claim.consumer_uuid)
    if consumer is None:
        return False
    owner = claim.project_id, claim.user_id, claim.consumer_type
    wanted = {(uuid, name): amount for uuid, found in claim.allocations.items() for name, amount in found.items()}
    return owner == (consumer.project_id, consumer.user_id, consumer.consumer_type) and (
        wanted == held.allocations.get(claim.consumer_uuid)
    )
