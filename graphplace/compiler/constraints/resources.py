"""``resources``: a provider has the amount free of each class, and its inventory allows the amount.

That is: free capacity, ``min_unit``, ``max_unit`` and ``step_size`` of the inventory, for each slot by itself.
"""

from collections.abc import Iterable

from graphplace.compiler.clause import Clause, in_words, inventory, provider, quoted
from graphplace.compiler.constraint import Constraint, Parameters, Trees
from graphplace.compiler.slots import Slot, Slots
from graphplace.compiler.start import ClassStart

BEYOND_ALL = 2**31
"""More than any ``max_unit``, which is at most 2^31 - 1: greater amounts fit nowhere, and Neo4j's integers end."""


def _of_slot(slot: Slot, _trees: Trees) -> Parameters:
    return {"resources": [{"class": name, "amount": min(amount, BEYOND_ALL)} for name, amount in slot.resources]}


def _of_statement(slots: Slots) -> Parameters:
    return {"classes": sorted({name for slot in slots.all for name, _ in slot.resources})}


def _starts(slots: Slots) -> Iterable[ClassStart]:
    """Of what may be split, a provider may have to give as little as one."""
    most: dict[str, int] = {}
    for position, slot in enumerate(slots.all):
        for name, amount in slot.resources:
            least = 1 if position in slots.splittable else min(amount, BEYOND_ALL)
            most[name] = max(least, most.get(name, 0))
    return [ClassStart(name, amount) for name, amount in most.items()]


def _of_provider(slots: Slots, position: int) -> Iterable[Clause]:
    resources = slots.all[position].resources
    if resources:
        yield Clause(
            words=f"with {in_words((f'{amount} {name}' for name, amount in resources), 'and')} free",
            # Without a label, so that Neo4j goes from the provider to its inventories and never through the index: with
            # figures from before a bulk load, it has chosen to look at all inventories of the class for each provider.
            patterns=tuple(
                f"({provider(position)})-[:HAS_INVENTORY]->"
                f"({inventory(position, resource)} {{resource_class: {quoted(name)}}})"
                for resource, (name, _) in enumerate(resources)
            ),
            predicates=tuple(
                _fits(inventory(position, resource), min(amount, BEYOND_ALL))
                for resource, (_, amount) in enumerate(resources)
            ),
        )


def _fits(variable: str, amount: int) -> str:
    return (
        f"{variable}.free >= {amount} AND {variable}.min_unit <= {amount} <= {variable}.max_unit "
        f"AND {amount} % {variable}.step_size = 0"
    )


CONSTRAINT = Constraint(
    name="resources", of_slot=_of_slot, of_statement=_of_statement, starts=_starts, of_provider=_of_provider
)
