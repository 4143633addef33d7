"""Request groups in the syntax of a flavor's extra specs: ``resources:VCPU=2``, ``trait_NIC:CUSTOM_FAST=required``."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from graphplace.errors import BadRequestError
from graphplace.fields import MAX_AMOUNT, NAME
from graphplace.request.model import RequestGroup
from graphplace.request.syntax import NAMED_SUFFIX

KEY = re.compile(rf"(?P<kind>resources|trait)(?P<suffix>{NAMED_SUFFIX})?:(?P<name>.*)")
REQUIRED, FORBIDDEN = "required", "forbidden"


@dataclass
class Asked:
    """What one group has been asked for so far: amounts by class (0: nothing of it), and traits."""

    resources: dict[str, int] = field(default_factory=dict)
    required: set[str] = field(default_factory=set)
    forbidden: set[str] = field(default_factory=set)

    def group(self, suffix: str) -> RequestGroup:
        """Return the request group for this."""
        return RequestGroup(
            suffix=suffix,
            resources=tuple((name, amount) for name, amount in self.resources.items() if amount),
            required=tuple(frozenset({trait}) for trait in sorted(self.required)),
            forbidden=frozenset(self.forbidden),
        )

    def __bool__(self) -> bool:
        return any(self.resources.values()) or bool(self.required) or bool(self.forbidden)


def read_groups(extra_specs: Mapping[str, str]) -> dict[str, Asked]:
    """Return what *extra_specs* ask for, by suffix; other keys than ``resources...`` and ``trait...`` say nothing here.

    Raises BadRequestError for an amount that is no whole number from 0 up, for a trait that is neither ``required`` nor
    ``forbidden``, and for a name that no class or trait can have.
    """
    groups: dict[str, Asked] = {}
    for key, value in extra_specs.items():
        if found := KEY.fullmatch(key):
            if not re.match(NAME, found["name"]):
                raise BadRequestError(f"{key} must end in the name of a {_what(found['kind'])}, in capitals.")
            asked = groups.setdefault(found["suffix"] or "", Asked())
            if found["kind"] == "resources":
                asked.resources[found["name"]] = _amount(key, value)
            else:
                _traits(asked, key, value).add(found["name"])
    return groups


def _what(kind: str) -> str:
    return "resource class" if kind == "resources" else "trait"


def _amount(key: str, value: str) -> int:
    if not re.fullmatch("[0-9]{1,10}", value.strip()) or int(value) > MAX_AMOUNT:
        raise BadRequestError(f"{key} must be a whole number from 0 to {MAX_AMOUNT}. Got: {value!r}")
    return int(value)


def _traits(asked: Asked, key: str, value: str) -> set[str]:
    if value not in (REQUIRED, FORBIDDEN):
        raise BadRequestError(f"{key} must be {REQUIRED} or {FORBIDDEN}. Got: {value!r}")
    return asked.required if value == REQUIRED else asked.forbidden
