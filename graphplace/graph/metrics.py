"""What is measured of the work with Neo4j, for whoever serves metrics; elsewhere nobody reads it.

One statement costs some microseconds of it. With ``PROMETHEUS_MULTIPROC_DIR`` in the environment, the numbers of all
processes of a server stand in files of that folder: see :mod:`graphplace.api.metrics`.
"""

from collections.abc import Iterable, Iterator
from time import perf_counter

import neo4j
from prometheus_client import Counter, Gauge, Histogram

STATEMENTS = Histogram(
    "graphplace_neo4j_statement_seconds",
    "Time from asking Neo4j until the last row, by the name of the statement.",
    ["statement"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10),
)
# Each holds one connection of the driver's pool, which has a hundred.
TRANSACTIONS = Gauge(
    "graphplace_neo4j_transactions", "Reads and writes that are under way.", multiprocess_mode="livesum"
)
RACE, TRANSIENT = "race", "transient"
RETRIES = Counter(
    "graphplace_neo4j_retries",
    "Transactions that were run again: another write came first (race), or Neo4j could not go on (transient).",
    ["reason"],
)
for _reason in (RACE, TRANSIENT):
    RETRIES.labels(_reason)


def timed(name: str, asked_at: float, rows: Iterable[neo4j.Record]) -> Iterator[neo4j.Record]:
    """Yield *rows*, and count the time that they took, without what is done between them."""
    seconds = perf_counter() - asked_at
    remaining = iter(rows)
    while True:
        begin = perf_counter()
        row = next(remaining, None)
        seconds += perf_counter() - begin
        if row is None:
            STATEMENTS.labels(name).observe(seconds)
            return
        yield row
