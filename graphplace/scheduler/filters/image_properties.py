"""Hosts that can emulate the hardware that an image is made for."""

from graphplace.scheduler.filters.contract import FilterContext
from graphplace.scheduler.filters.standard_traits import standard_trait
from graphplace.scheduler.request_spec import RequestSpec

# What the traits that stand for the values of a property begin with.
PREFIXES = {
    "hw_architecture": "HW_ARCH",
    "hw_cdrom_bus": "COMPUTE_STORAGE_BUS",
    "hw_disk_bus": "COMPUTE_STORAGE_BUS",
    "hw_emulation_architecture": "COMPUTE_ARCH",
    "hw_video_model": "COMPUTE_GRAPHICS_MODEL",
    "hw_vif_model": "COMPUTE_NET_VIF_MODEL",
    "hw_viommu_model": "COMPUTE_VIOMMU_MODEL",
}


def require_properties(_context: FilterContext, spec: RequestSpec) -> tuple[RequestSpec, str]:
    """Require the traits that stand for the properties of the image.

    Raises RequestFilterFailed for a value that has no trait: no host can have it.
    """
    properties = spec.image.properties if spec.image else {}
    traits = {
        standard_trait(prefix, properties[name], f"{name} of the image")
        for name, prefix in PREFIXES.items()
        if name in properties
    }
    if not traits:
        return spec, ""
    return spec.with_required_traits(traits), f"Hosts can do what the image is made for: {', '.join(sorted(traits))}."
