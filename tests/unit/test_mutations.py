"""The mutations of tests/races/mutate.py, which is run by hand, keep up with the wording of the statements."""

from collections.abc import Iterator

import graphplace.cypher as statements
import pytest
from races.mutate import MUTATIONS, Mutation

from graphplace import resource_classes
from graphplace.candidates import find, summaries
from graphplace.providers import structure


@pytest.fixture(autouse=True)
def _as_it_was(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(structure, "lock_concerned", structure.lock_concerned)
    monkeypatch.setattr(resource_classes, "lock_concerned", resource_classes.lock_concerned)
    monkeypatch.setattr(find, "is_current", find.is_current)
    monkeypatch.setattr(summaries, "MOST_READS", summaries.MOST_READS)
    yield
    statements._blocks.cache_clear()  # noqa: SLF001  # the one place that all statements come from
    statements.statement.cache_clear()


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.title)
def test_there_is_a_lock_to_take_away(mutation: Mutation) -> None:
    mutation.apply()
