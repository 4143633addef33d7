"""Selecting and building with the real Placement at the other end: those tests that look at nothing in the graph."""

from dataclasses import replace

import pytest
from cloud import uuid_of
from scheduler.test_conductor import (
    selections,
    test_a_failed_build_is_released_and_the_next_alternate_claimed_without_another_run,
)
from scheduler.test_select import (
    HOSTS,
    test_a_host_that_is_filled_meanwhile_is_passed_over,
    test_alternates_are_other_hosts_of_the_same_cell_and_are_not_claimed,
    test_disk_of_a_pool_is_claimed_with_the_host_that_draws_on_it,
    test_the_first_selection_is_claimed_and_says_all_of_its_host,
    test_what_somebody_else_does_to_an_instance_stays,
    test_what_was_held_before_is_held_after_a_selection_and_after_a_failed_one,
    test_when_all_that_were_found_are_filled_hosts_are_looked_for_anew,
)
from scheduling import SMALL, Clouds, instances, names, with_settings
from werkzeug.test import Client

from graphplace import host_aggregates
from graphplace.graph.database import Database
from graphplace.scheduler.errors import NoValidHost
from graphplace.scheduler.select import Scheduler

__all__ = [
    "selections",
    "test_a_failed_build_is_released_and_the_next_alternate_claimed_without_another_run",
    "test_a_host_that_is_filled_meanwhile_is_passed_over",
    "test_alternates_are_other_hosts_of_the_same_cell_and_are_not_claimed",
    "test_disk_of_a_pool_is_claimed_with_the_host_that_draws_on_it",
    "test_the_first_selection_is_claimed_and_says_all_of_its_host",
    "test_what_somebody_else_does_to_an_instance_stays",
    "test_what_was_held_before_is_held_after_a_selection_and_after_a_failed_one",
    "test_when_all_that_were_found_are_filled_hosts_are_looked_for_anew",
]


def test_all_or_nothing_and_the_reason_without_an_explanation(
    scheduler: Scheduler, cloud: Clouds, client: Client
) -> None:
    cloud("h0  VCPU:2  MEMORY_MB:8192\nh1  VCPU:1  MEMORY_MB:8192")
    with pytest.raises(NoValidHost) as refused:
        scheduler.select_destinations(None, SMALL, instances(4))

    assert client.get("/usages?project_id=p1").json == {"usages": {}}
    assert refused.value.explanation is None
    assert refused.value.reasons[1].startswith("Placement has no candidates for resources=VCPU:1,MEMORY_MB:1024")


def test_a_tenant_is_limited_by_aggregates_that_are_in_placement_as_well(
    scheduler: Scheduler, cloud: Clouds, database: Database
) -> None:
    cloud(f"{HOSTS}  @gold")
    host_aggregates.create(database, "gold", uuid_of("gold"), {"filter_tenant_id": "p1"})
    limited = with_settings(scheduler, limit_tenants_to_placement_aggregate=True)

    selected = limited.select_destinations(None, SMALL, instances(4))
    assert set(names(one for some in selected for one in some)) == {"h5"}
    with pytest.raises(NoValidHost):
        limited.select_destinations(None, SMALL, instances(1))
    with pytest.raises(NoValidHost, match="No hosts are available for project p2"):
        limited.select_destinations(None, replace(SMALL, project_id="p2"), instances(1))
