"""The driver that reads a host from a file, for what no other driver finds. docs/discover.md describes the file."""

from pathlib import Path
from typing import Any
from uuid import UUID

import orjson
import yaml
from marshmallow import fields, validate

from graphplace.compute.drivers.wanted import Wanted, bring
from graphplace.compute.provider_tree import ProviderTree
from graphplace.compute.reading import Allocations
from graphplace.errors import BadRequestError
from graphplace.fields import NAME, Body, InventoryFields, PatternDict, UniqueList, Uuid, provider_name, uuid_checker
from graphplace.validation import validator_of

VERSION = 1
HOST = "{host}"
REMOVE, KEEP = "remove", "keep"
# A message quotes the offending value; beyond this it would only be noise.
MAX_MESSAGE = 300


class _EachKeyOnce(yaml.SafeLoader):
    """Reads YAML, and refuses a key that is there twice: PyYAML would drop the first of two inventories of a class."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002  # PyYAML's
        seen: set[str] = set()
        for key in [key for key, _ in node.value if isinstance(key, yaml.ScalarNode)]:
            if key.value in seen:
                raise yaml.MarkedYAMLError(problem=f"{key.value!r} is there twice", problem_mark=key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


class ProviderEntry(Body):
    """A provider. What is left out of inventories, traits and aggregates stays as it is."""

    name = provider_name(1, required=True)
    parent = provider_name(1)
    uuid = Uuid()
    inventories: fields.Field[Any] = PatternDict(NAME, fields.Nested(InventoryFields))
    traits = UniqueList(fields.String(validate=validate.Regexp(NAME)))
    aggregates = UniqueList(Uuid())


class HostFile(Body):
    """The whole file. ``others`` says what becomes of providers below the host that are not in it."""

    version = fields.Integer(required=True, validate=validate.Equal(VERSION))
    others = fields.String(validate=validate.OneOf([REMOVE, KEEP]))
    providers = fields.List(fields.Nested(ProviderEntry), required=True)


class FileDriver:
    """Tells what a file in YAML or JSON says of a host. It is read each time that the driver is asked.

    ``{host}`` in names stands for the node's name, so that one file can serve many hosts.
    """

    def __init__(self, path: str) -> None:
        self._path = path

    def update_provider_tree(
        self, provider_tree: ProviderTree, nodename: str, allocations: Allocations | None = None
    ) -> None:
        """Bring the tree to what the file says; see :class:`graphplace.compute.driver.Driver`."""
        try:
            providers, removing = read_host(_read(self._path), nodename)
            bring(provider_tree, nodename, providers, allocations, is_own=lambda _provider: removing)
        except BadRequestError as error:
            raise BadRequestError(f"{self._path}: {error}") from error


def read_host(text: str, host: str) -> tuple[list[Wanted], bool]:
    """Return the providers of *host*, and whether others below it are to be removed. Raises BadRequestError."""
    try:
        # YAML has dates and keys that are numbers, which JSON has not.
        document = orjson.loads(orjson.dumps(yaml.load(text, _EachKeyOnce)))  # noqa: S506  # it is a SafeLoader
    except (yaml.YAMLError, RecursionError) as error:
        raise BadRequestError(f"This is neither YAML nor JSON: {error}") from error
    except orjson.JSONEncodeError as error:
        raise BadRequestError(f"This says more than JSON can: {error}") from error
    wrong = validator_of(HostFile, uuid_checker).first_error(document)
    if wrong is not None:
        raise BadRequestError(f"{wrong.json_path}: {wrong.message[:MAX_MESSAGE]}")
    return [_wanted(entry, host) for entry in document["providers"]], document.get("others", REMOVE) == REMOVE


def _wanted(entry: dict[str, Any], host: str) -> Wanted:
    parent, uuid, traits, aggregates = (entry.get(key) for key in ("parent", "uuid", "traits", "aggregates"))
    return Wanted(
        name=entry["name"].replace(HOST, host),
        parent=None if parent is None else parent.replace(HOST, host),
        uuid=None if uuid is None else str(UUID(uuid)),
        inventories=entry.get("inventories"),
        traits=None if traits is None else frozenset(traits),
        aggregates=None if aggregates is None else frozenset(str(UUID(one)) for one in aggregates),
    )


def _read(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError as error:
        raise BadRequestError(f"The file cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise BadRequestError("The file is not text in UTF-8.") from error
