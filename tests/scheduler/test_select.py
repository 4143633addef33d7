"""select_destinations on a real server (specs: selection-objects, request-filtering)."""

import json
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import pytest
from claims import held_by, put, used
from cloud import uuid_of
from flask.testing import FlaskClient
from graph import look
from graphplace.api import create_app
from requests import ConnectionError as LostConnectionError
from scheduling import SMALL, Clouds, consumers, flavor_of, grouped, instances, names, with_settings
from wire import Wire

from graphplace import host_aggregates
from graphplace.check import check
from graphplace.compute.direct import adapter_for
from graphplace.compute.errors import AllocationUpdateFailed, ConsumerChanged
from graphplace.errors import BadRequestError
from graphplace.graph.database import Database
from graphplace.scheduler.errors import NoValidHost
from graphplace.scheduler.request_spec import Destination, Flavor, ImageMeta, NUMATopologyLimits, SchedulerLimits
from graphplace.scheduler.select import Scheduler
from graphplace.scheduler.selection import Selection
from graphplace.settings import NOAUTH2, Settings

HOSTS = "\n".join(f"h{number}  VCPU:4  MEMORY_MB:8192" for number in range(6))
PLACED = {"VCPU": 1, "MEMORY_MB": 1024}


def test_the_first_selection_is_claimed_and_says_all_of_its_host(
    scheduler: Scheduler, cloud: Clouds, client: FlaskClient
) -> None:
    cloud("h0  VCPU:4  MEMORY_MB:8192")
    limits = NUMATopologyLimits(cpu_allocation_ratio=2.0, ram_allocation_ratio=1.5)
    spec = replace(SMALL, limits=SchedulerLimits(numa_topology=limits))
    [[selection]] = scheduler.select_destinations(None, spec, [uuid_of("vm")])

    request = json.loads(selection.allocation_request)
    assert request["allocations"] == {uuid_of("h0"): {"resources": PLACED}}
    assert request["mappings"] == {"": [uuid_of("h0")]}
    assert selection == Selection(
        compute_node_uuid=uuid_of("h0"),
        service_host="h0",
        nodename="h0",
        cell_uuid=uuid_of("cell1"),
        numa_limits=limits,
        allocation_request=selection.allocation_request,
        allocation_request_version="1.39",
    )
    assert Selection.from_dict(json.loads(json.dumps(selection.to_dict()))) == selection
    assert held_by(client, "vm") == {uuid_of("h0"): PLACED}
    shown = client.get(f"/allocations/{uuid_of('vm')}").json
    assert (shown["project_id"], shown["user_id"], shown["consumer_type"]) == ("p1", "u1", "INSTANCE")


def test_alternates_are_other_hosts_of_the_same_cell_and_are_not_claimed(
    scheduler: Scheduler, cloud: Clouds, client: FlaskClient
) -> None:
    cloud(HOSTS, cell2=["h4", "h5"])
    [[claimed, *alternates]] = scheduler.select_destinations(None, SMALL, [uuid_of("vm")])

    assert held_by(client, "vm").keys() == {claimed.compute_node_uuid}
    assert {one.cell_uuid for one in alternates} <= {claimed.cell_uuid}
    assert len({claimed.service_host, *names(alternates)}) == len(alternates) + 1
    assert len(alternates) == (1 if claimed.cell_uuid == uuid_of("cell2") else 2)
    for one in alternates:
        assert json.loads(one.allocation_request)["allocations"].keys() == {one.compute_node_uuid}


@pytest.mark.parametrize(("attempts", "expected"), [(1, 0), (3, 2), (9, 5)])
def test_there_are_up_to_max_attempts_less_one_alternates(
    scheduler: Scheduler, cloud: Clouds, attempts: int, expected: int
) -> None:
    cloud(HOSTS)
    scheduler = with_settings(scheduler, max_attempts=attempts)
    [[_, *alternates]] = scheduler.select_destinations(None, SMALL, instances(1))
    assert len(set(names(alternates))) == len(alternates) == expected


