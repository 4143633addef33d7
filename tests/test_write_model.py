"""The write API against a plain model: whatever is written in whatever order, the graph is as the model says.

GRAPHPLACE_TEST_WRITES is how many writes are tried, 200 without it.
"""

import os
from typing import Any

from claims import claim
from cloud import uuid_of
from flask.testing import FlaskClient
from graph import look
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from model import Claim, Model, Record, Shape

from graphplace.graph import schema
from graphplace.graph.database import Database

STEPS = 20
WRITES = int(os.environ.get("GRAPHPLACE_TEST_WRITES", "200"))

PROVIDERS = ("cn1", "cn2")
CONSUMERS = ("c1", "c2", "c3")
NAMES = {uuid_of(name): name for name in PROVIDERS + CONSUMERS}

providers = st.sampled_from(PROVIDERS)
consumers = st.sampled_from(CONSUMERS)
classes = st.sampled_from(("VCPU", "MEMORY_MB"))
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
RETURN COLLECT { MATCH (p:ResourceProvider) RETURN [p.uuid, p.generation] } AS generations,
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
    """Writes to two providers by three consumers, through the API and to the model."""

    def __init__(self, client: FlaskClient, database: Database) -> None:
        super().__init__()
        self.client, self.database = client, database
        schema.wipe(database)
        for name in PROVIDERS:
            client.post("/resource_providers", json={"name": name, "uuid": uuid_of(name)})
        self.model = Model(dict.fromkeys(PROVIDERS, 0))
        for name in PROVIDERS:
            full = Shape(0, {"VCPU": Record(total=8), "MEMORY_MB": Record(total=8)})
            self._check(self.model.replace(name, full), "PUT", _inventories(name), _shape(full))
        self.put_allocations("c1", ("p", {("cn1", "VCPU"): 2, ("cn2", "MEMORY_MB"): 2}, 0))

    @rule(provider=providers, given=shapes, off=stale)
    def replace_inventories(self, provider: str, given: dict[str, Record], off: int) -> None:
        shape = Shape(self.model.generations[provider] + off, given)
        self._check(self.model.replace(provider, shape), "PUT", _inventories(provider), _shape(shape))

    @rule(provider=providers, name=classes, record=records)
    def create_inventory(self, provider: str, name: str, record: Record) -> None:
        body = vars(record) | {"resource_class": name}
        self._check(self.model.create(provider, name, record), "POST", _inventories(provider), body)

    @rule(provider=providers, name=classes, record=records, off=stale)
    def update_inventory(self, provider: str, name: str, record: Record, off: int) -> None:
        at = self.model.generations[provider] + off
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
        wanted = {name: Shape(self.model.generations[name] + off, shape) for name, (shape, off) in given.items()}
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
        assert {NAMES[uuid]: generation for uuid, generation in stored["generations"]} == model.generations
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
            derandomize=True,
            suppress_health_check=list(HealthCheck),
            phases=(Phase.generate, Phase.shrink),
        ),
    )


def _inventories(provider: str) -> str:
    return f"/resource_providers/{uuid_of(provider)}/inventories"


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
