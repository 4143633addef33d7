"""Quick proofs that the slots still open cannot all be filled, whatever is chosen for them.

Each test relaxes the problem: it may let an impossible state pass, and never refuses a possible one.
"""

from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_

from graphplace.candidates.shape import members


def enough_room(domains: Sequence[int], amounts: Sequence[int], room: Callable[[int], int]) -> bool:
    """Tell whether slots that take *amounts* of one class find room among their domains by sum and by number.

    ``room(provider)`` is what a provider still has. It holds at most as many of the slots as of the smallest.
    """
    least = min(amounts)
    rooms = [room(provider) for provider in members(reduce(or_, domains))]
    return sum(rooms) >= sum(amounts) and sum(one // least for one in rooms) >= len(amounts)


def all_placeable(domains: Sequence[int], capacity: Callable[[int], int]) -> bool:
    """Tell whether every slot can have a provider of its domain when a provider holds ``capacity(provider)`` slots.

    A bipartite matching by augmenting paths.
    """
    holders: dict[int, list[int]] = {}
    at: dict[int, int] = {}
    return all(_place(slot, domains, holders, at, capacity) for slot in range(len(domains)))


def _place(
    slot: int,
    domains: Sequence[int],
    holders: dict[int, list[int]],
    at: dict[int, int],
    capacity: Callable[[int], int],
) -> bool:
    """Find *slot* a provider, moving slots placed before along an augmenting path."""
    wanted_by: dict[int, int] = {}
    seen = 0
    frontier = [slot]
    while frontier:
        wanting = frontier.pop()
        reached = domains[wanting] & ~seen
        seen |= reached
        for provider in members(reached):
            wanted_by[provider] = wanting
            held = holders.setdefault(provider, [])
            if len(held) < capacity(provider):
                _shift(provider, wanted_by, holders, at)
                return True
            frontier.extend(held)
    return False


def _shift(provider: int, wanted_by: dict[int, int], holders: dict[int, list[int]], at: dict[int, int]) -> None:
    """Give *provider* to the slot that wants it, what that slot held to the next one, and so on."""
    while True:
        slot = wanted_by[provider]
        holders[provider].append(slot)
        previous = at.get(slot)
        at[slot] = provider
        if previous is None:
            return
        holders[previous].remove(slot)
        provider = previous
