"""What a selection reads: no more than the part of the cloud that the tenant may use. No times."""

import json

import neo4j
import pytest
from cloud import uuid_of
from graphplace.api import create_app
from profiling import Profiling
from scheduling import SMALL, instances, names, with_settings

from graphplace import host_aggregates, hosts
from graphplace.compute.direct import adapter_for
from graphplace.graph import schema
from graphplace.graph.database import Database
from graphplace.loading import load, read_cloud
from graphplace.scheduler.select import Scheduler
from graphplace.settings import NOAUTH2, Settings

# Hosts, a few of which are the tenant's. However many there are, those stay the same.
SIZES = (60, 180)
OWN = 6


def grow(database: Database, numbers: range) -> None:
    providers = [
        {
            "uuid": uuid_of(f"h{number}"),
            "name": f"h{number}",
            "inventories": {"VCPU": {"total": 4}, "MEMORY_MB": {"total": 8192}},
        }
        for number in numbers
    ]
    load(database, read_cloud(json.dumps({"version": 1, "providers": providers}).encode()))
    hosts.discover(database, "cell1")


@pytest.fixture(scope="module")
def reads(
    connected: Database, neo4j_driver: neo4j.Driver, neo4j_settings: Settings
) -> dict[tuple[bool, int], list[int]]:
    """What each statement of a selection reads, with and without the tenant filter, in a cloud of each size."""
    schema.wipe(connected)
    hosts.create_cell(connected, "cell1")
    profiling = Profiling(neo4j_driver)
    profiled = profiling.database(neo4j_settings.neo4j_database)
    settings = Settings(auth_strategy=NOAUTH2, allocation_candidates_timeout=0)
    scheduler = Scheduler(profiled, adapter_for(create_app(profiled, settings)), settings)
    assert max(SIZES) < settings.scheduler_max_placement_results
    found, begin = {}, 0
    for size in SIZES:
        grow(connected, range(begin, size))
        if begin == 0:
            host_aggregates.create(connected, "own", metadata={"filter_tenant_id": "p1"})
            for number in range(OWN):
                host_aggregates.add_host(connected, "own", f"h{number}")
        for limited in (True, False):
            profiling.reads.clear()
            [selected] = with_settings(scheduler, limit_tenants_to_placement_aggregate=limited).select_destinations(
                None, SMALL, instances(1)
            )
            assert len(selected) == 3
            assert not limited or set(names(selected)) <= {f"h{number}" for number in range(OWN)}
            found[limited, size] = list(profiling.reads)
        begin = size
    return found


def test_with_the_tenant_filter_only_the_tenants_part_is_read(reads: dict[tuple[bool, int], list[int]]) -> None:
    small, large = (sum(reads[True, size]) for size in SIZES)
    assert large <= 1.1 * small
    # Without it, the whole cloud is.
    whole_small, whole_large = (sum(reads[False, size]) for size in SIZES)
    assert whole_large > 2 * whole_small
    assert whole_large > 10 * large


def test_a_selection_takes_the_same_statements_in_a_larger_cloud(reads: dict[tuple[bool, int], list[int]]) -> None:
    for limited in (True, False):
        assert len({len(reads[limited, size]) for size in SIZES}) == 1
