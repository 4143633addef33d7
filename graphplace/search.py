"""Finding providers by what people remember of them. Whatever there is, only so much of it is read as is asked for."""

from dataclasses import dataclass
from typing import Any

from graphplace.cypher import statement
from graphplace.graph.database import Database


@dataclass(frozen=True)
class Found:
    """A provider, and the root of its tree."""

    uuid: str
    name: str
    root_uuid: str
    root_name: str


@dataclass(frozen=True)
class Shared:
    """A trait by its name, or an aggregate by its uuid, and how many providers have it or are in it."""

    name: str
    providers: int


@dataclass(frozen=True)
class Sizes:
    """How many trees, providers and consumers there are."""

    trees: int
    providers: int
    consumers: int


@dataclass(frozen=True, kw_only=True)
class Findings:
    """What was found, by name; with ``more`` there is more of it than was asked for."""

    providers: tuple[Found, ...]
    traits: tuple[Shared, ...] = ()
    aggregates: tuple[Shared, ...] = ()
    more: bool = False


def sizes(database: Database) -> Sizes:
    """Return how much there is."""
    return Sizes(**_read(database, "sizes"))


def hosts(database: Database, after: str, most: int) -> Findings:
    """Return the first trees by the names of their roots, at most *most* of those behind the name *after*."""
    return _findings(_read(database, "hosts", after=after, most=most + 1), most)


def find(database: Database, text: str, most: int) -> Findings:
    """Return what has *text* in its name or at the start of its uuid, of each kind at most *most*.

    Providers whose names start with it come first. Case counts, but not for traits. An empty text finds nothing.
    """
    if not text:
        return Findings(providers=())
    return _findings(_read(database, "find", text=text, most=most + 1), most)


def with_trait(database: Database, name: str, most: int) -> Findings:
    """Return at most *most* of the providers that have the trait *name*."""
    return _findings(_read(database, "with_trait", name=name, most=most + 1), most)


def in_aggregate(database: Database, uuid: str, most: int) -> Findings:
    """Return at most *most* of the providers that are in the aggregate *uuid*."""
    return _findings(_read(database, "in_aggregate", uuid=uuid, most=most + 1), most)


def _read(database: Database, name: str, /, **given: Any) -> dict[str, Any]:
    (row,) = database.read(lambda tx: tx.run(statement(f"search.{name}"), **given))
    return dict(row)


def _findings(row: dict[str, Any], most: int) -> Findings:
    """Return what *row* has: one more of a kind than *most* says that there are more."""
    starting, others = ([Found(*values) for values in row.get(kind, ())] for kind in ("starting", "providers"))
    traits, aggregates = ([Shared(*values) for values in row.get(kind, ())] for kind in ("traits", "aggregates"))
    rest = sorted({*others} - {*starting}, key=lambda found: found.name)
    providers = (*starting, *rest)
    return Findings(
        providers=providers[:most],
        traits=tuple(traits[:most]),
        aggregates=tuple(aggregates[:most]),
        more=any(len(kind) > most for kind in (providers, traits, aggregates)),
    )
