"""What can go wrong, as exceptions that the API, the command line and other programs tell apart.

Each class carries Placement's error ``code`` and the HTTP ``status`` that goes with it, so that the engine
decides once what a failure is and every surface says the same.
"""

from collections.abc import Iterable
from enum import StrEnum


class Code(StrEnum):
    """The closed list of Placement's error codes. Clients compare these strings: never change one."""

    UNDEFINED = "placement.undefined_code"
    CONCURRENT_UPDATE = "placement.concurrent_update"
    DUPLICATE_NAME = "placement.duplicate_name"
    INVENTORY_IN_USE = "placement.inventory.inuse"
    PROVIDER_IN_USE = "placement.resource_provider.inuse"
    PROVIDER_NOT_FOUND = "placement.resource_provider.not_found"
    CANNOT_DELETE_PARENT = "placement.resource_provider.cannot_delete_parent"
    QUERY_BAD_VALUE = "placement.query.bad_value"
    QUERY_MISSING_VALUE = "placement.query.missing_value"
    QUERY_DUPLICATE_KEY = "placement.query.duplicate_key"


class GraphplaceError(Exception):
    """The base of every error that graphplace raises on purpose.

    The message is for a person: it names the offending value and what is accepted.
    """

    status = 500
    code = Code.UNDEFINED

    def __init__(self, message: str, code: Code | None = None) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code


def raise_first(objections: Iterable[GraphplaceError]) -> None:
    """Raise the first of *objections*, if there is any; those after it are not even looked for."""
    for objection in objections:
        raise objection


class BadRequestError(GraphplaceError):
    """The input is wrong whatever the graph holds, or names something that must exist and does not."""

    status = 400


class NotFoundError(GraphplaceError):
    """The thing that the request is about does not exist."""

    status = 404


class ConflictError(GraphplaceError):
    """The input is well formed, but what the graph holds now does not allow it."""

    status = 409


class ConcurrentUpdateError(ConflictError):
    """Somebody else wrote first: read again and try once more."""

    code = Code.CONCURRENT_UPDATE


class StoreUnavailableError(GraphplaceError):
    """Neo4j cannot be reached, or does not answer in time. Unless the message says otherwise, nothing was written."""

    status = 503


class TimeBudgetError(GraphplaceError):
    """The request takes longer than the settings allow. Nothing was written."""

    status = 503


class SettingsError(GraphplaceError):
    """A setting has a value that cannot be used."""


class LocalNeo4jError(GraphplaceError):
    """The managed local Neo4j cannot be set up, started or stopped; the message says what to do."""
