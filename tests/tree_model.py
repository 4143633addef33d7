"""A plain model of everything that is written: providers and their trees, traits, aggregates and classes as well."""

from dataclasses import dataclass, field

from model import BAD, CONFLICT, CREATED, DONE, MISSING, OK, Model

SHARING = "MISC_SHARES_VIA_AGGREGATE"
CLASS, TRAIT = "CUSTOM_GOLD", "CUSTOM_FAST"


@dataclass
class Provider:
    """What a provider is, beside its generation and its inventories."""

    name: str
    parent: str | None = None
    traits: frozenset[str] = frozenset()
    aggregates: frozenset[str] = frozenset()

    @property
    def shares(self) -> frozenset[str]:
        return self.aggregates if SHARING in self.traits else frozenset()


@dataclass
class World(Model):
    """All that there is."""

    providers: dict[str, Provider] = field(default_factory=dict)
    traits: set[str] = field(default_factory=lambda: {SHARING, "HW_CPU_X86_VMX"})

    def ancestry(self, provider: str) -> list[str]:
        """Return the provider, its parent and so on; the last one is the root."""
        parent = self.providers[provider].parent
        return [provider, *(self.ancestry(parent) if parent else [])]

    def add(self, uuid: str, name: str, parent: str | None) -> int:
        if parent is not None and parent not in self.providers:
            return BAD
        if uuid in self.providers or self._holder(name):
            return CONFLICT
        self.providers[uuid], self.generations[uuid] = Provider(name, parent), 0
        return OK

    def rename(self, uuid: str, name: str) -> int:
        return self.move(uuid, name, self.providers[uuid].parent) if uuid in self.providers else MISSING

    def move(self, uuid: str, name: str, parent: str | None) -> int:
        if uuid not in self.providers:
            return MISSING
        if parent is not None and (parent not in self.providers or uuid in self.ancestry(parent)):
            return BAD
        if self._holder(name) not in {None, uuid}:
            return CONFLICT
        self.providers[uuid].name, self.providers[uuid].parent = name, parent
        return OK

    def remove(self, uuid: str) -> int:
        if uuid not in self.providers:
            return MISSING
        if any(one.parent == uuid for one in self.providers.values()):
            return CONFLICT
        if any(amount for (provider, _), amount in self.used().items() if provider == uuid):
            return CONFLICT
        del self.providers[uuid], self.generations[uuid]
        self.inventories = {key: record for key, record in self.inventories.items() if key[0] != uuid}
        return DONE

    def give(self, uuid: str, traits: frozenset[str], generation: int) -> int:
        if uuid not in self.providers:
            return MISSING
        if generation != self.generations[uuid]:
            return CONFLICT
        if traits - self.traits:
            return BAD
        self._set_traits(uuid, traits)
        return OK

    def take(self, uuid: str) -> int:
        if uuid not in self.providers:
            return MISSING
        self._set_traits(uuid, frozenset())
        return DONE

    def join(self, uuid: str, aggregates: frozenset[str], generation: int) -> int:
        if uuid not in self.providers:
            return MISSING
        if generation != self.generations[uuid]:
            return CONFLICT
        self.providers[uuid].aggregates = aggregates
        self.bump([uuid])
        return OK

    def make_trait(self) -> int:
        if TRAIT in self.traits:
            return DONE
        self.traits.add(TRAIT)
        return CREATED

    def drop_trait(self) -> int:
        if TRAIT not in self.traits:
            return MISSING
        if any(TRAIT in one.traits for one in self.providers.values()):
            return CONFLICT
        self.traits.remove(TRAIT)
        return DONE

    def make_class(self) -> int:
        if CLASS in self.classes:
            return DONE
        self.classes.add(CLASS)
        return CREATED

    def drop_class(self) -> int:
        if CLASS not in self.classes:
            return MISSING
        if any(name == CLASS for _, name in self.inventories):
            return CONFLICT
        self.classes.remove(CLASS)
        return DONE

    def _holder(self, name: str) -> str | None:
        return next((uuid for uuid, one in self.providers.items() if one.name == name), None)

    def _set_traits(self, uuid: str, traits: frozenset[str]) -> None:
        if traits != self.providers[uuid].traits:
            self.providers[uuid].traits = traits
            self.bump([uuid])
