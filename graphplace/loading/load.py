"""Bringing the graph to what a file says: one that holds something in one transaction, an empty one in batches."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from graphplace import aggregates, reshaper, traits
from graphplace.cypher import statement
from graphplace.errors import BadRequestError
from graphplace.graph.database import Database, Transaction
from graphplace.loading.batches import batches_of
from graphplace.loading.document import Cloud
from graphplace.loading.dumped import read_batches
from graphplace.loading.filling import Filled, fill, is_empty
from graphplace.loading.plan import Pairs, Plan, make_plan
from graphplace.loading.present import Present, absent, read_present
from graphplace.reshaper import Move

Progress = Callable[[str, int], None]


@dataclass(frozen=True)
class Loaded:
    """How many providers and consumers a load created and changed; it left all others as they were."""

    providers_created: int
    providers_changed: int
    consumers_created: int
    consumers_changed: int


def load(database: Database, cloud: Cloud, progress: Progress = lambda *_: None) -> Loaded:
    """Bring the providers and consumers of *cloud* to what it says of them, and leave all others alone.

    What is as it should be is not written, so a second load changes nothing. A provider whose inventories, traits,
    aggregates or allocations change goes up by one generation, however much changes; a new one starts at 0, and one
    that a consumer only leaves stays where it is. It is all done or nothing, but for a graph without providers and
    consumers: that is filled batch by batch (:mod:`graphplace.loading.filling`).

    Raises BadRequestError for a parent, provider, trait or resource class that neither the document nor the graph
    has, ConflictError for a name that another provider has, for a provider that stands under another parent, for
    inventories and allocations that do not fit each other, and for a graph that holds a part of a file.
    """
    if is_empty(database):
        present = absent(cloud)
        plan = make_plan(cloud, present)
        fill(database, batches_of(cloud), lambda tx: _decide(tx, cloud, present, plan), progress)
        return Loaded(len(cloud.providers), 0, len(cloud.consumers), 0)

    def work(tx: Transaction) -> Loaded:
        present = read_present(tx, cloud)
        plan = make_plan(cloud, present)
        move = _decide(tx, cloud, present, plan)
        _write_providers(tx, plan)
        _write_traits_and_aggregates(tx, cloud, plan)
        refitted = (plan.refitted | move.allocations.touched) & present.places.keys()
        if plan.shapes or plan.claims or refitted:
            reshaper.write(tx, present.held, move, dict.fromkeys(refitted, 1))
        changed = refitted | {uuid for uuid, _ in plan.renamed}
        return Loaded(len(plan.created), len(changed), len(move.allocations.created), len(move.allocations.kept))

    return database.write(work)


def restore(database: Database, lines: Iterable[bytes], progress: Progress = lambda *_: None) -> Filled:
    """Write all that *lines*, a dump, say to *database*, which must not hold providers or consumers.

    It is done as :func:`graphplace.loading.filling.fill` does it. Raises ConflictError for a graph that is not empty,
    BadRequestError for what is wrong with the lines.
    """
    return fill(database, read_batches(lines), progress=progress)


def _decide(tx: Transaction, cloud: Cloud, present: Present, plan: Plan) -> Move:
    """Create the names that *cloud* lists and return what *plan* changes beside them, if all of it fits."""
    _run(tx, "schema.sync_traits", names=sorted(cloud.traits))
    _run(tx, "schema.sync_resource_classes", names=sorted(cloud.resource_classes))
    if unknown := traits.unknown(tx, {name for _, name in plan.traits_added}):
        raise BadRequestError(f"No such trait: {', '.join(unknown)}. Custom ones have to be listed under traits first.")
    return reshaper.decide(tx, present.held, plan.shapes, plan.claims)


def _write_providers(tx: Transaction, plan: Plan) -> None:
    for uuid, name in plan.renamed:
        tx.run(statement("providers.rename"), uuid=uuid, name=name)
    rows = [vars(provider) for provider in plan.created]
    _run(tx, "loading.create_providers", providers=rows)
    _run(tx, "loading.place_providers", providers=rows)


def _write_traits_and_aggregates(tx: Transaction, cloud: Cloud, plan: Plan) -> None:
    _run(tx, "loading.remove_traits", rows=_rows(plan.traits_removed))
    _run(tx, "loading.add_traits", rows=_rows(plan.traits_added))
    aggregates.write(tx, joined=plan.joined, left=plan.left)
    sharing = {one.uuid for one in cloud.providers if aggregates.SHARING_TRAIT in one.traits}
    sharing |= {uuid for uuid, trait in plan.traits_removed if trait == aggregates.SHARING_TRAIT}
    aggregates.derive_sharing(tx, sharing & plan.refitted)


def _run(tx: Transaction, name: str, **rows: Sequence[object]) -> None:
    """Run the statement called *name* for all rows of its only parameter, if there are any."""
    if any(rows.values()):
        tx.run(statement(name), **rows)


def _rows(pairs: Pairs) -> list[dict[str, str]]:
    return [{"provider": uuid, "name": name} for uuid, name in pairs]
