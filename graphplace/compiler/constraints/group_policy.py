"""``group_policy``: under ``isolate``, no provider fills two suffixed groups, resourceless ones included.

The unsuffixed group is exempt: it may share a provider with any group.
"""

from collections.abc import Iterable

from graphplace.compiler.clause import Clause, groups_in_words, provider
from graphplace.compiler.constraint import Constraint, Parameters
from graphplace.compiler.slots import Slots


def apart(slots: Slots) -> tuple[frozenset[int], ...]:
    """Return, for each slot, the positions of the slots that must not get the same provider."""
    isolated = frozenset(slots.suffixed.values()) if slots.request.group_policy == "isolate" else frozenset()
    return tuple(isolated - {position} if position in isolated else frozenset() for position in range(len(slots.all)))


def _of_problem(slots: Slots) -> Parameters:
    return {"apart": apart(slots)}


def _of_provider(slots: Slots, position: int) -> Iterable[Clause]:
    others = sorted(other for other in apart(slots)[position] if other < position)
    if others:
        yield Clause(
            words=f"other than that of {groups_in_words([slots.all[other] for other in others])}",
            predicates=tuple(f"{provider(position)} <> {provider(other)}" for other in others),
        )


CONSTRAINT = Constraint(name="group_policy", of_problem=_of_problem, of_provider=_of_provider)
