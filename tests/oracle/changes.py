"""Random changes of random clouds: what is supposed, what becomes of a cloud, and the writes that make it true."""

from dataclasses import asdict, replace
from typing import Any

from cloud import PROJECT, USER, Inventory, Provider, uuid_of
from graphplace.cypher import Statement
from hypothesis import strategies as st
from oracle.clouds import AGGREGATES, ALL_AGGREGATES, CLASSES, TRAITS, inventories, one_in, some
from oracle.oracle import SHARES, Oracle

from graphplace import aggregates, allocations, provider_traits, reshaper
from graphplace import inventories as stocks
from graphplace.allocations import Claim
from graphplace.errors import BadRequestError
from graphplace.graph.database import Database
from graphplace.inventory import Inventory as Stored
from graphplace.reshaper import Shape
from graphplace.what_if.changes import Changes, Edit, Reshape

NEW_AGGREGATE = "E"
FIELDS = ("total", "reserved", "min_unit", "max_unit", "step_size", "allocation_ratio")

CONSUMERS = Statement(
    "test.consumers",
    """
    MATCH (gone:Consumer) DETACH DELETE gone
    WITH count(*) AS done
    MATCH (i:Inventory) SET i.updated_at = datetime()
    WITH i WHERE i.used > 0
    MERGE (project:Project {id: $project})
    MERGE (user:User {id: $project})
    CREATE (project)<-[:OF_PROJECT]-(c:Consumer)-[:OF_USER]->(user)
    SET c.uuid = $consumers[i.provider_uuid + ' ' + i.resource_class], c.generation = 1, c.updated_at = datetime()
    CREATE (c)-[:CONSUMES {resource_class: i.resource_class, amount: i.used, position: 0, created_at: datetime()}]->(i)
    """,
    frozenset({"project", "consumers"}),
    (),
)


def consumer_of(provider: str, name: str) -> str:
    """Return the uuid of the consumer of all that is used of a class."""
    return uuid_of(f"{provider} {name}")


def write_consumers(database: Database, cloud: tuple[Provider, ...]) -> None:
    """Give what is used in the graph of *cloud* to consumers, one for each inventory."""
    consumers = {
        f"{uuid_of(one.name)} {name}": consumer_of(one.name, name) for one in cloud for name in one.inventories
    }
    database.write(lambda tx: tx.run(CONSUMERS, project=PROJECT, consumers=consumers))


# --- what is supposed ----------------------------------------------------------------------------------------------


@st.composite
def changes(draw: st.DrawFn, cloud: tuple[Provider, ...]) -> Changes:
    """Draw changes of any kind, few of which are such as would be refused."""
    held = [(one.name, name) for one in cloud for name, stock in one.inventories.items() if stock.used]
    names = tuple(one.name for one in cloud)
    of_name = {one.name: one for one in cloud}
    every_aggregate = (*ALL_AGGREGATES, uuid_of(NEW_AGGREGATE))
    return Changes(
        consumers_gone=frozenset(consumer_of(*key) for key in held if draw(one_in(6))),
        reshape=draw(reshapes(cloud)) if draw(one_in(3)) else Reshape(),
        inventories={uuid_of(name): draw(changed(of_name[name])) for name in draw(some(names, 2))},
        drained=frozenset(map(uuid_of, draw(some(names, 1)) if draw(one_in(3)) else ())),
        traits={uuid_of(name): draw(edits((*TRAITS, SHARES), of_name[name].traits)) for name in draw(some(names, 2))},
        aggregates={
            uuid_of(name): draw(edits(every_aggregate, tuple(map(uuid_of, of_name[name].aggregates))))
            for name in draw(some(names, 3))
        },
    )


@st.composite
def changed(draw: st.DrawFn, provider: Provider) -> dict[str, dict[str, Any] | None]:
    """Draw what changes of one provider's inventories: some fields of one, all of a new one, or that one goes."""
    found: dict[str, dict[str, Any] | None] = {}
    for name in draw(some(CLASSES, 2)):
        new, present = fields_of(draw(inventories())), provider.inventories.get(name)
        some_of_new = {key: new[key] for key in draw(some(tuple(new), 2))}
        goes = present and (not present.used or draw(one_in(8))) and draw(one_in(3))
        found[name] = None if goes else some_of_new if present or draw(one_in(20)) else new
    return found


@st.composite
def edits(draw: st.DrawFn, names: tuple[str, ...], had: tuple[str, ...]) -> Edit:
    """Draw names to be added, and others to be removed."""
    removed = frozenset(draw(some(had or names, 2)))
    return Edit(frozenset(draw(some(names, 2))) - removed, removed)


