"""The measurement of one cloud's cases: the same request to two servers in turn, again and again for a while each."""

import math
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from cases import Case
from client import PATIENCE, Answer, Client
from processes import spent
from same import compared, require_equal
from server import Server

# For so long one server is asked before it is the other's turn.
BLOCK = 500
FEWEST = 5
MOST = 400
LONGEST = 30_000
# What is warm needs no less CPU than this share of the least that it needed before, twice in a row.
STEADY = 0.92
ENOUGH = 2
MOST_WARM_UPS = 8


@dataclass(frozen=True)
class Effort:
    """For how many milliseconds each server is asked for each case, and graphplace at a time to warm it up."""

    measure: float = 4000
    warm_up: float = 2500


@dataclass(frozen=True)
class Figures:
    """What one server used for a request: milliseconds, and mebibytes above what it had when idle.

    *first* is of the first request of its kind. *stopped* says that there was no answer to it within the client's
    patience, which all figures are of then: they are lower bounds.
    """

    first: float
    median: float
    p95: float
    api_cpu: float
    database_cpu: float
    api_memory: float
    database_memory: float
    rounds: int
    stopped: bool


@dataclass(frozen=True)
class Row:
    """One case with what was found: how many candidates, and how the answers compare, in words."""

    case: Case
    candidates: int | None
    answers: str
    ours: Figures
    theirs: Figures | None


class Count:
    """What a server uses while it is asked, and how long its answers take."""

    def __init__(self, server: Server) -> None:
        self._server = server
        processes = server.processes()
        processes.reset_peak()
        self._idle = processes.resident()
        self._used = [0.0, 0.0]
        self.times: list[float] = []

    def ask(self, once: Callable[[], Answer], milliseconds: float) -> Answer:
        """Ask again and again until that took so many *milliseconds*, count the answers, and return the last one.

        What a server does while the other one is asked is not counted.
        """
        before = self._server.processes().cpu()
        took = 0.0
        while True:
            answer = once()
            self.times.append(answer.milliseconds)
            took += answer.milliseconds
            if took >= milliseconds:
                break
        now = self._server.processes().cpu()
        self._used = [used + spent(*two) for used, two in zip(self._used, zip(before, now, strict=True), strict=True)]
        return answer

    def cpu(self) -> list[float]:
        """Return the milliseconds of CPU used so far for one answer, of the API and of the database."""
        return [used / len(self.times) for used in self._used]

    def figures(self, first: Answer) -> Figures:
        """Return what was used so far for one answer."""
        processes = self._server.processes()
        cpu = self.cpu()
        memory = [max(0.0, top - idle) for top, idle in zip(processes.peak(), self._idle, strict=True)]
        return Figures(
            first=first.milliseconds,
            median=statistics.median(self.times),
            p95=sorted(self.times)[math.ceil(len(self.times) * 0.95) - 1],
            api_cpu=cpu[0],
            database_cpu=cpu[1],
            api_memory=memory[0],
            database_memory=memory[1],
            rounds=len(self.times),
            stopped=first.status is None,
        )


class Side:
    """One server with its client, the first answer to each case, and the figures of those that it did not answer."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.client = Client(server.port)
        self.firsts: dict[str, Answer] = {}
        self.stopped: dict[str, Figures] = {}
        self._rounds = Counter[str]()

    def ask(self, case: Case) -> Answer:
        """Return the answer of the next round. Raises ValueError for another status than it has to have."""
        answer = self.client.send(case.request(self._rounds[case.name]))
        self._rounds[case.name] += 1
        if answer.status not in {case.status, None}:
            raise ValueError(f"{case.name} of {self.server.name}: {answer.status} {answer.body[:1000].decode()}")
        return answer

    def first(self, case: Case) -> Answer:
        """Return the answer of the first round. If there is none, keep what was used, and start anew."""
        count = Count(self.server)
        answer = self.firsts[case.name] = count.ask(lambda: self.ask(case), 0)
        if answer.status is None:
            self.stopped[case.name] = count.figures(answer)
            self.server.restart()
        return answer


def measure(cases: Sequence[Case], ours: Side, theirs: Side | None, effort: Effort) -> Iterator[Row]:
    """Ask for all *cases* once and compare the answers, warm up, and then yield one after the other with its figures.

    Raises ValueError when an answer is not as it has to be.
    """
    found = {case.name: _first(case, ours, theirs) for case in cases}
    for case in cases:
        warm_up(partial(asked, case, ours, effort.warm_up))
    for case in cases:
        tell(f"{case.name} ...")
        sides = [side for side in (ours, theirs) if side and case.name not in side.stopped]
        in_turn(case, sides, effort.measure / 4)
        counts = in_turn(case, sides, effort.measure)
        mine, *others = [count.figures(side.firsts[case.name]) for side, count in zip(sides, counts, strict=True)]
        if theirs and case.name in theirs.stopped:
            others = [theirs.stopped[case.name]]
        yield Row(case, *found[case.name], mine, next(iter(others), None))


def _first(case: Case, ours: Side, theirs: Side | None) -> tuple[int | None, str]:
    tell(f"{case.name}: the first time")
    mine = ours.first(case)
    if mine.status is None:
        raise ValueError(f"{case.name}: graphplace gave no answer in {PATIENCE} s")
    search = case.request(0).path.startswith("/allocation_candidates?")
    count = len(mine.json()["allocation_requests"]) if search else None
    if theirs is None:
        return count, ""
    other = theirs.first(case)
    if search:
        return count, compared(case, ours.client, theirs.client)
    require_equal(case, mine.json(), other.json())
    return count, "equal"


def warm_up(step: Callable[[], float]) -> None:
    """Repeat *step*, which returns what CPU it needed, until the compilers of the JVM have made the best of it."""
    least, in_vain = math.inf, 0
    for _ in range(MOST_WARM_UPS):
        used = step()
        in_vain = in_vain + 1 if used > STEADY * least else 0
        least = min(least, used)
        if in_vain == ENOUGH:
            break


def asked(case: Case, ours: Side, milliseconds: float) -> float:
    """Ask for so long, and return the milliseconds of CPU for one answer."""
    (count,) = in_turn(case, [ours], milliseconds)
    return sum(count.cpu())


def in_turn(case: Case, sides: Sequence[Side], milliseconds: float) -> list[Count]:
    """Ask the sides in turn, each for BLOCK milliseconds at a time, until both have had enough."""
    counts = [Count(side.server) for side in sides]
    while not all(_is_enough(count.times, milliseconds) for count in counts):
        for count, side in zip(counts, sides, strict=True):
            count.ask(partial(side.ask, case), BLOCK)
    return counts


def _is_enough(times: Sequence[float], milliseconds: float) -> bool:
    """Tell whether answers took so many *milliseconds* and are FEWEST at least, or are MOST, or took LONGEST."""
    took = sum(times)
    return (len(times) >= FEWEST and took >= milliseconds) or len(times) >= MOST or took >= LONGEST


def tell(text: str) -> None:
    """Print how far the measurement is."""
    print(text, file=sys.stderr, flush=True)