def test_who_wants_no_alternates_gets_none(scheduler: Scheduler, cloud: Clouds) -> None:
    cloud(HOSTS)
    assert [len(one) for one in scheduler.select_destinations(None, SMALL, instances(2), return_alternates=False)] == [
        1,
        1,
    ]


def test_there_is_a_list_for_each_instance_in_order_and_no_alternate_is_a_host_that_is_selected(
    scheduler: Scheduler, cloud: Clouds, client: FlaskClient
) -> None:
    cloud(HOSTS)
    uuids = instances(3)
    selected = scheduler.select_destinations(None, SMALL, uuids)

    claimed = [one.compute_node_uuid for one, *_ in selected]
    held = [client.get(f"/allocations/{uuid}").json["allocations"].keys() for uuid in uuids]
    assert held == [{uuid} for uuid in claimed]
    alternates = {one.compute_node_uuid for _, *some in selected for one in some}
    assert alternates
    assert not alternates & set(claimed)


def test_a_host_takes_several_instances_of_a_request_while_it_has_room(
    scheduler: Scheduler, cloud: Clouds, client: FlaskClient
) -> None:
    cloud("h0  VCPU:4  MEMORY_MB:8192\nh1  VCPU:2  MEMORY_MB:8192")
    selected = scheduler.select_destinations(None, SMALL, instances(6))
    assert Counter(names(one[0] for one in selected)) == {"h0": 4, "h1": 2}
    assert used(client, "h0")["VCPU"] == 4


def test_all_or_nothing_with_the_reason(scheduler: Scheduler, cloud: Clouds, database: Database, wire: Wire) -> None:
    """Of 50 instances the last finds no host."""
    cloud("h0  VCPU:30  MEMORY_MB:65536\nh1  VCPU:19  MEMORY_MB:65536")
    with pytest.raises(NoValidHost) as refused:
        scheduler.select_destinations(None, SMALL, instances(50))

    assert consumers(database) == []
    assert look(database, "MATCH (i:Inventory) WHERE i.used <> 0 RETURN i.provider_uuid AS uuid") == []
    assert list(check(database)) == []
    assert len([line for line in wire.writes if line.startswith("PUT")]) == 49
    assert refused.value.explanation is not None
    assert refused.value.explanation["candidates"]["count"] == 0
    number, empty, *explained = refused.value.reasons
    assert number.endswith("is number 50 of its request.")
    assert (
        empty
        == "Placement has no candidates for resources=VCPU:1,MEMORY_MB:1024&root_required=!COMPUTE_STATUS_DISABLED."
    )
    assert explained == [reason["words"] for reason in refused.value.explanation["reasons"]] != []


def test_what_was_held_before_is_held_after_a_selection_and_after_a_failed_one(
    scheduler: Scheduler, cloud: Clouds, client: FlaskClient
) -> None:
    cloud("h0  VCPU:2  MEMORY_MB:8192\nh1  VCPU:1  MEMORY_MB:8192")
    assert put(client, "vm", {"h0": {"VCPU": 1}}).status_code == 204
    elsewhere = replace(SMALL, ignore_hosts=("h0",))
    scheduler.select_destinations(None, elsewhere, [uuid_of("vm")])
    assert held_by(client, "vm") == {uuid_of("h0"): {"VCPU": 1}, uuid_of("h1"): PLACED}

    assert put(client, "old", {"h0": {"VCPU": 1}}).status_code == 204
    client.delete(f"/allocations/{uuid_of('vm')}")
    with pytest.raises(NoValidHost):
        scheduler.select_destinations(None, elsewhere, [uuid_of("old"), uuid_of("new")])
    assert held_by(client, "old") == {uuid_of("h0"): {"VCPU": 1}}


def test_a_host_that_is_filled_meanwhile_is_passed_over(
    scheduler: Scheduler, cloud: Clouds, client: FlaskClient, wire: Wire
) -> None:
    cloud("h0  VCPU:4  MEMORY_MB:8192\nh1  VCPU:2  MEMORY_MB:4096")
    wire.before("PUT /allocations", lambda: put(client, "other", {"h0": {"VCPU": 4}}))
    [[selection]] = scheduler.select_destinations(None, SMALL, instances(1))
    assert selection.service_host == "h1"


