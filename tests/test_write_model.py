"""The write API against a plain model: whatever is written in whatever order, the graph is as the model says.

GRAPHPLACE_TEST_WRITES is how many writes are tried. Without it they are 2,000, the same ones each time.
"""

import os
from collections.abc import Iterable
from typing import Any

from claims import claim
from cloud import uuid_of
from flask.testing import FlaskClient
from graph import look
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from model import Claim, Record, Shape
from tree_model import CLASS, SHARING, TRAIT, World

from graphplace.graph import schema
from graphplace.graph.database import Database

STEPS = 50
CHOSEN = os.environ.get("GRAPHPLACE_TEST_WRITES")
WRITES = int(CHOSEN or "2000")

# The first two are there from the start.
PROVIDERS = ("cn1", "cn2", "numa", "pool")
CONSUMERS = ("c1", "c2", "c3")
AGGREGATES = ("rack", "row")
NAMES = {uuid_of(name): name for name in PROVIDERS + CONSUMERS + AGGREGATES}

providers = st.sampled_from(PROVIDERS[:2] * 3 + PROVIDERS)
consumers = st.sampled_from(CONSUMERS)
classes = st.sampled_from(("VCPU", "VCPU", "MEMORY_MB", "MEMORY_MB", CLASS))
names = st.sampled_from(PROVIDERS)
traits = st.frozensets(st.sampled_from((SHARING, "HW_CPU_X86_VMX", TRAIT)))
aggregates = st.frozensets(st.sampled_from(AGGREGATES))
# How far a client's idea of a generation is off.
stale = st.sampled_from((0, 0, 0, 0, 0, 0, 0, 1, -1))
records = st.builds(
    Record,
    total=st.integers(3, 12),
    reserved=st.sampled_from((0, 0, 0, 1, 5)),
    min_unit=st.sampled_from((1, 1, 1, 2)),
    max_unit=st.sampled_from((8, 8, 8, 3)),
    step_size=st.sampled_from((1, 1, 1, 2)),
    allocation_ratio=st.sampled_from((1.0, 1.0, 0.57, 1.5, 16.0, 0.0)),
)
shapes = st.dictionaries(classes, records, max_size=2)
keys = st.tuples(providers, classes)
held = st.one_of(st.dictionaries(keys, st.integers(1, 4), min_size=1, max_size=2), st.just({}))
wishes = st.tuples(st.sampled_from("pq"), held, stale)

# The parts of the graph that are written here, as the model has them.
STORED = """
RETURN COLLECT {
    MATCH (p:ResourceProvider)
    RETURN [
      p.uuid, p.name, p.generation,
      [(p)-[:CHILD_OF]->(parent) | parent.uuid],
      [(p)-[:IN_TREE]->(root:Root) | root.uuid],
      [(p)-[:HAS_TRAIT]->(trait:Trait) | trait.name],
      [(p)-[:MEMBER_OF]->(a:Aggregate) | a.uuid],
      [(p)-[:SHARES]->(a:Aggregate) | a.uuid]
    ]
  } AS providers,
  COUNT { MATCH (root:Root) } AS root_count,
  COLLECT { MATCH (t:Trait) WHERE t.name STARTS WITH 'CUSTOM_' RETURN t.name } AS traits,
  COLLECT { MATCH (k:ResourceClass) WHERE k.name STARTS WITH 'CUSTOM_' RETURN k.name } AS classes,
  COLLECT {
    MATCH (p:ResourceProvider)-[:HAS_INVENTORY]->(i:Inventory)-[:OF_CLASS]->(k:ResourceClass)
    WHERE i.provider_uuid = p.uuid AND i.resource_class = k.name
    RETURN i {.*}
  } AS inventories,
  COUNT { MATCH (i:Inventory) } AS inventory_count,
  COLLECT {
    MATCH (user:User)<-[:OF_USER]-(c:Consumer)-[:OF_PROJECT]->(project:Project), (c)-[:OF_TYPE]->(type:ConsumerType)
    RETURN [c.uuid, c.generation, project.id]
  } AS consumers,
  COUNT { MATCH (c:Consumer) } AS consumer_count,
  COLLECT {
    MATCH (c:Consumer)-[r:CONSUMES]->(i:Inventory)
    WHERE r.resource_class = i.resource_class
    RETURN [c.uuid, i.provider_uuid, r.resource_class, r.amount]
  } AS allocations,
  COUNT { MATCH ()-[r:CONSUMES]->() } AS allocation_count
"""


