"""A request in words: what every constraint says of it, put together."""

from collections.abc import Iterable

from graphplace.compiler.clause import Clause, group_in_words
from graphplace.compiler.constraints import CONSTRAINTS
from graphplace.compiler.slots import Slots


def sentence(slots: Slots) -> str:
    """Return what the request of *slots* asks for, in one sentence."""
    of_root = _in_words(clause for constraint in CONSTRAINTS for clause in constraint.of_root(slots))
    parts = [f"a tree with a root {of_root}"] if of_root else []
    parts += [
        f"for {group_in_words(slot)}, {_slot_in_words(slots, position)}" for position, slot in enumerate(slots.all)
    ]
    return f"Wanted: {'; '.join(parts)}."


def _slot_in_words(slots: Slots, position: int) -> str:
    clauses = [
        clause
        for of in ("of_provider", "of_choice")
        for constraint in CONSTRAINTS
        for clause in getattr(constraint, of)(slots, position)
    ]
    return f"a provider {_in_words(clauses)}".rstrip()


def _in_words(clauses: Iterable[Clause]) -> str:
    return ", ".join(clause.words for clause in clauses)
