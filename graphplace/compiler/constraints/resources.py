"""``resources``: a provider has the amount free of each class, and its inventory allows the amount.

That is: free capacity, ``min_unit``, ``max_unit`` and ``step_size`` of the inventory, for each slot by itself.
"""

from collections.abc import Callable, Iterable

from graphplace.compiler.clause import Clause, in_words, inventory, provider, quoted
from graphplace.compiler.condition import Condition, Held, Stock
from graphplace.compiler.constraint import Constraint, Parameters, Trees
from graphplace.compiler.slots import Slot, Slots
from graphplace.compiler.start import ClassStart

BEYOND_ALL = 2**31
"""More than any ``max_unit``, which is at most 2^31 - 1: greater amounts fit nowhere, and Neo4j's integers end."""

BEYOND_ALL_USED = 2**62
"""More than anybody uses of what there is not. Neo4j's integers end at 2^63."""


def _of_slot(slot: Slot, _trees: Trees) -> Parameters:
    return {"resources": [{"class": name, "amount": min(amount, BEYOND_ALL)} for name, amount in slot.resources]}


def _of_statement(slots: Slots) -> Parameters:
    return {
        "classes": sorted({name for slot in slots.all for name, _ in slot.resources}),
        "emptied": slots.request.emptied,
    }


def _starts(slots: Slots) -> Iterable[ClassStart]:
    """Of what may be split, a provider may have to give as little as one; were all empty, what is free says nothing."""
    most: dict[str, int] = {}
    for position, slot in enumerate(slots.all):
        for name, amount in slot.resources:
            least = 1 if position in slots.splittable else min(amount, BEYOND_ALL)
            most[name] = max(least, most.get(name, 0))
    if slots.request.emptied:
        return [ClassStart(name, -BEYOND_ALL_USED, amount) for name, amount in most.items()]
    return [ClassStart(name, amount) for name, amount in most.items()]


def _of_provider(slots: Slots, position: int) -> Iterable[Clause]:
    resources = slots.all[position].resources
    if resources:
        yield Clause(
            words=_FREE.asked(slots.all[position]),
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


def _has_class(slot: Slot) -> str:
    return f"with an inventory of {in_words((name for name, _ in slot.resources), 'and')}" if slot.resources else ""


def _without_class(slot: Slot, held: Held) -> str:
    return f"has no {in_words((name for name, _ in slot.resources if name not in held.inventories), 'and no')}"


def _of_stock(name: str, asked: Callable[[str], str], missed: Callable[[int, str, Stock], str]) -> Condition:
    """Return a condition on each inventory, where *missed* says what is missed of an amount of a class, if it is."""

    def short(slot: Slot, held: Held) -> str:
        stocks = ((amount, one, held.inventories[one]) for one, amount in slot.resources if one in held.inventories)
        return ", ".join(filter(None, (missed(amount, one, stock) for amount, one, stock in stocks)))

    def of(slot: Slot) -> str:
        return asked(in_words((f"{amount} {one}" for one, amount in slot.resources), "and")) if slot.resources else ""

    return Condition(name=name, asked=of, short=short)


_FREE = _of_stock(
    "capacity",
    lambda amounts: f"with {amounts} free",
    lambda amount, name, stock: f"short of {amount - stock.free} {name}" if amount > stock.free else "",
)

CONDITIONS = (
    Condition(name="class", asked=_has_class, short=_without_class),
    _FREE,
    _of_stock(
        "min_unit",
        lambda amounts: f"that gives as little as {amounts} at once",
        lambda amount, name, stock: f"gives at least {stock.min_unit} {name}" if amount < stock.min_unit else "",
    ),
    _of_stock(
        "max_unit",
        lambda amounts: f"that gives as much as {amounts} at once",
        lambda amount, name, stock: f"gives at most {stock.max_unit} {name}" if amount > stock.max_unit else "",
    ),
    _of_stock(
        "step_size",
        lambda amounts: f"that gives {amounts} in its steps",
        lambda amount, name, stock: f"gives {name} in steps of {stock.step_size}" if amount % stock.step_size else "",
    ),
)

CONSTRAINT = Constraint(
    name="resources",
    of_slot=_of_slot,
    of_statement=_of_statement,
    starts=_starts,
    of_provider=_of_provider,
    conditions=CONDITIONS,
)
