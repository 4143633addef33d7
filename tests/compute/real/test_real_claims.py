"""The tests of claims once more, with the real Placement at the other end."""

from compute.test_claims import *  # noqa: F403
from compute.test_claims import _two_hosts

__all__ = ["_two_hosts"]
