"""What all marshmallow schemas share: identifiers, names, and what apispec must be told about them."""

import re
import uuid
from typing import Any

from jsonschema import FormatChecker
from marshmallow import RAISE, Schema, ValidationError, fields, validate

# Python's ``$`` lets a last newline through, unlike JSON Schema's: END means the end in both.
END = r"$(?!\n)"
CUSTOM_NAME = rf"^CUSTOM_[A-Z0-9_]+{END}"
NAME = rf"^[A-Z0-9_]+{END}"
EVERY_KEY = ".*"
UUID_KEY = rf"^[0-9a-fA-F-]{{36}}{END}"
MAX_NAME = 255
MAX_PROVIDER_NAME = 200
MAX_IDENTIFIER = 255
MAX_AMOUNT = 2**31 - 1
# The largest 32 bit float, which is where Placement's own ratios end.
MAX_RATIO = 3.40282e38
# What clients and Placement's own tests read in a message; the end of the line that it lets through is refused beside.
CONSUMER_TYPE = r"^[A-Z0-9_]+$"

uuid_checker = FormatChecker(formats=())


@uuid_checker.checks("uuid")
def is_uuid(value: object) -> bool:
    """Tell whether *value* can be read as a uuid: with or without hyphens, braces or ``urn:uuid:``, in any case."""
    if not isinstance(value, str):
        return True
    try:
        uuid.UUID(value)
    except ValueError:
        return False
    return True


class Body(Schema):
    """The base of every body, query string and file: what it does not name is refused."""

    class Meta:
        """Unknown keys are errors."""

        unknown = RAISE


class Uuid(fields.String):
    """A uuid in any of its spellings, left as it was sent."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        text: str = super()._deserialize(value, attr, data, **kwargs)
        if not is_uuid(text):
            raise ValidationError(f"{text!r} is not a uuid.")
        return text


class UniqueList(fields.List[Any]):
    """A list without repetitions."""


class PatternDict(fields.Dict):
    """An object whose keys all match *pattern*, and whose values are all *values*; it has *minimum* keys or more."""

    def __init__(self, pattern: str, values: fields.Field[Any], *, minimum: int = 0, **kwargs: Any) -> None:
        super().__init__(keys=fields.String(), values=values, **kwargs)
        self.pattern = pattern
        self.minimum = minimum


def is_custom_name(name: str) -> bool:
    """Tell whether *name* can be that of a custom trait or resource class."""
    return len(name) <= MAX_NAME and re.match(CUSTOM_NAME, name) is not None


def custom_name(**kwargs: Any) -> fields.String:
    """Return the field of a custom trait's or resource class's name."""
    return fields.String(validate=[validate.Length(1, MAX_NAME), validate.Regexp(CUSTOM_NAME)], **kwargs)


def provider_name(shortest: int = 0, **kwargs: Any) -> fields.String:
    """Return the field of a resource provider's name of *shortest* characters or more."""
    return fields.String(validate=validate.Length(shortest, MAX_PROVIDER_NAME), **kwargs)


def identifier(**kwargs: Any) -> fields.String:
    """Return the field of a project's or user's identifier."""
    return fields.String(validate=validate.Length(1, MAX_IDENTIFIER), **kwargs)


def type_name(**kwargs: Any) -> fields.String:
    """Return the field of a consumer type's name."""
    rules = [validate.Length(1, MAX_IDENTIFIER), validate.Regexp(CONSUMER_TYPE), validate.ContainsNoneOf("\n")]
    return fields.String(validate=rules, **kwargs)


class InventoryFields(Body):
    """An inventory, without its class."""

    total = fields.Integer(required=True, validate=validate.Range(1, MAX_AMOUNT))
    reserved = fields.Integer(validate=validate.Range(0, MAX_AMOUNT))
    min_unit = fields.Integer(validate=validate.Range(1, MAX_AMOUNT))
    max_unit = fields.Integer(validate=validate.Range(1, MAX_AMOUNT))
    step_size = fields.Integer(validate=validate.Range(1, MAX_AMOUNT))
    allocation_ratio = fields.Float(validate=validate.Range(max=MAX_RATIO))


def json_schema_attributes(
    _converter: object, field: fields.Field[Any], *, ret: dict[str, Any], **_kwargs: object
) -> dict[str, Any]:
    """Return what apispec does not know of the fields above; *ret* is what it made of *field* so far."""
    match field:
        case Uuid():
            return {"format": "uuid"}
        case UniqueList():
            return {"uniqueItems": True}
        case PatternDict():
            values = ret["additionalProperties"]
            made = {"patternProperties": {field.pattern: values}, "additionalProperties": False}
            return made | ({"minProperties": field.minimum} if field.minimum else {})
    return {}
