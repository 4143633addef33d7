"""Take each lock away in turn, and see the test of its race fail.

    .venv/bin/python tests/races/mutate.py [WORD ...]       (only mutations whose title has one of the words)

Prints for each mutation the test that found it. Ends with 1 when one was not found. As a plugin of pytest, which is
how it is used then, it changes the statements in memory; no file is written.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import graphplace.cypher as statements

from graphplace import locks, resource_classes
from graphplace.candidates import find, summaries
from graphplace.graph.database import Transaction
from graphplace.providers import structure

CHOICE = "GRAPHPLACE_TEST_MUTATION"
LOCK = (
    "SET p:ResourceProvider\n"
    "SET p.revision = CASE WHEN p.revision < timestamp() THEN timestamp() ELSE p.revision + 1 END\n"
)


@dataclass(frozen=True)
class Mutation:
    """A lock that is taken away by ``apply``, and which tests find it, as pytest's -k selects them."""

    title: str
    apply: Callable[[], None]
    tests: str


def rewrite(name: str, old: str, new: str) -> Callable[[], None]:
    """Return what replaces *old* in the statement *name* by *new*; comments do not count."""

    def apply() -> None:
        stem = name.partition(".")[0]
        blocks = statements._blocks(stem)  # noqa: SLF001  # the one place that all statements come from
        text = "\n".join(line for line in blocks[name].text.splitlines() if not line.strip().startswith("//"))
        lines, wanted = [line.strip() for line in text.splitlines()], [line.strip() for line in old.splitlines()]
        starts = [at for at in range(len(lines)) if lines[at : at + len(wanted)] == wanted]
        if len(starts) != 1:
            raise LookupError(f"{name} has {len(starts)} times: {old}")
        lines[starts[0] : starts[0] + len(wanted)] = new.splitlines()
        blocks[name] = replace(blocks[name], text="\n".join(lines))
        statements.statement.cache_clear()

    return apply


def trust_what_was_read_before_the_locks() -> None:
    """Let nobody read again what decided about the locks."""

    def lock_concerned(tx: Transaction, concerned: Callable[[], Iterable[str]], _seen: set[str]) -> None:
        locks.lock_providers(tx, concerned())

    structure.lock_concerned = lock_concerned
    resource_classes.lock_concerned = lock_concerned


def read_trees_once() -> None:
    """Let candidates believe the first reading of their trees, whether or not it fits what the search found."""
    summaries.MOST_READS = 1
    find.is_current = lambda *_: True


RENAME = """\
MATCH (old:ResourceClass {name: $name})
USING INDEX SEEK old:ResourceClass(name)
CREATE (new:ResourceClass {name: $new_name, created_at: old.created_at, updated_at: datetime()})
WITH old, new
CALL (old, new) {
  MATCH (i:Inventory)-[of_class:OF_CLASS]->(old)
  DELETE of_class
  CREATE (i)-[:OF_CLASS]->(new)"""
RENAMED_IN_PLACE = """\
MATCH (old:ResourceClass {name: $name})
USING INDEX SEEK old:ResourceClass(name)
SET old.name = $new_name
WITH old
CALL (old) {
  MATCH (i:Inventory)-[:OF_CLASS]->(old)"""


def rename_in_place() -> None:
    """Let a class keep its node when it is renamed."""
    rewrite("resource_classes.rename", RENAME, RENAMED_IN_PLACE)()
    rewrite("resource_classes.rename", "DELETE old", "")()


MUTATIONS = (
    Mutation(
        "providers are not locked by writes to trees, traits and aggregates",
        rewrite("locks.lock_providers", LOCK, ""),
        "ring or one_generation_is_good",
    ),
    Mutation("an inventory's provider is not locked", rewrite("inventories.lock", LOCK, ""), "end_of_its_inventory"),
    Mutation("a claim's providers are not locked", rewrite("allocations.lock", LOCK, ""), "last_unit"),
    Mutation(
        "a claim's providers are locked in any order",
        rewrite("allocations.lock", "WITH DISTINCT uuid ORDER BY uuid", "WITH DISTINCT uuid ORDER BY rand()"),
        "opposite_order",
    ),
    Mutation(
        "a claim's consumers are not locked",
        rewrite(
            "allocations.lock",
            "OPTIONAL MATCH (c:Consumer {uuid: uuid})\n"
            "USING INDEX SEEK c:Consumer(uuid)\n"
            "SET c.updated_at = datetime()",
            "OPTIONAL MATCH (c:Consumer) WHERE c.uuid STARTS WITH uuid",
        ),
        "release_while",
    ),
    Mutation("a release's providers are not locked", rewrite("allocations.release", LOCK, ""), "all_count"),
    Mutation("roots are not read again", trust_what_was_read_before_the_locks, "ring or subtree_moves"),
    Mutation(
        "a trait is deleted with its uses", rewrite("traits.delete", "DELETE t", "DETACH DELETE t"), "trait_is_deleted"
    ),
    Mutation(
        "a class is deleted with its uses",
        rewrite("resource_classes.delete", "DELETE c", "DETACH DELETE c"),
        "inventory_and_the_end_of_its_class",
    ),
    Mutation("a class is renamed in place", rename_in_place, "new_name_of_its_class"),
    Mutation("trees are read once", read_trees_once, "read_while_it_is_reshaped"),
)


def pytest_configure() -> None:
    """Apply the mutation that the environment names; pytest calls this."""
    (chosen,) = (one for one in MUTATIONS if one.title == os.environ[CHOICE])
    chosen.apply()


def main(words: list[str]) -> int:
    """Try all mutations whose title has one of *words*, or all; return 1 when one is not found."""
    here = Path(__file__).parent
    survivors = 0
    for mutation in MUTATIONS:
        if words and not any(word in mutation.title for word in words):
            continue
        found = subprocess.run(  # noqa: S603  # made here
            [sys.executable, "-m", "pytest", "-x", "-q", "-p", "mutate", "-k", mutation.tests, str(here)],
            env=os.environ | {CHOICE: mutation.title, "PYTHONPATH": str(here)},
            capture_output=True,
            text=True,
            check=False,
        )
        failed = [line.split()[1].partition("::")[2] for line in found.stdout.splitlines() if line.startswith("FAILED")]
        if found.returncode == 1 and failed:
            print(f"{mutation.title}: {failed[0]}", flush=True)
        else:
            survivors += 1
            print(f"{mutation.title}: NOT FOUND\n{found.stdout[-2000:]}{found.stderr[-2000:]}", flush=True)
    return int(survivors > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
