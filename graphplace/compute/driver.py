"""What the compute side asks of a virtualisation driver."""

from typing import Protocol

from graphplace.compute.provider_tree import ProviderTree
from graphplace.compute.reading import Allocations


class Driver(Protocol):
    """Knows what a host has to give."""

    def update_provider_tree(
        self, provider_tree: ProviderTree, nodename: str, allocations: Allocations | None = None
    ) -> None:
        """Change *provider_tree* to what the node has: providers, inventories, traits, aggregates.

        It is called again and again, also for a tree that is as it should be. Where inventory has to move between
        providers or classes that consumers may hold something of, and *allocations* is None, it raises
        :class:`graphplace.compute.errors.ReshapeNeeded`. It is then called with all that consumers of the tree hold,
        and moves that along by editing *allocations* in place; each consumer in it holds afterwards what is written
        there.
        When what a consumer holds fits nowhere it raises :class:`graphplace.compute.errors.ReshapeFailed`.
        """
