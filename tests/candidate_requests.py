"""Requests for candidates of every form, as hypothesis strategies, and written as query strings."""

from collections.abc import Iterator
from urllib.parse import quote

from hypothesis import strategies as st

from graphplace.request.model import CandidateRequest, RequestGroup

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
        same_subtrees=(tuple(resourceless),) if resourceless else (),
        root_required=draw(st.frozensets(NAMES, max_size=2)) - root_forbidden,
        root_forbidden=root_forbidden,
        limit=draw(st.none() | st.integers(1, 10**6)),
    )


def to_query(request: CandidateRequest) -> str:
    """Write *request* as a query string."""
    pairs = [pair for group in request.groups for pair in _of_group(group)]
    root_traits = [*request.root_required, *("!" + trait for trait in request.root_forbidden)]
    if root_traits:
        pairs.append(("root_required", ",".join(root_traits)))
    pairs.extend(("same_subtree", ",".join(subtree)) for subtree in request.same_subtrees)
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
    for any_of in group.member_of:
        yield "member_of" + group.suffix, "in:" + ",".join(any_of)
    if group.forbidden_aggregates:
        yield "member_of" + group.suffix, "!in:" + ",".join(group.forbidden_aggregates)
    if group.in_tree:
        yield "in_tree" + group.suffix, group.in_tree
