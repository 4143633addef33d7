"""``can_split``: what no provider can give whole of a class, several providers of the tree itself may give in parts.

They are as few as can do it, and each of them meets all that the unsuffixed group asks of a provider. Of each choice of
so many providers, the first by uuid gives the most that leaves the rest to the others, then the second, and so on.
"""

import textwrap
from collections.abc import Iterable, Sequence

from graphplace.compiler.clause import ROOT, Clause, in_words, inventory, provider, way
from graphplace.compiler.constraint import Constraint
from graphplace.compiler.slots import Slots

MOST_SPLITS = 100
"""How many ways to split there are in one tree: the first so many, the parts of the last class changing fastest."""

BEYOND_ALL = 2**62
"""More than any tree gives of a class: an inventory gives at most 2^31 - 1 at once. Neo4j's integers end at 2^63."""


def _of_provider(slots: Slots, position: int) -> Iterable[Clause]:
    """Say it in words alone: in Cypher it is all of :func:`ways`."""
    if position in slots.splittable:
        yield Clause(words="or as few of the tree itself as have it free together")


def _of_choice(slots: Slots, position: int) -> Iterable[Clause]:
    if len(slots.splittable) > 1 and position == slots.splittable[-1]:
        number = "0"
        for other in slots.splittable:
            number = f"({number} * {way(other)}.ways + {way(other)}.number)"
        yield Clause(
            words=f"in the first {MOST_SPLITS} ways to split "
            f"{in_words((slots.all[other].resources[0][0] for other in slots.splittable), 'and')}",
            predicates=(f"{number} < {MOST_SPLITS}",),
        )


# All parts but one are the most that their inventory can give, or after that one the least: else one could grow and a
# later one shrink by as much. Where step sizes differ, that much is a common multiple of them.
_WAYS = """\
CALL ({root}, reachable) {{
  UNWIND reachable AS {provider}
{match}
  WITH {provider}, {inventory}, {inventory}.step_size AS step,
    {whole} AS whole,
    EXISTS {{ ({provider})-[:IN_TREE]->({root}) }} AS own,
    CASE WHEN {inventory}.free < {inventory}.max_unit THEN {inventory}.free ELSE {inventory}.max_unit END AS limit
  WITH {provider}, {inventory}, whole, own, step,
    ({inventory}.min_unit + step - 1) / step * step AS least, limit / step * step AS most
  ORDER BY {provider}.uuid
  WITH
    collect(CASE WHEN whole THEN
      {{provider: {provider}, inventory: {inventory}, amount: {amount}}}
    END) AS wholes,
    collect(CASE WHEN own AND least <= most THEN
      {{provider: {provider}, inventory: {inventory}, least: least, most: most, step: step}}
    END) AS offers
  CALL (wholes, offers) {{
    UNWIND wholes AS part
    RETURN {{parts: [part], number: 0, ways: 1}} AS {way}
    UNION
    // If none gives it whole: the smallest number of offers that can be chosen,
    WITH wholes, offers WHERE wholes = []
    UNWIND range(2, size(offers)) AS size
    CALL (offers, size) {{
      // every choice of so many, by their places in the list,
      UNWIND reduce(choices = [[]], _ IN range(1, size) | reduce(longer = [], choice IN choices |
        longer + [place IN range(coalesce(last(choice), -1) + 1, size(offers) - 1) | choice + place])) AS choice
      WITH [place IN choice | offers[toInteger(place)]] AS chosen
      CALL (chosen, size) {{
        // and the parts: one of them is the rest, those before it are great and those after it small.
        UNWIND range(0, size - 1) AS rest
        WITH rest, reduce(common = 1, one IN chosen |
          CASE common % one.step WHEN 0 THEN common ELSE common * one.step END) AS common
        UNWIND reduce(drafts = [[]], place IN range(0, size - 1) | reduce(longer = [], draft IN drafts | longer +
          [part IN CASE
            WHEN place = rest THEN [0]
            WHEN place < rest THEN range(chosen[place].most - common + chosen[place].step,
              chosen[place].most, chosen[place].step)
            ELSE range(chosen[place].least, chosen[place].least + common - chosen[place].step, chosen[place].step)
          END WHERE place = rest OR chosen[place].least <= part <= chosen[place].most | draft + part])) AS draft
        WITH rest, draft, reduce(left = {amount}, part IN draft | left - toInteger(part)) AS left
        WHERE chosen[rest].least <= left <= chosen[rest].most AND left % chosen[rest].step = 0
        WITH [place IN range(0, size - 1) | CASE place WHEN rest THEN left ELSE draft[place] END] AS amounts
        ORDER BY amounts DESC LIMIT 1
        RETURN [place IN range(0, size - 1) |
          {{provider: chosen[place].provider, inventory: chosen[place].inventory, amount: amounts[place]}}] AS parts
      }}
      RETURN collect(parts)[..{most_splits}] AS ways
    }}
    WITH ways WHERE ways <> [] LIMIT 1
    UNWIND range(0, size(ways) - 1) AS number
    RETURN {{parts: ways[number], number: number, ways: size(ways)}} AS {way}
  }}
  RETURN {way}
}}"""


def ways(slots: Slots, position: int, clauses: Sequence[Clause]) -> str:
    """Return the Cypher that finds the ways to fill the slot at *position*, which may be split.

    *clauses* are what a single provider has to meet: the one with patterns says that it gives the amount whole.
    """
    ((_, amount),) = slots.all[position].resources
    (giving,) = [clause for clause in clauses if clause.patterns]
    others = [predicate for clause in clauses if not clause.patterns for predicate in clause.predicates]
    match = f"MATCH {', '.join(giving.patterns)}"
    if others:
        match += "\nWHERE " + textwrap.indent("\nAND ".join(others), "  ").lstrip()
    return _WAYS.format(
        root=ROOT,
        provider=provider(position),
        inventory=inventory(position, 0),
        way=way(position),
        match=textwrap.indent(match, "  "),
        whole=" AND ".join(giving.predicates),
        amount=min(amount, BEYOND_ALL),
        most_splits=MOST_SPLITS,
    )


CONSTRAINT = Constraint(name="can_split", of_provider=_of_provider, of_choice=_of_choice)
