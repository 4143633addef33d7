"""``in_tree``: the providers of the group are in the tree of a given provider.

For the unsuffixed group, that tree is the one that anchors the candidate, so nothing comes from sharing providers
of other trees. For a suffixed group it says where its own provider is, which may well share with another tree.
A resourceless group with a suffix is not restricted by it.
"""

from collections.abc import Iterable
from dataclasses import replace

from graphplace.compiler.clause import ROOT, Clause, provider, quoted
from graphplace.compiler.condition import Condition
from graphplace.compiler.constraint import Constraint, Parameters, Trees
from graphplace.compiler.relaxation import Relaxation, of_group
from graphplace.compiler.slots import Slot, Slots
from graphplace.compiler.start import TreeStart
from graphplace.request.model import CandidateRequest, RequestGroup


def _of_slot(slot: Slot, trees: Trees) -> Parameters:
    return {"tree": trees[member] if (member := _member(slot)) else None}


def _of_anchor(slots: Slots) -> Parameters:
    """Where the unsuffixed group is no slot, nothing but the root is left to be restricted."""
    return {"in_tree": [] if slots.unsuffixed else _anchors(slots)}


def _starts(slots: Slots) -> Iterable[TreeStart]:
    suffixed = [member for slot in slots.all if slot.suffixed and (member := _member(slot))]
    return [TreeStart(member, anchors=False) for member in suffixed] + [
        TreeStart(member, anchors=True) for member in _anchors(slots)
    ]


def _of_root(slots: Slots) -> Iterable[Clause]:
    for member in _anchors(slots):
        yield Clause(words=f"in whose tree {member} is", patterns=(f"({ROOT})<-[:IN_TREE]-({_node(member)})",))


def _of_provider(slots: Slots, position: int) -> Iterable[Clause]:
    slot, chosen = slots.all[position], provider(position)
    if member := slot.group.in_tree:
        if not slot.suffixed:
            yield Clause(
                words=f"in the tree of {member}", predicates=(f"EXISTS {{ ({chosen})-[:IN_TREE]->({ROOT}) }}",)
            )
        elif slot.resources:
            # A MATCH each, because one MATCH walks no relationship twice and the provider may be the named one.
            ways = f"  MATCH ({chosen})-[:IN_TREE]->(home)\n  MATCH ({_node(member)})-[:IN_TREE]->(home)"
            yield Clause(words=f"in the tree of {member}", predicates=(f"EXISTS {{\n{ways}\n}}",))
        else:
            yield Clause(words=f"anywhere, if {member} exists", predicates=(f"EXISTS {{ ({_node(member)}) }}",))


def _anchors(slots: Slots) -> list[str]:
    """Return the provider whose tree is the anchoring one because of the unsuffixed group, if there is one."""
    return [group.in_tree for group in slots.request.groups if group.in_tree and not group.suffix]


def _member(slot: Slot) -> str | None:
    """Return the provider whose tree *slot* is restricted to."""
    return slot.group.in_tree if slot.resources else None


def _node(member: str) -> str:
    return f":ResourceProvider {{uuid: {quoted(member)}}}"


def _relaxations(request: CandidateRequest) -> Iterable[Relaxation]:
    for group in request.groups:
        if group.in_tree:
            about = f"in_tree{group.suffix}={group.in_tree}"
            yield of_group(group, about, _anywhere, of_root=not group.suffix)


def _anywhere(group: RequestGroup) -> RequestGroup:
    return replace(group, in_tree=None)


CONDITION = Condition(
    name="in_tree",
    asked=lambda slot: f"in the tree of {member}" if (member := _member(slot)) else "",
    short=lambda slot, _held: f"is not in the tree of {_member(slot)}",
)

CONSTRAINT = Constraint(
    name="in_tree",
    of_slot=_of_slot,
    of_anchor=_of_anchor,
    starts=_starts,
    of_root=_of_root,
    of_provider=_of_provider,
    conditions=(CONDITION,),
    relaxations=_relaxations,
)
