"""Usages over HTTP: of a resource provider, and of a project."""

from typing import Any

from flask import Response
from graphplace.api.context import database
from graphplace.api.features import Feature
from graphplace.api.responses import json_response, now
from graphplace.api.validation import Pairs
from graphplace.api.version import serves

from graphplace import usages


def of_provider(uuid: str) -> Response:
    """Answer with what is in use of the resource provider."""
    found = usages.of_provider(database(), uuid)
    document = {"usages": found.used, "resource_provider_generation": found.generation}
    return json_response(document, last_modified=now())


def index(query: Pairs) -> Response:
    """Answer with what the consumers of a project use, by consumer type or, before version 1.38, all together."""
    given: dict[str, Any] = dict(query)
    if not serves(Feature.CONSUMER_TYPES):
        together = usages.of_project(database(), **given, consumer_type=usages.ALL).get(usages.ALL)
        return json_response({"usages": together.used if together else {}}, last_modified=now())
    found = usages.of_project(database(), **given)
    document = {name: {**one.used, "consumer_count": one.consumers} for name, one in found.items()}
    return json_response({"usages": document}, last_modified=now())