class Writes(RuleBasedStateMachine):
    """Writes to a few providers by three consumers, through the API and to the model."""

    def __init__(self, client: FlaskClient, database: Database) -> None:
        super().__init__()
        self.client, self.database = client, database
        schema.wipe(database)
        self.model = World({})
        for name in PROVIDERS[:2]:
            self.create_provider(name, name, None)
            full = Shape(0, {"VCPU": Record(total=8), "MEMORY_MB": Record(total=8)})
            self._check(self.model.replace(name, full), "PUT", _inventories(name), _shape(full))
        self.put_allocations("c1", ("p", {("cn1", "VCPU"): 2, ("cn2", "MEMORY_MB"): 2}, 0))

    @rule(provider=providers, name=names, parent=st.none() | providers)
    def create_provider(self, provider: str, name: str, parent: str | None) -> None:
        if parent == provider:
            return
        body = {"name": name, "uuid": uuid_of(provider), "parent_provider_uuid": parent and uuid_of(parent)}
        self._check(self.model.add(provider, name, parent), "POST", "/resource_providers", body)

    @rule(provider=providers, name=names)
    def rename_provider(self, provider: str, name: str) -> None:
        self._check(self.model.rename(provider, name), "PUT", _path(provider), {"name": name})

    @rule(provider=providers, name=names, parent=st.none() | providers)
    def move_provider(self, provider: str, name: str, parent: str | None) -> None:
        body = {"name": name, "parent_provider_uuid": parent and uuid_of(parent)}
        self._check(self.model.move(provider, name, parent), "PUT", _path(provider), body)

    @rule(provider=providers)
    def delete_provider(self, provider: str) -> None:
        self._check(self.model.remove(provider), "DELETE", _path(provider))

    @rule(provider=providers, given=traits, off=stale)
    def replace_traits(self, provider: str, given: frozenset[str], off: int) -> None:
        at = self._generation(provider, off)
        body = {"traits": list(given), "resource_provider_generation": at}
        self._check(self.model.give(provider, given, at), "PUT", f"{_path(provider)}/traits", body)

    @rule(provider=providers)
    def delete_traits(self, provider: str) -> None:
        self._check(self.model.take(provider), "DELETE", f"{_path(provider)}/traits")

    @rule(provider=providers, given=aggregates, off=stale)
    def replace_aggregates(self, provider: str, given: frozenset[str], off: int) -> None:
        at = self._generation(provider, off)
        body = {"aggregates": [uuid_of(name) for name in given], "resource_provider_generation": at}
        self._check(self.model.join(provider, given, at), "PUT", f"{_path(provider)}/aggregates", body)

    @rule()
    def ensure_trait(self) -> None:
        self._check(self.model.make_trait(), "PUT", f"/traits/{TRAIT}")

    @rule()
    def delete_trait(self) -> None:
        self._check(self.model.drop_trait(), "DELETE", f"/traits/{TRAIT}")

    @rule()
    def ensure_class(self) -> None:
        self._check(self.model.make_class(), "PUT", f"/resource_classes/{CLASS}")

    @rule()
    def delete_class(self) -> None:
        self._check(self.model.drop_class(), "DELETE", f"/resource_classes/{CLASS}")

    @rule(provider=providers, given=shapes, off=stale)
    def replace_inventories(self, provider: str, given: dict[str, Record], off: int) -> None:
        shape = Shape(self._generation(provider, off), given)
        self._check(self.model.replace(provider, shape), "PUT", _inventories(provider), _shape(shape))

    @rule(provider=providers, name=classes, record=records)
    def create_inventory(self, provider: str, name: str, record: Record) -> None:
        body = vars(record) | {"resource_class": name}
        self._check(self.model.create(provider, name, record), "POST", _inventories(provider), body)

    @rule(provider=providers, name=classes, record=records, off=stale)
    def update_inventory(self, provider: str, name: str, record: Record, off: int) -> None:
        at = self._generation(provider, off)
        body = vars(record) | {"resource_provider_generation": at}
        self._check(self.model.update(provider, name, at, record), "PUT", f"{_inventories(provider)}/{name}", body)

    @rule(provider=providers, name=st.none() | classes)
    def delete_inventory(self, provider: str, name: str | None) -> None:
        if name is None:
            self._check(self.model.clear(provider), "DELETE", _inventories(provider))
        else:
            self._check(self.model.delete(provider, name), "DELETE", f"{_inventories(provider)}/{name}")

    @rule(name=consumers, wish=wishes)
    def put_allocations(self, name: str, wish: tuple[str, dict[tuple[str, str], int], int]) -> None:
        given = self._claim(name, *wish)
        path = f"/allocations/{uuid_of(name)}"
        self._check(self.model.claim({name: given}), "PUT", path, _body(given))

    @rule(given=st.dictionaries(consumers, wishes, min_size=1, max_size=3))
    def post_allocations(self, given: dict[str, tuple[str, dict[tuple[str, str], int], int]]) -> None:
        claims = {name: self._claim(name, *wish) for name, wish in given.items()}
        self._check(self.model.claim(claims), "POST", "/allocations", _bodies(claims))

    @rule(name=consumers)
    def delete_allocations(self, name: str) -> None:
        self._check(self.model.release(name), "DELETE", f"/allocations/{uuid_of(name)}")

    @rule(
        given=st.dictionaries(providers, st.tuples(shapes, stale), min_size=1, max_size=3),
        wished=st.dictionaries(consumers, wishes, max_size=3),
    )
    def reshape(
        self,
        given: dict[str, tuple[dict[str, Record], int]],
        wished: dict[str, tuple[str, dict[tuple[str, str], int], int]],
    ) -> None:
        # Flask's client sends the keys of an object in order, and of two failures the first counts.
        wanted = {name: Shape(self._generation(name, given[name][1]), given[name][0]) for name in _in_order(given)}
        claims = {name: self._claim(name, *wish) for name, wish in wished.items()}
        body = {
            "inventories": {uuid_of(name): _shape(shape) for name, shape in wanted.items()},
            "allocations": _bodies(claims),
        }
        self._check(self.model.reshape(wanted, claims), "POST", "/reshaper", body)

    @invariant()
    def the_graph_is_as_the_model_says(self) -> None:
        (stored,) = look(self.database, STORED)
        used, model = self.model.used(), self.model
        assert {
            NAMES[uuid]: (name, generation, *(sorted(NAMES.get(one, one) for one in ends) for ends in related))
            for uuid, name, generation, *related in stored["providers"]
        } == {
            uuid: (
                one.name,
                model.generations[uuid],
                [one.parent] if one.parent else [],
                model.ancestry(uuid)[-1:],
                sorted(one.traits),
                sorted(one.aggregates),
                sorted(one.shares),
            )
            for uuid, one in model.providers.items()
        }
        assert stored["root_count"] == sum(one.parent is None for one in model.providers.values())
        assert stored["traits"] == [TRAIT] * (TRAIT in model.traits)
        assert stored["classes"] == [CLASS] * (CLASS in model.classes)
        assert {
            (NAMES[one["provider_uuid"]], one["resource_class"]): {
                name: value for name, value in one.items() if not name.endswith(("_at", "_uuid", "_class"))
            }
            for one in stored["inventories"]
        } == {
            key: vars(record) | {"capacity": record.capacity, "used": used[key], "free": record.capacity - used[key]}
            for key, record in model.inventories.items()
        }
        assert {NAMES[uuid]: tuple(rest) for uuid, *rest in stored["consumers"]} == {
            name: (consumer.generation, consumer.project) for name, consumer in model.consumers.items()
        }
        assert {
            (NAMES[uuid], NAMES[provider], name): amount for uuid, provider, name, amount in stored["allocations"]
        } == {
            (name, *key): amount for name, consumer in model.consumers.items() for key, amount in consumer.held.items()
        }
        for kind in ("inventory", "consumer", "allocation"):
            plural = {"inventory": "inventories"}.get(kind, f"{kind}s")
            assert stored[f"{kind}_count"] == len(stored[plural])

    def _generation(self, provider: str, off: int) -> int:
        return self.model.generations.get(provider, 0) + off

    def _claim(self, name: str, project: str, wanted: dict[tuple[str, str], int], off: int) -> Claim:
        consumer = self.model.consumers.get(name)
        actual = consumer.generation if consumer else 0
        return Claim((actual + off) or None, project, wanted)

    def _check(self, expected: int, method: str, path: str, body: Any = None) -> None:
        answer = self.client.open(path, method=method, json=body)
        assert answer.status_code == expected, answer.text


