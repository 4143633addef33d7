"""How much of the query syntax a client may use: it grew with the versions of the API."""

from dataclasses import dataclass

NAMED_SUFFIX = "[a-zA-Z0-9_-]{1,64}"
NUMBERED_SUFFIX = "[1-9][0-9]*"

GROUP_PARAMETERS = ("resources", "required", "member_of", "in_tree")
"""The parameters of a request group, which may carry its suffix."""

REQUEST_PARAMETERS = ("limit", "group_policy", "root_required", "same_subtree")
"""The parameters that are about a request as a whole."""


@dataclass(frozen=True, kw_only=True)
class Syntax:
    """What is understood. The defaults are the whole syntax, that of microversion 1.39.

    ``parameters`` are the keys known to a request for candidates, without suffixes; ``suffix`` is the pattern of
    those, None where groups have none. ``forbidden_traits`` is ``required=!A``; ``any_traits`` is ``required=in:A,B``
    and repeating it, of which otherwise the last value counts; ``repeated_member_of`` is repeating ``member_of``, and
    ``forbidden_aggregates`` is ``member_of=!A`` and ``!in:A,B``.
    """

    parameters: frozenset[str] = frozenset(GROUP_PARAMETERS + REQUEST_PARAMETERS)
    suffix: str | None = NAMED_SUFFIX
    forbidden_traits: bool = True
    any_traits: bool = True
    repeated_member_of: bool = True
    forbidden_aggregates: bool = True


NEWEST = Syntax()
