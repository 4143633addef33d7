"""Random requests for candidates, each written around providers that could serve it."""

from differential import words
from differential.reads import Pairs, query, spoilt
from differential.world import Request, World


def candidates(world: World) -> Request:
    """Draw a request around one tree: what its providers and those that share with it have is asked for."""
    version = max(10, world.version(10))
    near = [uuid for uuid in near_any_root(world) if any(free > 0 for free in world.free(uuid).values())]
    if not near:
        return Request("GET", "/allocation_candidates?resources=VCPU:1", version)
    pairs = unsuffixed(world, version, near)
    chosen: dict[str, str] = {}
    if version >= 25 and world.once_in(2):
        for suffix in world.some(("1", "2", "3") if version < 33 else ("1", "2", "_X", "-y"), 3, 1):
            chosen[suffix] = world.one(near)
            pairs += suffixed(world, version, suffix, chosen[suffix])
        if world.once_in(3):
            pairs = [pair for pair in pairs if pair[0].endswith(tuple(chosen))]
        if version >= 36 and world.once_in(3):
            pairs += same_subtree(world, chosen)
        if len(chosen) > 1 or world.once_in(3):
            pairs.append(("group_policy", world.one(["none", "none", "isolate"])))
    if version >= 35 and world.once_in(5):
        pairs.append(("root_required", world.one(["", "!", "!"]) + world.one(words.TRAITS)))
    if version >= 16 and world.once_in(4):
        pairs.append(("limit", str(world.one([1, 2, 3, 100]))))
    return Request("GET", query("/allocation_candidates", spoilt(world, pairs)), version)


def near_any_root(world: World) -> list[str]:
    """Draw a provider and return its tree with those that share with it."""
    found = {one["uuid"]: one for one in world.look("/resource_providers")["resource_providers"]}
    if not found:
        return []
    root = found[world.one(sorted(found))]["root_provider_uuid"]
    tree = [uuid for uuid, one in sorted(found.items()) if one["root_provider_uuid"] == root]
    joined = {aggregate for uuid in tree for aggregate in world.aggregates(uuid)}
    sharing = [
        uuid
        for uuid in sorted(found)
        if uuid not in tree and words.SHARES in world.traits(uuid) and joined.intersection(world.aggregates(uuid))
    ]
    return tree + sharing


def amounts(world: World, provider: str) -> str:
    """Draw what a group asks for, of what *provider* can give."""
    free = {name: amount for name, amount in world.free(provider).items() if amount > 0}
    asked = {name: min(amount, world.one([1, 1, 2, 2, 4])) for name, amount in free.items()}
    names = world.some(sorted(asked), 2, 1)
    if world.once_in(25):
        asked[names[0]] += 8
    if world.once_in(30):
        names.append(world.one([*words.CLASSES, "CUSTOM_NOPE"]))
    return ",".join(f"{name}:{asked.get(name, 1)}" for name in dict.fromkeys(names))


def unsuffixed(world: World, version: int, near: list[str]) -> Pairs:
    provider = world.one(near)
    asked = amounts(world, provider)
    if world.once_in(3):
        either = f"{asked},{amounts(world, world.one(near))}"
        by_class = dict(part.split(":") for part in either.split(","))
        asked = ",".join(f"{name}:{amount}" for name, amount in by_class.items())
    return [("resources", asked), *conditions(world, version, "", provider)]


def suffixed(world: World, version: int, suffix: str, provider: str) -> Pairs:
    given = [("resources" + suffix, amounts(world, provider))]
    if version >= 36 and world.once_in(8):
        given = []
    return given + conditions(world, version, suffix, provider)


def conditions(world: World, version: int, suffix: str, provider: str) -> Pairs:
    """Draw traits, aggregates and a tree, mostly those that *provider* has."""
    pairs: Pairs = []
    traits = world.traits(provider)
    if version >= 17 and world.once_in(3):
        asked = world.some(traits, 1) or world.some(words.TRAITS, 1)
        if version >= 39 and world.once_in(3):
            pairs.append(("required" + suffix, "in:" + ",".join(sorted({*asked, world.one(words.TRAITS)}))))
            asked = []
        if version >= 22 and world.once_in(2):
            asked += ["!" + trait for trait in words.TRAITS if trait not in traits][:1]
        if asked:
            pairs.append(("required" + suffix, ",".join(asked)))
    if version >= 21 and world.once_in(5):
        aggregates = world.aggregates(provider) or [world.one(words.AGGREGATES)]
        pairs.append(("member_of" + suffix, world.one([aggregates[0], "in:" + ",".join(aggregates)])))
        if version >= 32 and world.once_in(3):
            pairs[-1] = ("member_of" + suffix, "!" + world.one([*words.AGGREGATES, words.NOBODY]))
    if version >= 31 and world.once_in(8):
        pairs.append(("in_tree" + suffix, world.one([provider, provider, world.one(words.PROVIDERS)])))
    return pairs


def same_subtree(world: World, chosen: dict[str, str]) -> Pairs:
    """Draw a same_subtree of the groups, sometimes with one more that asks for no resources."""
    suffixes = world.some(sorted(chosen), 3, 1)
    pairs: Pairs = []
    if world.once_in(2):
        provider = chosen[suffixes[0]]
        above = world.look(f"/resource_providers/{provider}")["parent_provider_uuid"] or provider
        pairs.append(("required_R", world.one(world.traits(above) or words.TRAITS)))
        suffixes.append("_R")
    return [*pairs, ("same_subtree", ",".join(suffixes))]
