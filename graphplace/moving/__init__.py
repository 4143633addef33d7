"""Moving in from Placement, by its database or its REST API, and back out to a Placement that runs.

``placement_database`` needs SQLAlchemy, ``placement_api`` and ``push`` need keystoneauth1: the extra ``import``.
"""

from graphplace.moving.source import Progress, Source, SourceError
from graphplace.moving.take_over import read_through, take_over
from graphplace.moving.verify import Verified, verify

__all__ = ["Progress", "Source", "SourceError", "Verified", "read_through", "take_over", "verify"]
