"""Request filters: small changes to a RequestSpec before Placement is asked (spec: Placement Request Filtering).

Packages offer more as entry points of the group ``graphplace.request_filters``, each naming a function as
:data:`graphplace.scheduler.filters.contract.Apply` describes it. Those run that ``scheduler_request_filters`` names.
"""

from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points

from graphplace.errors import GraphplaceError, SettingsError
from graphplace.scheduler.filters import (
    accelerators,
    availability_zone,
    capabilities,
    compute_status,
    image_properties,
    image_type,
    isolated_aggregates,
    ports,
    routed_networks,
    tenant_aggregate,
)
from graphplace.scheduler.filters.contract import Apply, FilterContext, RequestFilter, RequestFilterFailed, Step
from graphplace.scheduler.request_spec import RequestSpec
from graphplace.settings import Settings

GROUP = "graphplace.request_filters"

# In the order in which they run: isolated_aggregates looks at the traits that others have required.
BUILT_IN = (
    RequestFilter(
        "tenant_aggregate", "scheduler_limit_tenants_to_placement_aggregate", tenant_aggregate.limit_to_tenant
    ),
    RequestFilter(
        "availability_zone", "scheduler_query_placement_for_availability_zone", availability_zone.limit_to_zone
    ),
    RequestFilter("image_type", "scheduler_query_placement_for_image_type_support", image_type.require_disk_format),
    RequestFilter("image_properties", "scheduler_image_metadata_prefilter", image_properties.require_properties),
    RequestFilter("capabilities", "scheduler_require_capabilities", capabilities.require_capabilities),
    RequestFilter("accelerators", "scheduler_request_accelerators", accelerators.ask_for_accelerators),
    RequestFilter("ports", "scheduler_request_port_resources", ports.ask_for_ports),
    RequestFilter(
        "routed_networks",
        "scheduler_query_placement_for_routed_network_aggregates",
        routed_networks.limit_to_segments,
    ),
    RequestFilter("compute_status", "scheduler_forbid_disabled_computes", compute_status.forbid_disabled),
    RequestFilter(
        "isolated_aggregates", "scheduler_enable_isolated_aggregate_filtering", isolated_aggregates.forbid_isolated
    ),
)


@dataclass(frozen=True)
class Filtered:
    """A request as all filters leave it, and what those did that changed it, in order."""

    spec: RequestSpec
    steps: tuple[Step, ...]


def apply_filters(context: FilterContext, spec: RequestSpec) -> Filtered:
    """Let each filter that the settings want change *spec*.

    Raises RequestFilterFailed when one finds that no host can do, BadRequestError for what makes no sense in the
    request, SettingsError for a filter that is not installed, or of another package and broken.
    """
    steps: list[Step] = []
    for each in chosen(context.settings):
        try:
            spec, text = each.apply(context, spec)
        except RequestFilterFailed as error:
            error.steps = tuple(steps)
            raise
        if text:
            steps.append(Step(each.name, text))
    return Filtered(spec, tuple(steps))


def chosen(settings: Settings) -> tuple[RequestFilter, ...]:
    """Return the filters that *settings* name and have on, in that order. Raises SettingsError for an unknown name."""
    own = {each.name: each for each in BUILT_IN}
    names = settings.scheduler_request_filters or tuple(own)
    others = {point.name: point for point in entry_points(group=GROUP)} if set(names) - own.keys() else {}
    if unknown := [name for name in names if name not in own and name not in others]:
        raise SettingsError(
            f"scheduler_request_filters names {', '.join(unknown)}; installed are {', '.join(sorted({*own, *others}))}."
        )
    named = (own.get(name) or RequestFilter(name, None, _of_others(others[name])) for name in names)
    return tuple(each for each in named if each.is_on(settings))


def _of_others(point: EntryPoint) -> Apply:
    """Return the filter of another package. Its mistakes are told as such: what it is called, and what happened."""

    def apply(context: FilterContext, spec: RequestSpec) -> tuple[RequestSpec, str]:
        try:
            changed, text = point.load()(context, spec)
        except GraphplaceError:
            raise
        except Exception as error:
            raise SettingsError(
                f"The request filter {point.name} ({point.value}) is broken: {type(error).__name__}: {error}"
            ) from error
        if not (isinstance(changed, RequestSpec) and isinstance(text, str)):
            raise SettingsError(
                f"The request filter {point.name} ({point.value}) must return a RequestSpec and a text. "
                f"Got: {type(changed).__name__} and {type(text).__name__}"
            )
        return changed, text

    return apply
