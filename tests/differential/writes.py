"""Random writes: bodies of the form that the version has, with a state that mostly allows them."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

from differential import words
from differential.world import Request, World

JUNK: tuple[Any, ...] = (
    None, True, -1, 0, 1.5, 4.0, "", " ", "x" * 300, 2**31, "nope", "CUSTOM_NOPE", "custom_low", [], {}, [None],
    {"a": 1}, words.NOBODY, words.NOBODY.upper(), words.NOBODY.replace("-", ""),
)  # fmt: skip


def create_provider(world: World) -> Request:
    version = world.version()
    uuid = world.one(words.PROVIDERS)
    # Of a name and a uuid that are both taken the reference's database tells one, so that of a twin is nobody else's.
    name = f"twin{world.one(range(10**9))}" if uuid in world.providers() else name_for(world, uuid)
    body: dict[str, Any] = {"name": name, "uuid": uuid}
    if version >= 14 and not world.once_in(3):
        body["parent_provider_uuid"] = world.one([*world.providers(), None])
    return Request("POST", "/resource_providers", version, body)


def update_provider(world: World) -> Request:
    version = world.version()
    uuid = world.provider()
    body: dict[str, Any] = {"name": name_for(world, uuid)}
    if version >= 14 and not world.once_in(3):
        body["parent_provider_uuid"] = world.one([*world.providers(), None, words.NOBODY])
    return Request("PUT", f"/resource_providers/{uuid}", version, body)


def delete_provider(world: World) -> Request:
    return Request("DELETE", f"/resource_providers/{world.provider()}", world.version())


def name_for(world: World, uuid: str) -> str:
    """Draw a provider's name: its usual one, another, or that of someone else."""
    usual = f"p{words.PROVIDERS.index(uuid)}" if uuid in words.PROVIDERS else "stranger"
    return world.one([usual] * 8 + [usual.upper(), "p0", "é😀 ?&=", f"{usual} ", ""])


def inventory(world: World) -> dict[str, Any]:
    """Draw an inventory. Ratios are sums of halves, so that exact and binary capacities are the same."""
    total = world.one([4, 8, 8, 16, 100])
    drawn = {
        "total": total,
        "reserved": world.one([0, 0, 0, 1, 1, total, total - 1, total + 1]),
        "min_unit": world.one([1, 1, 1, 2]),
        "max_unit": world.one([100, 100, 4, 2]),
        "step_size": world.one([1, 1, 1, 2]),
        "allocation_ratio": world.one([1.0, 1.0, 1.5, 2.0, 16, 0.5]),
    }
    kept = ["total", *world.some(list(drawn)[1:], 3)]
    return {name: drawn[name] for name in kept}


def inventories(world: World) -> dict[str, Any]:
    return {name: inventory(world) for name in world.some(words.CLASSES, 4, 1)}


def replace_inventories(world: World) -> Request:
    uuid = world.provider()
    body = {"resource_provider_generation": world.generation(uuid), "inventories": inventories(world)}
    if world.once_in(6):
        body["inventories"] = {}
    elif world.once_in(3):
        body["inventories"] |= world.inventories(uuid)
    return Request("PUT", f"/resource_providers/{uuid}/inventories", world.version(), body)


def create_inventory(world: World) -> Request:
    body = inventory(world) | {"resource_class": world.one(words.CLASSES)}
    return Request("POST", f"/resource_providers/{world.provider()}/inventories", world.version(), body)


def update_inventory(world: World) -> Request:
    uuid = world.provider()
    name = world.one([*sorted(world.inventories(uuid)), world.one(words.CLASSES)])
    body = inventory(world) | {"resource_provider_generation": world.generation(uuid)}
    return Request("PUT", f"/resource_providers/{uuid}/inventories/{name}", world.version(), body)


def delete_inventory(world: World) -> Request:
    uuid = world.provider()
    name = world.one([*sorted(world.inventories(uuid)), world.one(words.CLASSES)])
    return Request("DELETE", f"/resource_providers/{uuid}/inventories/{name}", world.version())


def delete_inventories(world: World) -> Request:
    return Request("DELETE", f"/resource_providers/{world.provider()}/inventories", world.version(5))


def replace_traits(world: World) -> Request:
    uuid = world.provider()
    traits = world.some(words.TRAITS, 3)
    if world.once_in(3):
        traits.append(words.SHARES)
    body = {"resource_provider_generation": world.generation(uuid), "traits": traits}
    return Request("PUT", f"/resource_providers/{uuid}/traits", world.version(6), body)


