"""A CandidateRequest as the query string that asks for it, as :mod:`graphplace.request.parse` reads it."""

from collections.abc import Iterable, Iterator
from urllib.parse import quote

from graphplace.request.model import CandidateRequest, RequestGroup, SameSubtree

# What a query may hold as it stands, and what people expect to read in one.
PLAIN = "!,:/"


def to_query(request: CandidateRequest) -> str:
    """Write *request* as a query string, with all of it that a query can say."""
    pairs = [pair for group in request.groups for pair in _of_group(group)]
    root_required = [frozenset({trait}) for trait in sorted(request.root_required)]
    pairs.extend(("root_required", value) for value in _traits(root_required, request.root_forbidden))
    pairs.extend(
        ("root_member_of", value) for value in _aggregates(request.root_member_of, request.root_forbidden_aggregates)
    )
    pairs.extend(("same_subtree", written(subtree)) for subtree in request.same_subtrees)
    if request.isolated:
        pairs.append(("isolate", ",".join(request.isolated)))
    if request.can_split:
        pairs.append(("can_split", ",".join(request.can_split)))
    if request.group_policy:
        pairs.append(("group_policy", request.group_policy))
    if request.limit:
        pairs.append(("limit", str(request.limit)))
    return "&".join(f"{quote(key)}={quote(value, safe=PLAIN)}" for key, value in pairs)


def written(subtree: SameSubtree) -> str:
    """Return the value of ``same_subtree`` that says *subtree*."""
    return ",".join([*subtree.suffixes, *("!" + suffix for suffix in subtree.excluded)])


def any_of(names: frozenset[str]) -> str:
    """Return the value of ``required`` or ``member_of`` that asks for one of *names*."""
    return ",".join(names) if len(names) == 1 else "in:" + ",".join(sorted(names))


def _of_group(group: RequestGroup) -> Iterator[tuple[str, str]]:
    if group.resources:
        yield "resources" + group.suffix, ",".join(f"{name}:{amount}" for name, amount in group.resources)
    for value in _traits(group.required, group.forbidden):
        yield "required" + group.suffix, value
    for value in _aggregates(group.member_of, group.forbidden_aggregates):
        yield "member_of" + group.suffix, value
    if group.in_tree:
        yield "in_tree" + group.suffix, group.in_tree


def _traits(required: Iterable[frozenset[str]], forbidden: frozenset[str]) -> list[str]:
    """Return one value where that can say it, as it can before microversion 1.39."""
    values = list(map(any_of, required))
    excluded = ["!" + trait for trait in sorted(forbidden)]
    if any(value.startswith("in:") for value in values):
        return values + [",".join(excluded)] * bool(excluded)
    return [",".join(values + excluded)] * bool(values or excluded)


def _aggregates(member_of: Iterable[frozenset[str]], forbidden: frozenset[str]) -> list[str]:
    return [*map(any_of, member_of), *(["!" + any_of(forbidden)] if forbidden else [])]
