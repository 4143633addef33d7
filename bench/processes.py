"""What processes use: CPU as the scheduler counts it, and memory."""

import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

# Milliseconds of CPU by process id.
Cpu = dict[int, float]


@dataclass(frozen=True)
class Processes:
    """The processes of one server: those that answer HTTP, and those of its database."""

    api: tuple[psutil.Process, ...]
    database: tuple[psutil.Process, ...]

    def cpu(self) -> tuple[Cpu, Cpu]:
        """Return what each process of the two has used so far."""
        return cpu(self.api), cpu(self.database)

    def resident(self) -> tuple[float, float]:
        """Return the mebibytes that each of the two keeps in memory."""
        return _memory(self.api, "VmRSS"), _memory(self.database, "VmRSS")

    def reset_peak(self) -> None:
        """Let the peaks of memory start from what is resident now."""
        for process in (*self.api, *self.database):
            with suppress(OSError):  # it ended meanwhile
                Path(f"/proc/{process.pid}/clear_refs").write_text("5")

    def peak(self) -> tuple[float, float]:
        """Return the mebibytes that each of the two had in memory at most since the last reset."""
        return _memory(self.api, "VmHWM"), _memory(self.database, "VmHWM")


def cpu(processes: Iterable[psutil.Process]) -> Cpu:
    """Return the milliseconds of CPU that each of *processes* that still runs has used so far."""
    found: Cpu = {}
    for process in processes:
        with suppress(OSError):
            found[process.pid] = time.clock_gettime_ns(_cpu_clock(process.pid)) / 1e6
    return found


def spent(before: Cpu, after: Cpu) -> float:
    """Return the milliseconds of CPU between two counts, of the processes that are in the second."""
    return sum(used - before.get(pid, 0) for pid, used in after.items())


def _cpu_clock(pid: int) -> int:
    """Return Linux's clock of what the scheduler counts for a process, threads that have ended included."""
    return ~pid << 3 | 2


def _memory(processes: Iterable[psutil.Process], kind: str) -> float:
    kibibytes = 0
    for process in processes:
        with suppress(OSError):
            lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
            kibibytes += sum(int(line.split()[1]) for line in lines if line.startswith(f"{kind}:"))
    return kibibytes / 1024
