"""The file that ``graphplace schedule`` reads a flavor from. docs/scheduler.md describes it."""

from typing import Any

import orjson
import yaml
from marshmallow import fields, validate

from graphplace.errors import BadRequestError
from graphplace.fields import EVERY_KEY, MAX_AMOUNT, Body, PatternDict, identifier, uuid_checker
from graphplace.scheduler.request_spec import Flavor
from graphplace.validation import validator_of

# A message quotes the offending value; beyond this it would only be noise.
MAX_MESSAGE = 300


def _amount(minimum: int = 0, **kwargs: Any) -> fields.Integer:
    return fields.Integer(validate=validate.Range(minimum, MAX_AMOUNT), **kwargs)


class FlavorFile(Body):
    """A flavor as Nova's API shows it: ``ram`` in MiB, ``disk`` and ``ephemeral`` in GiB, ``swap`` in MiB."""

    name = identifier()
    vcpus = _amount(1, required=True)
    ram = _amount(1, required=True)
    disk = _amount()
    ephemeral = _amount()
    swap = _amount()
    extra_specs: fields.Field[Any] = PatternDict(EVERY_KEY, fields.String())


def read_flavor(text: bytes) -> Flavor:
    """Return the flavor of a file in YAML or JSON, in UTF-8. Raises BadRequestError."""
    try:
        document = orjson.loads(orjson.dumps(yaml.safe_load(text)))
    except (yaml.YAMLError, orjson.JSONEncodeError) as error:
        raise BadRequestError(f"This is neither YAML nor JSON: {error}") from error
    if (wrong := validator_of(FlavorFile, uuid_checker).first_error(document)) is not None:
        raise BadRequestError(f"{wrong.json_path}: {wrong.message[:MAX_MESSAGE]}")
    return Flavor(
        name=document.get("name", ""),
        vcpus=int(document["vcpus"]),
        memory_mb=int(document["ram"]),
        root_gb=int(document.get("disk", 0)),
        ephemeral_gb=int(document.get("ephemeral", 0)),
        swap=int(document.get("swap", 0)),
        extra_specs=document.get("extra_specs", {}),
    )
