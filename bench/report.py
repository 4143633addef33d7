"""Rows as a table in Markdown and as JSON, of which the newest are kept."""

import json
import os
import subprocess
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from claims import Storm
from loading import Loading
from measuring import Row
from throughput import Rate

RESULTS = Path(__file__).parent / "results"
TITLE = """\
# Measured side by side

What the columns mean is in [performance.md](../../docs/performance.md). `make bench` writes this page.
"""
REQUESTS = (
    "request", "candidates", "answers", "Placement ms", "graphplace ms", "ratio", "Placement CPU ms",
    "graphplace CPU ms", "ratio", "goal", "Placement first ms", "graphplace first ms", "Placement MiB",
    "graphplace MiB",
)  # fmt: skip
RATES = (
    "many at once", "Placement a second", "graphplace a second", "ratio", "goal", "Placement CPU ms",
    "graphplace CPU ms", "Placement refused", "graphplace refused", "Placement overfull", "graphplace overfull",
)  # fmt: skip

Record = dict[str, Any]


def request_record(row: Row) -> Record:
    """Return what was found for one request as plain data."""
    return {
        "name": row.case.name,
        "title": row.case.title,
        "candidates": row.candidates,
        "answers": row.answers,
        "goal": row.case.goal,
        "graphplace": asdict(row.ours),
        "placement": asdict(row.theirs) if row.theirs else None,
    }


def rate_record(case: Storm | Loading, ours: Rate, theirs: Rate | None = None) -> Record:
    """Return what was done at once as plain data."""
    return {
        "name": case.name,
        "title": case.title,
        "goal": case.goal,
        "graphplace": asdict(ours),
        "placement": asdict(theirs) if theirs else None,
    }


def keep(record: Record) -> None:
    """Write *record* into the newest results, in the place of that of the same name."""
    RESULTS.mkdir(exist_ok=True)
    file = RESULTS / "newest.json"
    records = {one["name"]: one for one in json.loads(file.read_text())} if file.exists() else {}
    records[record["name"]] = record | {
        "measured": datetime.now(UTC).strftime("%Y-%m-%d %H:%M"),
        "commit": commit(),
        "machine": machine(),
        "load": round(os.getloadavg()[0], 1),
    }
    file.write_text(json.dumps(list(records.values()), indent=1) + "\n")
    requests, rates = ([one for one in records.values() if is_rate(one) == wanted] for wanted in (False, True))
    lines = [TITLE, *provenance(records.values()), "", *table(requests), "", *table(rates)]
    (RESULTS / "newest.md").write_text("\n".join(lines) + "\n")


def provenance(records: Iterable[Record]) -> list[str]:
    """Return when, at which commit, where and beside how much else the rows were measured, a line for each such run."""
    runs: dict[tuple[str, str, str], list[float]] = {}
    for one in records:
        runs.setdefault((one["measured"][:10], one["commit"], one["machine"]), []).append(one["load"])
    return [
        f"{len(loads)} rows on {date} at {commit}: {machine}; load average {min(loads)} to {max(loads)}."
        for (date, commit, machine), loads in runs.items()
    ]


def is_rate(record: Record) -> bool:
    """Tell whether *record* is of many at once."""
    return "a_second" in record["graphplace"]


def table(records: Sequence[Record]) -> list[str]:
    """Return the lines of a table of one kind of record."""
    if not records:
        return []
    headings = RATES if is_rate(records[0]) else REQUESTS
    return [cells(headings), cells(["---", *["--:"] * (len(headings) - 1)]), *map(line, records)]


def line(record: Record) -> str:
    """Return one record as a line of its table."""
    return cells(rate_cells(record) if is_rate(record) else request_cells(record))


def request_cells(record: Record) -> list[str]:
    """Return the cells of a request."""
    ours, theirs = record["graphplace"], record["placement"]
    return [
        record["title"],
        "" if record["candidates"] is None else f"{record['candidates']:,}",
        record["answers"],
        *pair(theirs, ours, times),
        ratio(theirs, ours, "median"),
        *pair(theirs, ours, used),
        ratio(theirs, ours, "api_cpu", "database_cpu"),
        number(record["goal"]),
        *pair(theirs, ours, lambda figures: number(figures["first"])),
        *pair(theirs, ours, memory),
    ]


def rate_cells(record: Record) -> list[str]:
    """Return the cells of a rate."""
    ours, theirs = record["graphplace"], record["placement"]
    return [
        record["title"],
        *pair(theirs, ours, lambda rate: number(rate["a_second"])),
        number(ours["a_second"] / theirs["a_second"]) if theirs else "",
        "" if record["goal"] is None else number(record["goal"]),
        *pair(theirs, ours, used),
        *pair(theirs, ours, lambda rate: str(rate["refused"])),
        *pair(theirs, ours, lambda rate: str(rate["overfull"])),
    ]


def pair(theirs: Record | None, ours: Record, cell: Callable[[Record], str]) -> list[str]:
    """Return the cells of both servers."""
    return [over(theirs) + cell(theirs) if theirs else "", cell(ours)]


def over(theirs: Record) -> str:
    """Return the word before a lower bound."""
    return "over " if theirs.get("stopped") else ""


def times(figures: Record) -> str:
    """Return median and 95th percentile."""
    return f"{number(figures['median'])} / {number(figures['p95'])}"


def used(figures: Record) -> str:
    """Return the CPU of both parts, and its sum."""
    api, database = figures["api_cpu"], figures["database_cpu"]
    return f"{number(api)} + {number(database)} = {number(api + database)}"


def memory(figures: Record) -> str:
    """Return the memory of both parts."""
    return f"{figures['api_memory']:,.0f} + {figures['database_memory']:,.0f}"


def ratio(theirs: Record | None, ours: Record, *names: str) -> str:
    """Return how many times more Placement uses."""
    if theirs is None:
        return ""
    times_more = sum(theirs[name] for name in names) / sum(ours[name] for name in names)
    return over(theirs) + number(times_more)


def number(value: float) -> str:
    """Return *value* with two digits, or more where they are whole."""
    return f"{value:,.1f}" if value < 10 else f"{value:,.0f}"  # noqa: PLR2004  # two digits


def cells(texts: Iterable[str]) -> str:
    """Return one line of a table."""
    return "| " + " | ".join(texts) + " |"


def commit() -> str:
    """Return the commit that is measured, and behind it whether anything but results was changed since."""
    return _git("describe", "--always") + ("-dirty" if _git("status", "--porcelain", ".", ":!bench/results") else "")


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(RESULTS.parents[1]), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603  # made here


def machine() -> str:
    """Return what the machine is, in a few words."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    model = next(text.partition(":")[2].strip() for text in lines if text.startswith("model name"))
    gibibytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} cores of {model}, {gibibytes:.0f} GiB"
