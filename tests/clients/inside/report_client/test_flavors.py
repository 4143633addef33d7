"""Nova's scheduler: what it asks Placement for by the extra specs of a flavor."""

from urllib.parse import parse_qs

from flavors import FLAVORS, PLAIN
from nova.objects import Flavor, ImageMeta, RequestSpec
from nova.scheduler.utils import ResourceRequest

# Without these, memory cannot be encrypted; otherwise they say nothing to Placement.
PROPERTIES = {"hw_firmware_type": "uefi", "hw_machine_type": "q35"}


def parameters(query: str) -> dict[str, list[list[str]]]:
    """Return the items of each parameter in the order of the alphabet; the limit is Nova's own."""
    found = parse_qs(query)
    return {name: [sorted(value.split(",")) for value in found[name]] for name in found.keys() - {"limit"}}


def asked(extra_specs: dict[str, str]) -> str:
    flavor = Flavor(name="m1", ephemeral_gb=0, swap=0, extra_specs=extra_specs, **PLAIN)
    image = ImageMeta.from_dict({"name": "image", "properties": PROPERTIES})
    spec = RequestSpec(flavor=flavor, image=image, is_bfv=False, requested_resources=[])
    query: str = ResourceRequest.from_request_spec(spec).to_querystring()
    return query


def test_flavors_are_translated_as_documented() -> None:
    expected = {case: parameters(query) for case, (_, query) in FLAVORS.items()}

    assert {case: parameters(asked(extra_specs)) for case, (extra_specs, _) in FLAVORS.items()} == expected
