"""A whole cloud, read from one Placement API and written to another.

The generations of providers come out the same, because the writes are of the kinds that the suite's fixtures make:
one for each inventory, one for all traits, one for each consumer, and one that leaves the generation alone for the
aggregates.
"""

from dataclasses import dataclass
from typing import Any

from werkzeug.test import Client, TestResponse

# The first version with all that is read here, but for the types of consumers, which no fixture gives any.
VERSION = "1.37"
# The last version at which a change of aggregates leaves the provider's generation alone.
AGGREGATES_VERSION = "1.18"
HEADERS = {"X-Auth-Token": "admin", "X-Roles": "admin,service"}
CUSTOM = "CUSTOM_"


@dataclass(frozen=True)
class Cloud:
    """All that a Placement API shows. ``providers`` are the documents of the API with what belongs to each."""

    resource_classes: frozenset[str]
    traits: frozenset[str]
    providers: dict[str, dict[str, Any]]
    consumers: dict[str, dict[str, Any]]


def read_cloud(client: Client) -> Cloud:
    """Return what the API behind *client* holds."""
    classes = _get(client, "/resource_classes")["resource_classes"]
    providers = {
        one["uuid"]: _provider(client, one) for one in _get(client, "/resource_providers")["resource_providers"]
    }
    consumers = {uuid for one in providers.values() for uuid in one["consumers"]}
    return Cloud(
        resource_classes=frozenset(one["name"] for one in classes if one["name"].startswith(CUSTOM)),
        traits=frozenset(_get(client, f"/traits?name=startswith:{CUSTOM}")["traits"]),
        providers=providers,
        consumers={uuid: _get(client, f"/allocations/{uuid}") for uuid in consumers},
    )


def write_cloud(client: Client, cloud: Cloud) -> None:
    """Write *cloud* to the empty API behind *client*, and make sure that it is the same there."""
    for name in cloud.resource_classes:
        _send(client, "PUT", f"/resource_classes/{name}")
    for name in cloud.traits:
        _send(client, "PUT", f"/traits/{name}")
    for uuid in sorted(cloud.providers, key=lambda uuid: _depth(cloud, uuid)):
        _write_provider(client, cloud.providers[uuid])
    for uuid, consumer in cloud.consumers.items():
        _send(client, "PUT", f"/allocations/{uuid}", consumer | {"consumer_generation": None})
    assert read_cloud(client) == cloud


def _provider(client: Client, document: dict[str, Any]) -> dict[str, Any]:
    path = f"/resource_providers/{document['uuid']}"
    return {
        **{name: value for name, value in document.items() if name != "links"},
        "inventories": _get(client, f"{path}/inventories")["inventories"],
        "traits": sorted(_get(client, f"{path}/traits")["traits"]),
        "aggregates": sorted(_get(client, f"{path}/aggregates")["aggregates"]),
        "consumers": sorted(_get(client, f"{path}/allocations")["allocations"]),
    }


def _write_provider(client: Client, provider: dict[str, Any]) -> None:
    path = f"/resource_providers/{provider['uuid']}"
    named = {name: provider[name] for name in ("uuid", "name", "parent_provider_uuid")}
    _send(client, "POST", "/resource_providers", named)
    _send(client, "PUT", f"{path}/aggregates", provider["aggregates"], AGGREGATES_VERSION)
    for name, inventory in provider["inventories"].items():
        _send(client, "POST", f"{path}/inventories", inventory | {"resource_class": name})
    if provider["traits"]:
        generation = len(provider["inventories"])
        _send(
            client,
            "PUT",
            f"{path}/traits",
            {"traits": provider["traits"], "resource_provider_generation": generation},
        )


def _depth(cloud: Cloud, uuid: str) -> int:
    parent = cloud.providers[uuid]["parent_provider_uuid"]
    return 0 if parent is None else 1 + _depth(cloud, parent)


def _get(client: Client, path: str) -> Any:
    return _send(client, "GET", path).get_json()


def _send(client: Client, method: str, path: str, body: object = None, version: str = VERSION) -> TestResponse:
    headers = HEADERS | {"OpenStack-API-Version": f"placement {version}"}
    response = client.open(path, method=method, json=body, headers=headers)
    assert response.status_code < 300, f"{method} {path}: {response.status_code} {response.get_data(as_text=True)}"
    return response
