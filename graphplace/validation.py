"""Input against its marshmallow schema: the body of a request, a query string, a file.

The schema is the one source. Its JSON Schema, made by apispec, is what input is checked against, because clients
and Placement's own tests read the messages of the ``jsonschema`` library; what passes is then loaded by marshmallow,
which fills defaults in and makes whole numbers of numbers such as 4.0.
"""

from functools import cache
from typing import Any, cast

import jsonschema
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
        return shape().load(value) if isinstance(shape, type) else shape.deserialize(value)
    except ValidationError as error:
        raise BadRequestError(f"JSON does not validate: {error.messages}") from error


def check(value: object, shape: Shape, title: str, formats: FormatChecker = STRICT) -> None:
    """Raise BadRequestError, in the words of ``jsonschema`` after *title*, unless *value* is as *shape* wants it.

    *formats* tells what a uuid is: in a body any spelling, elsewhere only the one with hyphens.
    """
    check_against(value, validator_of(shape, formats), title)


def check_against(value: object, validator: jsonschema.Draft202012Validator, title: str) -> None:
    """Raise BadRequestError, as :func:`check` does, unless *validator* accepts *value*."""
    error = first_error(value, validator)
    if error is not None:
        text = str(error)
        raise BadRequestError(f"{title}: {text[:MAX_MESSAGE]}{'...' if len(text) > MAX_MESSAGE else ''}")


def first_error(value: object, validator: jsonschema.Draft202012Validator) -> jsonschema.ValidationError | None:
    """Return the most telling of the reasons why *validator* does not accept *value*; None when it does."""
    found: jsonschema.ValidationError | None = jsonschema.exceptions.best_match(validator.iter_errors(value))
    return found


@cache
def validator_of(shape: Shape, formats: FormatChecker) -> jsonschema.Draft202012Validator:
    """Return what checks values against *shape*; *formats* tells what a uuid is."""
    return jsonschema.Draft202012Validator(json_schema(shape), format_checker=formats)
