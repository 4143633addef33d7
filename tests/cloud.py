"""Small clouds written as text, and loaded through the API.

One line is one provider: its name, then in any order what it has. Indentation makes it a child of the line
above that is indented less::

    cn1  VCPU:8(allocation_ratio=2.0,used=3)  DISK_GB:1000(reserved=100)  HW_CPU_X86_AVX  @A
      pf1  SRIOV_NET_VF:4  CUSTOM_PHYSNET_ONE
    ss1  DISK_GB:2000  MISC_SHARES_VIA_AGGREGATE  @A

``CLASS:total(field=value,...)`` is an inventory, where ``used`` stands for an allocation of that amount;
``@name`` is an aggregate; any other word is a trait. Names of providers and aggregates stand for fixed uuids.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, Protocol
from uuid import NAMESPACE_DNS, uuid5

HEADERS = {"X-Auth-Token": "admin", "OpenStack-API-Version": "placement 1.39"}
PROJECT = USER = "11111111-1111-4111-8111-111111111111"

_INVENTORY = re.compile(r"([A-Z0-9_]+):(\d+)(?:\(([^)]*)\))?")


@dataclass(frozen=True, kw_only=True)
class Inventory:
    """What a provider has of one class, with the fields of the API; ``used`` is allocated by one consumer."""

    total: int
    reserved: int = 0
    min_unit: int = 1
    max_unit: int = 2**31 - 1
    step_size: int = 1
    allocation_ratio: float = 1.0
    used: int = 0


@dataclass(frozen=True, kw_only=True)
class Provider:
    """One resource provider. ``parent`` is a name, and so are the aggregates."""

    name: str
    parent: str | None = None
    inventories: dict[str, Inventory] = field(default_factory=dict)
    traits: tuple[str, ...] = ()
    aggregates: tuple[str, ...] = ()


class Client(Protocol):
    """What loading needs of a test client, Flask's for one."""

    def open(self, path: str, **request: Any) -> Any:  # as in Flask
        """Send one request."""


@cache
def uuid_of(name: str) -> str:
    """Return the uuid that a name stands for."""
    return str(uuid5(NAMESPACE_DNS, name))


def read_cloud(text: str) -> tuple[Provider, ...]:
    """Read the text form; parents come before their children."""
    providers: list[Provider] = []
    above: list[tuple[int, str]] = []
    for line in filter(str.strip, text.splitlines()):
        indent = len(line) - len(line.lstrip())
        name, *words = line.split()
        above = [(depth, parent) for depth, parent in above if depth < indent]
        providers.append(_read_provider(name, above[-1][1] if above else None, words))
        above.append((indent, name))
    return tuple(providers)


def write_cloud(cloud: tuple[Provider, ...]) -> str:
    """Write the text form, for a person who reads a failed test."""

    def lines(parent: str | None, indent: str) -> Iterator[str]:
        for provider in cloud:
            if provider.parent == parent:
                yield indent + "  ".join([provider.name, *_words(provider)])
                yield from lines(provider.name, indent + "  ")

    return "\n".join(lines(None, ""))


def load_cloud(client: Client, cloud: tuple[Provider, ...]) -> None:
    """Create every provider with all that it has, and one consumer for each inventory that is used."""
    for custom in sorted({name for provider in cloud for name in provider.inventories if _is_custom(name)}):
        _send(client, "PUT", f"/resource_classes/{custom}")
    for custom in sorted({name for provider in cloud for name in provider.traits if _is_custom(name)}):
        _send(client, "PUT", f"/traits/{custom}")
    for provider in cloud:
        _load_provider(client, provider)


def _read_provider(name: str, parent: str | None, words: list[str]) -> Provider:
    inventories: dict[str, Inventory] = {}
    for word in words:
        if match := _INVENTORY.fullmatch(word):
            pairs = [pair.split("=") for pair in (match[3] or "").split(",") if pair]
            given = {key: float(value) if key == "allocation_ratio" else int(value) for key, value in pairs}
            inventories[match[1]] = Inventory(total=int(match[2]), **given)  # type: ignore[arg-type]  # see above
    rest = [word for word in words if ":" not in word]
    return Provider(
        name=name,
        parent=parent,
        inventories=inventories,
        traits=tuple(word for word in rest if not word.startswith("@")),
        aggregates=tuple(word.removeprefix("@") for word in rest if word.startswith("@")),
    )


def _words(provider: Provider) -> Iterator[str]:
    for name, inventory in provider.inventories.items():
        unusual = [
            f"{item.name}={getattr(inventory, item.name)}"
            for item in fields(inventory)
            if item.name != "total" and getattr(inventory, item.name) != item.default
        ]
        yield f"{name}:{inventory.total}" + (f"({','.join(unusual)})" if unusual else "")
    yield from provider.traits
    yield from (f"@{name}" for name in provider.aggregates)


def _load_provider(client: Client, provider: Provider) -> None:
    uuid = uuid_of(provider.name)
    path = f"/resource_providers/{uuid}"
    parent = uuid_of(provider.parent) if provider.parent else None
    created = {"name": provider.name, "uuid": uuid, "parent_provider_uuid": parent}
    _send(client, "POST", "/resource_providers", created)
    if provider.inventories:
        inventories = {
            name: {item.name: getattr(inventory, item.name) for item in fields(inventory) if item.name != "used"}
            for name, inventory in provider.inventories.items()
        }
        _put(client, f"{path}/inventories", inventories=inventories)
    if provider.traits:
        _put(client, f"{path}/traits", traits=list(provider.traits))
    if provider.aggregates:
        _put(client, f"{path}/aggregates", aggregates=[uuid_of(name) for name in provider.aggregates])
    for name, inventory in provider.inventories.items():
        if inventory.used:
            allocation = {
                "allocations": {uuid: {"resources": {name: inventory.used}}},
                "consumer_generation": None,
                "consumer_type": "INSTANCE",
                "project_id": PROJECT,
                "user_id": USER,
            }
            _send(client, "PUT", f"/allocations/{uuid_of(f'{provider.name} {name}')}", allocation)


def _put(client: Client, path: str, **body: Any) -> None:  # JSON
    generation = _send(client, "GET", path.rpartition("/")[0]).get_json()["generation"]
    _send(client, "PUT", path, body | {"resource_provider_generation": generation})


def _send(client: Client, method: str, path: str, body: dict[str, Any] | None = None) -> Any:  # as in Flask
    response = client.open(path, method=method, headers=HEADERS, json=body)
    assert response.status_code < 300, f"{method} {path} {body}: {response.status_code} {response.text}"
    return response


def _is_custom(name: str) -> bool:
    return name.startswith("CUSTOM_")