@st.composite
def reshapes(draw: st.DrawFn, cloud: tuple[Provider, ...]) -> Reshape:
    """Draw a reshape that moves one inventory to another provider, with what is held of it if somebody does."""
    giving = [(one, name) for one in cloud for name in one.inventories]
    if not giving or len(cloud) < 2:
        return Reshape()
    source, name = draw(st.sampled_from(giving))
    target = draw(st.sampled_from([one for one in cloud if one != source]))
    stock = source.inventories[name]
    wanted = {
        source.name: {other: one for other, one in source.inventories.items() if other != name},
        target.name: target.inventories | {name: stock},
    }
    generation = int(draw(one_in(20)))
    shapes = {
        uuid_of(provider): Shape(generation, {other: Stored(**fields_of(one)) for other, one in all_of.items()})
        for provider, all_of in wanted.items()
    }
    claim = Claim(
        consumer_uuid=consumer_of(source.name, name),
        consumer_generation=1,
        project_id=PROJECT,
        user_id=USER,
        consumer_type=None,
        allocations={uuid_of(target.name): {name: stock.used}},
    )
    return Reshape(shapes, [claim] if stock.used else [])


def fields_of(inventory: Inventory) -> dict[str, Any]:
    return {name: getattr(inventory, name) for name in FIELDS}


# --- what it makes of the cloud --------------------------------------------------------------------------------------


def applied(cloud: tuple[Provider, ...], supposed: Changes) -> tuple[Provider, ...]:
    """Return the cloud after *supposed*, which nothing refuses."""
    found = {uuid_of(one.name): replace(one, inventories=dict(one.inventories)) for one in cloud}
    release(found, supposed.consumers_gone)
    reshape(found, supposed.reshape)
    for uuid, all_changed in supposed.inventories.items():
        stock_of = found[uuid].inventories
        for name, values in all_changed.items():
            if values is None:
                del stock_of[name]
            else:
                stock_of[name] = replace(stock_of.get(name, Inventory(total=0)), **values)
    for uuid in drained(cloud, supposed):
        stock_of = found[uuid].inventories
        stock_of |= {name: replace(stock, reserved=stock.total) for name, stock in stock_of.items()}
    names = {uuid_of(name): name for name in (*AGGREGATES, NEW_AGGREGATE)}
    for uuid, edit in supposed.traits.items():
        found[uuid] = replace(found[uuid], traits=tuple({*found[uuid].traits} - edit.remove | edit.add))
    for uuid, edit in supposed.aggregates.items():
        members = {*map(uuid_of, found[uuid].aggregates)} - edit.remove | edit.add
        found[uuid] = replace(found[uuid], aggregates=tuple(names[one] for one in members))
    return tuple(found.values())


def release(found: dict[str, Provider], consumers: frozenset[str]) -> None:
    for one in found.values():
        for name, stock in one.inventories.items():
            if consumer_of(one.name, name) in consumers:
                one.inventories[name] = replace(stock, used=0)


def reshape(found: dict[str, Provider], wanted: Reshape) -> None:
    release(found, frozenset(claim.consumer_uuid for claim in wanted.claims))
    used = {(uuid, name): stock.used for uuid, one in found.items() for name, stock in one.inventories.items()}
    for claim in wanted.claims:
        for uuid, resources in claim.allocations.items():
            for name, amount in resources.items():
                used[uuid, name] = used.get((uuid, name), 0) + amount
    for uuid, shape in wanted.shapes.items():
        found[uuid] = replace(
            found[uuid],
            inventories={
                name: Inventory(**asdict(stock), used=used.get((uuid, name), 0))
                for name, stock in shape.inventories.items()
            },
        )


def drained(cloud: tuple[Provider, ...], supposed: Changes) -> list[str]:
    """Return the providers that are drained, by themselves or because of one above them."""
    oracle = Oracle(cloud, frozenset())
    return [uuid for uuid in oracle.providers if supposed.drained & {*oracle.ancestors(uuid)}]


# --- what would make it true -----------------------------------------------------------------------------------------


def write(database: Database, cloud: tuple[Provider, ...], supposed: Changes) -> None:
    """Write to the graph of *cloud* what is *supposed*. Raises GraphplaceError for what is refused."""
    for uuid in sorted(supposed.consumers_gone):
        allocations.delete(database, uuid)
    if supposed.reshape != Reshape():
        reshaper.reshape(database, supposed.reshape.shapes, supposed.reshape.claims)
    for uuid, all_changed in supposed.inventories.items():
        for name, values in all_changed.items():
            write_inventory(database, uuid, name, values)
    for uuid in drained(cloud, supposed):
        found = stocks.index(database, uuid)
        reserved = {name: replace(one, reserved=one.total) for name, one in found.inventories.items()}
        stocks.replace(database, uuid, reserved, generation=found.generation)
    for uuid, edit in supposed.traits.items():
        traits = provider_traits.get(database, uuid)
        provider_traits.replace(
            database, uuid, sorted({*traits.names} - edit.remove | edit.add), generation=traits.generation
        )
    for uuid, edit in supposed.aggregates.items():
        members = aggregates.get(database, uuid)
        aggregates.replace(
            database, uuid, sorted({*members.aggregates} - edit.remove | edit.add), generation=members.generation
        )


def write_inventory(database: Database, uuid: str, name: str, values: dict[str, Any] | None) -> None:
    found = stocks.index(database, uuid)
    if values is None:
        stocks.delete(database, uuid, name)
    elif name in found.inventories:
        new = replace(found.inventories[name], **values)
        stocks.update(database, uuid, name, new, generation=found.generation)
    elif "total" in values:
        stocks.create(database, uuid, name, Stored(**values))
    else:
        raise BadRequestError("'total' is a required property")
