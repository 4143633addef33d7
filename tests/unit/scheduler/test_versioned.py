"""Request specs and selections are written and read without loss, and what is not known is refused."""

import copy
import json
import pickle
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest
from candidate_requests import SUFFIXES, UUIDS, groups
from hypothesis import given
from hypothesis import strategies as st

from graphplace.errors import BadRequestError
from graphplace.scheduler.ports import Port
from graphplace.scheduler.request_spec import (
    Destination,
    Flavor,
    ImageMeta,
    InstanceGroup,
    NUMATopologyLimits,
    RequestSpec,
    SchedulerLimits,
)
from graphplace.scheduler.selection import Selection

TEXT = st.text(max_size=8)
TEXTS = st.dictionaries(TEXT, TEXT, max_size=3)
NAMES = st.lists(TEXT, max_size=2).map(tuple)
AMOUNTS = st.integers(0, 2**31 - 1)
RATIOS = st.floats(0, 100)
GROUPS = st.lists(
    SUFFIXES.flatmap(lambda suffix: groups(suffix, resourceless=False)),
    max_size=2,
    unique_by=lambda group: group.suffix,
).map(tuple)
NUMA_LIMITS = st.builds(NUMATopologyLimits, cpu_allocation_ratio=RATIOS, ram_allocation_ratio=RATIOS)
RULES = st.dictionaries(st.just("max_server_per_host"), st.integers(1, 9))
SIZES = dict.fromkeys(("vcpus", "memory_mb", "root_gb", "ephemeral_gb", "swap"), AMOUNTS)
AGGREGATES = st.frozensets(UUIDS, max_size=2)
SPECS = st.builds(
    RequestSpec,
    flavor=st.builds(Flavor, name=TEXT, **SIZES, extra_specs=TEXTS),
    project_id=TEXT,
    user_id=TEXT,
    image=st.none() | st.builds(ImageMeta, disk_format=st.none() | TEXT, properties=TEXTS),
    is_bfv=st.booleans(),
    availability_zone=st.none() | TEXT,
    num_instances=st.integers(1, 50),
    force_hosts=NAMES,
    requested_destination=st.builds(
        Destination, host=st.none() | TEXT, aggregates=st.tuples(AGGREGATES), forbidden_aggregates=AGGREGATES
    ),
    instance_group=st.none()
    | st.builds(InstanceGroup, uuid=UUIDS, policy=st.sampled_from(["affinity", "soft-affinity"]), hosts=NAMES)
    | st.builds(InstanceGroup, uuid=UUIDS, policy=st.just("anti-affinity"), rules=RULES),
    scheduler_hints=st.dictionaries(TEXT, NAMES, max_size=2),
    limits=st.builds(SchedulerLimits, numa_topology=st.none() | NUMA_LIMITS, vcpu=st.none() | AMOUNTS),
    requested_resources=GROUPS,
    root_required=st.frozensets(TEXT, max_size=2),
    same_subtree=st.lists(NAMES, max_size=2).map(tuple),
    ports=st.lists(st.builds(Port, uuid=UUIDS, groups=GROUPS, remote_managed=st.booleans()), max_size=2).map(tuple),
    requested_segments=st.lists(AGGREGATES, max_size=2).map(tuple),
    device_profile_groups=st.lists(TEXTS, max_size=2).map(tuple),
)
ALLOCATION_REQUEST = {
    "allocations": {"4e8e5957-649f-477b-9e5b-f1f75b21c03c": {"resources": {"VCPU": 1}}},
    "mappings": {"": ["4e8e5957-649f-477b-9e5b-f1f75b21c03c"]},
}
SELECTIONS = st.builds(
    Selection,
    compute_node_uuid=UUIDS,
    service_host=TEXT,
    nodename=TEXT,
    cell_uuid=UUIDS,
    numa_limits=st.none() | NUMA_LIMITS,
    allocation_request=st.just(json.dumps(ALLOCATION_REQUEST)),
    allocation_request_version=st.just("1.39"),
)
SPEC = RequestSpec(flavor=Flavor(vcpus=1, memory_mb=1), project_id="project", user_id="user")
SELECTION = Selection(
    compute_node_uuid="4e8e5957-649f-477b-9e5b-f1f75b21c03c",
    service_host="host",
    nodename="node",
    cell_uuid="00000000-0000-4000-8000-000000000001",
    allocation_request=json.dumps(ALLOCATION_REQUEST),
    allocation_request_version="1.39",
)


