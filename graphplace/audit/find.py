"""Running the audits. Nothing is locked; what drifted is looked at twice, as ``graphplace check`` does."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from graphplace.audit.audits import AUDITS, DRIFT, ORPHANS, Audit, Finding
from graphplace.check import check
from graphplace.cypher import statement
from graphplace.graph.database import Database

MOST = 20
STALE = timedelta(days=30)
# In days. Nothing in a graph is older.
LONGEST_STALE = 36_500
# Who creates a provider gives it inventories right after.
SETTLED = timedelta(hours=1)


@dataclass(frozen=True)
class Result:
    """How many things one audit found, and the first of them."""

    audit: Audit
    total: int
    findings: Sequence[Finding]


def document(result: Result) -> dict[str, Any]:
    """Return *result* as JSON."""
    return {
        "name": result.audit.name,
        "title": result.audit.title,
        "total": result.total,
        "findings": [asdict(finding) for finding in result.findings],
    }


def audit(
    database: Database,
    audits: Sequence[Audit] = AUDITS,
    *,
    known: Collection[str] | None = None,
    stale: timedelta = STALE,
    most: int = MOST,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> Iterator[Result]:
    """Yield what each of *audits* finds, as it is found, in their order; of each at most *most* findings.

    *known* are the uuids of all consumers that services know of, None when that is not known: there are no orphans
    then. Hosts count as stale when nothing was written to them for *stale*. *progress* is told by the audit that
    takes longest what it looks at, and how far it is.

    Raises StoreUnavailableError.
    """
    now = datetime.now(UTC)
    values: dict[str, Any] = {
        "known": list(known or ()),
        "before": now - stale,
        "settled": now - SETTLED,
        "most": most,
    }
    for one in audits:
        if one is DRIFT:
            yield _drift(database, most, progress)
        elif one is not ORPHANS or known is not None:
            yield _found(database, one, values)


def _found(database: Database, one: Audit, values: dict[str, Any]) -> Result:
    asked = statement(f"audit.{one.name}")
    given = {name: values[name] for name in asked.parameters}
    (row,) = database.read(lambda tx: tx.run(asked, **given))
    return Result(one, row["total"], [_finding(one, found) for found in row["found"]])


def _drift(database: Database, most: int, progress: Callable[[str, int, int], None]) -> Result:
    total, findings = 0, list[Finding]()
    for found in check(database, progress=progress):
        total += 1
        if len(findings) < most:
            findings.append(_finding(DRIFT, asdict(found) | {"words": found.words}))
    return Result(DRIFT, total, findings)


def _finding(one: Audit, row: dict[str, Any]) -> Finding:
    return Finding(one.words(row), one.mend(row), row)
