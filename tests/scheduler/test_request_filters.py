"""Request filters on a small cloud: each makes the API give exactly the hosts that it is meant to leave."""

import re
from pathlib import Path
from typing import Any

import pytest
from claims import load
from cloud import uuid_of
from flask.testing import FlaskClient
from wire import Wire

from graphplace import host_aggregates, hosts
from graphplace.cli.serve import environment
from graphplace.compute.placement import Placement
from graphplace.graph.database import Database
from graphplace.host_aggregates import HostAggregatesOf
from graphplace.request.write import to_query
from graphplace.scheduler.candidate_request import to_candidates
from graphplace.scheduler.filters import apply_filters
from graphplace.scheduler.filters.contract import FilterContext, RequestFilterFailed
from graphplace.scheduler.ports import Port
from graphplace.scheduler.request_spec import Destination, Flavor, ImageMeta, RequestSpec
from graphplace.settings import Settings

CLOUD = """
plain     VCPU:8  MEMORY_MB:4096
disabled  VCPU:8  MEMORY_MB:4096  COMPUTE_STATUS_DISABLED
secure    VCPU:8  MEMORY_MB:4096  COMPUTE_SECURITY_TPM_2_0  COMPUTE_SECURITY_TPM_TIS
qcow2     VCPU:8  MEMORY_MB:4096  COMPUTE_IMAGE_TYPE_QCOW2
scsi      VCPU:8  MEMORY_MB:4096  COMPUTE_STORAGE_BUS_SCSI
licensed  VCPU:8  MEMORY_MB:4096  CUSTOM_LICENSED
fpga      VCPU:8  MEMORY_MB:4096  COMPUTE_ACCELERATORS
  card    FPGA:1
nic       VCPU:8  MEMORY_MB:4096
  agent
    port  NET_BW_EGR_KILOBIT_PER_SEC:1000  CUSTOM_PHYSNET_1
numa      MEMORY_MB:4096
  node    PCPU:8
segment1  IPV4_ADDRESS:200  @az1
segment2  IPV4_ADDRESS:200  @p1
segment3  IPV4_ADDRESS:200  @az2
segment4  IPV4_ADDRESS:200
"""
ENABLED = {"plain", "secure", "qcow2", "scsi", "licensed", "fpga", "nic"}
AGGREGATES: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "p1": ({"filter_tenant_id": "p1", "filter_tenant_id2": "p2"}, ("plain", "disabled", "numa")),
    "p2": ({"filter_tenant_id_of_the_second": "p2"}, ("secure",)),
    "az1": ({"availability_zone": "az1"}, ("plain", "qcow2")),
    "az2": ({"availability_zone": "az2"}, ("secure",)),
    "licensed": ({"trait:CUSTOM_LICENSED": "required"}, ("licensed",)),
}
NUMA = {"resources:VCPU": "0", "resources:MEMORY_MB": "0", "resources_N:PCPU": "2"}
NEEDS_BANDWIDTH = Port.from_neutron(
    {
        "id": "port",
        "resource_request": {"resources": {"NET_BW_EGR_KILOBIT_PER_SEC": 10}, "required": ["CUSTOM_PHYSNET_1"]},
    }
)


def segments(*numbers: int) -> frozenset[str]:
    return frozenset(uuid_of(f"segment{number}") for number in numbers)


@pytest.fixture
def context(client: FlaskClient, database: Database, wire: Wire) -> Any:
    """Make the context of filters with settings, over a cloud with its hosts in host aggregates."""
    load(client, CLOUD)
    hosts.create_cell(database, "cell1")
    hosts.discover(database, "cell1")
    for name, (metadata, members) in AGGREGATES.items():
        host_aggregates.create(database, name, uuid_of(name), metadata)
        for host in members:
            host_aggregates.add_host(database, name, host)

    def make(**settings: Any) -> FilterContext:
        named = {f"scheduler_{name}": value for name, value in settings.items()}
        return FilterContext(Settings(**named), HostAggregatesOf(database), Placement(wire))

    return make


def spec(extra_specs: dict[str, str] | None = None, **fields: Any) -> RequestSpec:
    flavor = Flavor(vcpus=2, memory_mb=512, extra_specs=extra_specs or {})
    return RequestSpec(**{"flavor": flavor, "project_id": "p0", "user_id": "u", **fields})


def found(client: FlaskClient, context: FilterContext, request: RequestSpec) -> set[str]:
    """Return the names of the hosts that the API gives for *request* after the filters of *context*."""
    query = to_query(to_candidates(apply_filters(context, request).spec))
    headers = {"OpenStack-API-Version": "placement 1.39, graphplace 1.0"}
    answer = client.get(f"/allocation_candidates?{query}", headers=headers)
    assert answer.status_code == 200, answer.text
    roots = {one["root_provider_uuid"] for one in answer.json["provider_summaries"].values()}
    names = [line.split()[0] for line in CLOUD.splitlines() if line and not line.startswith(" ")]
    return {name for name in names if uuid_of(name) in roots}


