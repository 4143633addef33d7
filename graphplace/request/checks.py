"""What the parts of a request must not say together: every refusal that needs the whole request, but no graph."""

from collections.abc import Iterable

from graphplace.errors import BadRequestError, Code
from graphplace.request.model import CandidateRequest
from graphplace.request.syntax import Syntax
from graphplace.request.values import contradictions


def check(request: CandidateRequest, syntax: Syntax) -> None:
    """Raise BadRequestError, with the code of Placement, for a *request* that makes no sense in *syntax*."""
    if "same_subtree" in syntax.parameters:
        _check_resourceless(request, syntax)
        _check_subtrees(request)
    else:
        _check_orphans(request)
    _check_contradictions(request)
    _check_isolated(request)
    _check_can_split(request)
    if not syntax.policy_optional:
        _check_group_policy(request)


def _check_orphans(request: CandidateRequest) -> None:
    """Refuse groups without resources, as before microversion 1.36."""
    resourceless = [group for group in request.groups if not group.resources]
    if traits := [f"required{group.suffix}" for group in resourceless if group.required]:
        raise BadRequestError(
            "All traits parameters must be associated with resources.  Found the following orphaned traits keys: "
            f"{', '.join(traits)}"
        )
    if aggregates := [
        f"member_of{group.suffix}" for group in resourceless if group.member_of or group.forbidden_aggregates
    ]:
        raise BadRequestError(
            "All member_of parameters must be associated with resources. Found the following orphaned member_of keys: "
            f"{', '.join(aggregates)}"
        )
    if resourceless:
        raise BadRequestError("All request groups must specify resources.")
    if not request.groups:
        raise BadRequestError("At least one request group (`resources` or `resources{$S}`) is required.")


def _check_resourceless(request: CandidateRequest, syntax: Syntax) -> None:
    resourceless = [group.suffix for group in request.groups if not group.resources]
    if len(resourceless) == len(request.groups):
        raise BadRequestError(
            "There must be at least one resources or resources[$S] parameter.", Code.QUERY_MISSING_VALUE
        )
    named = {suffix for subtree in request.same_subtrees for suffix in subtree.suffixes}
    if syntax.unsuffixed_resourceless:
        named.add("")
    if alone := [suffix for suffix in resourceless if suffix not in named]:
        raise BadRequestError(
            "Resourceless suffixed group request should be specified in `same_subtree` query param: "
            f"bad group(s) - {alone}.",
            Code.QUERY_BAD_VALUE,
        )


def _check_subtrees(request: CandidateRequest) -> None:
    subtrees = request.same_subtrees
    _check_suffixes(request, "same_subtree", (suffix for one in subtrees for suffix in (*one.suffixes, *one.excluded)))
    for subtree in subtrees:
        if not subtree.suffixes:
            raise BadRequestError(
                "`same_subtree` needs at least one group without `!`, for the others to be outside of its subtree. "
                f"Got: {','.join('!' + suffix for suffix in subtree.excluded)}",
                Code.QUERY_BAD_VALUE,
            )
        if both := [suffix for suffix in subtree.suffixes if suffix in subtree.excluded]:
            raise BadRequestError(
                f"A group is either inside or outside of the subtree of a `same_subtree`: {both} are named with `!` "
                "and without.",
                Code.QUERY_BAD_VALUE,
            )


def _check_suffixes(request: CandidateRequest, name: str, suffixes: Iterable[str]) -> None:
    known = [group.suffix for group in request.groups]
    if unknown := [suffix for suffix in dict.fromkeys(suffixes) if suffix not in known]:
        raise BadRequestError(
            f"Real suffixes should be specified in `{name}`: {unknown} not found in {known}.", Code.QUERY_BAD_VALUE
        )


def _check_isolated(request: CandidateRequest) -> None:
    _check_suffixes(request, "isolate", request.isolated)
    if request.isolated and request.group_policy is not None:
        raise BadRequestError(
            "`isolate` and `group_policy` exclude each other: `isolate` names the groups that share no provider, "
            f"`group_policy` speaks of all groups. Got: isolate={','.join(request.isolated)} and "
            f"group_policy={request.group_policy}",
            Code.QUERY_BAD_VALUE,
        )


def _check_can_split(request: CandidateRequest) -> None:
    classes = [name for group in request.groups if not group.suffix for name, _ in group.resources]
    if others := [name for name in request.can_split if name not in classes]:
        raise BadRequestError(
            f"`can_split` takes resource classes of the unsuffixed `resources`: {others} not found in {classes}.",
            Code.QUERY_BAD_VALUE,
        )


def _check_contradictions(request: CandidateRequest) -> None:
    conflicts = [
        f"required{group.suffix}: ({', '.join(sorted(any_of))})"
        for group in request.groups
        for any_of in contradictions(group.required, group.forbidden)
    ]
    if conflicts:
        raise BadRequestError(
            "Conflicting required and forbidden traits found in the following traits keys: "
            f"{', '.join(sorted(conflicts))}"
        )


def _check_group_policy(request: CandidateRequest) -> None:
    if request.group_policy is None and sum(bool(group.suffix) for group in request.groups) > 1:
        raise BadRequestError(
            'The "group_policy" parameter is required when specifying more than one "resources{N}" parameter.'
        )
