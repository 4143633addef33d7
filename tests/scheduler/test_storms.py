"""Requests for several instances at once: each gets all of its hosts or none, and no host holds more than it has."""

from functools import partial

import pytest
from graph import look
from scheduling import SMALL, Clouds, consumers, instances
from together import together

from graphplace.check import check
from graphplace.graph.database import Database
from graphplace.scheduler.errors import NoValidHost
from graphplace.scheduler.select import Scheduler

HOSTS = 12
REQUESTS = 4
INSTANCES = 10


@pytest.mark.parametrize(("cpus", "numbers"), [(8, {REQUESTS}), (2, {0, 1, 2})], ids=["room", "two fit"])
def test_requests_at_once_are_placed_whole_or_not_at_all(
    scheduler: Scheduler, cloud: Clouds, database: Database, cpus: int, numbers: set[int]
) -> None:
    cloud("\n".join(f"h{number}  VCPU:{cpus}  MEMORY_MB:65536" for number in range(HOSTS)))

    def select(uuids: list[str]) -> list[str]:
        """Return the uuids of the instances that were placed."""
        try:
            return [uuid for uuid, _ in zip(uuids, scheduler.select_destinations(None, SMALL, uuids), strict=True)]
        except NoValidHost:
            return []

    placed = together([partial(select, instances(INSTANCES)) for _ in range(REQUESTS)])

    assert sum(map(bool, placed)) in numbers
    assert consumers(database) == sorted(uuid for uuids in placed for uuid in uuids)
    assert look(database, "MATCH (i:Inventory) WHERE i.free < 0 RETURN properties(i) AS overfull") == []
    assert list(check(database)) == []
