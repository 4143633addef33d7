"""Building with alternates, on a real server (specs: selection-objects)."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from claims import held_by, put
from cloud import uuid_of
from flask.testing import FlaskClient
from scheduling import SMALL, Clouds, consumers, names
from wire import Wire

from graphplace.graph.database import Database
from graphplace.scheduler.conductor import build_with_alternates
from graphplace.scheduler.errors import BuildFailed, MaxRetriesExceeded, NoValidHost
from graphplace.scheduler.request_spec import Destination
from graphplace.scheduler.select import Scheduler
from graphplace.scheduler.selection import Selection

HOSTS = "\n".join(f"h{number}  VCPU:4  MEMORY_MB:8192" for number in range(5))
NEAR = replace(SMALL, requested_destination=Destination(cell=uuid_of("cell1")))
VM = uuid_of("vm")


def failing_on(hosts: list[str], tried: list[str]) -> Callable[[str, Selection], None]:
    """What builds everywhere but on *hosts*, and notes in *tried* where it did."""

    def build(instance_uuid: str, selection: Selection) -> None:
        assert instance_uuid == VM
        tried.append(selection.service_host)
        if selection.service_host in hosts:
            raise BuildFailed(f"{selection.service_host} is on fire")

    return build


def searches(wire: Wire) -> int:
    return len([line for line in wire.sent if line.startswith("GET /allocation_candidates")])


@pytest.fixture
def selections(scheduler: Scheduler, cloud: Clouds) -> list[Selection]:
    """A host of the first of two cells that is claimed, and two alternates."""
    cloud(HOSTS, cell2=["h3", "h4"])
    [selected] = scheduler.select_destinations(None, NEAR, [VM])
    assert sorted(names(selected)) == ["h0", "h1", "h2"]
    return selected


def test_a_build_that_succeeds_stays_where_it_was_claimed(
    scheduler: Scheduler, selections: list[Selection], client: FlaskClient, wire: Wire
) -> None:
    wire.sent.clear()
    built = build_with_alternates(None, scheduler, SMALL, VM, selections, build=failing_on([], []))
    assert built == selections[0]
    assert wire.sent == []
    assert held_by(client, "vm").keys() == {built.compute_node_uuid}


def test_a_failed_build_is_released_and_the_next_alternate_claimed_without_another_run(
    scheduler: Scheduler, selections: list[Selection], client: FlaskClient, wire: Wire
) -> None:
    first, second, third = names(selections)
    before, tried = searches(wire), list[str]()
    built = build_with_alternates(
        None, scheduler, SMALL, VM, selections, build=failing_on([first, second], tried), new_runs=1
    )
    assert tried == [first, second, third]
    assert built == selections[2]
    assert held_by(client, "vm") == {built.compute_node_uuid: {"VCPU": 1, "MEMORY_MB": 1024}}
    assert searches(wire) == before


def test_an_alternate_that_others_took_is_passed_over(
    scheduler: Scheduler, selections: list[Selection], client: FlaskClient
) -> None:
    first, second, third = names(selections)
    assert put(client, "other", {second: {"VCPU": 4}}).status_code == 204
    tried: list[str] = []
    build_with_alternates(None, scheduler, SMALL, VM, selections, build=failing_on([first], tried))
    assert tried == [first, third]
    assert held_by(client, "vm").keys() == {uuid_of(third)}


def test_when_all_fail_nothing_is_held_and_each_failure_is_told(
    scheduler: Scheduler, selections: list[Selection], database: Database
) -> None:
    with pytest.raises(MaxRetriesExceeded) as failed:
        build_with_alternates(None, scheduler, SMALL, VM, selections, build=failing_on(["h0", "h1", "h2"], []))
    assert failed.value.failures == {host: f"{host} is on fire" for host in ("h0", "h1", "h2")}
    assert consumers(database) == []


def test_another_cell_is_reached_by_a_new_run_only_and_without_the_hosts_that_failed(
    scheduler: Scheduler, selections: list[Selection], wire: Wire, client: FlaskClient
) -> None:
    before, tried = searches(wire), list[str]()
    built = build_with_alternates(
        None, scheduler, SMALL, VM, selections, build=failing_on(["h0", "h1", "h2"], tried), new_runs=1
    )
    assert set(tried[:3]) == {"h0", "h1", "h2"}
    assert tried[3:] == [built.service_host]
    assert built.cell_uuid == uuid_of("cell2")
    assert searches(wire) == before + 1
    assert held_by(client, "vm").keys() == {built.compute_node_uuid}


def test_a_new_run_that_finds_no_host_leaves_nothing_claimed(
    scheduler: Scheduler, selections: list[Selection], database: Database
) -> None:
    with pytest.raises(NoValidHost, match="Of the hosts with room, 3 are to be left alone"):
        build_with_alternates(
            None, scheduler, NEAR, VM, selections, build=failing_on(["h0", "h1", "h2"], []), new_runs=1
        )
    assert consumers(database) == []


def test_what_else_a_build_raises_passes_through_and_nothing_stays_claimed(
    scheduler: Scheduler, selections: list[Selection], database: Database
) -> None:
    def build(_instance_uuid: str, _selection: Selection) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        build_with_alternates(None, scheduler, SMALL, VM, selections, build=build)
    assert consumers(database) == []
