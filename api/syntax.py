"""How much of the query syntax the version of a request has."""

from graphplace.api.features import Change, Extension, Feature
from graphplace.api.version import newest, serves

from graphplace.request.syntax import NAMED_SUFFIX, NUMBERED_SUFFIX, Syntax

_PARAMETERS: dict[str, Change] = {
    "resources": Feature.CANDIDATES,
    "limit": Feature.LIMIT,
    "required": Feature.CANDIDATES_BY_TRAITS,
    "member_of": Feature.CANDIDATES_BY_AGGREGATE,
    "group_policy": Feature.SUFFIXED_GROUPS,
    "in_tree": Feature.CANDIDATES_IN_TREE,
    "root_required": Feature.ROOT_REQUIRED,
    "same_subtree": Feature.SAME_SUBTREE,
    "root_member_of": Extension.ROOT_MEMBER_OF,
    "isolate": Extension.ISOLATE,
    "can_split": Extension.CAN_SPLIT,
}
_SUFFIX = {
    Feature.PROVIDERS: None,
    Feature.SUFFIXED_GROUPS: NUMBERED_SUFFIX,
    Feature.NAMED_SUFFIXES: NAMED_SUFFIX,
}


def syntax() -> Syntax:
    """Return what the current request may use."""
    return Syntax(
        parameters=frozenset(name for name, feature in _PARAMETERS.items() if serves(feature)),
        suffix=newest(_SUFFIX),
        forbidden_traits=serves(Feature.FORBIDDEN_TRAITS),
        any_traits=serves(Feature.ANY_TRAITS),
        repeated_member_of=serves(Feature.MEMBER_OF_REPEATED),
        forbidden_aggregates=serves(Feature.FORBIDDEN_AGGREGATES),
        excluded_groups=serves(Extension.EXCLUDED_GROUPS),
        policy_optional=serves(Extension.POLICY_OPTIONAL),
        unsuffixed_resourceless=serves(Extension.UNSUFFIXED_RESOURCELESS),
    )
