"""An explanation as lines of text."""

from collections.abc import Iterable, Iterator

from graphplace.compiler.clause import counted
from graphplace.explain.counts import Counts, GroupCount, Step
from graphplace.explain.explain import Explanation
from graphplace.explain.number import Number


def lines(explanation: Explanation) -> Iterator[str]:
    """Yield the lines that tell a person what *explanation* says."""
    yield explanation.request
    yield ""
    if explanation.candidates is None:
        yield "How many candidates there are is not known."
    else:
        yield f"{number_in_words(explanation.candidates)}{_if_empty(explanation.if_empty)}."
    yield from (reason.words for reason in explanation.reasons)
    if explanation.host is not None:
        yield ""
        yield explanation.host.words
        yield from (reason.words for reason in explanation.host.reasons)
        if explanation.host.counts is not None:
            yield from _misses(explanation.host.counts)
    if explanation.changes:
        yield ""
        yield "There would be candidates:"
        yield from (f"  {one.words}: {number_in_words(one.candidates).lower()}" for one in explanation.changes)
    if explanation.counts is not None:
        yield ""
        yield from _of_counts(explanation.counts)
    if explanation.gave_up is not None:
        yield ""
        yield f"This is not all: {explanation.gave_up}"


def number_in_words(number: Number) -> str:
    """Return "No candidates", "1 candidate" or "More than 100 candidates"."""
    if number.more:
        return f"More than {number.count} candidates"
    return counted(number.count, "candidate") if number.count else "No candidates"


def _if_empty(number: Number | None) -> str:
    if number is None:
        return ""
    if not number.count:
        return ", not even if nothing were allocated"
    return f". If nothing were allocated: {number_in_words(number).lower()}"


def _of_counts(counts: Counts) -> Iterator[str]:
    trees = counted(counts.trees, "tree")
    there = "There is" if counts.trees == 1 else "There are"
    yield f"Of {trees}:" if counts.roots else f"{there} {trees}."
    yield from _steps(counts.roots, counts.trees)
    for group in counts.groups:
        yield ""
        yield f"{_title(group)}. Providers within reach of these trees:"
        yield from _steps(group.conditions, None)
        for miss in group.nearest:
            yield f"  nearest: {miss.name}: {', '.join(miss.lacks)}"


def _misses(counts: Counts) -> Iterator[str]:
    """Yield what those providers lack that come nearest."""
    for group in counts.groups:
        yield from (f"  {_title(group)}: {miss.name}: {', '.join(miss.lacks)}" for miss in group.nearest)


def _title(group: GroupCount) -> str:
    name = f"Group {group.suffix}" if group.suffix else "The unsuffixed group"
    asked = ", ".join(f"{name}:{amount}" for name, amount in group.resources.items())
    return f"{name}, {asked}" if asked else name


def _steps(steps: Iterable[Step], before: int | None) -> Iterator[str]:
    """Yield a line for each of *steps*; what takes away the last ones is marked."""
    for step in steps:
        mark = "  <-- the last ones are lost here" if step.remaining == 0 and before != 0 else ""
        yield f"  {step.remaining:>8}  {step.words}{mark}"
        before = step.remaining