def test_when_all_that_were_found_are_filled_hosts_are_looked_for_anew(
    scheduler: Scheduler, cloud: Clouds, client: FlaskClient, wire: Wire
) -> None:
    """Of 2 hosts 1 is full, and the other is filled while the first gets free again."""
    cloud("h0  VCPU:1  MEMORY_MB:8192\nh1  VCPU:1  MEMORY_MB:8192")
    put(client, "first", {"h0": {"VCPU": 1}})

    def swap() -> None:
        put(client, "second", {"h1": {"VCPU": 1}})
        client.delete(f"/allocations/{uuid_of('first')}")

    wire.before("PUT /allocations", swap)
    [[selection]] = scheduler.select_destinations(None, SMALL, instances(1))
    assert selection.service_host == "h0"


class Answering:
    """A session that gives answers of its own to the first requests of a method, and others to the one below."""

    def __init__(self, session: Wire, method: str, *instead: Any) -> None:
        self._session, self._method, self._instead = session, method, list(instead)

    def __getattr__(self, name: str) -> Any:
        below = getattr(self._session, name)
        return self._before(below) if name == self._method and self._instead else below

    def _before(self, below: Any) -> Any:
        return lambda *given, **options: self._instead.pop(0)(lambda: below(*given, **options))


@dataclass(frozen=True)
class Refusal:
    """An answer that Placement might give."""

    status_code: int
    code: str
    text: str = "no"

    def json(self) -> dict[str, Any]:
        return {"errors": [{"detail": self.text, "code": self.code}]}


def test_a_claim_that_others_outrun_is_sent_again(scheduler: Scheduler, cloud: Clouds, wire: Wire) -> None:
    cloud("h0  VCPU:4  MEMORY_MB:8192")
    outrun = Refusal(409, "placement.concurrent_update")
    session = Answering(wire, "put", *[lambda _send: outrun] * 3)
    [[selection]] = replace(scheduler, session=session).select_destinations(None, SMALL, instances(1))
    assert selection.service_host == "h0"


def test_a_claim_whose_answer_is_lost_is_given_back(
    scheduler: Scheduler, cloud: Clouds, wire: Wire, database: Database
) -> None:
    cloud(HOSTS)

    def lose(send: Any) -> None:
        assert send().status_code == 204
        raise LostConnectionError

    session = Answering(wire, "put", lambda send: send(), lose)
    with pytest.raises(LostConnectionError):
        replace(scheduler, session=session).select_destinations(None, SMALL, instances(3))
    assert consumers(database) == []


def test_what_somebody_else_does_to_an_instance_stays(
    scheduler: Scheduler, cloud: Clouds, client: FlaskClient, wire: Wire
) -> None:
    cloud(HOSTS)
    wire.before("PUT /allocations", lambda: put(client, "vm", {"h5": {"VCPU": 2}}))
    with pytest.raises(ConsumerChanged):
        scheduler.select_destinations(None, SMALL, [uuid_of("vm")])
    assert held_by(client, "vm") == {uuid_of("h5"): {"VCPU": 2}}


def test_who_may_not_claim_is_told_at_once(scheduler: Scheduler, cloud: Clouds, wire: Wire) -> None:
    cloud(HOSTS)
    forbidden = Refusal(403, "placement.undefined_code")
    session = Answering(wire, "put", lambda _send: forbidden)
    with pytest.raises(AllocationUpdateFailed, match="403"):
        replace(scheduler, session=session).select_destinations(None, SMALL, instances(1))


def test_affinity_keeps_all_instances_of_a_request_together(scheduler: Scheduler, cloud: Clouds) -> None:
    cloud(HOSTS)
    selected = scheduler.select_destinations(None, grouped(SMALL, "affinity"), instances(4))
    assert len({one.service_host for one, *_ in selected}) == 1
    # Another host would part an instance from the others.
    assert [len(one) for one in selected] == [1, 1, 1, 1]