def delete_traits(world: World) -> Request:
    return Request("DELETE", f"/resource_providers/{world.provider()}/traits", world.version(6))


def replace_aggregates(world: World) -> Request:
    uuid = world.provider()
    version = world.version(1)
    body: Any = world.some(words.AGGREGATES, 2)
    if version >= 19:
        body = {"aggregates": body, "resource_provider_generation": world.generation(uuid)}
    return Request("PUT", f"/resource_providers/{uuid}/aggregates", version, body)


def name_write(world: World) -> Request:
    """Make or delete a resource class or a trait, custom or not."""
    custom = world.one(["CUSTOM_FOO", "CUSTOM_BAR", "CUSTOM_NEW", "CUSTOM_NEW", "CUSTOM_" + "X" * 249, "CUSTOM_low"])
    if world.once_in(2):
        name = world.one([custom, "CUSTOM_ONE", "CUSTOM_TWO", "CUSTOM_TRAIT", "HW_CPU_X86_AVX", "NOPE"])
        return Request(world.one(["PUT", "PUT", "DELETE"]), f"/traits/{name}", world.version(6))
    version = world.version(2)
    name = world.one([custom, custom, "VCPU", "NOPE"])
    method = world.one(["PUT", "PUT", "POST", "DELETE"])
    if method == "POST":
        return Request("POST", "/resource_classes", version, {"name": name})
    body = {"name": world.one(["CUSTOM_NEW", "CUSTOM_NEWER"])} if method == "PUT" and version < 7 else None
    return Request(method, f"/resource_classes/{name}", version, body)


def claim(world: World, consumer: str, version: int) -> dict[str, Any]:
    """Draw the allocations of *consumer*, as PUT /allocations/{uuid} takes them at 1.*version*."""
    allocations: Any = {uuid: {"resources": resources(world, uuid)} for uuid in claimed(world)}
    if version >= 28 and world.once_in(8):
        allocations = {}
    body: dict[str, Any] = {"allocations": allocations}
    if version < 12:
        body["allocations"] = [{"resource_provider": {"uuid": uuid}, **gift} for uuid, gift in allocations.items()]
    if version >= 8:
        body |= {"project_id": world.one(words.PROJECTS), "user_id": world.one(words.USERS)}
    if version >= 28:
        body["consumer_generation"] = consumer_generation(world, consumer)
    if version >= 34 and world.once_in(3):
        body["mappings"] = {world.one(["", "1", "_x"]): world.some(words.PROVIDERS, 2, 1)}
    if version >= 38:
        body["consumer_type"] = world.one(words.TYPES)
    return body


def claimed(world: World) -> list[str]:
    """Draw who is claimed from: mostly those who have something."""
    rich = [uuid for uuid in world.providers() if any(free > 0 for free in world.free(uuid).values())]
    return world.some(rich, 2, 1) if rich and not world.once_in(12) else [world.provider()]


def resources(world: World, provider: str) -> dict[str, int]:
    """Draw what is claimed of *provider*: mostly what it can give, now and then too much of it or of another class."""
    free = {name: amount for name, amount in world.free(provider).items() if amount > 0}
    if not free or world.once_in(12):
        free = {world.one(words.CLASSES): 4}
    return {
        name: world.one([1, 1, 2, 2, 4, max(free[name], 1), free[name] + 1]) for name in world.some(list(free), 2, 1)
    }


def consumer_generation(world: World, consumer: str) -> int | None:
    found: int | None = world.look(f"/allocations/{consumer}").get("consumer_generation")
    return found if not world.once_in(10) else world.one([None, 0, 1, 2])


def replace_allocations(world: World) -> Request:
    consumer = world.one(words.CONSUMERS)
    version = world.version()
    return Request("PUT", f"/allocations/{consumer}", version, claim(world, consumer, version))


def replace_many_allocations(world: World) -> Request:
    version = max(13, world.version(13))
    return Request("POST", "/allocations", version, claims(world, version, world.some(words.CONSUMERS, 3, 1)))


def claims(world: World, version: int, consumers: list[str]) -> dict[str, Any]:
    return {consumer: claim(world, consumer, version) for consumer in consumers}


def delete_allocations(world: World) -> Request:
    return Request("DELETE", f"/allocations/{world.one(words.CONSUMERS)}", world.version())


