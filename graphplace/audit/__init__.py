"""What an operator should look at in a cloud, each finding with the commands that mend it."""

from graphplace.audit.audits import AUDITS, DRIFT, ORPHANS, Audit, Finding
from graphplace.audit.find import LONGEST_STALE, MOST, STALE, Result, audit, document

__all__ = [
    "AUDITS",
    "DRIFT",
    "LONGEST_STALE",
    "MOST",
    "ORPHANS",
    "STALE",
    "Audit",
    "Finding",
    "Result",
    "audit",
    "document",
]
