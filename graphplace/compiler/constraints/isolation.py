"""``isolate``: the provider of a group that it names serves no other suffixed group, resourceless ones included.

``group_policy=isolate`` names them all. The unsuffixed group is exempt: it may share a provider with any group.
"""

from collections.abc import Iterable

from graphplace.compiler.clause import Clause, groups_in_words, provider
from graphplace.compiler.constraint import Constraint, Parameters
from graphplace.compiler.slots import Slots


def apart(slots: Slots) -> tuple[frozenset[int], ...]:
    """Return, for each slot, the positions of the slots that must not get the same provider."""
    everyone = frozenset(slots.suffixed.values())
    isolated = frozenset(slots.suffixed[suffix] for suffix in slots.request.isolated)
    if slots.request.group_policy == "isolate":
        isolated = everyone
    return tuple(_apart(position, isolated, everyone) for position in range(len(slots.all)))


def _apart(position: int, isolated: frozenset[int], everyone: frozenset[int]) -> frozenset[int]:
    if position in isolated:
        return everyone - {position}
    return isolated if position in everyone else frozenset()


def _of_problem(slots: Slots) -> Parameters:
    return {"apart": apart(slots)}


def _of_choice(slots: Slots, position: int) -> Iterable[Clause]:
    others = sorted(other for other in apart(slots)[position] if other < position)
    if others:
        yield Clause(
            words=f"other than that of {groups_in_words([slots.all[other] for other in others])}",
            predicates=tuple(f"{provider(position)} <> {provider(other)}" for other in others),
        )


CONSTRAINT = Constraint(name="isolation", of_problem=_of_problem, of_choice=_of_choice)
