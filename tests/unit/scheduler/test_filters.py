"""Each request filter, with a few host aggregates: what it adds to a request, and when it says that no host can do."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.metadata import EntryPoint
from typing import Any

import pytest

from graphplace.errors import BadRequestError, SettingsError
from graphplace.request.model import RequestGroup
from graphplace.scheduler import filters
from graphplace.scheduler.filters import BUILT_IN, Filtered, apply_filters
from graphplace.scheduler.filters.contract import FilterContext, RequestFilterFailed, Step
from graphplace.scheduler.ports import Port, segments_of
from graphplace.scheduler.request_spec import Destination, Flavor, ImageMeta, RequestSpec
from graphplace.settings import Settings

# No filter here asks Placement.
NOBODY: Any = None
OFF = {each.knob: False for each in BUILT_IN if each.knob}


@dataclass(frozen=True)
class Aggregate:
    """A host aggregate; its uuid is its name."""

    name: str
    metadata: Mapping[str, str] = field(default_factory=dict)

    @property
    def uuid(self) -> str:
        return self.name


@dataclass(frozen=True)
class Aggregates:
    """Host aggregates in memory."""

    everything: tuple[Aggregate, ...]

    def with_metadata(self, key: str, value: str, *, key_is_prefix: bool = False) -> list[Aggregate]:
        return [
            one
            for one in self.everything
            for name, text in one.metadata.items()
            if text == value and (name.startswith(key) if key_is_prefix else name == key)
        ]

    def with_key_prefix(self, prefix: str) -> list[Aggregate]:
        return [one for one in self.everything if any(name.startswith(prefix) for name in one.metadata)]


def spec(extra_specs: dict[str, str] | None = None, **fields: Any) -> RequestSpec:
    flavor = Flavor(vcpus=1, memory_mb=512, extra_specs=extra_specs or {})
    return RequestSpec(**{"flavor": flavor, "project_id": "p1", "user_id": "u", **fields})


def filtered(name: str, request: RequestSpec, *aggregates: Aggregate, **settings: Any) -> Filtered:
    """Apply the filter *name* alone to *request*."""
    (chosen,) = (each for each in BUILT_IN if each.name == name)
    knobs = OFF | {chosen.knob: True} | {f"scheduler_{key}": value for key, value in settings.items()}
    return apply_filters(FilterContext(Settings(**knobs), Aggregates(aggregates), NOBODY), request)


def told(outcome: Filtered) -> str:
    (step,) = outcome.steps
    return step.text


# The filter that the specification describes.


def test_tenants_get_hosts_of_all_their_aggregates_and_an_aggregate_may_have_several_tenants() -> None:
    shared = Aggregate("a", {"filter_tenant_id": "p0", "filter_tenant_id2": "p1", "other": "p3"})
    own = Aggregate("b", {"filter_tenant_id:b": "p1"})
    other = Aggregate("c", {"filter_tenant_id": "p2", "note": "p1"})

    found = filtered("tenant_aggregate", spec(), shared, own, other)

    assert found.spec == replace(spec(), requested_destination=Destination(aggregates=(frozenset("ab"),)))
    assert told(found) == "Hosts are in an aggregate of the project: a, b."


def test_a_tenant_without_an_aggregate_gets_no_host() -> None:
    with pytest.raises(RequestFilterFailed, match="No hosts are available for project p1"):
        filtered("tenant_aggregate", spec(), Aggregate("a", {"filter_tenant_id": "p2"}))


def test_a_tenant_without_an_aggregate_may_be_let_pass() -> None:
    aggregate = Aggregate("a", {"filter_tenant_id": "p2"})
    settings = {"allow_tenants_without_placement_aggregate": True}

    assert filtered("tenant_aggregate", spec(), aggregate, **settings) == Filtered(spec(), ())
    assert filtered("tenant_aggregate", spec(project_id="p2"), aggregate, **settings).spec != spec(project_id="p2")


def test_a_filter_adds_to_the_destination_that_a_request_has() -> None:
    given = Destination(host="h", cell="c").require_aggregates(["x"])
    found = filtered("tenant_aggregate", spec(requested_destination=given), Aggregate("a", {"filter_tenant_id": "p1"}))

    assert found.spec.requested_destination == Destination(
        host="h", cell="c", aggregates=(frozenset("x"), frozenset("a"))
    )


# Those that Nova has beside it.


def test_a_zone_is_the_aggregates_that_name_it() -> None:
    aggregates = [Aggregate(name, {"availability_zone": zone}) for name, zone in ("a1", "b2", "c1")]
    found = filtered("availability_zone", spec(availability_zone="1"), *aggregates)

    assert found.spec.requested_destination.aggregates == ({"a", "c"},)
    assert told(found) == "Hosts are in an aggregate of zone 1."
    assert filtered("availability_zone", spec(), *aggregates) == Filtered(spec(), ())


def test_the_default_zone_is_of_those_that_are_in_no_other() -> None:
    aggregates = [Aggregate(name, {"availability_zone": zone}) for name, zone in (("a", "1"), ("b", "nova"))]
    found = filtered("availability_zone", spec(availability_zone="nova"), *aggregates, Aggregate("c"))

    assert found.spec.requested_destination == Destination(forbidden_aggregates=frozenset("a"))


def test_a_zone_that_there_is_not() -> None:
    with pytest.raises(RequestFilterFailed, match="No hosts are available in zone 2"):
        filtered("availability_zone", spec(availability_zone="2"), Aggregate("a", {"availability_zone": "1"}))


def test_hosts_can_boot_the_image() -> None:
    image = ImageMeta(disk_format="qcow2")
    found = filtered("image_type", spec(image=image))

    assert found.spec.root_required == {"COMPUTE_IMAGE_TYPE_QCOW2"}
    assert told(found) == "Hosts can boot images of this format: COMPUTE_IMAGE_TYPE_QCOW2."
    for other in (spec(image=image, is_bfv=True), spec(image=ImageMeta()), spec()):
        assert filtered("image_type", other) == Filtered(other, ())


def test_an_image_that_no_host_can_boot() -> None:
    with pytest.raises(
        RequestFilterFailed, match=r"disk_format of the image = 'tape': .* COMPUTE_IMAGE_TYPE_TAPE; known"
    ):
        filtered("image_type", spec(image=ImageMeta(disk_format="tape")))


@pytest.mark.parametrize(
    ("name", "value", "trait"),
    [
        ("hw_architecture", "aarch64", "HW_ARCH_AARCH64"),
        ("hw_cdrom_bus", "sata", "COMPUTE_STORAGE_BUS_SATA"),
        ("hw_disk_bus", "virtio", "COMPUTE_STORAGE_BUS_VIRTIO"),
        ("hw_emulation_architecture", "s390x", "COMPUTE_ARCH_S390X"),
        ("hw_video_model", "bochs", "COMPUTE_GRAPHICS_MODEL_BOCHS"),
        ("hw_vif_model", "spapr-vlan", "COMPUTE_NET_VIF_MODEL_SPAPR_VLAN"),
        ("hw_viommu_model", "intel", "COMPUTE_VIOMMU_MODEL_INTEL"),
    ],
)
def test_hosts_can_emulate_what_the_image_is_made_for(name: str, value: str, trait: str) -> None:
    found = filtered("image_properties", spec(image=ImageMeta(properties={name: value, "os_type": "linux"})))

    assert found.spec.root_required == {trait}
    assert told(found) == f"Hosts can do what the image is made for: {trait}."
    with pytest.raises(RequestFilterFailed, match=f"{name} of the image = 'none-such'"):
        filtered("image_properties", spec(image=ImageMeta(properties={name: "none-such"})))


CAPABILITIES: list[tuple[dict[str, str], dict[str, str], set[str]]] = [
    ({"os:secure_boot": "required"}, {}, {"COMPUTE_SECURITY_UEFI_SECURE_BOOT"}),
    ({"os:secure_boot": "optional"}, {}, set()),
    ({"hw:maxphysaddr_mode": "emulate"}, {}, {"COMPUTE_ADDRESS_SPACE_EMULATED"}),
    ({}, {"hw_pci_numa_affinity_policy": "socket"}, {"COMPUTE_SOCKET_PCI_NUMA_AFFINITY"}),
    ({"hw:tpm_version": "1.2"}, {}, {"COMPUTE_SECURITY_TPM_1_2", "COMPUTE_SECURITY_TPM_TIS"}),
    (
        {"hw:tpm_version": "2.0", "hw:tpm_secret_security": "host"},
        {"hw_tpm_model": "tpm-crb", "hw_tpm_version": "2.0"},
        {"COMPUTE_SECURITY_TPM_2_0", "COMPUTE_SECURITY_TPM_CRB", "COMPUTE_SECURITY_TPM_SECRET_SECURITY_HOST"},
    ),
    ({"hw:ephemeral_encryption": "true"}, {}, {"COMPUTE_EPHEMERAL_ENCRYPTION"}),
    (
        {"hw:ephemeral_encryption": "true", "hw:ephemeral_encryption_format": "luks"},
        {},
        {"COMPUTE_EPHEMERAL_ENCRYPTION", "COMPUTE_EPHEMERAL_ENCRYPTION_LUKS"},
    ),
    ({"hw:virtio_packed_ring": "true"}, {}, {"COMPUTE_NET_VIRTIO_PACKED"}),
    ({}, {"hw_sound_model": "virtio"}, {"COMPUTE_SOUND_MODEL_VIRTIO"}),
    ({}, {"hw_sound_model": "ich9"}, set()),
    ({}, {"hw_firmware_type": "uefi", "hw_firmware_stateless": "true"}, {"COMPUTE_SECURITY_STATELESS_FIRMWARE"}),
    ({}, {"hw_firmware_type": "bios", "hw_firmware_stateless": "true"}, set()),
]


@pytest.mark.parametrize(("extra_specs", "properties", "traits"), CAPABILITIES)
def test_hosts_can_do_what_flavor_or_image_ask_for(
    extra_specs: dict[str, str], properties: dict[str, str], traits: set[str]
) -> None:
    found = filtered("capabilities", spec(extra_specs, image=ImageMeta(properties=properties)))

    assert found.spec.root_required == traits
    assert [step.text for step in found.steps] == (
        [f"Hosts can do what is asked for: {', '.join(sorted(traits))}."] if traits else []
    )


@pytest.mark.parametrize(
    ("extra_specs", "message"),
    [
        ({"hw:tpm_version": "3"}, "hw:tpm_version must be one of 1.2, 2.0. Got: '3'"),
        ({"hw:tpm_version": "1.2", "hw:tpm_model": "tpm-crb"}, "hw:tpm_model=tpm-crb needs hw:tpm_version=2.0"),
        ({"hw:tpm_version": "2.0", "hw:tpm_secret_security": "x"}, "must be one of user, host, deployment. Got: 'x'"),
        ({"os:secure_boot": "often"}, "os:secure_boot must be one of required, disabled, optional. Got: 'often'"),
    ],
)
def test_what_is_asked_for_must_make_sense(extra_specs: dict[str, str], message: str) -> None:
    with pytest.raises(BadRequestError) as raised:
        filtered("capabilities", spec(extra_specs))
    assert message in str(raised.value)


def test_accelerators_are_request_groups() -> None:
    extra_specs = {"accel:device_profile": "gzip"}
    groups = (
        {"resources:FPGA": "2", "trait:CUSTOM_GZIP": "required", "accel:bitstream_id": "1"},
        {"resources:VGPU": "1"},
    )
    found = filtered("accelerators", spec(extra_specs, device_profile_groups=groups))

    assert found.spec.requested_resources == (
        RequestGroup(suffix="device_profile_0", resources=(("FPGA", 2),), required=(frozenset({"CUSTOM_GZIP"}),)),
        RequestGroup(suffix="device_profile_1", resources=(("VGPU", 1),)),
    )
    assert found.spec.root_required == {"COMPUTE_ACCELERATORS"}
    assert told(found) == "Hosts have 2 accelerators of the device profile gzip."
    with pytest.raises(RequestFilterFailed, match="The groups of the device profile gzip are not known"):
        filtered("accelerators", spec(extra_specs))


NEUTRON = {
    "id": "port-1",
    "binding:vnic_type": "normal",
    "resource_request": {
        "request_groups": [
            {"id": "bw", "required": ["CUSTOM_PHYSNET_2"], "resources": {"NET_BW_EGR_KILOBIT_PER_SEC": 1000}},
            {"id": "pps", "resources": {"NET_PACKET_RATE_KILOPACKET_PER_SEC": 10}},
        ],
        "same_subtree": ["bw", "pps"],
    },
}
OLDER = {
    "id": "port-2",
    "binding:vnic_type": "remote-managed",
    "resource_request": {"required": ["CUSTOM_PHYSNET_2"], "resources": {"NET_BW_IGR_KILOBIT_PER_SEC": 1}},
}


def test_ports_are_request_groups() -> None:
    found = filtered("ports", spec(ports=(Port.from_neutron(NEUTRON), Port.from_neutron(OLDER))))

    physnet = (frozenset({"CUSTOM_PHYSNET_2"}),)
    assert found.spec.requested_resources == (
        RequestGroup(suffix="bw", resources=(("NET_BW_EGR_KILOBIT_PER_SEC", 1000),), required=physnet),
        RequestGroup(suffix="pps", resources=(("NET_PACKET_RATE_KILOPACKET_PER_SEC", 10),)),
        RequestGroup(suffix="port-2", resources=(("NET_BW_IGR_KILOBIT_PER_SEC", 1),), required=physnet),
    )
    assert found.spec.same_subtree == (("bw", "pps"),)
    assert found.spec.root_required == {"COMPUTE_REMOTE_MANAGED_PORTS"}
    assert told(found) == "Hosts have what 2 ports need, in 3 request groups, and manage ports remotely."


def test_a_port_may_need_nothing() -> None:
    plain = spec(ports=(Port.from_neutron({"id": "port-3", "resource_request": None}),))
    assert filtered("ports", plain) == Filtered(plain, ())


def test_a_resource_request_that_is_none() -> None:
    with pytest.raises(BadRequestError, match="resource_request of port port-4 must have resources"):
        Port.from_neutron({"id": "port-4", "resource_request": {"required": []}})


SUBNETS = [
    {"id": "subnet-1", "segment_id": "segment-1"},
    {"id": "subnet-2", "segment_id": "segment-2"},
    {"id": "subnet-3", "segment_id": "segment-2"},
]


@pytest.mark.parametrize(
    ("port", "segments"),
    [
        (None, {"segment-1", "segment-2"}),
        ({"fixed_ips": []}, {"segment-1", "segment-2"}),
        ({"fixed_ips": [{"subnet_id": "subnet-3", "ip_address": "10.0.0.9"}]}, {"segment-2"}),
    ],
)
def test_a_port_with_an_address_stays_in_its_segment(port: dict[str, Any] | None, segments: set[str]) -> None:
    assert segments_of(SUBNETS, port) == segments


def test_a_network_that_is_not_routed_has_no_segments() -> None:
    assert segments_of([{"id": "subnet-1", "segment_id": None}, {"id": "subnet-2"}]) == frozenset()
    flat = spec(requested_segments=(frozenset(),))
    assert filtered("routed_networks", flat) == Filtered(flat, ())


def test_disabled_hosts_are_left_out() -> None:
    found = filtered("compute_status", spec())
    assert found.spec == replace(spec(), root_forbidden=frozenset({"COMPUTE_STATUS_DISABLED"}))
    assert told(found) == "Hosts are not disabled: no COMPUTE_STATUS_DISABLED."


def test_isolated_aggregates_are_for_those_who_require_all_of_their_traits() -> None:
    licensed = Aggregate("a", {"trait:CUSTOM_LICENSED": "required"})
    both = Aggregate("b", {"trait:CUSTOM_LICENSED": "required", "trait:CUSTOM_FAST": "required"})
    noted = Aggregate("c", {"trait:CUSTOM_FAST": "nice", "trait": "required"})
    flavor = {"trait:CUSTOM_LICENSED": "required"}
    image = ImageMeta(traits_required=frozenset({"CUSTOM_FAST"}))

    def forbidden(request: RequestSpec) -> frozenset[str]:
        found = filtered("isolated_aggregates", request, licensed, both, noted)
        return found.spec.requested_destination.forbidden_aggregates

    assert forbidden(spec()) == {"a", "b"}
    assert forbidden(spec(flavor)) == {"b"}
    assert forbidden(spec(image=image)) == {"a", "b"}
    assert forbidden(spec(flavor, image=image)) == set()


# All of them.


def test_the_defaults_are_novas_but_for_what_the_specification_says() -> None:
    context = FilterContext(Settings(), Aggregates(()), NOBODY)
    names = ["availability_zone", "capabilities", "accelerators", "ports", "compute_status"]

    assert [each.name for each in filters.chosen(Settings())] == names
    assert apply_filters(context, spec()).steps == (
        Step("compute_status", "Hosts are not disabled: no COMPUTE_STATUS_DISABLED."),
    )


def test_every_filter_has_a_switch_of_its_own() -> None:
    assert filters.chosen(Settings(**OFF)) == ()
    for each in BUILT_IN:
        assert filters.chosen(Settings(**OFF | {each.knob: True})) == (each,)


def test_the_list_says_which_run_and_in_which_order() -> None:
    settings = Settings(scheduler_request_filters=("compute_status", "availability_zone", "image_type"))
    assert [each.name for each in filters.chosen(settings)] == ["compute_status", "availability_zone"]


def slow_hosts_only(context: FilterContext, request: RequestSpec) -> tuple[RequestSpec, str]:
    return request.with_required_traits(["CUSTOM_SLOW"]), "Hosts are slow."


def offer(monkeypatch: pytest.MonkeyPatch, name: str, function: Any) -> FilterContext:
    """Let a package offer *function* as a filter, and return a context with that behind one of graphplace's own."""
    points = [EntryPoint(each, f"{__name__}:{name}", filters.GROUP) for each in (name, "compute_status")]
    monkeypatch.setattr(EntryPoint, "load", lambda _point: function())
    monkeypatch.setattr(filters, "entry_points", lambda group: points if group == filters.GROUP else [])
    return FilterContext(Settings(scheduler_request_filters=("compute_status", name)), Aggregates(()), NOBODY)