def test_each_filter_leaves_exactly_the_hosts_that_it_is_meant_to(client: FlaskClient, context: Any) -> None:
    licensed = ImageMeta(traits_required=frozenset({"CUSTOM_LICENSED"}))
    scsi = ImageMeta(properties={"hw_disk_bus": "scsi"})
    tenants = {"limit_tenants_to_placement_aggregate": True}
    isolated = {"enable_isolated_aggregate_filtering": True}
    routed = {"query_placement_for_routed_network_aggregates": True}
    az1, az2 = (Destination().require_aggregates([uuid_of(name)]) for name in ("az1", "az2"))
    cases: list[tuple[dict[str, Any], RequestSpec, set[str]]] = [
        # compute_status, which is always on unless somebody wants it off.
        ({}, spec(), ENABLED),
        ({"forbid_disabled_computes": False}, spec(), ENABLED | {"disabled"}),
        # tenant_aggregate
        (tenants, spec(project_id="p1"), {"plain"}),
        (tenants, spec(project_id="p2"), {"plain", "secure"}),
        (tenants | {"allow_tenants_without_placement_aggregate": True}, spec(), ENABLED),
        # What the request names itself counts beside the tenant's aggregates.
        (tenants, spec(project_id="p2", requested_destination=az2), {"secure"}),
        (tenants, spec(project_id="p1", requested_destination=az2), set()),
        (tenants, spec(project_id="p2", requested_destination=az1.forbid_aggregates([uuid_of("az2")])), {"plain"}),
        # The unsuffixed group is empty here, so that the root has to be in the aggregate.
        (tenants, spec(NUMA, project_id="p1"), {"numa"}),
        (tenants, spec(NUMA | {"trait:CUSTOM_LICENSED": "forbidden"}, project_id="p1"), {"numa"}),
        # availability_zone
        ({}, spec(availability_zone="az1"), {"plain", "qcow2"}),
        ({}, spec(availability_zone="nova"), ENABLED - {"plain", "qcow2", "secure"}),
        (tenants, spec(project_id="p2", availability_zone="az2"), {"secure"}),
        # image_type, image_properties, capabilities
        ({"query_placement_for_image_type_support": True}, spec(image=ImageMeta(disk_format="qcow2")), {"qcow2"}),
        ({"image_metadata_prefilter": True}, spec(image=scsi), {"scsi"}),
        ({}, spec(image=scsi), ENABLED),
        ({}, spec({"hw:tpm_version": "2.0"}), {"secure"}),
        # accelerators and ports
        ({}, spec({"accel:device_profile": "one"}, device_profile_groups=({"resources:FPGA": "1"},)), {"fpga"}),
        ({}, spec(ports=(NEEDS_BANDWIDTH,)), {"nic"}),
        # routed_networks: any segment of a network will do, and each network has to be reached.
        (routed, spec(requested_segments=(segments(1),)), {"plain", "qcow2"}),
        (routed, spec(requested_segments=(segments(1, 3),)), {"plain", "qcow2", "secure"}),
        (routed, spec(requested_segments=(segments(1, 3), segments(2))), {"plain"}),
        (routed | tenants, spec(project_id="p2", requested_segments=(segments(1, 3),)), {"plain", "secure"}),
        (routed, spec(requested_segments=(segments(),)), ENABLED),
        ({}, spec(requested_segments=(segments(1),)), ENABLED),
        # isolated_aggregates
        (isolated, spec(), ENABLED - {"licensed"}),
        (isolated, spec({"trait:CUSTOM_LICENSED": "required"}), {"licensed"}),
        (isolated, spec(image=licensed), {"licensed"}),
    ]

    outcomes = [(settings, request, found(client, context(**settings), request)) for settings, request, _ in cases]

    assert outcomes == cases


@pytest.mark.parametrize("number", [4, 5])
def test_no_host_reaches_a_segment_without_an_aggregate_or_a_provider(context: Any, number: int) -> None:
    routed = context(query_placement_for_routed_network_aggregates=True)
    with pytest.raises(RequestFilterFailed, match=f"reach the segment {uuid_of(f'segment{number}')}"):
        apply_filters(routed, spec(requested_segments=(segments(1, number),)))


def test_no_host_for_a_tenant_or_a_zone_without_an_aggregate(context: Any) -> None:
    with pytest.raises(RequestFilterFailed, match="No hosts are available for project p0"):
        apply_filters(context(limit_tenants_to_placement_aggregate=True), spec())
    with pytest.raises(RequestFilterFailed, match="No hosts are available in zone az3"):
        apply_filters(context(), spec(availability_zone="az3"))


def test_a_host_that_joins_or_leaves_an_aggregate_counts_at_once(
    client: FlaskClient, context: Any, database: Database
) -> None:
    tenants = context(limit_tenants_to_placement_aggregate=True)
    host_aggregates.add_host(database, "p1", "nic")
    host_aggregates.remove_host(database, "p1", "plain")

    assert found(client, tenants, spec(project_id="p1")) == {"nic"}
    host_aggregates.update(database, "p1", metadata={"filter_tenant_id": None})
    with pytest.raises(RequestFilterFailed):
        apply_filters(tenants, spec(project_id="p1"))


def test_the_examples_of_the_guide_give_what_it_shows(
    database: Database, neo4j_settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in environment(neo4j_settings).items():
        monkeypatch.setenv(name, value)
    uuid = "24c00000-0000-4000-8000-000000000000"
    host_aggregates.create(database, "az1", uuid, {"availability_zone": "az1"})
    guide = (Path(__file__).parents[2] / "docs" / "scheduler.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```\n\n((?: {4}[^\n]*\n)*)", guide, re.MULTILINE | re.DOTALL)
    (code, shown), (one_filter, _) = blocks[:2]
    names: dict[str, Any] = {}

    exec(compile(code + one_filter, "scheduler.md", "exec"), names)  # noqa: S102  # the guide's
    names["context"].aggregates.database.close()

    told = capsys.readouterr().out.replace(uuid, "24c0...")
    assert told == re.sub("^    ", "", shown, flags=re.MULTILINE)
    cheap = spec({"price": "cheap"})
    assert names["slow_hosts_only"](None, cheap)[0] == cheap.with_required_traits(["CUSTOM_SLOW"])
    assert names["slow_hosts_only"](None, spec()) == (spec(), "")
