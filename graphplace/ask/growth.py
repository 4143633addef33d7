"""How much larger than what it is made of a value of a text may become.

Inside of one row Neo4j neither counts memory nor looks at the time: forty times ``WITH s + s AS s`` would end it. So
every expression is weighed before it is run. What is read from the graph weighs nothing and a parameter 1, as they are
as large as they are; a name weighs what it was given, at least 1; a list that was collected more, as it may be long;
and a loop multiplies, most of all what comes from outside of it. What a text says once is as long as the text, so what
weighs much was named and used again and again.
"""

from collections import deque
from collections.abc import Collection, Iterable

from graphplace.errors import BadRequestError

MOST, MOST_TOGETHER = 128, 512
COLLECTED, REPEATED = 32, 8
# Loops inside of expressions, beside those in square brackets: any(item IN list WHERE ...).
LOOPS = frozenset({"any", "all", "none", "single"})

_END_OF = {"(": ")", "[": "]", "{": "}", "case": "end"}
# These give a number, whatever they are given.
_NUMBERS = frozenset({"count", "sum", "avg", "stdev", "stdevp", "percentilecont", "percentiledisc", "size", "length"})
# One expression ends there and another begins.
_SEPARATORS = frozenset({",", "when", "then", "else", "with", "return", "unwind", "match", "where", "by", "yield"})
# Whatever is beside them, the whole is true or false.
_COMPARISONS = frozenset({"=", "<", ">", "and", "or", "xor", "not", "in", "is", "contains", "starts", "ends"})
# What stands before the braces of a subquery, and what that weighs.
_SUBQUERIES = {"exists": 0, "count": 0, "call": 0, ")": 0, "collect": COLLECTED}


def check_growth(words: Iterable[str]) -> None:
    """Raise BadRequestError if a value may become far too large in the text of these *words*, without its spaces."""
    _Scale(words).weigh(())


class _Scale:
    """Takes one word after another, and keeps for each name the most that it weighs in any scope."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = deque(words)
        self._names: dict[str, int] = {}
        self._item: str | None = None
        self._last = ""

    def weigh(self, ends: Collection[str]) -> int:
        """Take all words up to one of *ends*, and that one, and return what they weigh together."""
        together = one = 0
        before = ""
        while self._words:
            word = self._words.popleft()
            # Behind a dot even a word of the language is a property.
            key = f".{word}" if before == "." else word.lower()
            if key == "|" and self._comes("|"):
                self._words.popleft()
            elif key in ends:
                self._last = key
                break
            elif key in _SEPARATORS:
                together, one = together + one, 0
            elif key in _COMPARISONS:
                one = 0
            elif key == "as":
                self._name(self._words.popleft(), one)
            else:
                one = _limited(one + self._term(key, word, before))
            before = key
        return together + one

    def _term(self, key: str, word: str, before: str) -> int:
        if key in _END_OF:
            return self._bracket(key, before)
        name = _plain(word)
        if name == self._item:
            return 1
        # The names of functions and parameters, and keys of maps, are not the text's.
        weight = 1 if key == "$" else 0 if self._comes("(", ":") or before == "$" else self._names.get(name, 0)
        return weight if self._item is None else weight * REPEATED

    def _bracket(self, opening: str, before: str) -> int:
        end = _END_OF[opening]
        if (opening == "[" or before in LOOPS) and [word.lower() for word in [*self._words][1:2]] == ["in"]:
            return self._loop(end)
        of_pattern = opening == "[" and self._comes("(")
        weight = self.weigh({end})
        if opening == "{":
            return _SUBQUERIES.get(before, weight)
        if opening == "(" and before in _NUMBERS:
            return 0
        return max(weight, COLLECTED) if of_pattern or before == "collect" else weight

    def _loop(self, end: str) -> int:
        item, _ = _plain(self._words.popleft()), self._words.popleft()
        times = max(1, self.weigh({"where", "|", end}))
        if self._last == end:
            return times
        outer, self._item = self._item, item
        # What a condition makes is gone again.
        if self._last == "where":
            self.weigh({"|", end})
        if self._last == "|":
            if times >= COLLECTED:
                raise BadRequestError(
                    "The query makes a list of one that may be long, and Neo4j does not count its memory. "
                    "Use UNWIND and collect."
                )
            times *= max(1, self.weigh({end}))
        self._item = outer
        return times

    def _name(self, word: str, weight: int) -> None:
        name = _plain(word)
        self._names[name] = max(self._names.get(name, 1), weight)
        if sum(self._names.values()) > MOST_TOGETHER:
            raise _too_large()

    def _comes(self, *words: str) -> bool:
        return bool(self._words) and self._words[0] in words


def _plain(word: str) -> str:
    return word.replace("`", "")


def _limited(weight: int) -> int:
    if weight > MOST:
        raise _too_large()
    return weight


def _too_large() -> BadRequestError:
    return BadRequestError(
        "The query uses again and again what it has named, so that a value may become too large for Neo4j. Use what is "
        "named fewer times."
    )
