"""The real Placement in this process, on SQLite in memory."""

from collections.abc import Iterator
from contextlib import contextmanager

from conformance.reference import deploy, gabbits, started
from differential import words
from placement.objects import consumer
from werkzeug.test import Client


class Reference:
    """A service with nothing in it but the standard traits and resource classes."""

    def __init__(self, fixture: gabbits.APIFixture) -> None:
        self.client = Client(deploy.loadapp(gabbits.CONF))
        self._context = fixture.context

    def forget_idle_consumers(self) -> None:
        """Delete consumers that hold nothing: a refused or empty claim leaves them behind (docs/differences.md)."""
        consumer.delete_consumers_if_no_allocations(self._context, [*words.CONSUMERS, words.NOBODY])


@contextmanager
def reference() -> Iterator[Reference]:
    """Run one as long as the context."""
    with started("APIFixture") as fixture:
        yield Reference(fixture)
