"""Asking: a question of the cookbook or a text of the user's own, within limits of time and rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphplace import providers
from graphplace.ask.cookbook import Question
from graphplace.ask.guard import check_plan, check_size, check_words, clean
from graphplace.ask.plain import plain
from graphplace.cypher import literal
from graphplace.errors import BadRequestError
from graphplace.graph.database import Database


@dataclass(frozen=True)
class Limits:
    """How long a question may take, in seconds, and how many rows of its answer are read."""

    seconds: float = 10.0
    rows: int = 1000

    def __post_init__(self) -> None:
        if not 0 < self.seconds < float("inf"):
            raise BadRequestError(f"The time limit must be a number of seconds above 0, not {self.seconds}.")
        if self.rows < 1:
            raise BadRequestError(f"The limit of rows must be 1 or more, not {self.rows}.")


@dataclass(frozen=True)
class Answer:
    """Rows of plain data, in the order of ``columns``; ``complete`` tells whether they are all there are."""

    columns: tuple[str, ...]
    rows: list[list[Any]]
    complete: bool


USUAL = Limits()


def run(database: Database, question: Question, values: Mapping[str, Any], limits: Limits = USUAL) -> Answer:
    """Ask *question* with *values*, as :func:`graphplace.ask.read_values` gives them.

    Raises NotFoundError for a provider that there is not, and TimeBudgetError.
    """
    for parameter in question.parameters:
        if parameter.type == "provider" and values[parameter.name] is not None:
            providers.called(database, values[parameter.name])
    return _answer(database, question.text, values, limits)


def ask(database: Database, text: str, values: Mapping[str, Any], limits: Limits = USUAL) -> Answer:
    """Run a *text* of anybody's, if it only reads: Neo4j tells by its plan before anything is run.

    *values* are the parameters that it names. Raises BadRequestError for what does not only read, and for what Neo4j
    cannot read at all, and TimeBudgetError.
    """
    check_size(text, values)
    text = clean(text)
    explained = database.look(f"EXPLAIN {text}", values, seconds=limits.seconds, most=1)
    check_plan(explained.kind, explained.plan, database.name)
    check_words(text)
    return _answer(database, text, values, limits)


def browser_text(text: str, values: Mapping[str, Any]) -> str:
    """Return *text* with its parameters as Neo4j Browser takes them."""
    parameters = f":params {literal(dict(values))}\n\n" if values else ""
    return f"{parameters}{text};\n"


def document(answer: Answer) -> dict[str, Any]:
    """Return *answer* as JSON, with an object for each row."""
    rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
    return {"columns": list(answer.columns), "rows": rows, "complete": answer.complete}


def _answer(database: Database, text: str, values: Mapping[str, Any], limits: Limits) -> Answer:
    found = database.look(text, values, seconds=limits.seconds, most=limits.rows)
    return Answer(found.columns, [[plain(value) for value in row] for row in found.rows], found.complete)
