"""Random reads of everything but candidates."""

from collections.abc import Callable
from urllib.parse import quote

from differential import words
from differential.world import Request, World

Pairs = list[tuple[str, str]]
JUNK = (
    "",
    "nope",
    "0",
    "VCPU",
    "VCPU:0",
    "VCPU:-1",
    "VCPU:1:1",
    "CUSTOM_NOPE:1",
    "!",
    "in:",
    "!in:",
    words.NOBODY,
    "CUSTOM_NOPE",
)


def query(path: str, pairs: Pairs) -> str:
    """Return *path* with *pairs* as its query string."""
    written = "&".join(f"{key}={quote(value, safe=':,!')}" for key, value in pairs)
    return f"{path}?{written}" if pairs else path


def spoilt(world: World, pairs: Pairs) -> Pairs:
    """Return *pairs* with one more, one twice, or a wrong value, once in ten times."""
    if not pairs or not world.once_in(10):
        return pairs
    key, value = world.one(pairs)
    wrong = world.one([("unknown", "1"), (key, value), (key, world.one(JUNK)), (key + "_X", value)])
    return [*pairs, wrong] if world.once_in(2) else [wrong if pair == (key, value) else pair for pair in pairs]


def providers(world: World) -> Request:
    version = world.version()
    given = {
        "name": (0, lambda: world.one(["p0", "p1", "P1", "nobody"])),
        "uuid": (0, lambda: world.one(words.PROVIDERS)),
        "member_of": (3, lambda: members(world, version)),
        "resources": (4, lambda: f"{world.one(words.CLASSES)}:{world.one([1, 2, 4, 8])}"),
        "in_tree": (14, lambda: world.one([*words.PROVIDERS, words.NOBODY])),
        "required": (18, lambda: required(world, version)),
    }
    names = [name for name, (since, _) in given.items() if since <= version or world.once_in(30)]
    pairs = [(name, given[name][1]()) for name in world.some(names, 2)]
    return Request("GET", query("/resource_providers", spoilt(world, pairs)), version)


def members(world: World, version: int) -> str:
    """Draw the value of a member_of."""
    prefix = "!" if version >= 32 and world.once_in(4) else ""
    if world.once_in(2):
        return prefix + world.one([*words.AGGREGATES, words.NOBODY])
    return f"{prefix}in:" + ",".join(world.some(words.AGGREGATES, 2, 1))


def required(world: World, version: int) -> str:
    """Draw the value of a required."""
    traits = world.some([*words.TRAITS, words.SHARES], 2, 1)
    if version >= 39 and world.once_in(3):
        return "in:" + ",".join(traits)
    return ",".join(("!" if version >= 22 and world.once_in(3) else "") + trait for trait in traits)


def of_provider(world: World) -> Request:
    uuid = world.provider()
    one_class = f"/inventories/{world.one(words.CLASSES)}"
    part = world.one(["", "/inventories", "/usages", "/allocations", "/aggregates", "/traits", one_class])
    return Request("GET", f"/resource_providers/{uuid}{part}", world.version())


def allocations(world: World) -> Request:
    return Request("GET", f"/allocations/{world.one([*words.CONSUMERS, words.NOBODY])}", world.version())


def usages(world: World) -> Request:
    version = world.version(9)
    pairs = [("project_id", world.one([*words.PROJECTS, "stranger"]))]
    if world.once_in(3):
        pairs.append(("user_id", world.one([*words.USERS, "stranger"])))
    if version >= 38 and world.once_in(2):
        pairs.append(("consumer_type", world.one([*words.TYPES, "all", "unknown", "NOPE", "allx"])))
    return Request("GET", query("/usages", spoilt(world, pairs)), version)


def traits(world: World) -> Request:
    version = world.version(6)
    if world.once_in(3):
        return Request("GET", f"/traits/{world.one([*words.TRAITS, 'CUSTOM_NOPE', 'nope'])}", version)
    pairs: Pairs = []
    if world.once_in(2):
        pairs.append(
            ("name", world.one(["startswith:CUSTOM", "in:CUSTOM_ONE,HW_NUMA_ROOT", "in:CUSTOM_NOPE", "CUSTOM_ONE"]))
        )
    if world.once_in(2):
        pairs.append(("associated", world.one(["true", "false", "True", "perhaps"])))
    return Request("GET", query("/traits", spoilt(world, pairs)), version)


def resource_classes(world: World) -> Request:
    path = world.one(
        ["/resource_classes", *(f"/resource_classes/{name}" for name in (*words.CLASSES, "CUSTOM_NEW", "nope"))]
    )
    return Request("GET", path, world.version(2))


def elsewhere(world: World) -> Request:
    """Draw a path or a method that there is not, or the root."""
    method, path = world.one(
        [
            ("GET", "/"),
            ("GET", "/nope"),
            ("GET", "/traits/"),
            ("PATCH", "/traits"),
            ("PUT", "/usages"),
            ("DELETE", "/resource_classes"),
        ]
    )
    return Request(method, path, world.version())


READS: dict[Callable[[World], Request], int] = {
    providers: 6,
    of_provider: 8,
    allocations: 3,
    usages: 3,
    traits: 2,
    resource_classes: 1,
    elsewhere: 1,
}


def any_read(world: World) -> Request:
    """Draw a read of any kind but candidates."""
    (read,) = world.rng.choices(list(READS), list(READS.values()))
    return read(world)
