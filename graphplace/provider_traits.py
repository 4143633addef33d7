"""The traits that a resource provider has."""

from dataclasses import dataclass
from datetime import datetime

from graphplace import aggregates, traits
from graphplace.cypher import statement
from graphplace.errors import BadRequestError
from graphplace.graph.database import Database, StaleReadError, Transaction
from graphplace.locks import LockedProvider, bump_generations, check_generation, lock_providers
from graphplace.providers.provider import unknown


@dataclass(frozen=True)
class ProviderTraits:
    """The names of a provider's traits, the provider's generation, and when the newest of the traits was written.

    ``updated_at`` is None when there are no traits.
    """

    names: list[str]
    generation: int
    updated_at: datetime | None


def get(database: Database, uuid: str) -> ProviderTraits:
    """Return the traits of the provider *uuid*. Raises NotFoundError."""
    return database.read(lambda tx: _read(tx, uuid))


def replace(database: Database, uuid: str, names: list[str], generation: int) -> ProviderTraits:
    """Give the provider *uuid*, which is at *generation*, the traits *names* and no others.

    The generation goes up unless it has these already. Raises NotFoundError, ConcurrentUpdateError, and
    BadRequestError for an unknown trait.
    """

    def work(tx: Transaction) -> ProviderTraits:
        provider = _lock(tx, uuid)
        check_generation(provider, generation)
        if missing := traits.unknown(tx, names):
            raise BadRequestError(f"No such trait {', '.join(missing)}")
        _write(tx, uuid, set(names))
        return _read(tx, uuid)

    return database.write(work)


def clear(database: Database, uuid: str) -> None:
    """Take all traits from the provider *uuid*. The generation goes up if it had any. Raises NotFoundError."""

    def work(tx: Transaction) -> None:
        _lock(tx, uuid)
        _write(tx, uuid, set())

    database.write(work)


def _lock(tx: Transaction, uuid: str) -> LockedProvider:
    provider = lock_providers(tx, [uuid]).get(uuid)
    if provider is None:
        raise unknown(uuid)
    return provider


def _read(tx: Transaction, uuid: str) -> ProviderTraits:
    row = tx.one(statement("provider_traits.of_provider"), uuid=uuid)
    if row is None:
        raise unknown(uuid)
    updated_at = row["updated_at"].to_native() if row["updated_at"] else None
    return ProviderTraits(sorted(row["traits"]), row["generation"], updated_at)


def _write(tx: Transaction, uuid: str, names: set[str]) -> None:
    held = set(_read(tx, uuid).names)
    if names == held:
        return
    lost, gained = held - names, names - held
    tx.run(statement("provider_traits.remove"), uuid=uuid, names=list(lost))
    row = tx.one(statement("provider_traits.add"), uuid=uuid, names=list(gained))
    if row is None or row["added"] != len(gained):
        # A trait was deleted after it was found to exist.
        raise StaleReadError
    if aggregates.SHARING_TRAIT in lost | gained:
        aggregates.derive_sharing(tx, [uuid])
    bump_generations(tx, [uuid])
