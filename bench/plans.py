"""Measure how long Neo4j plans each text when it has no plan of it.

    .venv/bin/python bench/plans.py [PREFIX ...]        (default: candidates.)

Starts ``graphplace serve`` with a Neo4j of its own in a temporary folder, loads 100 nested trees, and waits until all
plans are made that are made ahead. Prints the median of five times for each text whose name begins with one of the
prefixes, the way to Neo4j and back included.
"""

import statistics
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from clouds import nested
from graphplace.cypher import Statement, statements
from server import graphplace, settle

from graphplace.graph.database import Database

TIMES = 5


def main() -> None:
    """Measure and print."""
    prefixes = tuple(sys.argv[1:]) or ("candidates.",)
    with tempfile.TemporaryDirectory() as folder, graphplace(Path(folder) / "graphplace") as server:
        server.load(nested(100))
        settle(server)
        print("| text | ms to plan |\n| --- | --: |")
        with closing(server.database()) as database:
            for text in (one for one in statements() if one.name.startswith(prefixes)):
                print(f"| {text.name} | {statistics.median(planning(database, text) for _ in range(TIMES)):.0f} |")


def planning(database: Database, text: Statement) -> float:
    """Return the milliseconds that one planning of *text* takes."""
    database.execute("CALL db.clearQueryCaches()")
    began = time.perf_counter()
    database.columns_of(text)
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    main()
