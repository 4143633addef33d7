"""Finding resource providers by what they are called, where they stand and what they have."""

from collections.abc import Iterator
from dataclasses import dataclass

from graphplace import resource_classes, traits
from graphplace.cypher import Statement, statement
from graphplace.errors import BadRequestError
from graphplace.graph.database import Database, Transaction
from graphplace.providers.provider import ResourceProvider, read, read_all, read_tree

# More than any inventory has free, and the largest integer there is in Neo4j.
MAX_AMOUNT = 2**63 - 1


@dataclass(frozen=True, kw_only=True)
class Filters:
    """What a resource provider has to be; what is left out does not matter.

    ``in_tree`` is the uuid of a provider of the same tree. Of each set in ``required`` the provider has at least one
    trait, of each set in ``member_of`` it is in at least one aggregate; it has no trait of ``forbidden`` and is in no
    aggregate of ``forbidden_aggregates``. By itself it can give each amount of ``resources``, pairs of resource class
    and amount, to one more consumer.
    """

    in_tree: str | None = None
    required: tuple[frozenset[str], ...] = ()
    forbidden: frozenset[str] = frozenset()
    member_of: tuple[frozenset[str], ...] = ()
    forbidden_aggregates: frozenset[str] = frozenset()
    resources: tuple[tuple[str, int], ...] = ()
    uuid: str | None = None
    name: str | None = None


def index(database: Database, filters: Filters) -> list[ResourceProvider]:
    """Return the resource providers that pass *filters*, in no particular order.

    Raises BadRequestError for an unknown trait or resource class, unless a filter before it lets nobody pass. They
    are tried in the order in which :class:`Filters` lists them.
    """
    return database.read(lambda tx: _search(tx, filters))


def _search(tx: Transaction, filters: Filters) -> list[ResourceProvider]:
    tree = None if filters.in_tree is None else read_tree(tx, filters.in_tree)
    if tree == []:
        return []
    passing: set[str] | None = None
    for found in _each_filter(tx, filters):
        if not found:
            return []
        passing = found if passing is None else passing & found
    shut_out = _with_any_trait(tx, filters.forbidden) | _in_any_aggregate(tx, filters.forbidden_aggregates)
    if tree is not None:
        providers = [provider for provider in tree if passing is None or provider.uuid in passing]
    elif passing is not None:
        providers = read(tx, list(passing))
    else:
        providers = read_all(tx)
    return [provider for provider in providers if provider.uuid not in shut_out]


def _each_filter(tx: Transaction, filters: Filters) -> Iterator[set[str]]:
    """Yield, for each filter but the tree, the uuids of all who pass it; those that forbid yield nothing."""
    if filters.required:
        _check_traits(tx, frozenset().union(*filters.required))
        yield set.intersection(*(_with_any_trait(tx, names) for names in filters.required))
    _check_traits(tx, filters.forbidden)
    if filters.member_of:
        yield set.intersection(*(_in_any_aggregate(tx, aggregates) for aggregates in filters.member_of))
    _check_resource_classes(tx, [name for name, _ in filters.resources])
    for name, amount in filters.resources:
        room = statement("providers.with_room")
        yield _uuids(tx, room, resource_class=name, amount=min(amount, MAX_AMOUNT))
    if filters.uuid is not None:
        yield {filters.uuid}
    if filters.name is not None:
        yield _uuids(tx, statement("providers.named"), name=filters.name)


def _with_any_trait(tx: Transaction, names: frozenset[str]) -> set[str]:
    return _uuids(tx, statement("providers.with_any_trait"), names=list(names)) if names else set()


def _in_any_aggregate(tx: Transaction, aggregates: frozenset[str]) -> set[str]:
    return _uuids(tx, statement("providers.in_any_aggregate"), aggregates=list(aggregates)) if aggregates else set()


def _uuids(tx: Transaction, query: Statement, /, **parameters: object) -> set[str]:
    row = tx.one(query, **parameters)
    return set(row["uuids"]) if row else set()


def _check_traits(tx: Transaction, names: frozenset[str]) -> None:
    if unknown := traits.unknown(tx, names):
        raise BadRequestError(f'Invalid trait(s) in "required" parameter: No such trait(s): {", ".join(unknown)}.')


def _check_resource_classes(tx: Transaction, names: list[str]) -> None:
    if unknown := resource_classes.unknown(tx, names):
        raise BadRequestError(
            f"Invalid resource class in resources parameter: No such resource class {', '.join(unknown)}."
        )
