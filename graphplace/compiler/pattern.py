"""The pattern form of a request: one Cypher statement that people read, run and draw.

It stands alone, without parameters, in any client of Neo4j. For each root it looks at what is within reach, which is
the tree and whatever shares with it, and then fills slot after slot, in the order of the request. A row is a
candidate: column ``p<n>`` is the provider of the n-th of :class:`graphplace.compiler.slots.Slots`; of one that may be
split it is the list of its providers, and ``amounts<n>`` is what each of them gives. Column ``paths`` shows what is
taken, the way up to the root, and what connects a sharing provider with the trees of the others.
"""

import re
import textwrap
from collections.abc import Sequence

from graphplace.compiler.clause import (
    ROOT,
    Clause,
    amounts,
    group_in_words,
    inventory,
    part_of_each,
    parts,
    provider,
    way,
)
from graphplace.compiler.constraints import CONSTRAINTS
from graphplace.compiler.constraints.can_split import ways
from graphplace.compiler.slots import Slots
from graphplace.request.model import CandidateRequest

GREATEST_INTEGER = 2**63 - 1

_REACH = f"""\
// Within reach are the providers of its tree and those that share with it.
WITH {ROOT}, COLLECT {{
  MATCH ({ROOT})<-[:IN_TREE]-(provider)
  RETURN provider
  UNION
  MATCH ({ROOT})<-[:IN_TREE]-()-[:MEMBER_OF]->(:Aggregate)<-[:SHARES]-(provider)
  RETURN provider
}} AS reachable"""

# The way to a sharing provider has a MATCH of its own, because one MATCH walks no relationship twice, and the chosen
# provider may be the very member that it leads through.
_RESULT = """\
// A candidate is a choice of providers, under however many roots it is found.
WITH DISTINCT {found}
{limit}RETURN {columns},
  COLLECT {{
    UNWIND {inventories} AS inventory
    MATCH path = (inventory)<-[:HAS_INVENTORY]-()
    RETURN path
    UNION
    UNWIND {providers} AS provider
    MATCH path = (provider)-[:CHILD_OF*0..]->(:Root)
    RETURN path
    UNION
    UNWIND {providers} AS provider
    MATCH (provider)-[:IN_TREE]->(home)
    MATCH path = (home)<-[:IN_TREE]-()-[:MEMBER_OF]->(:Aggregate)<-[:SHARES]-(sharing)
    WHERE sharing IN {providers} AND NOT EXISTS {{ (sharing)-[:IN_TREE]->(home) }}
    RETURN path
  }} AS paths"""


def compile_pattern(request: CandidateRequest) -> str:
    """Return the statement that finds the candidates of *request*.

    Names are taken as they are: one that the graph does not have matches nothing, where the API may refuse it.
    """
    slots = Slots.of(request)
    positions = range(len(slots.all))
    return "\n\n".join([_roots(slots), *(_slot(slots, position) for position in positions), _result(slots)]) + ";\n"


def _roots(slots: Slots) -> str:
    clauses = [clause for constraint in CONSTRAINTS for clause in constraint.of_root(slots)]
    return "\n".join([_comment("The root of a tree", clauses), _match(f"({ROOT}:Root)", clauses), _REACH])


def _slot(slots: Slots, position: int) -> str:
    group = group_in_words(slots.all[position])
    subject = f"{group[0].upper()}{group[1:]}: a provider"
    of_provider = [clause for constraint in CONSTRAINTS for clause in constraint.of_provider(slots, position)]
    of_choice = [clause for constraint in CONSTRAINTS for clause in constraint.of_choice(slots, position)]
    clauses = of_provider + of_choice
    if position not in slots.splittable:
        lines = [f"UNWIND reachable AS {provider(position)}", _match(f"({provider(position)})", clauses)]
    else:
        lines = [ways(slots, position, of_provider), *([f"WITH *\n{_where(of_choice)}"] if of_choice else [])]
    return "\n".join([_comment(subject, clauses), *lines])


def _result(slots: Slots) -> str:
    positions = range(len(slots.all))

    def inventories(position: int) -> list[str]:
        return [inventory(position, resource) for resource in range(len(slots.all[position].resources))]

    unsplit = [one for one in positions if one not in slots.splittable]
    limit = slots.request.limit
    return _RESULT.format(
        found=", ".join(
            [
                *(provider(one) for one in unsplit),
                *(variable for one in unsplit for variable in inventories(one)),
                *(way(one) for one in slots.splittable),
            ]
        ),
        providers=part_of_each(slots, positions, "provider", lambda one: [provider(one)]),
        inventories=part_of_each(slots, positions, "inventory", inventories),
        limit=f"LIMIT {min(limit, GREATEST_INTEGER)}\n" if limit else "",
        columns=", ".join(column for one in positions for column in _columns(slots, one)),
    )


def _columns(slots: Slots, position: int) -> list[str]:
    if position not in slots.splittable:
        return [provider(position)]
    return [
        f"[part IN {parts(position)} | part.provider] AS {provider(position)}",
        f"[part IN {parts(position)} | part.amount] AS {amounts(position)}",
    ]


def _match(node: str, clauses: Sequence[Clause]) -> str:
    patterns = [pattern for clause in clauses for pattern in clause.patterns] or [node]
    match = "MATCH " + ",\n      ".join(patterns)
    return f"{match}\n{_where(clauses)}" if any(clause.predicates for clause in clauses) else match


def _where(clauses: Sequence[Clause]) -> str:
    predicates = [predicate for clause in clauses for predicate in clause.predicates]
    return "WHERE " + textwrap.indent("\nAND ".join(predicates), "  ").lstrip()


def _comment(subject: str, clauses: Sequence[Clause]) -> str:
    """Say what follows, with a line for each clause.

    Text of a request must not end the comment. Beside the ends of lines, a backslash could: Neo4j reads escapes, that
    of a line feed too, before it reads anything else. Nor should it confuse clients that look for the statement's end.
    """
    first, *more = [
        re.sub(r"""[^ -~]|[\\"'`;]""", "?", words) for words in (subject, *(clause.words for clause in clauses))
    ]
    return f"// {first} " + ",\n//   ".join(more) if more else f"// {first}"
