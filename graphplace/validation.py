"""Input against its marshmallow schema: the body of a request, a query string, a file.

The schema is the one source. Its JSON Schema, made by apispec, is what input is checked against. That is
``jsonschema_rs``'s, in a thirtieth of the time of ``jsonschema``; what it refuses goes to that, whose messages
clients and Placement's own tests read. What passes is then loaded by marshmallow, which fills defaults in and makes
whole numbers of numbers such as 4.0.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import Any, cast

import jsonschema
import jsonschema_rs
import orjson
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from jsonschema import FormatChecker
from marshmallow import Schema, ValidationError, fields

from graphplace.errors import BadRequestError
from graphplace.fields import json_schema_attributes, uuid_checker

Shape = type[Schema] | fields.Field[Any]

STRICT = FormatChecker(["uuid"])

# A message quotes the offending value; beyond this it would only be noise.
MAX_MESSAGE = 4000


@cache
def json_schema(shape: Shape) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of *shape*."""
    # Without a name, a nested schema stands where it is used.
    plugin = MarshmallowPlugin(schema_name_resolver=lambda _schema: "")
    APISpec("graphplace", "1", "3.1.0", plugins=[plugin])
    converter: Any = plugin.converter
    converter.add_attribute_function(json_schema_attributes)
    made = converter.schema2jsonschema(shape) if isinstance(shape, type) else converter.field2property(shape)
    return cast("dict[str, Any]", made)


def load_json(data: bytes, shape: Shape) -> Any:
    """Return the JSON in *data* as *shape* loads it. Raises BadRequestError."""
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise BadRequestError(f"Malformed JSON: {error}") from error
    try:
        check(value, shape, "JSON does not validate", uuid_checker)
    except RecursionError:
        raise BadRequestError("JSON does not validate: it is nested too deeply.") from None
    try:
        return loader_of(shape)(value)
    except ValidationError as error:
        raise BadRequestError(f"JSON does not validate: {error.messages}") from error


class Validator:
    """Checks values against one JSON Schema; *formats* tells what a uuid is."""

    def __init__(self, schema: dict[str, Any], formats: FormatChecker = STRICT) -> None:
        conforming: dict[str, Callable[..., bool]] = {
            name: partial(formats.conforms, format=name) for name in formats.checkers
        }
        self._quick = jsonschema_rs.Draft202012Validator(schema, formats=conforming, validate_formats=True)
        self._telling = jsonschema.Draft202012Validator(schema, format_checker=formats)

    def first_error(self, value: object) -> jsonschema.ValidationError | None:
        """Return the most telling of the reasons why *value* is not accepted; None when it is."""
        if self._passes(value):
            return None
        found: jsonschema.ValidationError | None = jsonschema.exceptions.best_match(self._telling.iter_errors(value))
        return found

    def check(self, value: object, title: str) -> None:
        """Raise BadRequestError, in the words of ``jsonschema`` after *title*, unless *value* is accepted."""
        error = self.first_error(value)
        if error is not None:
            text = str(error)
            raise BadRequestError(f"{title}: {text[:MAX_MESSAGE]}{'...' if len(text) > MAX_MESSAGE else ''}")

    def _passes(self, value: object) -> bool:
        try:
            return self._quick.is_valid(value)
        except ValueError:  # what JSON cannot say, such as half of a character, is left to the other one
            return False


@cache
def loader_of(shape: Shape) -> Callable[[Any], Any]:
    """Return what loads a value as *shape* says: to make a schema takes longer than to use it."""
    return shape().load if isinstance(shape, type) else shape.deserialize


@cache
def validator_of(shape: Shape, formats: FormatChecker) -> Validator:
    """Return what checks values against *shape*; *formats* tells what a uuid is."""
    return Validator(json_schema(shape), formats)


def check(value: object, shape: Shape, title: str, formats: FormatChecker = STRICT) -> None:
    """Raise BadRequestError, in the words of ``jsonschema`` after *title*, unless *value* is as *shape* wants it.

    *formats* tells what a uuid is: in a body any spelling, elsewhere only the one with hyphens.
    """
    validator_of(shape, formats).check(value, title)
