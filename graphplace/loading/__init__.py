"""Loading a whole cloud from one JSON document: providers with all that they have, and consumers."""

from graphplace.loading.document import Cloud, Consumer, Document, Provider, read_cloud
from graphplace.loading.load import Loaded, load

__all__ = ["Cloud", "Consumer", "Document", "Loaded", "Provider", "load", "read_cloud"]
