"""What a consumer holds: claimed, moved to another consumer, released."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, TypeVar

from graphplace.compute.errors import AllocationUpdateFailed, ConsumerChanged, PlacementError
from graphplace.compute.placement import Placement
from graphplace.compute.reading import read_consumer
from graphplace.errors import Code

T = TypeVar("T")

# How often a write is sent that others were quicker than.
TRIES = 4


def claim(
    placement: Placement,
    consumer: str,
    allocation_request: Mapping[str, Any],
    project_id: str,
    user_id: str,
    *,
    held: Mapping[str, Any] | None = None,
    consumer_type: str | None = None,
) -> None:
    """Let *consumer* hold what one of the requests of GET /allocation_candidates asks for, beside what it holds.

    What it holds stays, as in a move of an instance that is on both hosts for a while; amounts of one class on one
    provider are added. *held* is what read_consumer gave, where the caller has read it. *consumer_type* is for a
    *placement* of 1.38 or newer, and only for that. A claim that loses to other consumers is sent again.

    Raises AllocationUpdateFailed when Placement refuses it, and its kind ConsumerChanged when *consumer* itself has
    changed meanwhile: whoever did that may have made this claim.
    """
    if held is None:
        held = read_consumer(placement, consumer)
    body = {
        **allocation_request,
        "allocations": _added(held["allocations"], allocation_request["allocations"]),
        "project_id": project_id,
        "user_id": user_id,
        "consumer_generation": held.get("consumer_generation"),
        **({} if consumer_type is None else {"consumer_type": consumer_type}),
    }

    def send() -> None:
        try:
            placement.put(f"/allocations/{consumer}", body)
        except PlacementError as error:
            if _was_outrun(error) and _generation(placement, consumer) != body["consumer_generation"]:
                raise ConsumerChanged(f"Consumer {consumer} changed during the claim: {error}", error.code) from error
            raise

    _until_quickest(send)


def move(placement: Placement, source: str, target: str) -> bool:
    """Let the consumer *target* hold all that *source* holds, in one step, and tell whether that was anything.

    If either changes meanwhile, what they hold then is what counts. Raises AllocationUpdateFailed when *target* holds
    something else already, when Placement refuses, and when others are always quicker.
    """

    def send() -> bool:
        theirs, ours = read_consumer(placement, source), read_consumer(placement, target)
        if not theirs["allocations"]:
            return False
        if ours["allocations"]:
            raise AllocationUpdateFailed(
                f"Consumer {target} cannot take over from {source}: it holds something already."
            )
        bodies = {target: {**theirs, "consumer_generation": None}, source: {**theirs, "allocations": {}}}
        placement.post("/allocations", bodies)
        return True

    return _until_quickest(send)


def release(placement: Placement, consumer: str) -> bool:
    """Let *consumer* hold nothing, and tell whether it held anything."""
    try:
        placement.delete(f"/allocations/{consumer}")
    except PlacementError as error:
        if error.status == HTTPStatus.NOT_FOUND:
            return False
        raise
    return True


def restore(placement: Placement, consumer: str, held: Mapping[str, Any]) -> bool:
    """Let *consumer* hold again what it *held*, as read_consumer gave that, and tell whether it held anything else.

    Raises AllocationUpdateFailed when Placement refuses, and when others are always quicker.
    """
    if not held["allocations"]:
        return release(placement, consumer)

    def send() -> bool:
        generation = _generation(placement, consumer)
        if generation == held["consumer_generation"]:
            return False
        placement.put(f"/allocations/{consumer}", {**held, "consumer_generation": generation})
        return True

    return _until_quickest(send)


def _added(held: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Return the sum of two ``allocations``."""
    total: dict[str, dict[str, int]] = {}
    for allocations in (held, more):
        for provider, entry in allocations.items():
            resources = total.setdefault(provider, {})
            for name, amount in entry["resources"].items():
                resources[name] = resources.get(name, 0) + amount
    return {provider: {"resources": resources} for provider, resources in total.items()}


def _until_quickest(send: Callable[[], T]) -> T:
    """Return what *send* returns, which writes, and is called again while others are quicker.

    Raises AllocationUpdateFailed when Placement refuses for another reason, and when others are always quicker.
    """
    lost: PlacementError | None = None
    for _ in range(TRIES):
        try:
            return send()
        except PlacementError as error:
            if not _was_outrun(error):
                raise AllocationUpdateFailed(str(error), error.code) from error
            lost = error
    raise AllocationUpdateFailed(f"Others were quicker {TRIES} times: {lost}", Code.CONCURRENT_UPDATE) from lost


def _was_outrun(error: PlacementError) -> bool:
    return error.code is Code.CONCURRENT_UPDATE


def _generation(placement: Placement, consumer: str) -> int | None:
    """Return the generation of *consumer*, None if it holds nothing."""
    generation: int | None = read_consumer(placement, consumer).get("consumer_generation")
    return generation
