"""Dumping a whole graph as lines of JSON, which ``graphplace load`` restores."""

from graphplace.dumping.per_tree import dump_per_tree
from graphplace.dumping.whole import Dumped, dump

__all__ = ["Dumped", "dump", "dump_per_tree"]
