"""The pattern form of a request: one Cypher statement that people read, run and draw.

It stands alone, without parameters, in any client of Neo4j. For each root it looks at what is within reach, which is
the tree and whatever shares with it, and then fills slot after slot, in the order of the request. A row is a
candidate: column ``p<n>`` is the provider of the n-th of :class:`graphplace.compiler.slots.Slots`, and ``paths`` shows
what is taken, the way up to the root, and what connects a sharing provider with the trees of the others.
"""

import re
import textwrap
from collections.abc import Sequence

from graphplace.compiler.clause import ROOT, Clause, group_in_words, inventory, provider
from graphplace.compiler.constraints import CONSTRAINTS
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
WITH DISTINCT {providers}, {inventories}
{limit}RETURN {providers},
  COLLECT {{
    UNWIND [{inventories}] AS inventory
    MATCH path = (inventory)<-[:HAS_INVENTORY]-()
    RETURN path
    UNION
    UNWIND [{providers}] AS provider
    MATCH path = (provider)-[:CHILD_OF*0..]->(:Root)
    RETURN path
    UNION
    UNWIND [{providers}] AS provider
    MATCH (provider)-[:IN_TREE]->(home)
    MATCH path = (home)<-[:IN_TREE]-()-[:MEMBER_OF]->(:Aggregate)<-[:SHARES]-(sharing)
    WHERE sharing IN [{providers}] AND NOT EXISTS {{ (sharing)-[:IN_TREE]->(home) }}
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
    clauses = [clause for constraint in CONSTRAINTS for clause in constraint.of_provider(slots, position)]
    group = group_in_words(slots.all[position])
    comment = _comment(f"{group[0].upper()}{group[1:]}: a provider", clauses)
    return "\n".join([comment, f"UNWIND reachable AS {provider(position)}", _match(f"({provider(position)})", clauses)])


def _result(slots: Slots) -> str:
    inventories = [
        inventory(position, resource)
        for position, slot in enumerate(slots.all)
        for resource in range(len(slot.resources))
    ]
    limit = slots.request.limit
    return _RESULT.format(
        providers=", ".join(provider(position) for position in range(len(slots.all))),
        inventories=", ".join(inventories),
        limit=f"LIMIT {min(limit, GREATEST_INTEGER)}\n" if limit else "",
    )


def _match(node: str, clauses: Sequence[Clause]) -> str:
    patterns = [pattern for clause in clauses for pattern in clause.patterns] or [node]
    predicates = [predicate for clause in clauses for predicate in clause.predicates]
    match = "MATCH " + ",\n      ".join(patterns)
    if not predicates:
        return match
    return f"{match}\nWHERE " + textwrap.indent("\nAND ".join(predicates), "  ").lstrip()


def _comment(subject: str, clauses: Sequence[Clause]) -> str:
    """Say what follows, with a line for each clause.

    Text of a request must not end the comment. Beside the ends of lines, a backslash could: Neo4j reads escapes, that
    of a line feed too, before it reads anything else. Nor should it confuse clients that look for the statement's end.
    """
    first, *more = [
        re.sub(r"""[^ -~]|[\\"'`;]""", "?", words) for words in (subject, *(clause.words for clause in clauses))
    ]
    return f"// {first} " + ",\n//   ".join(more) if more else f"// {first}"
