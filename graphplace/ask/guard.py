"""What keeps a text of anybody's from doing more than read, and from taking more than it is allowed.

Neo4j alone does not. In a transaction that reads it refuses to write, but it loads CSV files from anywhere, ends the
transactions and connections of others, runs any procedure, and does not end a loop inside an expression when the time
is over. So Neo4j plans the text first. The plan has to consist of operators that are known to only read, of this
database; and the functions and procedures that the text calls have to be of those listed here. What is on no list
is refused: lists of what is dangerous would lack what comes next.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from itertools import accumulate
from typing import Any

from graphplace.ask.growth import LOOPS, check_growth
from graphplace.errors import BadRequestError

READS = "r"
PROCEDURE_CALL = "ProcedureCall"
# Neo4j gives no answer at all to what nests too deeply for it: in brackets, by words, in long chains.
MOST_WORDS, MOST_NESTED, MOST_LINKS = 1000, 50, 150
# Of a text with its parameters: of each character, an expression may make many.
MOST_CHARACTERS = 20_000
NESTING, LINKS = {"not", "case", "!", "^"}, {".", "["}
PREFIXES = {"explain", "profile", "cypher", "use"}
_ALLOWED = {
    kind: frozenset(names)
    for kind, names in tomllib.loads((files("graphplace.ask") / "allowed.toml").read_text()).items()
}
OPERATORS, PROCEDURES, WORDS = _ALLOWED["operators"], _ALLOWED["procedures"], _ALLOWED["words"]
CALLED = LOOPS | _ALLOWED["functions"] | PROCEDURES
OPENING, CLOSING = {"(", "[", "{"}, {")", "]", "}"}

_TOKEN = re.compile(
    r"""
    (?P<space> \s+ | //[^\n]* | /\*.*?\*/ )
  | (?P<string> '(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" )
  | (?P<name> `(?:[^`]|``)*` | [^\W\d]\w* )
  | (?P<number> \d\w* )
  | (?P<mark> [-()\[\]{}<>=+*/%^.,:|&!~$?] )
    """,
    re.VERBOSE | re.DOTALL,
)
_LINE_ENDS = re.compile(r"\r\n?|[\v\f\x1c-\x1f\x85\u2028\u2029]")


def clean(text: str) -> str:
    """Return *text* without comments and the semicolon at its end, as one statement without a prefix.

    Only what it consists of is known then, so what is checked is what is run. Raises BadRequestError.
    """
    tokens = list(_tokens(_LINE_ENDS.sub("\n", text).strip().removesuffix(";")))
    words = [token for kind, token in tokens if kind != "space"]
    if not words:
        raise BadRequestError("There is no query.")
    if len(words) > MOST_WORDS:
        raise BadRequestError(f"A query has at most {MOST_WORDS} words and signs; this one has {len(words)}.")
    if sum(word in LINKS for word in words) > MOST_LINKS:
        raise BadRequestError(f"A query has at most {MOST_LINKS} dots and square brackets.")
    if _nesting(words) > MOST_NESTED:
        raise BadRequestError(f"The query is nested too deeply: {MOST_NESTED} brackets, NOT and CASE are allowed.")
    if (first := words[0]).lower() in PREFIXES:
        raise BadRequestError(f"Leave out {first}: a query is run as it is, in the database that the settings name.")
    return "".join(_space(token) if kind == "space" else token for kind, token in tokens).strip()


def check_size(text: str, values: Mapping[str, Any]) -> None:
    """Raise BadRequestError when *text* and the *values* of its parameters are longer than any query has to be."""
    size = len(text) + sum(len(str(value)) for value in values.values())
    if size > MOST_CHARACTERS:
        raise BadRequestError(
            f"A query has at most {MOST_CHARACTERS} characters, its parameters included; this one has {size}."
        )


def check_plan(kind: str | None, plan: dict[str, Any] | None, database: str) -> None:
    """Raise BadRequestError unless Neo4j says that the query is of the *kind* that reads, and its *plan* shows it."""
    if plan is None:
        raise BadRequestError("Neo4j has no plan for this, so it is no query.")
    for operator in _operators(plan):
        name, _, of_database = operator["operatorType"].partition("@")
        if name == PROCEDURE_CALL:
            _check_procedure(str(operator["args"].get("Details", "")))
        elif name not in OPERATORS:
            raise BadRequestError(f"The query would do more than read the graph: its plan has the operator {name}.")
        if of_database != database:
            raise BadRequestError(f"The query is about the database {of_database}, not {database}.")
    if kind != READS:
        raise BadRequestError(f"The query would do more than read the graph: Neo4j says that it is of the kind {kind}.")


def check_words(text: str) -> None:
    """Raise BadRequestError when *text*, which is clean, calls what it may not, or what Neo4j may not end in time."""
    words = [token for kind, token in _tokens(text) if kind != "space"]
    # Neo4j does not end a loop inside of an expression when the time is over. One is as long as its list, and ends.
    loops: list[bool] = []
    for position, word in enumerate(words):
        if word == "~":
            raise BadRequestError(
                "The query may not use =~, which Neo4j does not end in time. Use STARTS WITH, ENDS WITH or CONTAINS."
            )
        if word in OPENING:
            called = _called(words, position) if word == "(" else ""
            if called and called not in CALLED | WORDS:
                raise BadRequestError(f"The query may not call {called}. It may call {', '.join(sorted(CALLED))}.")
            # [item IN list ...] and any(item IN list ...)
            is_loop = (word == "[" or called in LOOPS) and "in" in map(str.lower, words[position + 2 : position + 3])
            if is_loop and any(loops):
                raise BadRequestError(
                    "The query has a loop inside of a loop, which Neo4j does not end in time. Use UNWIND."
                )
            loops.append(is_loop)
        elif word in CLOSING and loops:
            loops.pop()
    check_growth(words)


def _nesting(words: list[str]) -> int:
    """Return how deep brackets are within others, and how many words there are beside them that nest."""
    depths = accumulate((word in OPENING) - (word in CLOSING) for word in words)
    return max(depths) + sum(word.lower() in NESTING for word in words)


def _called(words: list[str], position: int) -> str:
    """Return the name before the bracket at *position*, in lower case; without one, an empty text."""
    parts: list[str] = []
    at = position - 1
    while at >= 0 and _is_name(words[at]):
        parts.insert(0, words[at].replace("`", "").lower())
        if at < 2 or words[at - 1] != ".":  # noqa: PLR2004  # a name and a dot come before
            break
        at -= 2
    return ".".join(parts)


def _is_name(word: str) -> bool:
    return word[0] == "`" or word[0] == "_" or word[0].isalpha()


def _check_procedure(details: str) -> None:
    name = details.partition("(")[0].strip()
    if name.lower() not in PROCEDURES:
        raise BadRequestError(f"The query may not call {name}. It may call {', '.join(sorted(PROCEDURES))}.")


def _operators(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    # A stack of our own: plans may be deeper than Python recurses.
    waiting = [plan]
    while waiting:
        operator = waiting.pop()
        yield operator
        waiting.extend(operator.get("children", []))


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    if "\\u" in text.lower():
        raise BadRequestError("Write characters themselves, not as \\u and their number.")
    position = 0
    while position < len(text):
        found = _TOKEN.match(text, position)
        if found is None and text[position] == ";":
            raise BadRequestError("Give one statement: there is something behind a semicolon.")
        if found is None:
            raise BadRequestError(f"Nothing in a query starts with {text[position : position + 20]!r}.")
        yield str(found.lastgroup), found[0]
        position = found.end()


def _space(token: str) -> str:
    return "\n" if "\n" in token else " "