def test_the_graph_is_as_the_model_says(client: FlaskClient, database: Database) -> None:
    run_state_machine_as_test(
        lambda: Writes(client, database),
        settings=settings(
            max_examples=max(1, WRITES // STEPS),
            stateful_step_count=STEPS,
            deadline=None,
            derandomize=CHOSEN is None,
            suppress_health_check=list(HealthCheck),
            phases=(Phase.generate,),
        ),
    )


def _in_order(names: Iterable[str]) -> list[str]:
    return sorted(names, key=uuid_of)


def _path(provider: str) -> str:
    return f"/resource_providers/{uuid_of(provider)}"


def _inventories(provider: str) -> str:
    return f"{_path(provider)}/inventories"


def _shape(shape: Shape) -> dict[str, Any]:
    given = {name: vars(record) for name, record in shape.records.items()}
    return {"inventories": given, "resource_provider_generation": shape.generation}


def _body(given: Claim) -> dict[str, Any]:
    resources: dict[str, dict[str, int]] = {}
    for (provider, name), amount in given.held.items():
        resources.setdefault(provider, {})[name] = amount
    return claim(resources, given.generation, project=given.project)


def _bodies(claims: dict[str, Claim]) -> dict[str, Any]:
    return {uuid_of(name): _body(given) for name, given in claims.items()}
