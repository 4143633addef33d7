"""The real Placement in place of graphplace, an empty one for each test."""

from real_placement import client, wire

__all__ = ["client", "wire"]
