"""Loading a whole cloud from one JSON document, providers with all that they have, and consumers; restoring a dump."""

from graphplace.loading.document import Cloud, Consumer, Document, Provider, read_cloud
from graphplace.loading.dumped import DumpLine, is_dump
from graphplace.loading.filling import Filled, restart
from graphplace.loading.load import Loaded, load, restore

__all__ = [
    "Cloud",
    "Consumer",
    "Document",
    "DumpLine",
    "Filled",
    "Loaded",
    "Provider",
    "is_dump",
    "load",
    "read_cloud",
    "restart",
    "restore",
]
