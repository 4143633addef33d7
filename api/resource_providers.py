"""Resource providers over HTTP."""

import uuid as uuids
from datetime import UTC, datetime
from typing import Any

import orjson
from flask import Response
from graphplace.api.context import database
from graphplace.api.features import Feature
from graphplace.api.location import path_of, url_of
from graphplace.api.responses import empty_response, json_response, now
from graphplace.api.syntax import syntax
from graphplace.api.validation import Pairs
from graphplace.api.version import serves

from graphplace import providers
from graphplace.providers import Filters, Parent, ResourceProvider
from graphplace.request.values import parse_member_of, parse_required, parse_resources

_RELATED = {
    "inventories": Feature.PROVIDERS,
    "usages": Feature.PROVIDERS,
    "aggregates": Feature.AGGREGATES,
    "traits": Feature.TRAITS,
    "allocations": Feature.ALLOCATIONS_LINKED,
}
_GAP = "{uuid}"


def index(query: Pairs) -> Response:
    """Answer with the resource providers that pass the filters of the query."""
    found = providers.index(database(), _filters(query))
    newest = max((provider.updated_at for provider in found), default=None)
    return json_response(
        {"resource_providers": _documents(found)}, last_modified=now() if newest is None else _moment(newest)
    )


def create(body: dict[str, Any]) -> Response:
    """Create a resource provider and answer with it, or before version 1.20 with where it is."""
    # However a provider's uuid is sent, it is kept in lower case and with hyphens.
    uuid = str(uuids.UUID(body["uuid"])) if "uuid" in body else str(uuids.uuid4())
    provider = providers.create(database(), uuid=uuid, name=body["name"], parent_uuid=body.get("parent_provider_uuid"))
    location = url_of("resource_providers", uuid)
    if not serves(Feature.PROVIDER_ON_CREATION):
        return empty_response(201, location=location)
    response = _answer(provider)
    response.location = location
    return response


def show(uuid: str) -> Response:
    """Answer with one resource provider."""
    return _answer(providers.get(database(), uuid))


def update(uuid: str, body: dict[str, Any]) -> Response:
    """Rename the resource provider, move it if the body names a parent or null as one, and answer with it."""
    parent_uuid = body.get("parent_provider_uuid", Parent.UNCHANGED)
    reparenting = serves(Feature.REPARENTING)
    return _answer(
        providers.update(database(), uuid, name=body["name"], parent_uuid=parent_uuid, reparenting=reparenting)
    )


def delete(uuid: str) -> Response:
    """Delete the resource provider."""
    providers.delete(database(), uuid)
    return empty_response()


def check_exists(uuid: str, **_rest: str) -> None:
    """Raise NotFoundError unless the resource provider of a path exists."""
    providers.get(database(), uuid)


def _filters(query: Pairs) -> Filters:
    """Return the filters; of a parameter that may be given once only the last counts."""
    last = dict(query)
    known = syntax()
    required, forbidden = parse_required([value for key, value in query if key == "required"], known)
    member_of, forbidden_aggregates = parse_member_of([value for key, value in query if key == "member_of"], known)
    return Filters(
        in_tree=last.get("in_tree"),
        required=required,
        forbidden=forbidden,
        member_of=member_of,
        forbidden_aggregates=forbidden_aggregates,
        resources=parse_resources(last["resources"]) if "resources" in last else (),
        uuid=last.get("uuid"),
        # To ask for an empty name is to ask for all, as in Placement.
        name=last.get("name") or None,
    )


def _answer(provider: ResourceProvider) -> Response:
    (document,) = _documents([provider])
    return json_response(document, last_modified=_moment(provider.updated_at))


def _documents(found: list[ResourceProvider]) -> list[dict[str, Any]]:
    pieces, trees = _pieces_of_links(), serves(Feature.TREES)
    return [_document(provider, pieces, trees=trees) for provider in found]


def _document(provider: ResourceProvider, pieces: list[str], *, trees: bool) -> dict[str, Any]:
    document: dict[str, Any] = {
        "uuid": provider.uuid,
        "name": provider.name,
        "generation": provider.generation,
        "links": orjson.Fragment(provider.uuid.join(pieces)),
    }
    if trees:
        document |= {"parent_provider_uuid": provider.parent_uuid, "root_provider_uuid": provider.root_uuid}
    return document


def _pieces_of_links() -> list[str]:
    """Return the links of any provider as JSON, cut where the uuid goes.

    An answer may hold every provider of the cloud. Six links each as dictionaries took two thirds of its time.
    """
    path = path_of("resource_providers") + "/" + _GAP
    related = [rel for rel, feature in _RELATED.items() if serves(feature)]
    links = [{"rel": "self", "href": path}, *({"rel": rel, "href": f"{path}/{rel}"} for rel in related)]
    return orjson.dumps(links).decode().split(_GAP)


def _moment(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
