"""What the providers that fill the slots of a request must respect together, within one tree."""

from dataclasses import dataclass
from typing import NamedTuple


class Subtree(NamedTuple):
    """Slots of which one gets a provider that is an ancestor of, or is, the provider of each of the others.

    That no longer holds together with any one of the slots ``outside``.
    """

    inside: tuple[int, ...]
    outside: tuple[int, ...] = ()


class Split(NamedTuple):
    """A slot that several providers of the tree itself may fill together, when none can do it alone.

    Those that fit ``kind`` may each give a part of its ``amount``.
    """

    slot: int
    kind: int
    amount: int


@dataclass(frozen=True, kw_only=True)
class Problem:
    """The problem of choosing one provider for each slot, whatever the tree; slots are known by their position.

    ``kinds``
        The kind of each slot. A slot can be filled by the providers that fit its kind.
    ``apart``
        For each slot, the slots that must not get the same provider.
    ``summed``
        The resource classes of which one provider may have to give for several slots.
    ``needs``
        For each slot, pairs of a position in ``summed`` and the amount that it takes.
    ``subtrees``
        Which slots have to lie in one subtree, and which not.
    ``collective``
        How many sets of required traits the providers of the slots ``unsuffixed`` have to cover together.
    ``splits``
        The slots that may be split.
    """

    kinds: tuple[int, ...]
    apart: tuple[frozenset[int], ...]
    summed: tuple[str, ...]
    needs: tuple[tuple[tuple[int, int], ...], ...]
    subtrees: tuple[Subtree, ...]
    collective: int
    unsuffixed: tuple[int, ...]
    splits: tuple[Split, ...] = ()
