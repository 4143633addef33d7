"""What a search needs to know of one tree, and what many trees have in common."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphplace.candidates.parts import legal

NOTHING = range(0)


@dataclass(frozen=True, eq=False)
class Shape:
    """The providers that fit something in a tree, without their names: trees of one shape have the same answers.

    Providers are known by their position, and a set of them is an integer with a bit for each. ``domains`` has the
    set that fits each kind of slot, were it the only one; ``room`` what each provider can give in all of each summed
    class; ``ancestors`` the set of those above each provider, itself included, and ``descendants`` of those below it,
    both empty where no subtree is asked for; ``covers`` the collective sets of traits, as bits, that it has a trait of.

    Where something may be split, ``offers`` has the amounts that each provider can give of each class of those, and
    ``own`` the providers of the tree itself, in the order of their uuids.
    """

    domains: tuple[int, ...]
    room: tuple[tuple[int, ...], ...]
    ancestors: tuple[int, ...]
    covers: tuple[int, ...]
    offers: tuple[tuple[range, ...], ...] = ()
    own: tuple[int, ...] = ()
    descendants: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        below = [0] * len(self.ancestors)
        for position, above in enumerate(self.ancestors):
            for ancestor in members(above):
                below[ancestor] |= 1 << position
        object.__setattr__(self, "descendants", tuple(below))


def shape_of(kinds: int, columns: Sequence[Any]) -> Shape:
    """Return the shape of a tree; *kinds* is how many there are.

    *columns* are what the statement ``candidates.match`` tells of a tree from ``fits`` on, and where something may be
    split the ``offers`` of its providers too, and the positions of its own providers in the order of their uuids.
    """
    fits, room, ancestors, covers, *of_splits = columns
    offers, own = of_splits or ((), ())
    domains = [0] * kinds
    for position, fitting in enumerate(fits):
        for kind in fitting:
            domains[kind] |= 1 << position
    return Shape(
        domains=tuple(domains),
        room=tuple(map(tuple, room)),
        ancestors=tuple(map(set_of, ancestors)),
        covers=tuple(map(set_of, covers)),
        offers=tuple(tuple(legal(*one) if one else NOTHING for one in of_provider) for of_provider in offers),
        own=tuple(own),
    )


def set_of(positions: Sequence[int]) -> int:
    """Return *positions* as the bits of an integer."""
    bits = 0
    for position in positions:
        bits |= 1 << position
    return bits


def members(bits: int) -> Iterator[int]:
    """Yield the positions in a set, the lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