@given(SPECS)
def test_a_request_spec_comes_back_as_it_was(spec: RequestSpec) -> None:
    assert RequestSpec.from_dict(json.loads(json.dumps(spec.to_dict()))) == spec


@given(SELECTIONS)
def test_a_selection_comes_back_as_it_was(selection: Selection) -> None:
    assert Selection.from_dict(json.loads(json.dumps(selection.to_dict()))) == selection


def test_a_selection_has_the_fields_of_the_specification_and_its_version() -> None:
    assert SELECTION.to_dict() == {
        "name": "Selection",
        "version": "1.0",
        "data": {
            "compute_node_uuid": "4e8e5957-649f-477b-9e5b-f1f75b21c03c",
            "service_host": "host",
            "nodename": "node",
            "cell_uuid": "00000000-0000-4000-8000-000000000001",
            "numa_limits": None,
            "allocation_request": json.dumps(ALLOCATION_REQUEST),
            "allocation_request_version": "1.39",
        },
    }


def test_numa_limits_are_an_object_with_a_version_of_its_own() -> None:
    limits = NUMATopologyLimits(cpu_allocation_ratio=16.0, ram_allocation_ratio=1.5)
    assert replace(SELECTION, numa_limits=limits).to_dict()["data"]["numa_limits"] == {
        "name": "NUMATopologyLimits",
        "version": "1.0",
        "data": {"cpu_allocation_ratio": 16.0, "ram_allocation_ratio": 1.5},
    }


def test_nothing_can_be_changed() -> None:
    properties = {"hw_disk_bus": "virtio"}
    image: Any = ImageMeta(properties=properties)
    selection: Any = SELECTION
    properties["hw_disk_bus"] = "ide"

    assert image.properties == {"hw_disk_bus": "virtio"}
    with pytest.raises(TypeError):
        image.properties["hw_disk_bus"] = "scsi"
    with pytest.raises(FrozenInstanceError):
        image.name = "other"
    with pytest.raises(FrozenInstanceError):
        selection.service_host = "other"


def test_other_processes_get_a_copy() -> None:
    spec = replace(SPEC, scheduler_hints={"group": ("g",)}, image=ImageMeta(properties={"hw_disk_bus": "virtio"}))
    assert pickle.loads(pickle.dumps(spec)) == copy.deepcopy(spec) == spec  # noqa: S301  # our own


def test_the_destination_has_aggregates_beside_host_node_and_cell() -> None:
    destination = Destination(host="h", node="n", cell="c").require_aggregates(["a", "b"]).require_aggregates(["c"])

    assert destination.aggregates == ({"a", "b"}, {"c"})
    assert Destination.from_dict(destination.to_dict()) == destination


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "Selection"}, "It is a Selection, not a RequestSpec."),
        ({"version": "1.7"}, "Version '1.7' of RequestSpec is not known; known is '1.1'."),
        ({"more": 1}, "an object with name, version and data, and nothing else"),
        ({"version": "0.9"}, "Version '0.9' of RequestSpec is not known; known is '1.1'."),
        ({"version": 1.1}, "Version 1.1 of RequestSpec is not known; known is '1.1'."),
        ({"data": []}, "Invalid input type"),
    ],
)
def test_another_object_or_version_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(BadRequestError) as raised:
        RequestSpec.from_dict(SPEC.to_dict() | change)
    assert message in str(raised.value)


