"""The driver that reads a host from a file, for what no other driver finds. docs/discover.md describes the file."""

from pathlib import Path
from typing import Any
from uuid import UUID

from marshmallow import fields, validate

from graphplace.compute.drivers.wanted import Wanted, bring
from graphplace.compute.provider_tree import ProviderTree
from graphplace.compute.reading import Allocations
from graphplace.compute.yaml_file import read_yaml
from graphplace.errors import BadRequestError
from graphplace.fields import NAME, Body, InventoryFields, PatternDict, UniqueList, Uuid, provider_name

VERSION = 1
HOST = "{host}"
REMOVE, KEEP = "remove", "keep"


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
    document = read_yaml(text, HostFile)
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
