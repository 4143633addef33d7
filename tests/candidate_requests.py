"""Requests for candidates of every form, as hypothesis strategies, and written as query strings."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from urllib.parse import quote

from hypothesis import strategies as st

from graphplace.request.model import CandidateRequest, RequestGroup, SameSubtree

NAMES = st.text(alphabet="AZ09_", min_size=1, max_size=6).map("CUSTOM_".__add__)
SUFFIXES = st.text(alphabet="azAZ09_-", min_size=1, max_size=64)
UUIDS = st.uuids().map(str)


@st.composite
def groups(draw: st.DrawFn, suffix: str, *, resourceless: bool) -> RequestGroup:
    """Draw one group with every parameter. A resourceless one has at least a required trait."""
    resources = draw(st.dictionaries(NAMES, st.integers(1, 2**31 - 1), min_size=1, max_size=3))
    forbidden = draw(st.frozensets(NAMES, max_size=2))
    allowed = NAMES.filter(lambda name: name not in forbidden)
    required = draw(st.lists(st.frozensets(allowed, min_size=1, max_size=3), min_size=int(resourceless)))
    member_of = draw(st.lists(st.frozensets(UUIDS, min_size=1, max_size=3), max_size=2))
    return RequestGroup(
        suffix=suffix,
        resources=() if resourceless else tuple(resources.items()),
        required=tuple(dict.fromkeys(required)),
        forbidden=forbidden,
        member_of=tuple(dict.fromkeys(member_of)),
        forbidden_aggregates=draw(st.frozensets(UUIDS, max_size=2)),
        in_tree=draw(st.none() | UUIDS),
    )


AGGREGATE_SETS = st.lists(st.frozensets(UUIDS, min_size=1, max_size=3), max_size=2, unique=True).map(tuple)


@st.composite
def requests(draw: st.DrawFn) -> CandidateRequest:
    """Draw a whole request that is well formed, whatever a graph would say to its names."""
    suffixes = draw(st.lists(SUFFIXES, max_size=4, unique=True))
    resourceless = suffixes[1:] if draw(st.booleans()) else []
    unsuffixed = [""] if not suffixes or draw(st.booleans()) else []
    root_forbidden = draw(st.frozensets(NAMES, max_size=2))
    return CandidateRequest(
        groups=tuple(
            draw(groups(suffix, resourceless=suffix in resourceless))
            for suffix in draw(st.permutations(unsuffixed + suffixes))
        ),
        group_policy=draw(st.sampled_from(["none", "isolate"])),
        same_subtrees=(SameSubtree(tuple(resourceless)),) if resourceless else (),
        root_required=draw(st.frozensets(NAMES, max_size=2)) - root_forbidden,
        root_forbidden=root_forbidden,
        limit=draw(st.none() | st.integers(1, 10**6)),
    )


@st.composite
def extended_requests(draw: st.DrawFn) -> CandidateRequest:
    """Draw a request like those, in which anything that graphplace adds to Placement may be used, too."""
    request = draw(requests())
    suffixes = [group.suffix for group in request.groups if group.suffix]
    classes = [name for group in request.groups if not group.suffix for name, _ in group.resources]
    with_resources = [group.suffix for group in request.groups if group.suffix and group.resources]
    if suffixes and draw(st.booleans()):
        isolated = draw(st.lists(st.sampled_from(suffixes), unique=True, min_size=1))
        request = replace(request, group_policy=None, isolated=tuple(isolated))
    if with_resources and draw(st.booleans()):
        excluded = draw(st.lists(st.sampled_from(with_resources), unique=True))
        rest = tuple(suffix for suffix in suffixes if suffix not in excluded)
        if rest:
            request = replace(request, same_subtrees=(SameSubtree(rest, tuple(excluded)),))
    if with_resources and not classes and draw(st.booleans()):
        group = draw(groups("", resourceless=True))
        request = replace(request, groups=(*request.groups, group))
    return replace(
        request,
        group_policy=draw(st.sampled_from([None, request.group_policy])),
        root_member_of=draw(AGGREGATE_SETS),
        root_forbidden_aggregates=draw(st.frozensets(UUIDS, max_size=2)),
        can_split=tuple(draw(st.lists(st.sampled_from(classes), unique=True))) if classes else (),
    )


def to_query(request: CandidateRequest) -> str:
    """Write *request* as a query string."""
    pairs = [pair for group in request.groups for pair in _of_group(group)]
    root_traits = [*request.root_required, *("!" + trait for trait in request.root_forbidden)]
    if root_traits:
        pairs.append(("root_required", ",".join(root_traits)))
    pairs.extend(_aggregates("root_member_of", request.root_member_of, request.root_forbidden_aggregates))
    pairs.extend(("same_subtree", _of_subtree(subtree)) for subtree in request.same_subtrees)
    pairs.extend((name, ",".join(listed)) for name, listed in _lists(request))
    if request.group_policy:
        pairs.append(("group_policy", request.group_policy))
    if request.limit:
        pairs.append(("limit", str(request.limit)))
    return "&".join(f"{quote(key)}={quote(value)}" for key, value in pairs)


def _of_group(group: RequestGroup) -> Iterator[tuple[str, str]]:
    if group.resources:
        yield "resources" + group.suffix, ",".join(f"{name}:{amount}" for name, amount in group.resources)
    for any_of in group.required:
        yield "required" + group.suffix, "in:" + ",".join(any_of)
    if group.forbidden:
        yield "required" + group.suffix, ",".join("!" + trait for trait in group.forbidden)
    yield from _aggregates("member_of" + group.suffix, group.member_of, group.forbidden_aggregates)
    if group.in_tree:
        yield "in_tree" + group.suffix, group.in_tree


def _aggregates(key: str, member_of: Iterable[frozenset[str]], forbidden: frozenset[str]) -> Iterator[tuple[str, str]]:
    for any_of in member_of:
        yield key, "in:" + ",".join(any_of)
    if forbidden:
        yield key, "!in:" + ",".join(forbidden)


def _of_subtree(subtree: SameSubtree) -> str:
    return ",".join([*subtree.suffixes, *("!" + suffix for suffix in subtree.excluded)])


def _lists(request: CandidateRequest) -> Iterator[tuple[str, tuple[str, ...]]]:
    if request.isolated:
        yield "isolate", request.isolated
    if request.can_split:
        yield "can_split", request.can_split
