"""The values of query parameters that several routes take.

Each function takes the decoded text of one parameter, or all values of a repeated one, and raises
BadRequestError for what cannot be read or is beyond the syntax that the client may use.
"""

import re
from collections.abc import Iterable, Sequence

from graphplace.errors import BadRequestError
from graphplace.request.syntax import NEWEST, Syntax

FORBIDDEN = "!"
ANY_OF = "in:"
NONE_OF = "!in:"


def parse_resources(value: str) -> tuple[tuple[str, int], ...]:
    """Read ``CLASS:AMOUNT,CLASS:AMOUNT`` as pairs. Of a repeated class the last amount counts."""
    if not value.strip():
        raise _badly_formed_resources("empty string")
    amounts: dict[str, int] = {}
    for item in value.split(","):
        name, colon, amount = item.partition(":")
        if not colon or ":" in amount:
            raise _badly_formed_resources(item)
        amounts[name] = _parse_amount(name, amount)
    return tuple(amounts.items())


def parse_required(values: Sequence[str], syntax: Syntax = NEWEST) -> tuple[tuple[frozenset[str], ...], frozenset[str]]:
    """Read every value of a ``required`` parameter: ``A,!B`` or ``in:A,B``.

    Returns the sets of which one trait each is required, and the set of forbidden traits.
    """
    required: list[frozenset[str]] = []
    forbidden: set[str] = set()
    for value in values if syntax.any_traits else values[-1:]:
        if value.startswith(ANY_OF):
            required.append(frozenset(_parse_any_of(value, syntax)))
        else:
            wanted, unwanted = parse_traits(value, syntax)
            required.extend(frozenset({trait}) for trait in wanted)
            forbidden.update(unwanted)
    return tuple(dict.fromkeys(required)), frozenset(forbidden)


def parse_traits(value: str, syntax: Syntax = NEWEST) -> tuple[tuple[str, ...], frozenset[str]]:
    """Read ``A,!B`` as the required traits, in order, and the forbidden ones. Any number of ``!`` is one."""
    names = [name.strip() for name in value.split(",")]
    required = tuple(name for name in names if not name.startswith(FORBIDDEN))
    forbidden = frozenset(name.lstrip(FORBIDDEN) for name in names if name.startswith(FORBIDDEN))
    expected = (
        "Invalid query string parameters: Expected 'required' parameter value of the form: "
        f"HW_CPU_X86_VMX,{FORBIDDEN if syntax.forbidden_traits else ''}CUSTOM_MAGIC."
    )
    if "" in required or "" in forbidden:
        raise BadRequestError(f"{expected} Got an empty trait in: {value}")
    if forbidden and not syntax.forbidden_traits:
        raise BadRequestError(f"{expected} Got: {value}")
    return required, forbidden


def contradictions(required: Iterable[frozenset[str]], forbidden: frozenset[str]) -> list[frozenset[str]]:
    """Return those sets of required traits of which every trait is forbidden."""
    return [any_of for any_of in required if any_of <= forbidden]


def parse_member_of(
    values: Sequence[str], syntax: Syntax = NEWEST, *, name: str = "member_of", suffix: str = ""
) -> tuple[tuple[frozenset[str], ...], frozenset[str]]:
    """Read every value of a ``member_of`` parameter: ``A``, ``!A``, ``in:A,B`` or ``!in:A,B`` with uuids.

    Returns the sets of which one aggregate each is required, and the set of forbidden aggregates. Uuids stay
    as they are written: aggregates are compared exactly. *name* is that of the parameter, without the *suffix* of the
    request group.
    """
    if len(values) > 1 and not syntax.repeated_member_of:
        raise BadRequestError(f"Multiple {name}{suffix} parameters are not supported.")
    required: list[frozenset[str]] = []
    forbidden: set[str] = set()
    for value in values:
        if value.startswith(NONE_OF):
            forbidden.update(_parse_aggregates(name, value.removeprefix(NONE_OF)))
        elif value.startswith(ANY_OF):
            required.append(_parse_aggregates(name, value.removeprefix(ANY_OF)))
        elif "," in value:
            raise BadRequestError(
                f"Multiple values for '{name}' must be prefixed with the 'in:' or '!in:' keyword using the "
                f"valid microversion. Got: {value}"
            )
        elif value.startswith(FORBIDDEN):
            forbidden.update(_parse_aggregates(name, value.removeprefix(FORBIDDEN)))
        else:
            required.append(_parse_aggregates(name, value))
    if forbidden and not syntax.forbidden_aggregates:
        raise BadRequestError(f"Forbidden {name}{suffix} parameters are not supported in the specified microversion")
    return tuple(dict.fromkeys(required)), frozenset(forbidden)


def parse_in_tree(value: str) -> str:
    """Read the uuid of a provider. Space around it is dropped, the uuid itself stays as it is written."""
    provider = value.strip()
    if not is_uuid(provider):
        raise BadRequestError(
            f"Invalid query string parameters: Expected 'in_tree' parameter to be a format of uuid. Got: {value}"
        )
    return provider


def is_uuid(text: str) -> bool:
    """Tell whether *text* is 32 hexadecimal digits in either case, with hyphens or without."""
    return re.fullmatch(r"[0-9a-fA-F]{32}", text.replace("-", "")) is not None


def _parse_amount(name: str, text: str) -> int:
    try:
        amount = int(text)
    except ValueError:
        raise BadRequestError(f"Requested resource {name} expected positive integer amount. Got: {text}.") from None
    if amount < 1:
        raise BadRequestError(f"Requested resource {name} requires amount >= 1. Got: {amount}.")
    return amount


def _badly_formed_resources(got: str) -> BadRequestError:
    return BadRequestError(
        "Badly formed resources parameter. Expected resources query string parameter in form: "
        f"?resources=VCPU:2,MEMORY_MB:1024. Got: {got}."
    )


def _parse_any_of(value: str, syntax: Syntax) -> list[str]:
    if not syntax.any_traits:
        raise BadRequestError(
            "Invalid query string parameters: The format 'in:HW_CPU_X86_VMX,CUSTOM_MAGIC' only supported since "
            f"microversion 1.39. Got: {value}"
        )
    traits = [name.strip() for name in value.removeprefix(ANY_OF).split(",")]
    if "" in traits:
        raise BadRequestError(
            "Invalid query string parameters: Expected 'required' parameter value of the form: "
            f"in:HW_CPU_X86_VMX,CUSTOM_MAGIC. Got an empty trait in: {value}"
        )
    if any(trait.startswith(FORBIDDEN) for trait in traits):
        raise BadRequestError(
            "Invalid query string parameters: The format 'in:HW_CPU_X86_VMX,CUSTOM_MAGIC' does not support "
            f"forbidden traits. Got: {value}"
        )
    return traits


def _parse_aggregates(name: str, text: str) -> frozenset[str]:
    aggregates = text.split(",")
    for aggregate in aggregates:
        if not is_uuid(aggregate):
            raise BadRequestError(
                f"Invalid query string parameters: Expected '{name}' parameter to contain valid UUID(s). "
                f"Got: {aggregate}"
            )
    return frozenset(aggregates)