def test_what_an_older_service_wrote_is_read() -> None:
    """Version 1.0 had no segments, and groups no rules."""
    group = InstanceGroup(uuid="g", policy="anti-affinity", hosts=("h",))
    spec = replace(SPEC, instance_group=group)
    document = spec.to_dict()
    for older, added in ((document, "requested_segments"), (document["data"]["instance_group"], "rules")):
        assert older["version"] == "1.1"
        older["version"] = "1.0"
        del older["data"][added]

    assert RequestSpec.from_dict(json.loads(json.dumps(document))) == spec


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"color": "red"}, "{'color': ['Unknown field.']}"),
        ({"num_instances": "2"}, "{'num_instances': [\"It must be of type int, not '2'.\"]}"),
        ({"num_instances": None}, "{'num_instances': ['Field may not be null.']}"),
        ({"is_bfv": 1}, "{'is_bfv': ['It must be of type bool, not 1.']}"),
        ({"force_hosts": "host"}, "{'force_hosts': ['Not a valid list.']}"),
        ({"flavor": None}, "{'flavor': ['Field may not be null.']}"),
        ({"flavor": {"vcpus": 1}}, "A Flavor is an object with name, version and data, and nothing else."),
        ({"requested_resources": [{"color": "red"}]}, "{'requested_resources': {0: {'color': ['Unknown field.']}}}"),
        ({"num_instances": 0}, "num_instances must be 1 or more, not 0."),
        ({"requested_resources": [{}]}, "Each group of requested_resources needs a suffix"),
        ({"requested_resources": [{"suffix": "1"}, {"suffix": "1"}]}, "need different suffixes: 1."),
    ],
)
def test_data_that_cannot_be_is_named(change: dict[str, Any], message: str) -> None:
    document = SPEC.to_dict()
    document["data"] |= change
    with pytest.raises(BadRequestError) as raised:
        RequestSpec.from_dict(document)
    assert message in str(raised.value)


def test_what_is_left_out_has_its_default() -> None:
    document = SPEC.to_dict()
    needed = {name: document["data"][name] for name in ("flavor", "project_id", "user_id")}

    assert RequestSpec.from_dict({**document, "data": needed}) == SPEC
    with pytest.raises(BadRequestError, match=r"'project_id': \['Missing data for required field.'\]"):
        RequestSpec.from_dict({**document, "data": {}})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cell_uuid": "cell1"}, "cell_uuid of a Selection must be a uuid, not 'cell1'."),
        ({"allocation_request": "{"}, "allocation_request of a Selection must be JSON text"),
        ({"allocation_request": "[]"}, "an object with `allocations`. Got: []"),
    ],
)
def test_a_selection_that_cannot_be_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(BadRequestError) as raised:
        replace(SELECTION, **change)
    assert message in str(raised.value)


def test_a_policy_that_is_not_known_is_refused() -> None:
    document = InstanceGroup(uuid="g", policy="soft-affinity").to_dict()
    document["data"]["policy"] = "often"
    with pytest.raises(BadRequestError, match="Must be one of: affinity, anti-affinity, soft-affinity"):
        InstanceGroup.from_dict(document)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rules": {"max_server_per_host": 0}}, "max_server_per_host must be 1 or more, not 0."),
        ({"rules": {"most": 2}}, "The only rule of a group is max_server_per_host. Got: most"),
        (
            {"rules": {"max_server_per_host": 2}, "policy": "affinity"},
            "Rules are for groups of the policy anti-affinity, not affinity.",
        ),
    ],
)
def test_rules_of_a_group_that_make_no_sense(change: dict[str, Any], message: str) -> None:
    with pytest.raises(BadRequestError) as raised:
        InstanceGroup(**{"uuid": "g", "policy": "anti-affinity"} | change)
    assert message in str(raised.value)


def test_a_flavor_has_no_less_than_nothing() -> None:
    with pytest.raises(BadRequestError, match="vcpus of flavor 'small' must be 0 or more, not -1"):
        Flavor(name="small", vcpus=-1, memory_mb=1)
