"""What the providers that fill the slots of a request must respect together, within one tree."""

from dataclasses import dataclass


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
        Slots of which one gets a provider that is an ancestor of, or is, the provider of each of the others.
    ``collective``
        How many sets of required traits the providers of the slots ``unsuffixed`` have to cover together.
    """

    kinds: tuple[int, ...]
    apart: tuple[frozenset[int], ...]
    summed: tuple[str, ...]
    needs: tuple[tuple[tuple[int, int], ...], ...]
    subtrees: tuple[tuple[int, ...], ...]
    collective: int
    unsuffixed: tuple[int, ...]
