"""The file that ``graphplace schedule`` reads a flavor from. docs/scheduler.md describes it."""

from typing import Any

from marshmallow import fields, validate

from graphplace.compute.yaml_file import read_yaml
from graphplace.fields import EVERY_KEY, MAX_AMOUNT, Body, PatternDict, identifier
from graphplace.scheduler.request_spec import Flavor


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
    document = read_yaml(text, FlavorFile)
    return Flavor(
        name=document.get("name", ""),
        vcpus=int(document["vcpus"]),
        memory_mb=int(document["ram"]),
        root_gb=int(document.get("disk", 0)),
        ephemeral_gb=int(document.get("ephemeral", 0)),
        swap=int(document.get("swap", 0)),
        extra_specs=document.get("extra_specs", {}),
    )