def reshape(world: World) -> Request:
    """Move a class with what is allocated of it from one provider to another, or draw something wilder."""
    version = max(30, world.version(30))
    source, target = (world.provider(), world.provider())
    if world.once_in(3):
        changed = {uuid: inventories(world) for uuid in (source, target)}
        moved = claims(world, version, world.some(words.CONSUMERS, 2))
    else:
        given = world.inventories(source)
        name = world.one(sorted(given) or words.CLASSES)
        changed = {source: {key: one for key, one in given.items() if key != name}}
        changed[target] = changed.get(target, world.inventories(target)) | {name: given.get(name, inventory(world))}
        moved = moved_claims(world, version, source, target, name)
    body = {
        "inventories": {
            uuid: {"resource_provider_generation": world.generation(uuid), "inventories": one}
            for uuid, one in changed.items()
        },
        "allocations": moved,
    }
    return Request("POST", "/reshaper", version, body)


def moved_claims(world: World, version: int, source: str, target: str, name: str) -> dict[str, Any]:
    """Return the claims of all who hold *name* of *source*, to hold it of *target*."""
    holding = world.look(f"/resource_providers/{source}/allocations")
    moved: dict[str, Any] = {}
    for consumer in sorted(holding["allocations"] if holding else ()):
        held = world.look(f"/allocations/{consumer}")
        allocations = {uuid: dict(one["resources"]) for uuid, one in held["allocations"].items()}
        amount = allocations[source].pop(name, None)
        if amount is None:
            continue
        allocations.setdefault(target, {})[name] = amount
        held["allocations"] = {uuid: {"resources": one} for uuid, one in allocations.items() if one}
        if version < 38:
            del held["consumer_type"]
        moved[consumer] = held
    return moved


WRITES: dict[Callable[[World], Request], int] = {
    create_provider: 6,
    update_provider: 4,
    delete_provider: 2,
    replace_inventories: 6,
    create_inventory: 3,
    update_inventory: 3,
    delete_inventory: 1,
    delete_inventories: 1,
    replace_traits: 4,
    delete_traits: 1,
    replace_aggregates: 4,
    name_write: 5,
    replace_allocations: 10,
    replace_many_allocations: 5,
    delete_allocations: 2,
    reshape: 5,
}

BUILDING = (create_provider, replace_inventories, replace_traits, replace_aggregates, replace_allocations)


def build(world: World) -> Iterator[Request]:
    """Yield the writes that make a small cloud, each drawn when the one before has been answered."""
    for name in ("CUSTOM_FOO", "CUSTOM_BAR"):
        yield Request("PUT", f"/resource_classes/{name}", 39)
    for name in ("CUSTOM_ONE", "CUSTOM_TWO"):
        yield Request("PUT", f"/traits/{name}", 39)
    for number, uuid in enumerate(words.PROVIDERS[: world.rng.randint(5, len(words.PROVIDERS))]):
        parent = None if world.once_in(2) else world.one([*world.providers(), None])
        yield Request(
            "POST", "/resource_providers", 39, {"name": f"p{number}", "uuid": uuid, "parent_provider_uuid": parent}
        )
        for write in (replace_inventories, replace_traits, replace_aggregates):
            yield about(world, write, uuid)
    for _ in range(4):
        yield replace_allocations(world)


def about(world: World, write: Callable[[World], Request], provider: str) -> Request:
    """Draw a write about *provider* and no other."""
    only = World(world.rng, world.look)
    only.provider = lambda: provider  # type: ignore[method-assign]
    return write(only)


def any_write(world: World) -> Request:
    """Draw a write of any kind; one in eight has something wrong in its body."""
    (write,) = world.rng.choices(list(WRITES), list(WRITES.values()))
    request = write(world)
    return spoilt(world, request) if request.body is not None and world.once_in(8) else request


def spoilt(world: World, request: Request) -> Request:
    """Return *request* with one value of its body changed, gone, added or under another key."""
    body = copy.deepcopy(request.body)
    way = world.one(list(places(body)) or [()])
    if not way:
        return Request(request.method, request.path, request.version, world.one(JUNK[1:]))
    *above, last = way
    inside = body
    for key in above:
        inside = inside[key]
    junk = world.one(JUNK)
    # Without a uuid each server would make up its own.
    if isinstance(inside, list) or last == "uuid" or world.once_in(2):
        inside[last] = junk
    elif world.once_in(2):
        del inside[last]
    elif world.once_in(2):
        inside["extra"] = junk
    else:
        inside[str(junk)] = inside.pop(last)
    return Request(request.method, request.path, request.version, body)


def places(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to each value inside *value*."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*above, key)
        yield from places(item, (*above, key))
