"""Hosts that can boot an image of its format."""

from graphplace.scheduler.filters.contract import FilterContext
from graphplace.scheduler.filters.standard_traits import standard_trait
from graphplace.scheduler.request_spec import RequestSpec


def require_disk_format(_context: FilterContext, spec: RequestSpec) -> tuple[RequestSpec, str]:
    """Require ``COMPUTE_IMAGE_TYPE_...`` for the disk format of the image, unless *spec* boots from a volume.

    Raises RequestFilterFailed for a format that has no such trait: no host can have it.
    """
    if spec.is_bfv or spec.image is None or spec.image.disk_format is None:
        return spec, ""
    trait = standard_trait("COMPUTE_IMAGE_TYPE", spec.image.disk_format, "disk_format of the image")
    return spec.with_required_traits([trait]), f"Hosts can boot images of this format: {trait}."
