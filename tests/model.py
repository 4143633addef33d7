"""A plain model of inventories and allocations: what any implementation must do, without locks or a database.

Each write returns the status that the API must answer with, and changes the model only when that is a success. What
providers are beside that is in :mod:`tree_model`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from fractions import Fraction

Key = tuple[str, str]
CREATED, OK, DONE, BAD, MISSING, CONFLICT = 201, 200, 204, 400, 404, 409


@dataclass(frozen=True)
class Record:
    """One inventory."""

    total: int
    reserved: int = 0
    min_unit: int = 1
    max_unit: int = 100
    step_size: int = 1
    allocation_ratio: float = 1.0

    @property
    def capacity(self) -> int:
        return int((self.total - self.reserved) * Fraction(repr(self.allocation_ratio)))


@dataclass
class Consumer:
    """One consumer: whose it is, and what it holds."""

    generation: int
    project: str
    held: dict[Key, int]


@dataclass(frozen=True)
class Claim:
    """What a client wants a consumer to hold; ``generation`` is what the client believes it to be at."""

    generation: int | None
    project: str
    held: Mapping[Key, int]


@dataclass(frozen=True)
class Shape:
    """What inventories a client wants a provider to have; ``generation`` is what the client believes it to be at."""

    generation: int
    records: Mapping[str, Record]


@dataclass
class Model:
    """All providers, with their generations and inventories, all consumers, and the resource classes that exist."""

    generations: dict[str, int]
    classes: set[str] = field(default_factory=lambda: {"VCPU", "MEMORY_MB"})
    inventories: dict[Key, Record] = field(default_factory=dict)
    consumers: dict[str, Consumer] = field(default_factory=dict)

    def used(self) -> Counter[Key]:
        total: Counter[Key] = Counter()
        for consumer in self.consumers.values():
            total.update(consumer.held)
        return total

    def replace(self, provider: str, shape: Shape) -> int:
        if provider not in self.generations:
            return MISSING
        if shape.generation != self.generations[provider]:
            return CONFLICT
        if any(record.capacity < 0 for record in shape.records.values()):
            return BAD
        return self.make({provider: shape.records}) or OK

    def create(self, provider: str, name: str, record: Record) -> int:
        if provider not in self.generations:
            return MISSING
        if record.capacity < 0:
            return BAD
        if (provider, name) in self.inventories:
            return CONFLICT
        return self.make({provider: self._records(provider) | {name: record}}) or CREATED

    def update(self, provider: str, name: str, generation: int, record: Record) -> int:
        if provider not in self.generations:
            return MISSING
        if generation != self.generations[provider]:
            return CONFLICT
        if record.capacity < 0 or (provider, name) not in self.inventories:
            return BAD if name in self.classes else MISSING
        return self.make({provider: self._records(provider) | {name: record}}) or OK

    def delete(self, provider: str, name: str) -> int:
        if (provider, name) not in self.inventories:
            return MISSING
        rest = {kind: one for kind, one in self._records(provider).items() if kind != name}
        return self.make({provider: rest}) or DONE

    def clear(self, provider: str) -> int:
        return (self.make({provider: {}}) or DONE) if provider in self.generations else MISSING

    def claim(self, claims: Mapping[str, Claim]) -> int:
        """PUT of one consumer and POST of many."""
        before, after = self.used(), self.used()
        for name, claim in claims.items():
            consumer = self.consumers.get(name)
            if claim.generation != (consumer and consumer.generation):
                return CONFLICT
            after.subtract(consumer.held if consumer else {})
            after.update(claim.held)
        if any(refusals := [self._refusal(claim, before, after) for claim in claims.values()]):
            return BAD if BAD in refusals else CONFLICT
        touched = set()
        for name, claim in claims.items():
            consumer = self.consumers.pop(name, None)
            touched |= {provider for provider, _ in claim.held or (consumer.held if consumer else {})}
            if claim.held:
                self.consumers[name] = Consumer((claim.generation or 0) + 1, claim.project, dict(claim.held))
        self.bump(touched)
        return DONE

    def _refusal(self, claim: Claim, before: Counter[Key], after: Counter[Key]) -> int | None:
        """Return the status that refuses one claim, where *before* and *after* are what all of them make of the use."""
        if any(provider not in self.generations for provider, _ in claim.held):
            return BAD
        if any(key not in self.inventories and key[1] not in self.classes for key in claim.held):
            return BAD
        for key, amount in claim.held.items():
            record = self.inventories.get(key)
            if record is None or not record.min_unit <= amount <= record.max_unit or amount % record.step_size:
                return CONFLICT
            if after[key] > max(record.capacity, before[key]):
                return CONFLICT
        return None

    def release(self, name: str) -> int:
        return DONE if self.consumers.pop(name, None) else MISSING

    def reshape(self, shapes: Mapping[str, Shape], claims: Mapping[str, Claim]) -> int:
        for provider, shape in shapes.items():
            if provider not in self.generations:
                return BAD
            if shape.generation != self.generations[provider]:
                return CONFLICT
        wanted = [pair for shape in shapes.values() for pair in shape.records.items()]
        if any(name not in self.classes for name, _ in wanted):
            return BAD
        trial = deepcopy(self)
        for provider, shape in shapes.items():
            if shape.records:
                trial.inventories |= {(provider, name): record for name, record in shape.records.items()}
                trial.bump([provider])
        refused = trial.claim(claims)
        if refused != DONE:
            return refused
        if refusal := trial.make({provider: shape.records for provider, shape in shapes.items()}):
            return refusal
        self.generations, self.inventories, self.consumers = trial.generations, trial.inventories, trial.consumers
        return DONE

    def _records(self, provider: str) -> dict[str, Record]:
        return {name: record for (owner, name), record in self.inventories.items() if owner == provider}

    def make(self, wanted: Mapping[str, Mapping[str, Record]]) -> int | None:
        """Give providers these records and nothing else; return a status when that is refused."""
        used = self.used()
        gone = {(one, name) for one, records in wanted.items() for name in self._records(one).keys() - records.keys()}
        if any(used[key] for key in gone):
            return CONFLICT
        if any(records.keys() - self.classes for records in wanted.values()):
            return BAD
        for key in gone:
            del self.inventories[key]
        for provider, records in wanted.items():
            self.inventories |= {(provider, name): record for name, record in records.items()}
        self.bump(wanted)
        return None

    def bump(self, providers: Iterable[str]) -> None:
        for provider in providers:
            self.generations[provider] += 1
