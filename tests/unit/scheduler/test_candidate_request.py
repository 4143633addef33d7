"""Flavors and images in the words of Placement, after the examples in Nova's documentation."""

from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

import pytest
from clients.inside.flavors import FLAVORS, OWN, PLAIN

from graphplace.errors import BadRequestError
from graphplace.request.model import CandidateRequest, RequestGroup
from graphplace.request.parse import parse_candidate_request
from graphplace.request.syntax import EXTENDED, NEWEST, Syntax
from graphplace.request.write import to_query
from graphplace.scheduler.candidate_request import to_candidates
from graphplace.scheduler.request_spec import Destination, Flavor, ImageMeta, RequestSpec

A, B, C = (f"{digit * 8}-0000-4000-8000-00000000000a" for digit in "abc")
NOTHING = {"resources:VCPU": "0", "resources:MEMORY_MB": "0", "resources:DISK_GB": "0"}
TREE = "00000000-0000-4000-8000-00000000000e"


def spec(extra_specs: dict[str, str] | None = None, **fields: Any) -> RequestSpec:
    flavor = Flavor(**PLAIN, extra_specs=extra_specs or {})
    return RequestSpec(**{"flavor": flavor, "project_id": "project", "user_id": "user", **fields})


def asked(query: str, syntax: Syntax = NEWEST) -> CandidateRequest:
    return parse_candidate_request(parse_qsl(query), syntax)


def normal(request: CandidateRequest) -> CandidateRequest:
    """Return the same request whatever the order in which it was written."""
    groups = [replace(group, resources=tuple(sorted(group.resources))) for group in request.groups]
    return replace(request, groups=tuple(sorted(groups, key=lambda group: group.suffix)))


CASES = FLAVORS | OWN


@pytest.mark.parametrize(("extra_specs", "query"), CASES.values(), ids=CASES)
def test_extra_specs_of_a_flavor(extra_specs: dict[str, str], query: str) -> None:
    request = to_candidates(spec(extra_specs))

    assert normal(request) == normal(asked(query))
    assert normal(asked(to_query(request))) == normal(request)


@pytest.mark.parametrize(
    ("sizes", "boot", "disk"),
    [
        ({"root_gb": 10, "ephemeral_gb": 5, "swap": 1}, "image", 16),
        ({"root_gb": 10, "ephemeral_gb": 5, "swap": 2048}, "image", 17),
        ({"root_gb": 10, "ephemeral_gb": 5, "swap": 2049}, "volume", 8),
        ({"root_gb": 10}, "volume", 0),
        ({"root_gb": 0}, "image", 0),
    ],
)
def test_disk_is_the_sum_of_all_disks_on_the_host(sizes: dict[str, int], boot: str, disk: int) -> None:
    request = to_candidates(spec(flavor=Flavor(vcpus=1, memory_mb=1, **sizes), is_bfv=boot == "volume"))

    assert dict(request.groups[0].resources) == {"VCPU": 1, "MEMORY_MB": 1} | ({"DISK_GB": disk} if disk else {})


def test_traits_that_the_image_requires() -> None:
    properties = {"trait:CUSTOM_C": "required", "trait:CUSTOM_D": "nice"}
    image = ImageMeta(traits_required=frozenset({"CUSTOM_B"}), properties=properties)
    request = to_candidates(spec({"trait:CUSTOM_A": "required"}, image=image))

    assert request.groups[0].required == tuple(frozenset({f"CUSTOM_{letter}"}) for letter in "ABC")


def test_an_image_may_want_less_than_the_flavor_gives() -> None:
    image = ImageMeta(properties={"hw_cpu_policy": "shared", "hw_cpu_thread_policy": "require"})
    request = to_candidates(spec({"hw:cpu_policy": "dedicated", "hw:cpu_thread_policy": "prefer"}, image=image))

    assert dict(request.groups[0].resources)["PCPU"] == 2
    assert request.groups[0].required == (frozenset({"HW_CPU_HYPERTHREADING"}),)


def test_the_destination_is_where_hosts_are() -> None:
    destination = Destination().require_aggregates([A, B]).require_aggregates([C]).forbid_aggregates([TREE])
    request = to_candidates(spec(requested_destination=destination), in_tree=TREE, limit=7)

    query = (
        f"resources=VCPU:2,MEMORY_MB:512,DISK_GB:10&member_of=in:{A},{B}&member_of={C}&member_of=!{TREE}"
        f"&in_tree={TREE}&limit=7"
    )
    assert normal(request) == normal(asked(query))


def test_what_is_said_of_the_root() -> None:
    request = to_candidates(spec(root_required=frozenset({"CUSTOM_A"}), root_forbidden=frozenset({"CUSTOM_B"})))

    assert (request.root_required, request.root_forbidden) == ({"CUSTOM_A"}, {"CUSTOM_B"})


