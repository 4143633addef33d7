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
``<<name>>`` in a statement stands for it. With other fragments in their place, those of overlay.cypher, the same
statements read a graph with an overlay: see :func:`overlaid`.

What operators ask is in the folder cookbook, a question a file; :mod:`graphplace.ask` reads their headers.
"""

import json
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

_BLOCK = re.compile(r"^// name: *", re.MULTILINE)
_HEADER = re.compile(r"// parameters: *(?P<parameters>.*)\n// columns: *(?P<columns>.*)\n")
_PARAMETER = re.compile(r"\$(\w+)")
_FRAGMENT = re.compile(r"^// fragment: *(\w+)\n", re.MULTILINE)
_INSERTION = re.compile(r"<<(\w+)>>")
_NAME = re.compile(r"[A-Za-z_]\w*")
_SUFFIX = ".cypher"
_OVERLAY = "overlay"


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


def overlaid(one: Statement) -> Statement:
    """Return what reads the same as *one*, of a graph with an overlay, which it takes as the parameter ``overlay``.

    What nothing in an overlay could change is returned as it is.
    """
    return _overlaid_blocks(one.name.partition(".")[0]).get(one.name, one)


def statements() -> Iterator[Statement]:
    """Yield every statement of every file, in the order of files and of blocks in them, then all overlaid ones."""
    names = sorted(file.name for file in files(__name__).iterdir() if file.name.endswith(_SUFFIX))
    for blocks in (_blocks, _overlaid_blocks):
        for name in names:
            yield from blocks(name.removesuffix(_SUFFIX)).values()


def migrations() -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Yield each schema migration in order: its number, its name and its statements."""
    for file in sorted((files(__name__) / "migrations").iterdir(), key=lambda file: file.name):
        number, _, name = file.name.removesuffix(_SUFFIX).partition("_")
        lines = [line for line in file.read_text().splitlines() if not line.startswith("//")]
        texts = (text.strip() for text in "\n".join(lines).split(";"))
        yield int(number), name, tuple(text for text in texts if text)


def cookbook() -> Iterator[tuple[str, str]]:
    """Yield the questions that operators ask, in the order of their names: each one's name and its file's text."""
    for file in sorted((files(__name__) / "cookbook").iterdir(), key=lambda file: file.name):
        yield file.name.removesuffix(_SUFFIX), file.read_text()


def literal(value: Any) -> str:
    """Return plain data as a literal of Cypher, which differs from JSON in the keys of maps."""
    match value:
        case dict():
            return f"{{{', '.join(f'{_key(key)}: {literal(item)}' for key, item in value.items())}}}"
        case list():
            return f"[{', '.join(literal(item) for item in value)}]"
        case _:
            return json.dumps(value, ensure_ascii=False)


def _key(name: str) -> str:
    return name if _NAME.fullmatch(name) else f"`{name.replace('`', '``')}`"


@cache
def _blocks(stem: str) -> dict[str, Statement]:
    fragments = _fragments("conditions")
    parsed = (_parse(stem, part) for part in _parts(stem))
    blocks = {one.name: replace(one, text=_whole(one.text, fragments)) for one in parsed}
    for one in blocks.values():
        if differing := one.parameters ^ frozenset(_PARAMETER.findall(one.text)):
            raise ValueError(f"{one.name}: declared and used parameters differ in {', '.join(sorted(differing))}.")
    return blocks


@cache
def _overlaid_blocks(stem: str) -> dict[str, Statement]:
    """Return, by the names of the statements that they stand for, those that an overlay changes."""
    fragments = _fragments("conditions") | _fragments(_OVERLAY)
    texts = {one.name: _whole(one.text, fragments) for one in (_parse(stem, part) for part in _parts(stem))}
    return {
        name: replace(one, name=f"overlaid.{name}", text=texts[name], parameters=one.parameters | {_OVERLAY})
        for name, one in _blocks(stem).items()
        if texts[name] != one.text
    }


def _parts(stem: str) -> list[str]:
    return _BLOCK.split((files(__name__) / f"{stem}{_SUFFIX}").read_text())[1:]


def _parse(stem: str, part: str) -> Statement:
    """Return the statement of a block, whose text still names fragments."""
    title, _, rest = part.partition("\n")
    name = f"{stem}.{title.strip()}"
    header = _HEADER.match(rest)
    if header is None:
        raise ValueError(f"{name}: a block's header is // name, // parameters and // columns, in this order.")
    text = rest[header.end() :].strip().removesuffix(";")
    return Statement(name, text, frozenset(_names(header["parameters"])), tuple(_names(header["columns"])))


def _whole(text: str, fragments: Mapping[str, str]) -> str:
    """Return *text* with the *fragments* that it names in place of their names, indented as the line is that has it."""
    return "\n".join(_with_fragments(line, fragments) for line in text.split("\n"))


def _with_fragments(line: str, fragments: Mapping[str, str]) -> str:
    indent = " " * (len(line) - len(line.lstrip()))

    def insert(found: re.Match[str]) -> str:
        return textwrap.indent(_whole(fragments[found[1]], fragments), indent).lstrip()

    return _INSERTION.sub(insert, line)


@cache
def _fragments(stem: str) -> dict[str, str]:
    _, *parts = _FRAGMENT.split((files(__name__) / f"{stem}{_SUFFIX}").read_text())
    return {name: text.strip() for name, text in zip(parts[::2], parts[1::2], strict=True)}


def _names(text: str) -> list[str]:
    return [] if text.strip() == "-" else [name.strip() for name in text.split(",")]