def test_affinity_follows_the_others_of_the_group(scheduler: Scheduler, cloud: Clouds, database: Database) -> None:
    cloud(HOSTS)
    [[selection]] = scheduler.select_destinations(None, grouped(SMALL, "affinity", "h3"), instances(1))
    assert selection.service_host == "h3"
    with pytest.raises(NoValidHost):
        scheduler.select_destinations(None, grouped(SMALL, "affinity", "h3"), instances(4))
    assert len(consumers(database)) == 1


def test_anti_affinity_keeps_all_instances_of_a_request_and_their_alternates_apart(
    scheduler: Scheduler, cloud: Clouds
) -> None:
    cloud(HOSTS)
    selected = scheduler.select_destinations(None, grouped(SMALL, "anti-affinity", "h0"), instances(3))
    claimed = names(one[0] for one in selected)
    assert len(set(claimed)) == 3
    for _, *alternates in selected:
        assert alternates
        assert not set(names(alternates)) & {"h0", *claimed}


def test_a_group_may_have_several_instances_on_a_host_by_its_rule(
    scheduler: Scheduler, cloud: Clouds, client: FlaskClient
) -> None:
    """Two of it are on h0 and one is on h1 already."""
    cloud("\n".join(HOSTS.splitlines()[:4]))
    spec = grouped(SMALL, "anti-affinity", "h0", "h0", "h1", max_server_per_host=2)
    selected = scheduler.select_destinations(None, spec, instances(5))
    assert Counter(names(one[0] for one in selected)) == {"h1": 1, "h2": 2, "h3": 2}
    assert used(client, "h0")["VCPU"] == 0
    with pytest.raises(NoValidHost, match=r"Of the hosts with room, 4 have 2 of the group \(anti-affinity\)\."):
        scheduler.select_destinations(None, spec, instances(6), dry_run=True)


def test_a_group_whose_host_is_gone_is_a_reason(scheduler: Scheduler, cloud: Clouds) -> None:
    cloud(HOSTS)
    with pytest.raises(NoValidHost, match="No provider is mapped to the host gone"):
        scheduler.select_destinations(None, grouped(SMALL, "affinity", "gone"), instances(1))


def test_an_instance_cannot_be_selected_for_twice(scheduler: Scheduler, cloud: Clouds, wire: Wire) -> None:
    cloud(HOSTS)
    wire.sent.clear()
    one, other = instances(2)
    with pytest.raises(BadRequestError, match=f"must be different. There several times: {one}"):
        scheduler.select_destinations(None, SMALL, [one, other, one])
    assert wire.sent == []


def test_what_flavor_and_image_contradict_each_other_in_is_refused_before_anything_is_claimed(
    scheduler: Scheduler, cloud: Clouds, database: Database
) -> None:
    cloud(HOSTS)
    flavor = replace(SMALL.flavor, extra_specs={"trait:HW_CPU_X86_AVX2": "forbidden"})
    image = ImageMeta(traits_required=frozenset({"HW_CPU_X86_AVX2"}))
    with pytest.raises(BadRequestError, match="HW_CPU_X86_AVX2"):
        scheduler.select_destinations(None, replace(SMALL, flavor=flavor, image=image), instances(1))
    assert consumers(database) == []


def test_anti_affinity_without_another_host_is_a_reason(
    scheduler: Scheduler, cloud: Clouds, database: Database
) -> None:
    cloud(HOSTS)
    with pytest.raises(NoValidHost, match=r"Of the hosts with room, 6 have another of the group \(anti-affinity\)\."):
        scheduler.select_destinations(None, grouped(SMALL, "anti-affinity"), instances(7))
    assert consumers(database) == []


