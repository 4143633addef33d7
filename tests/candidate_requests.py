"""Requests for candidates of every form, as hypothesis strategies."""

from dataclasses import replace

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
