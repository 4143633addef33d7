"""Where the reference itself loses or alters candidates: there the oracle, which tries everything, is asked instead.

It happens where a provider that shares is used, and where several groups ask for one resource class (see
docs/differences.md).
"""

from collections import Counter
from typing import Any

from cloud import Inventory, Provider
from differential import words
from differential.comparison import normalised
from differential.world import World
from oracle.oracle import Candidate, Oracle

from graphplace.request.model import CandidateRequest

# The versions that brought them.
NESTED = 29
WITH_MAPPINGS = 34


def is_prone(world: World, request: CandidateRequest) -> bool:
    """Tell whether the reference may be at fault: something shares, or a class is asked for more than once."""
    asked = Counter(name for group in request.groups for name, _ in group.resources)
    return max(asked.values(), default=0) > 1 or any(words.SHARES in world.traits(uuid) for uuid in world.providers())


def is_right(world: World, request: CandidateRequest, version: int, answer: dict[str, Any]) -> bool:
    """Tell whether *answer*, in the form of 1.*version*, is what the oracle finds for *request* in *world*."""
    oracle = Oracle(_cloud(world), _known(world))
    found = [one for one in oracle.answer(request).anchors if version >= NESTED or _is_flat(oracle, one)]
    expected = [_allocation_request(one, with_mappings=version >= WITH_MAPPINGS) for one in found]
    if normalised(expected) != normalised([_plain(one) for one in answer["allocation_requests"]]):
        return False
    summaries = oracle.summaries(found)
    used = {uuid for amounts, _ in found for (uuid, _), _ in amounts}
    return answer["provider_summaries"].keys() == (summaries.keys() if version >= NESTED else used)


def _is_flat(oracle: Oracle, candidate: Candidate) -> bool:
    """Tell whether at most one provider of a tree is used, as before candidates were nested."""
    used = {uuid for (uuid, _), _ in candidate[0]}
    return len({oracle.root(uuid) for uuid in used}) == len(used)


def _allocation_request(candidate: Candidate, *, with_mappings: bool) -> dict[str, Any]:
    amounts, used = candidate
    allocations: dict[str, Any] = {}
    for (uuid, name), amount in amounts:
        allocations.setdefault(uuid, {"resources": {}})["resources"][name] = amount
    mappings = {"mappings": {suffix: list(uuids) for suffix, uuids in used}} if with_mappings else {}
    return {"allocations": allocations} | mappings


def _plain(allocation_request: dict[str, Any]) -> dict[str, Any]:
    """Return an allocation request with its allocations by provider, as versions from 1.12 on have them."""
    allocations = allocation_request["allocations"]
    if isinstance(allocations, list):
        allocations = {one["resource_provider"]["uuid"]: {"resources": one["resources"]} for one in allocations}
    return allocation_request | {"allocations": allocations}


def _cloud(world: World) -> tuple[Provider, ...]:
    documents = world.look("/resource_providers")["resource_providers"]
    return tuple(_provider(world, one) for one in documents)


def _provider(world: World, document: dict[str, Any]) -> Provider:
    uuid, parent = document["uuid"], document["parent_provider_uuid"]
    used = world.look(f"/resource_providers/{uuid}/usages")["usages"]
    return Provider(
        name=words.NAMES[uuid],
        parent=words.NAMES[parent] if parent else None,
        inventories={name: Inventory(**one, used=used[name]) for name, one in world.inventories(uuid).items()},
        traits=tuple(world.traits(uuid)),
        # One that no request names may be called anything.
        aggregates=tuple(words.NAMES.get(one, one) for one in world.aggregates(uuid)),
    )


def _known(world: World) -> frozenset[str]:
    classes = world.look("/resource_classes")["resource_classes"]
    return frozenset([*(one["name"] for one in classes), *world.look("/traits")["traits"]])
