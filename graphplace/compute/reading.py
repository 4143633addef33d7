"""What Placement has of a host: its tree of providers, and who holds what of them."""

from collections.abc import Iterable, Mapping
from typing import Any

from graphplace.compute.placement import Placement
from graphplace.compute.provider_tree import ProviderData, ProviderTree
from graphplace.errors import BadRequestError

# Of each consumer, by uuid: what GET /allocations/{consumer} answers. A driver that reshapes edits it in place.
Allocations = dict[str, dict[str, Any]]


def read_tree(placement: Placement, uuid: str) -> ProviderTree:
    """Return the tree that the provider *uuid* is in, and as further roots the providers that share with it.

    It is empty when Placement does not have the provider. A provider's generation is read before the rest of it, so
    what is written by that generation is refused if somebody else wrote while it was read.
    """
    listed = placement.get("/resource_providers", in_tree=uuid)["resource_providers"]
    own = [read_provider(placement, record) for record in _by_name(listed)]
    aggregates = sorted(frozenset().union(*(provider.aggregates for provider in own)))
    if not aggregates:
        return ProviderTree(own)
    sharing = placement.get(
        "/resource_providers", member_of=f"in:{','.join(aggregates)}", required="MISC_SHARES_VIA_AGGREGATE"
    )
    local = {provider.uuid for provider in own}
    others = [record for record in sharing["resource_providers"] if record["uuid"] not in local]
    # Of their own trees nothing is here, so they are roots even where they have a parent.
    roots = [read_provider(placement, {**record, "parent_provider_uuid": None}) for record in _by_name(others)]
    return ProviderTree([*own, *roots])


def find_root(placement: Placement, name: str) -> str | None:
    """Return the uuid of the root provider *name*, or None. Raises BadRequestError for a provider below another."""
    for record in placement.get("/resource_providers", name=name)["resource_providers"]:
        if record["parent_provider_uuid"] is not None:
            raise BadRequestError(f"The provider {name} is no node: it is below {record['root_provider_uuid']}.")
        uuid: str = record["uuid"]
        return uuid
    return None


def read_provider(placement: Placement, record: Mapping[str, Any]) -> ProviderData:
    """Return the provider of *record*, which GET /resource_providers gave, with all that it has."""
    path = f"/resource_providers/{record['uuid']}"
    return ProviderData(
        uuid=record["uuid"],
        name=record["name"],
        parent_uuid=record["parent_provider_uuid"],
        generation=record["generation"],
        inventory=placement.get(f"{path}/inventories")["inventories"],
        traits=frozenset(placement.get(f"{path}/traits")["traits"]),
        aggregates=frozenset(placement.get(f"{path}/aggregates")["aggregates"]),
    )


def read_consumer(placement: Placement, uuid: str) -> dict[str, Any]:
    """Return the ``allocations`` of a consumer, its ``project_id``, ``user_id`` and ``consumer_generation``.

    Of a consumer that holds nothing there are but the ``allocations``, empty.
    """
    record: dict[str, Any] = placement.get(f"/allocations/{uuid}")
    return record


def read_allocations(placement: Placement, providers: Iterable[str]) -> Allocations:
    """Return all that is held by those who hold anything of *providers*, uuids (specs: reshaper).

    So what they hold of sharing providers is there too. Who holds nothing but of sharing providers is not found.
    """
    consumers: set[str] = set()
    for uuid in providers:
        consumers |= placement.get(f"/resource_providers/{uuid}/allocations")["allocations"].keys()
    found = {consumer: read_consumer(placement, consumer) for consumer in sorted(consumers)}
    return {consumer: record for consumer, record in found.items() if record["allocations"]}


def _by_name(records: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return sorted(records, key=lambda record: record["name"])
