"""Checking that a graph is what it must be, and mending what is derived."""

from graphplace.check.checks import CHECKS, Check, Finding
from graphplace.check.find import Report, check

__all__ = ["CHECKS", "Check", "Finding", "Report", "check"]
