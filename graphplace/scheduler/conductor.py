"""What a conductor does with selections: build, and on failure take the next alternate (specs: selection-objects)."""

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

from graphplace.compute import claims
from graphplace.compute.errors import AllocationUpdateFailed
from graphplace.compute.placement import Context, Placement
from graphplace.scheduler.errors import BuildFailed, MaxRetriesExceeded
from graphplace.scheduler.placing import INSTANCE
from graphplace.scheduler.request_spec import RequestSpec
from graphplace.scheduler.select import Scheduler
from graphplace.scheduler.selection import Selection

LOG = logging.getLogger(__name__)

# Builds an instance on a host where its resources are claimed, or raises BuildFailed.
Build = Callable[[str, Selection], None]


def build_with_alternates(
    context: Context | None,
    scheduler: Scheduler,
    spec: RequestSpec,
    instance_uuid: str,
    selections: Sequence[Selection],
    *,
    build: Build,
    new_runs: int = 0,
) -> Selection:
    """Build an instance on the first of *selections* that will do, and return that one.

    *selections* are what the scheduler returned for the instance: the first is claimed. When a build fails, what is
    held is released, and the next one, which is of the same cell, is claimed without another run of the scheduler. When
    none is left, there are *new_runs* more, each without the hosts that failed; only these lead into another cell.

    Raises MaxRetriesExceeded when all failed, and NoValidHost when a new run finds no host. The instance holds nothing
    then, nor when *build* raises something else, which passes through.
    """
    placement = Placement(scheduler.session, context)
    failures: dict[str, str] = {}
    for run in range(new_runs + 1):
        if run:
            without = replace(spec, ignore_hosts=(*spec.ignore_hosts, *failures), num_instances=1)
            (selections,) = scheduler.select_destinations(context, without, [instance_uuid])
        for number, selection in enumerate(selections):
            try:
                if number:
                    _claim(placement, spec, instance_uuid, selection)
                _build(placement, instance_uuid, selection, build)
            except (BuildFailed, AllocationUpdateFailed) as error:
                LOG.info("Instance %s cannot be on %s: %s", instance_uuid, selection.service_host, error)
                failures[selection.service_host] = str(error)
            else:
                return selection
    raise MaxRetriesExceeded(instance_uuid, failures)


def _claim(placement: Placement, spec: RequestSpec, instance_uuid: str, selection: Selection) -> None:
    claims.claim(
        replace(placement, microversion=selection.allocation_request_version),
        instance_uuid,
        json.loads(selection.allocation_request),
        spec.project_id,
        spec.user_id,
        consumer_type=INSTANCE,
    )


def _build(placement: Placement, instance_uuid: str, selection: Selection, build: Build) -> None:
    try:
        build(instance_uuid, selection)
    except BaseException:
        claims.release(placement, instance_uuid)
        raise