def test_groups_from_elsewhere_go_with_those_of_the_flavor() -> None:
    port = RequestGroup(suffix=A, resources=(("NET_BW_EGR_KILOBIT_PER_SEC", 1000),))
    one = to_candidates(spec(requested_resources=(port,)))
    two = to_candidates(spec({"resources1:VGPU": "1"}, requested_resources=(port,)))

    assert (one.groups[1:], one.group_policy) == ((port,), None)
    assert [group.suffix for group in two.groups] == ["", "1", A]
    # The flavor has but one, and could not know of the other.
    assert two.group_policy == "none"


def test_without_unsuffixed_resources_the_root_is_where_it_is_to_be() -> None:
    numa = {"resources_N:VCPU": "1", "trait:CUSTOM_A": "required", "trait:CUSTOM_B": "forbidden"}
    destination = Destination().require_aggregates([A, B]).forbid_aggregates([C])
    request = to_candidates(spec(NOTHING | numa, requested_destination=destination), in_tree=TREE)

    query = (
        f"resources_N=VCPU:1&in_tree_N={TREE}&root_required=CUSTOM_A,!CUSTOM_B"
        f"&root_member_of=in:{A},{B}&root_member_of=!{C}"
    )
    assert request == asked(query, EXTENDED)


@pytest.mark.parametrize(
    ("extra_specs", "message"),
    [
        ({"resources:VCPU": "many"}, "resources:VCPU must be a whole number from 0 to 2147483647. Got: 'many'"),
        ({"resources:VCPU": "-1"}, "Got: '-1'"),
        ({"resources:vcpu": "1"}, "resources:vcpu must end in the name of a resource class"),
        ({"trait:CUSTOM_A": "maybe"}, "trait:CUSTOM_A must be required or forbidden. Got: 'maybe'"),
        ({"trait:": "required"}, "trait: must end in the name of a trait"),
        ({"group_policy": "some"}, "group_policy must be none or isolate. Got: 'some'"),
        ({"resources1:VGPU": "1", "resources2:VGPU": "1"}, "group_policy"),
        (NOTHING | {"resources1:VGPU": "1", "resources2:VGPU": "1"}, "group_policy"),
        (NOTHING, "There must be at least one resources"),
        ({"resources1:VGPU": "1", "same_subtree": "1,_X"}, "Real suffixes should be specified in `same_subtree`"),
        ({"hw:cpu_policy": "often"}, "hw:cpu_policy must be one of shared, mixed, dedicated. Got: 'often'"),
        ({"hw:cpu_policy": "dedicated", "resources:VCPU": "2"}, "and so does resources:VCPU"),
        ({"hw:cpu_policy": "mixed"}, "needs hw:cpu_dedicated_mask"),
        ({"hw:cpu_policy": "mixed", "hw:cpu_dedicated_mask": "0-7"}, "The mask '0-7' must leave some"),
        ({"hw:cpu_policy": "mixed", "hw:cpu_dedicated_mask": "^0-1"}, "must leave some"),
        ({"hw:cpu_policy": "mixed", "hw:cpu_dedicated_mask": "x"}, "is not a list of processors"),
        ({"hw:mem_encryption": "perhaps"}, "hw:mem_encryption must be true or false. Got: 'perhaps'"),
    ],
)
def test_extra_specs_that_make_no_sense_are_named(extra_specs: dict[str, str], message: str) -> None:
    with pytest.raises(BadRequestError) as raised:
        to_candidates(spec(extra_specs))
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("extra_specs", "properties", "message"),
    [
        ({"hw:cpu_policy": "shared"}, {"hw_cpu_policy": "dedicated"}, "the image hw_cpu_policy=dedicated"),
        ({"hw:mem_encryption": "true"}, {"hw_mem_encryption": "false"}, "they must agree"),
        ({"hw:cpu_thread_policy": "isolate"}, {"hw_cpu_thread_policy": "require"}, "they must agree"),
    ],
)
def test_flavor_and_image_must_not_contradict(
    extra_specs: dict[str, str], properties: dict[str, str], message: str
) -> None:
    with pytest.raises(BadRequestError) as raised:
        to_candidates(spec(extra_specs, image=ImageMeta(properties=properties)))
    assert message in str(raised.value)


def test_what_flavor_and_image_say_of_a_trait_must_not_contradict() -> None:
    with pytest.raises(BadRequestError, match="Conflicting required and forbidden traits"):
        to_candidates(spec({"trait:CUSTOM_A": "forbidden"}, image=ImageMeta(traits_required=frozenset({"CUSTOM_A"}))))


def test_a_group_from_elsewhere_needs_a_suffix_of_its_own() -> None:
    port = RequestGroup(suffix="1", resources=(("VGPU", 1),))
    with pytest.raises(BadRequestError, match="suffix 1"):
        to_candidates(spec({"resources1:VGPU": "1", "group_policy": "none"}, requested_resources=(port,)))
