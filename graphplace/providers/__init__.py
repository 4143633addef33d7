"""Resource providers: reading them, finding them, and the trees that they form."""

from graphplace.providers.filters import Filters, index
from graphplace.providers.provider import ResourceProvider, called, called_in, get, names, unknown
from graphplace.providers.structure import Parent, create, delete, update

__all__ = [
    "Filters",
    "Parent",
    "ResourceProvider",
    "called",
    "called_in",
    "create",
    "delete",
    "get",
    "index",
    "names",
    "unknown",
    "update",
]