def test_soft_affinity_and_soft_anti_affinity_hold_as_long_as_they_can(scheduler: Scheduler, cloud: Clouds) -> None:
    cloud(HOSTS)
    strong = with_settings(scheduler, soft_affinity_weight_multiplier=9, soft_anti_affinity_weight_multiplier=9)
    selected = strong.select_destinations(None, grouped(SMALL, "soft-affinity"), instances(6), dry_run=True)
    assert sorted(Counter(names(one[0] for one in selected)).values()) == [2, 4]
    selected = strong.select_destinations(None, grouped(SMALL, "soft-anti-affinity"), instances(8), dry_run=True)
    assert sorted(Counter(names(one[0] for one in selected)).values()) == [1, 1, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("resource", "weigher"), [("VCPU:4", "cpu"), ("MEMORY_MB:4096", "ram"), ("DISK_GB:90", "disk")]
)
def test_a_positive_multiplier_spreads_and_a_negative_one_packs(
    scheduler: Scheduler, cloud: Clouds, resource: str, weigher: str
) -> None:
    full = {"VCPU": 9, "MEMORY_MB": 8192, "DISK_GB": 100}
    name, _, less = resource.partition(":")
    text = list[str]()
    for host, had in (("big", full), ("small", full | {name: int(less)})):
        text.append(f"{host}  {'  '.join(f'{key}:{amount}' for key, amount in had.items())}")
    cloud("\n".join(text))
    spec = replace(SMALL, flavor=Flavor(vcpus=1, memory_mb=1024, root_gb=10))
    only = {f"{one}_weight_multiplier": 0.0 for one in ("cpu", "ram", "disk")}

    for multiplier, host in ((1.0, "big"), (-1.0, "small")):
        weighing = with_settings(scheduler, **only | {f"{weigher}_weight_multiplier": multiplier})
        [[selection, *_]] = weighing.select_destinations(None, spec, instances(1), dry_run=True)
        assert selection.service_host == host


def test_any_of_the_best_hosts_is_taken(scheduler: Scheduler, cloud: Clouds) -> None:
    cloud("\n".join(f"h{number}  VCPU:{number + 2}  MEMORY_MB:8192" for number in range(4)))

    def taken(size: int) -> set[str]:
        some = with_settings(scheduler, host_subset_size=size)
        return {
            one.service_host
            for _ in range(12)
            for [one, *_rest] in some.select_destinations(None, SMALL, instances(1), dry_run=True)
        }

    assert taken(1) == {"h3"}
    assert taken(2) == {"h2", "h3"}


def test_hosts_of_equal_weight_are_taken_at_random(scheduler: Scheduler, cloud: Clouds) -> None:
    cloud(HOSTS)
    taken = {
        one.service_host
        for _ in range(12)
        for [one, *_rest] in scheduler.select_destinations(None, SMALL, instances(1), dry_run=True)
    }
    assert len(taken) > 2


@pytest.mark.parametrize("randomized", [False, True])
def test_all_hosts_have_a_chance_when_placement_gives_any_candidates(
    cloud: Clouds, database: Database, scheduler: Scheduler, *, randomized: bool
) -> None:
    """Of a few at a time; without it, the first ones are always the same."""
    cloud(HOSTS)
    served = Settings(
        auth_strategy=NOAUTH2, randomize_allocation_candidates=randomized, allocation_candidates_timeout=0
    )
    session = adapter_for(create_app(database, served))
    some = replace(with_settings(scheduler, max_placement_results=2), session=session)
    taken = {
        one.service_host
        for _ in range(20)
        for [one, *_rest] in some.select_destinations(None, SMALL, instances(1), dry_run=True)
    }
    assert len(taken) > 2 if randomized else len(taken) == 2


NAMED = {
    "a host": (replace(SMALL, requested_destination=Destination(host="h2")), {"h2"}),
    "a node": (replace(SMALL, requested_destination=Destination(node="h3")), {"h3"}),
    "a cell": (replace(SMALL, requested_destination=Destination(cell=uuid_of("cell2"))), {"h4", "h5"}),
    "hosts": (replace(SMALL, force_hosts=("h1", "h4")), {"h1", "h4"}),
    "nodes": (replace(SMALL, force_nodes=("h1",)), {"h1"}),
    "hosts to be left alone": (replace(SMALL, ignore_hosts=("h0", "h1", "h2")), {"h3", "h4", "h5"}),
}


@pytest.mark.parametrize("name", NAMED)
def test_a_request_may_name(scheduler: Scheduler, cloud: Clouds, name: str) -> None:
    """However few candidates are asked for at first."""
    spec, expected = NAMED[name]
    cloud(HOSTS, cell2=["h4", "h5"])
    for most in (1, 100):
        asking = with_settings(scheduler, max_placement_results=most)
        selected = asking.select_destinations(None, spec, instances(len(expected) * 4), dry_run=True)
        assert set(names(one for some in selected for one in some)) == expected


