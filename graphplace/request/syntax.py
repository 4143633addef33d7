"""How much of the query syntax a client may use: it grew with the versions of the API."""

from dataclasses import dataclass

NAMED_SUFFIX = "[a-zA-Z0-9_-]{1,64}"
NUMBERED_SUFFIX = "[1-9][0-9]*"

GROUP_PARAMETERS = ("resources", "required", "member_of", "in_tree")
"""The parameters of a request group, which may carry its suffix."""

REQUEST_PARAMETERS = ("limit", "group_policy", "root_required", "same_subtree")
"""The parameters that are about a request as a whole."""

EXTENSION_PARAMETERS = ("root_member_of", "isolate", "can_split")
"""Those of them that Placement does not have."""


@dataclass(frozen=True, kw_only=True)
class Syntax:
    """What is understood. The defaults are the whole syntax, that of microversion 1.39.

    ``parameters`` are the keys known to a request for candidates, without suffixes; ``suffix`` is the pattern of
    those, None where groups have none. ``forbidden_traits`` is ``required=!A``; ``any_traits`` is ``required=in:A,B``
    and repeating it, of which otherwise the last value counts; ``repeated_member_of`` is repeating ``member_of``, and
    ``forbidden_aggregates`` is ``member_of=!A`` and ``!in:A,B``.

    Beyond Placement, ``excluded_groups`` is ``same_subtree=_A,!_B``; with ``policy_optional`` several groups may do
    without ``group_policy``, and with ``unsuffixed_resourceless`` the unsuffixed group without ``resources``.
    """

    parameters: frozenset[str] = frozenset(GROUP_PARAMETERS + REQUEST_PARAMETERS)
    suffix: str | None = NAMED_SUFFIX
    forbidden_traits: bool = True
    any_traits: bool = True
    repeated_member_of: bool = True
    forbidden_aggregates: bool = True
    excluded_groups: bool = False
    policy_optional: bool = False
    unsuffixed_resourceless: bool = False


NEWEST = Syntax()

EXTENDED = Syntax(
    parameters=NEWEST.parameters.union(EXTENSION_PARAMETERS),
    excluded_groups=True,
    policy_optional=True,
    unsuffixed_resourceless=True,
)
"""All that graphplace understands, beyond Placement too."""
