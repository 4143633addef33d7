"""Selecting hosts for instances, and claiming them (specs: selection-objects, request-filtering)."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

from graphplace import hosts
from graphplace.compute.placement import Context, Placement, Session
from graphplace.errors import BadRequestError
from graphplace.graph.database import Database
from graphplace.host_aggregates import HostAggregatesOf
from graphplace.request.write import to_query
from graphplace.scheduler.candidate_request import to_candidates
from graphplace.scheduler.candidates import MICROVERSION
from graphplace.scheduler.errors import NoValidHost
from graphplace.scheduler.filters import apply_filters
from graphplace.scheduler.filters.contract import FilterContext, RequestFilterFailed, Step
from graphplace.scheduler.groups import Group
from graphplace.scheduler.host_state import AllocationRequest, HostState
from graphplace.scheduler.naming import named_service, objections
from graphplace.scheduler.placing import Placing, Wanted
from graphplace.scheduler.request_spec import RequestSpec
from graphplace.scheduler.selection import Selection
from graphplace.settings import Settings


@dataclass(frozen=True)
class Scheduler:
    """Selects hosts, and claims them through Placement's API over *session*; which hosts there are is in *database*.

    Several threads may use one. Hosts of equal weight come in an order that *random* draws.
    """

    database: Database
    session: Session
    settings: Settings
    random: Random = field(default_factory=Random)

    def select_destinations(
        self,
        context: Context | None,
        spec: RequestSpec,
        instance_uuids: Sequence[str],
        return_alternates: bool = True,  # noqa: FBT001, FBT002  # as in Nova
        *,
        dry_run: bool = False,
    ) -> list[list[Selection]]:
        """Return for each of *instance_uuids* the host that is claimed for it, and behind that its alternates.

        Alternates are hosts of the same cell that no instance was placed on, with room for the instance: the best
        ``scheduler_max_attempts`` - 1. Nothing is claimed on them. With *dry_run* nothing is claimed at all.

        All instances are placed or none: whatever is raised, what was claimed is given back before. Raises NoValidHost
        when an instance finds no host, BadRequestError for a request that makes no sense, PlacementError and
        AllocationUpdateFailed for what Placement refuses to anybody, ConsumerChanged when somebody else changes an
        instance meanwhile, StoreUnavailableError.
        """
        _check_different(instance_uuids)
        placement = Placement(self.session, context)
        filters = FilterContext(self.settings, HostAggregatesOf(self.database), placement)
        steps: tuple[str, ...] = ()
        try:
            filtered = apply_filters(filters, spec)
            steps = _told(filtered.steps)
            placing = Placing(
                placement,
                self.database,
                self.settings,
                self._wanted(filtered.spec),
                Group.of(filtered.spec.instance_group),
                random=self.random,
                dry_run=dry_run,
            )
            return self._select(placing, filtered.spec, instance_uuids, return_alternates=return_alternates)
        except RequestFilterFailed as error:
            raise NoValidHost([str(error)], filters=_told(error.steps)) from error
        except NoValidHost as error:
            error.filters = steps
            raise

    def _select(
        self, placing: Placing, spec: RequestSpec, instance_uuids: Sequence[str], *, return_alternates: bool
    ) -> list[list[Selection]]:
        most = self.settings.scheduler_max_attempts - 1 if return_alternates else 0
        try:
            for instance_uuid in instance_uuids:
                placing.place(instance_uuid)
            return [
                [
                    _selection(spec, one.host, one.request),
                    *(_selection(spec, *alternate) for alternate in placing.alternates(one, most)),
                ]
                for one in placing.placed
            ]
        except BaseException:
            placing.give_back()
            raise

    def _wanted(self, spec: RequestSpec) -> Wanted:
        """Return what each instance of *spec* wants. Raises NoValidHost for a host that is named and unknown."""
        in_tree = None
        if (service := named_service(spec)) is not None:
            node = spec.requested_destination.node
            named = [one for one in hosts.of_service(self.database, service) if node in (None, one.nodename)]
            roots = [one.provider_uuid for one in named if one.provider_uuid is not None]
            if not roots:
                raise NoValidHost([f"No provider is mapped to the host {' '.join(filter(None, (service, node)))}."])
            in_tree = roots[0] if len(roots) == 1 else None
        query = to_query(to_candidates(spec, in_tree=in_tree))
        return Wanted(query, spec.project_id, spec.user_id, objections(spec))


def _told(steps: Iterable[Step]) -> tuple[str, ...]:
    return tuple(f"{step.name}: {step.text}" for step in steps)


def _check_different(instance_uuids: Sequence[str]) -> None:
    if repeated := [uuid for uuid, times in Counter(instance_uuids).items() if times > 1]:
        raise BadRequestError(f"The instances of a request must be different. There several times: {repeated[0]}")


def _selection(spec: RequestSpec, host: HostState, request: AllocationRequest) -> Selection:
    return Selection(
        compute_node_uuid=host.root,
        service_host=host.place.service_host,
        nodename=host.place.nodename,
        cell_uuid=host.place.cell_uuid,
        numa_limits=spec.limits.numa_topology,
        allocation_request=json.dumps(request),
        allocation_request_version=MICROVERSION,
    )