def test_a_host_that_nobody_knows_is_no_valid_host(scheduler: Scheduler, cloud: Clouds) -> None:
    cloud(HOSTS)
    spec = replace(SMALL, requested_destination=Destination(host="h9"))
    with pytest.raises(NoValidHost, match="No provider is mapped to the host h9"):
        scheduler.select_destinations(None, spec, instances(1))


def test_a_named_host_in_another_cell_is_a_reason(scheduler: Scheduler, cloud: Clouds) -> None:
    cloud(HOSTS, cell2=["h4", "h5"])
    spec = replace(SMALL, requested_destination=Destination(host="h4", cell=uuid_of("cell1")))
    with pytest.raises(NoValidHost, match="Of the hosts with room, 1 are in other cells"):
        scheduler.select_destinations(None, spec, instances(1))


def test_trees_that_stand_for_no_host_are_a_reason(scheduler: Scheduler, client: FlaskClient, cloud: Clouds) -> None:
    cloud("h0  VCPU:1  MEMORY_MB:1024")
    put(client, "vm", {"h0": {"VCPU": 1}})
    client.post("/resource_providers", json={"name": "new", "uuid": uuid_of("new")})
    body = {
        "resource_provider_generation": 0,
        "inventories": {"VCPU": {"total": 1}, "MEMORY_MB": {"total": 1024}},
    }
    assert client.put(f"/resource_providers/{uuid_of('new')}/inventories", json=body).status_code == 200
    with pytest.raises(NoValidHost, match="1 trees with room stand for no host"):
        scheduler.select_destinations(None, SMALL, instances(1))


def test_disk_of_a_pool_is_claimed_with_the_host_that_draws_on_it(
    scheduler: Scheduler, cloud: Clouds, client: FlaskClient
) -> None:
    cloud(
        "h0  VCPU:4  MEMORY_MB:8192  @rack\npool  DISK_GB:25  MISC_SHARES_VIA_AGGREGATE  @rack\n"
        "h1  VCPU:4  MEMORY_MB:8192"
    )
    spec = replace(SMALL, flavor=Flavor(vcpus=1, memory_mb=1024, root_gb=10))
    selected = scheduler.select_destinations(None, spec, [uuid_of("a"), uuid_of("b")])
    assert names(one[0] for one in selected) == ["h0", "h0"]
    assert held_by(client, "b") == {uuid_of("h0"): PLACED, uuid_of("pool"): {"DISK_GB": 10}}
    with pytest.raises(NoValidHost):
        scheduler.select_destinations(None, spec, instances(1))


def test_a_tenant_is_limited_to_the_hosts_of_its_host_aggregates(
    scheduler: Scheduler, cloud: Clouds, database: Database
) -> None:
    cloud(HOSTS)
    host_aggregates.create(database, "gold", metadata={"filter_tenant_id3": "p1"})
    host_aggregates.add_host(database, "gold", "h4")
    limited = with_settings(scheduler, limit_tenants_to_placement_aggregate=True)

    [[selection]] = limited.select_destinations(None, flavor_of(3), instances(1))
    assert selection.service_host == "h4"
    with pytest.raises(NoValidHost) as full:
        limited.select_destinations(None, flavor_of(3), instances(1))
    assert full.value.filters[0].startswith("tenant_aggregate: ")
    with pytest.raises(NoValidHost) as nowhere:
        limited.select_destinations(None, replace(SMALL, project_id="p2"), instances(1))
    assert (nowhere.value.explanation, nowhere.value.filters) == (None, ())
    assert "p2" in str(nowhere.value)
    with pytest.raises(NoValidHost, match="No hosts are available in zone az9") as elsewhere:
        limited.select_destinations(None, replace(SMALL, availability_zone="az9"), instances(1))
    assert elsewhere.value.filters == ("tenant_aggregate: Hosts are in an aggregate of the project: gold.",)
