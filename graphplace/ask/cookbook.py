"""The cookbook: what operators ask, as data.

Each question is a file of ``cypher/cookbook``. Its header tells all that there is to know of it::

    // title: Over capacity
    // answers: Which inventories are used beyond their capacity?
    // parameter: days | number | 30 | 90 | for how many days nothing was written
    // columns: host, provider, over
    MATCH ...

After ``answers``, the question, there may be lines of ``note``. A ``parameter`` has a name, a type (see
:mod:`graphplace.ask.values`), a default (``required``, or ``-`` for null), an example, and words.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from graphplace import cypher
from graphplace.errors import NotFoundError

REQUIRED, NULL = "required", "-"
_HEADER = "// "
_BAR = " | "


@dataclass(frozen=True)
class Parameter:
    """One parameter of a question. ``default`` and ``example`` are texts, as a person types them.

    A ``default`` of None is null: the question is about all. A ``required`` one has none.
    """

    name: str
    type: str
    default: str | None
    required: bool
    example: str
    words: str


@dataclass(frozen=True)
class Question:
    """One question: its file's name, what it answers and takes and gives, and the Cypher that asks it."""

    name: str
    title: str
    answers: str
    note: str
    parameters: tuple[Parameter, ...]
    columns: tuple[str, ...]
    text: str


@cache
def cookbook() -> Mapping[str, Question]:
    """Return all questions by name, in the order of their names."""
    return MappingProxyType({name: _read(name, text) for name, text in cypher.cookbook()})


def question(name: str) -> Question:
    """Return the question called *name*. Raises NotFoundError."""
    try:
        return cookbook()[name]
    except KeyError:
        raise NotFoundError(f"There is no question {name}. There are {', '.join(cookbook())}.") from None


def _read(name: str, text: str) -> Question:
    lines = text.splitlines()
    header: dict[str, list[str]] = {}
    while lines and lines[0].startswith(_HEADER):
        key, _, value = lines.pop(0).removeprefix(_HEADER).partition(": ")
        header.setdefault(key, []).append(value)
    return Question(
        name,
        title=header["title"][0],
        answers=header["answers"][0],
        note=" ".join(header.get("note", [])),
        parameters=tuple(_parameter(value) for value in header.get("parameter", [])),
        columns=tuple(header["columns"][0].split(", ")),
        text="\n".join(lines).strip(),
    )


def _parameter(line: str) -> Parameter:
    name, kind, default, example, words = line.split(_BAR)
    return Parameter(
        name,
        kind,
        default=None if default in {REQUIRED, NULL} else default,
        required=default == REQUIRED,
        example=example,
        words=words,
    )
