"""The values of a question's parameters: read from text by the type that its header declares."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from graphplace.ask.cookbook import Parameter, Question
from graphplace.errors import BadRequestError
from graphplace.request.values import parse_resources

# Neo4j's integers end at 2^63 - 1; no amount, number of rows or of hours comes near this.
MAX_INTEGER = 2**53


@dataclass(frozen=True)
class Type:
    """A type of parameter: what it ``accepts``, in words, and what reads it or raises ValueError."""

    accepts: str
    read: Callable[[str], Any]


def _integer(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text) <= MAX_INTEGER):
        raise ValueError(text)
    return int(text)


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number) or not 0 <= number <= MAX_INTEGER:
        raise ValueError(text)
    return number


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    if "" in names:
        raise ValueError(text)
    return names


def _resources(text: str) -> dict[str, int]:
    try:
        amounts = dict(parse_resources(text))
    except BadRequestError as error:
        raise ValueError(text) from error
    if "" in amounts or max(amounts.values()) > MAX_INTEGER:
        raise ValueError(text)
    return amounts


TYPES: Mapping[str, Type] = {
    "text": Type("a text", str),
    "provider": Type("the name or the uuid of a provider", str),
    "integer": Type("a whole number from 0 up", _integer),
    "number": Type("a number from 0 up", _number),
    "names": Type("names with commas between them", _names),
    "resources": Type("amounts of resource classes, such as VCPU:2,MEMORY_MB:2048", _resources),
}


def read_values(question: Question, given: Mapping[str, str]) -> dict[str, Any]:
    """Return a value for each parameter of *question*, from the texts that are *given* and the defaults.

    An empty text is as good as none. Raises BadRequestError for a parameter that there is not, one that is required and
    missing, and a text that is not of the parameter's type.
    """
    known = [parameter.name for parameter in question.parameters]
    if unknown := sorted(given.keys() - set(known)):
        takes = f"It takes {', '.join(known)}." if known else "It takes none."
        raise BadRequestError(f"The question {question.name} has no parameter {unknown[0]}. {takes}")
    return {one.name: _value(question, one, given.get(one.name, "")) for one in question.parameters}


def _value(question: Question, parameter: Parameter, given: str) -> Any:
    kind = TYPES[parameter.type]
    text = given or parameter.default
    if text is None:
        if parameter.required:
            raise BadRequestError(
                f"The question {question.name} needs the parameter {parameter.name}: {kind.accepts}, "
                f"for example {parameter.example}."
            )
        return None
    try:
        return kind.read(text)
    except ValueError:
        raise BadRequestError(
            f"The parameter {parameter.name} of the question {question.name} must be {kind.accepts}, not {text!r}."
        ) from None