def test_other_packages_offer_filters(monkeypatch: pytest.MonkeyPatch) -> None:
    context = offer(monkeypatch, "slow", lambda: slow_hosts_only)

    found = apply_filters(context, spec())

    # One's own name is nobody else's.
    assert [step.name for step in found.steps] == ["compute_status", "slow"]
    assert (found.spec.root_required, found.spec.root_forbidden) == ({"CUSTOM_SLOW"}, {"COMPUTE_STATUS_DISABLED"})


def fails(*_given: Any) -> Any:
    return {}["price"]


def no_host(*_given: Any) -> Any:
    raise RequestFilterFailed("It is night.")


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda: fails, "The request filter own (.*:own) is broken: KeyError: 'price'"),
        (fails, "The request filter own (.*:own) is broken: KeyError: 'price'"),
        (lambda: lambda _context, request: request, "The request filter own (.*:own) is broken: TypeError: "),
        (lambda: lambda *_given: (None, ""), "must return a RequestSpec and a text. Got: NoneType and str"),
        (lambda: lambda _context, request: (request, True), "Got: RequestSpec and bool"),
    ],
)
def test_a_broken_filter_of_another_package_is_named(
    monkeypatch: pytest.MonkeyPatch, function: Any, message: str
) -> None:
    context = offer(monkeypatch, "own", function)
    with pytest.raises(SettingsError, match=message.replace("(", r"\(").replace(")", r"\)")):
        apply_filters(context, spec())


def test_a_filter_of_another_package_may_find_that_no_host_can_do(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RequestFilterFailed, match="It is night") as failed:
        apply_filters(offer(monkeypatch, "own", lambda: no_host), spec())
    assert [step.name for step in failed.value.steps] == ["compute_status"]


def test_a_filter_that_is_not_installed_is_named() -> None:
    with pytest.raises(SettingsError, match="scheduler_request_filters names fast; installed are accelerators, avail"):
        filters.chosen(Settings(scheduler_request_filters=("fast", "ports")))
