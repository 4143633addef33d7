"""Locks on providers under concurrent writes."""

from concurrent.futures import ThreadPoolExecutor

import neo4j
import pytest
from graphplace.cypher import statement

from graphplace import providers
from graphplace.graph.database import Database, Transaction
from graphplace.locks import bump_generations, lock_providers

A = "aaaaaaaa-0000-4000-8000-000000000000"


@pytest.fixture(autouse=True)
def provider(database: Database) -> None:
    """The provider A."""
    providers.create(database, uuid=A, name="a")


def blocked_transactions(driver: neo4j.Driver) -> int:
    """Return how many transactions wait for a lock."""
    query = "SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked' RETURN count(*) AS blocked"
    return int(driver.execute_query(query).records[0]["blocked"])


def test_whoever_waits_for_a_lock_gets_it_after_the_holder_wrote_a_relationship(
    driver: neo4j.Driver, database: Database
) -> None:
    tries = 0

    def wait(tx: Transaction) -> int:
        nonlocal tries
        tries += 1
        return lock_providers(tx, [A])[A].generation

    with driver.session() as session, ThreadPoolExecutor() as pool, session.begin_transaction() as held:
        holder = Transaction(held.run)
        lock_providers(holder, [A])
        waiter = pool.submit(database.write, wait)
        while not blocked_transactions(driver):
            assert not waiter.done()
        holder.run(statement("provider_traits.add"), uuid=A, names=["HW_CPU_X86_VMX"])
        bump_generations(holder, [A])
        held.commit()
        assert waiter.result() == 1
    assert tries == 1


def test_what_is_read_under_the_lock_is_what_the_last_holder_wrote(database: Database) -> None:
    def work(tx: Transaction) -> tuple[int, int, int]:
        locked = lock_providers(tx, [A])[A]
        (row,) = tx.run(statement("locks.revision"), provider_uuid=A)
        return locked.generation, bump_generations(tx, [A])[A], row["revision"]

    with ThreadPoolExecutor(max_workers=8) as pool:
        seen = list(pool.map(lambda _: database.write(work), range(200)))

    revisions = [revision for *_, revision in sorted(seen)]
    assert [tuple(pair) for *pair, _ in sorted(seen)] == [(generation, generation + 1) for generation in range(200)]
    assert revisions == sorted(set(revisions))
