"""Placing the instances of one request, one after the other, each on the best host that can be claimed."""

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from random import Random
from typing import Any

from graphplace.compute import claims
from graphplace.compute.errors import AllocationUpdateFailed, ConsumerChanged, PlacementError
from graphplace.compute.placement import Placement
from graphplace.compute.reading import read_consumer
from graphplace.graph.database import Database
from graphplace.hosts import Place
from graphplace.scheduler import candidates
from graphplace.scheduler.candidates import Found
from graphplace.scheduler.errors import NoValidHost
from graphplace.scheduler.groups import Group
from graphplace.scheduler.host_state import AllocationRequest, HostState, amounts
from graphplace.scheduler.weighers import weigh
from graphplace.settings import Settings

LOG = logging.getLogger(__name__)
# How often hosts are looked for anew because others took those that were found.
ROUNDS = 20
INSTANCE = "INSTANCE"

# Why a host may not be taken, as "are in another cell", or None.
Objection = Callable[[Place], str | None]


@dataclass(frozen=True)
class Wanted:
    """What every instance of a request wants: the query for candidates without a limit, and whose it is."""

    query: str
    project_id: str
    user_id: str
    objections: tuple[Objection, ...] = ()


@dataclass(frozen=True)
class Placed:
    """Where an instance is: its host, what was claimed of it, and what the instance held before."""

    instance_uuid: str
    host: HostState
    request: AllocationRequest
    held: Mapping[str, Any]


class Placing:
    """Places instances that want the same, and knows of each host what is left of it.

    With *dry_run*, what is placed is claimed from nobody.
    """

    def __init__(
        self,
        placement: Placement,
        database: Database,
        settings: Settings,
        wanted: Wanted,
        group: Group,
        *,
        random: Random,
        dry_run: bool = False,
    ) -> None:
        self.placed: list[Placed] = []
        self._placement = placement
        self._database = database
        self._settings = settings
        self._wanted = wanted
        self._group = group
        self._random = random
        self._dry_run = dry_run
        self._found = self._find(settings.scheduler_max_placement_results)
        # Since the hosts were found: those that a claim was refused on, by root, and whether anything was claimed.
        self._refused: dict[str, str] = {}
        self._is_stale = False
        # Whether others claim what this does, too.
        self._is_contended = False

    def place(self, instance_uuid: str) -> None:
        """Place one more instance. Raises NoValidHost, AllocationUpdateFailed, PlacementError."""
        for _ in range(ROUNDS):
            for host in self._best_first(self._group):
                request = host.fitting(self._found.room)
                if request is not None and self._claim(instance_uuid, host, request):
                    return
            if self._is_stale and not self._dry_run:
                self._look_again(self._settings.scheduler_max_placement_results)
            elif not self._found.is_whole:
                self._look_again(None)
            else:
                raise self._no_valid_host(instance_uuid)
        refusals = list(self._refused.values())[:1]
        raise NoValidHost([f"For instance {instance_uuid} others were quicker {ROUNDS} times.", *refusals])

    def alternates(self, placed: Placed, most: int) -> list[tuple[HostState, AllocationRequest]]:
        """Return at *most* so many other hosts for what is *placed*, the best first, and how they could be claimed.

        They are in the cell of its host, and no instance that was placed is on them.
        """
        taken = {one.host.root for one in self.placed}
        group = self._group.without_one_on(placed.host.place.service_host)
        found = []
        for host in self._best_first(group) if most > 0 else ():
            request = host.fitting(self._found.room)
            is_near = host.place.cell_uuid == placed.host.place.cell_uuid
            if is_near and host.root not in taken and request is not None:
                found.append((host, request))
            if len(found) >= most:
                break
        return found

    def give_back(self) -> None:
        """Let every instance hold what it held before. What fails is logged, and stops nothing."""
        for one in () if self._dry_run else reversed(self.placed):
            try:
                claims.restore(self._placement, one.instance_uuid, one.held)
            except Exception:
                LOG.exception("What was claimed for instance %s is not given back.", one.instance_uuid)
        self.placed.clear()

    def _find(self, most: int | None) -> Found:
        return candidates.find(self._placement, self._database, self._wanted.query, most)

    def _look_again(self, most: int | None) -> None:
        self._found = self._find(most)
        self._refused = {}
        self._is_stale = False
        for one in self.placed if self._dry_run else ():
            # Nobody else knows of it.
            self._found.room.subtract(amounts(one.request))

    def _best_first(self, group: Group) -> Iterator[HostState]:
        """Yield the hosts that may be taken: one of the best drawn at random, then the others by weight."""
        hosts = [one for one in self._found.hosts if one.root not in self._refused and not self._objection(one, group)]
        weights = weigh(hosts, group, self._settings)
        # Of equal ones any, so that many who select at once do not all want the same.
        order = sorted(range(len(hosts)), key=lambda number: (-weights[number], self._random.random()))
        best = order[: self._settings.scheduler_host_subset_size]
        if best:
            first = self._random.choice(best)
            yield hosts[first]
            yield from (hosts[number] for number in order if number != first)

    def _objection(self, host: HostState, group: Group) -> str | None:
        for objection in self._wanted.objections:
            if words := objection(host.place):
                return words
        return group.objection(host.place.service_host)

    def _claim(self, instance_uuid: str, host: HostState, request: AllocationRequest) -> bool:
        """Claim *request* for an instance, and tell whether it was granted."""
        held = {} if self._dry_run else read_consumer(self._placement, instance_uuid)
        # It is given back whatever becomes of it: also if no answer comes.
        self.placed.append(Placed(instance_uuid, host, request, held))
        self._is_stale = True
        try:
            if not self._dry_run:
                claims.claim(
                    replace(self._placement, microversion=candidates.MICROVERSION),
                    instance_uuid,
                    request,
                    self._wanted.project_id,
                    self._wanted.user_id,
                    held=held,
                    consumer_type=INSTANCE,
                )
        except AllocationUpdateFailed as error:
            self.placed.pop()
            if isinstance(error, ConsumerChanged) or not _is_about_the_host(error):
                raise
            self._refused[host.root] = str(error)
            self._is_contended = True
            return False
        host.consume(request, self._found.room)
        self._group = self._group.with_one_on(host.place.service_host)
        return True

    def _no_valid_host(self, instance_uuid: str) -> NoValidHost:
        reasons = [f"Instance {instance_uuid} is number {len(self.placed) + 1} of its request."] if self.placed else []
        explanation = None
        if not self._found.hosts and not self._found.unmapped:
            reasons.append(f"Placement has no candidates for {self._wanted.query}.")
            explanation = candidates.explain(self._placement, self._wanted.query, settled=self._is_contended)
            reasons += [reason["words"] for reason in explanation["reasons"]] if explanation else []
        objections = Counter(
            self._objection(host, self._group) or "are filled by the instances before it" for host in self._found.hosts
        )
        reasons += [f"Of the hosts with room, {number} {words}." for words, number in objections.most_common()]
        if unmapped := self._found.unmapped:
            reasons.append(f"{unmapped} trees with room stand for no host; graphplace host discover maps them.")
        return NoValidHost(reasons, explanation=explanation)


def _is_about_the_host(error: AllocationUpdateFailed) -> bool:
    """Tell whether another host may do: this one is full, gone, or written to all the time."""
    refusal = error.__cause__
    return isinstance(refusal, PlacementError) and refusal.status in {HTTPStatus.CONFLICT, HTTPStatus.BAD_REQUEST}
