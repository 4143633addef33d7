"""What servers do in a second: pieces of work, and storms of claims."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from random import Random

from claims import Claimant, Storm, overfull
from client import Client
from measuring import Effort, warm_up
from processes import spent
from server import Server


@dataclass(frozen=True)
class Rate:
    """What was done by one server: pieces a second, and the milliseconds of CPU for each.

    *refused* counts the claims that were not granted, *overfull* the inventories that hold more than their capacity.
    """

    pieces: int
    a_second: float
    api_cpu: float
    database_cpu: float
    refused: int = 0
    overfull: int = 0


class Meter:
    """Adds up what is done in several goes by one server."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._seconds = 0.0
        self._cpu = [0.0, 0.0]

    def run(self, work: Callable[[], object]) -> None:
        """Do *work*, and count it."""
        used = self.server.processes().cpu()
        began = time.perf_counter()
        work()
        self._seconds += time.perf_counter() - began
        after = self.server.processes().cpu()
        self._cpu = [one + spent(*two) for one, two in zip(self._cpu, zip(used, after, strict=True), strict=True)]

    def milliseconds(self) -> float:
        """Return how long all that was done took."""
        return self._seconds * 1000

    def cpu(self) -> float:
        """Return the milliseconds of CPU of all that was done."""
        return sum(self._cpu)

    def rate(self, pieces: int, **rest: int) -> Rate:
        """Return the rate of so many *pieces* done."""
        api, database = (one / max(pieces, 1) for one in self._cpu)
        return Rate(pieces, pieces / self._seconds, api, database, **rest)


def storms(case: Storm, ours: Server, theirs: Server | None, effort: Effort) -> list[Rate]:
    """Let the servers have their storms in turn, once both are warm, and return their rates."""
    counts = [Counting(case, server) for server in (ours, theirs) if server]
    mine, *others = counts
    warm_up(partial(mine.uncounted, effort.warm_up))
    for one in others:
        one.storm(Meter(one.server))
    for _ in range(case.times):
        for one in counts:
            one.storm(one.meter)
    return [one.rate() for one in counts]


class Counting:
    """The storms of one server, and what became of them."""

    def __init__(self, case: Storm, server: Server) -> None:
        self._case = case
        self.server = server
        self.meter = Meter(server)
        self._granted = self._refused = self._overfull = 0

    def uncounted(self, milliseconds: float) -> float:
        """Have storms that are not counted for so long, and return the milliseconds of CPU for each of them."""
        meter, times = Meter(self.server), 0
        while meter.milliseconds() < milliseconds:
            self.storm(meter)
            times += 1
        return meter.cpu() / times

    def storm(self, meter: Meter) -> None:
        """Let the clients act, measure that by *meter*, and release what they got."""
        case = self._case
        crew = [Claimant(Client(self.server.port), Random(n), case.hosts) for n in range(case.clients)]  # noqa: S311  # the same load each time

        def act(claimant: Claimant) -> None:
            for _ in range(case.acts // case.clients):
                case.act(claimant)

        with ThreadPoolExecutor(case.clients) as pool:
            meter.run(lambda: list(pool.map(act, crew)))
        if meter is self.meter:
            self._granted += sum(one.granted for one in crew)
            self._refused += sum(one.refused for one in crew)
        if case.full:
            self._overfull += overfull(crew[0].client, case.hosts)
        for one in crew:
            one.release()
            one.client.close()

    def rate(self) -> Rate:
        """Return what was granted a second."""
        return self.meter.rate(self._granted, refused=self._refused, overfull=self._overfull)
