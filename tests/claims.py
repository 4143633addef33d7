"""Requests about inventories and allocations, as short as a test wants them."""

from typing import Any

from cloud import PROJECT, USER, load_cloud, read_cloud, uuid_of
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

Held = dict[str, dict[str, int]]


def load(client: FlaskClient, text: str) -> None:
    """Load a cloud as :mod:`cloud` writes it."""
    load_cloud(client, read_cloud(text))


def claim(
    held: Held, generation: int | None = None, *, project: str = PROJECT, user: str = USER, kind: str = "INSTANCE"
) -> dict[str, Any]:
    """The body that lets a consumer hold something of the providers named."""
    return {
        "allocations": {uuid_of(provider): {"resources": resources} for provider, resources in held.items()},
        "consumer_generation": generation,
        "consumer_type": kind,
        "project_id": project,
        "user_id": user,
    }


def put(client: FlaskClient, consumer: str, held: Held, generation: int | None = None, **owner: str) -> TestResponse:
    """PUT /allocations/{consumer}."""
    return client.put(f"/allocations/{uuid_of(consumer)}", json=claim(held, generation, **owner))


def post(client: FlaskClient, claims: dict[str, dict[str, Any]]) -> TestResponse:
    """POST /allocations of consumers by name, in their order."""
    return client.post("/allocations", json={uuid_of(consumer): body for consumer, body in claims.items()})


def consumer(client: FlaskClient, name: str) -> dict[str, Any]:
    """GET /allocations/{consumer}."""
    return dict(client.get(f"/allocations/{uuid_of(name)}").json)


def held_by(client: FlaskClient, name: str) -> dict[str, dict[str, int]]:
    """What a consumer holds, by provider uuid and class."""
    return {uuid: one["resources"] for uuid, one in consumer(client, name)["allocations"].items()}


def used(client: FlaskClient, provider: str) -> dict[str, int]:
    """What is in use of a provider."""
    return dict(client.get(f"/resource_providers/{uuid_of(provider)}/usages").json["usages"])


def generation(client: FlaskClient, provider: str) -> int:
    """The generation of a provider."""
    return int(client.get(f"/resource_providers/{uuid_of(provider)}").json["generation"])


def error(answer: TestResponse) -> tuple[int, str, str]:
    """Status, code and detail of a failure."""
    (first,) = answer.json["errors"]
    return answer.status_code, first["code"], first["detail"]
