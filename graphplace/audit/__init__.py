"""What an operator should look at in a cloud, each finding with the commands that mend it."""

from graphplace.audit.audits import AUDITS, DRIFT, ORPHANS, Audit, Finding
from graphplace.audit.find import MOST, STALE, Result, audit

__all__ = ["AUDITS", "DRIFT", "MOST", "ORPHANS", "STALE", "Audit", "Finding", "Result", "audit"]
