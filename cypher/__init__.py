"""Every Cypher statement that graphplace runs: named blocks in the .cypher files of this package.

A block starts with a header of comments and ends where the next block starts::

    // name: get_trait
    // parameters: name
    // columns: name, updated_at
    MATCH (t:Trait {name: $name})
    RETURN t.name AS name, t.updated_at AS updated_at

``parameters`` and ``columns`` are lists, or ``-`` for none. What stands above the first block of a file is
its introduction. A statement is asked for as ``statement("traits.get_trait")``: file, then block.

What several statements ask alike stands once, in conditions.cypher, as a block that starts with ``// fragment: name``.
``<<name>>`` in a statement stands for it.
"""

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

_BLOCK = re.compile(r"^// name: *", re.MULTILINE)
_HEADER = re.compile(r"// parameters: *(?P<parameters>.*)\n// columns: *(?P<columns>.*)\n")
_PARAMETER = re.compile(r"\$(\w+)")
_FRAGMENT = re.compile(r"^// fragment: *(\w+)\n", re.MULTILINE)
_INSERTION = re.compile(r"<<(\w+)>>")
_SUFFIX = ".cypher"


@dataclass(frozen=True)
class Statement:
    """One Cypher statement: what it is called, what it takes, what it gives.

    ``parameters`` are the names it must be run with, all of them; ``columns`` are the keys of its rows, in order.
    """

    name: str
    text: str
    parameters: frozenset[str]
    columns: tuple[str, ...]

    @cached_property
    def packed(self) -> str:
        """The text as Neo4j is given it: with one parameter, the map ``$given``, that holds all of them.

        Neo4j keeps a plan for a text *and* the types of its parameters, where lists of 1, 10 and 100 entries are of
        different types: a text that takes a few lists would be planned hundreds of times. A map is one type.
        """
        return _PARAMETER.sub(r"$given.\1", self.text)


@cache
def statement(name: str) -> Statement:
    """Return the statement called *name*, such as ``"traits.get_trait"``.

    Raises KeyError when there is none: a mistake in graphplace itself, which a test finds.
    """
    return _blocks(name.partition(".")[0])[name]


def statements() -> Iterator[Statement]:
    """Yield every statement of every file, in the order of files and of blocks in them."""
    for name in sorted(file.name for file in files(__name__).iterdir() if file.name.endswith(_SUFFIX)):
        yield from _blocks(name.removesuffix(_SUFFIX)).values()


def migrations() -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Yield each schema migration in order: its number, its name and its statements."""
    for file in sorted((files(__name__) / "migrations").iterdir(), key=lambda file: file.name):
        number, _, name = file.name.removesuffix(_SUFFIX).partition("_")
        lines = [line for line in file.read_text().splitlines() if not line.startswith("//")]
        texts = (text.strip() for text in "\n".join(lines).split(";"))
        yield int(number), name, tuple(text for text in texts if text)


@cache
def _blocks(stem: str) -> dict[str, Statement]:
    _, *parts = _BLOCK.split((files(__name__) / f"{stem}{_SUFFIX}").read_text())
    return {block.name: block for block in (_parse(stem, part) for part in parts)}


def _parse(stem: str, part: str) -> Statement:
    title, _, rest = part.partition("\n")
    name = f"{stem}.{title.strip()}"
    header = _HEADER.match(rest)
    if header is None:
        raise ValueError(f"{name}: a block's header is // name, // parameters and // columns, in this order.")
    text = _whole(rest[header.end() :].strip().removesuffix(";"))
    parameters = frozenset(_names(header["parameters"]))
    if differing := parameters ^ frozenset(_PARAMETER.findall(text)):
        raise ValueError(f"{name}: declared and used parameters differ in {', '.join(sorted(differing))}.")
    return Statement(name, text, parameters, tuple(_names(header["columns"])))


def _whole(text: str) -> str:
    """Return *text* with the fragments that it names in place of their names, indented as the line is that has it."""
    return "\n".join(_with_fragments(line) for line in text.split("\n"))


def _with_fragments(line: str) -> str:
    indent = " " * (len(line) - len(line.lstrip()))
    return _INSERTION.sub(lambda found: textwrap.indent(_fragments()[found[1]], indent).lstrip(), line)


@cache
def _fragments() -> dict[str, str]:
    _, *parts = _FRAGMENT.split((files(__name__) / f"conditions{_SUFFIX}").read_text())
    return {name: text.strip() for name, text in zip(parts[::2], parts[1::2], strict=True)}


def _names(text: str) -> list[str]:
    return [] if text.strip() == "-" else [name.strip() for name in text.split(",")]
