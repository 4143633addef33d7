"""Which trees a process remembers, and from when on it uses what it remembers."""

from graphplace.candidates.remembered import DOUBTED_SECONDS, Memory, Remembered


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def tree(stamp: int, *providers: str, used: int = 0) -> Remembered:
    resources = {"VCPU": {"capacity": 8, "used": used}}
    return Remembered((stamp, 1, stamp), {provider: {"resources": resources} for provider in providers})


def test_a_tree_is_used_when_it_was_read_alike_a_while_apart() -> None:
    clock = Clock()
    memory = Memory(10, clock)
    memory.remember({"a": tree(1, "a")})
    assert memory.trees(["a"]) == {}
    clock.now += DOUBTED_SECONDS / 2
    memory.remember({"a": tree(1, "a")})
    assert memory.trees(["a"]) == {}
    clock.now += DOUBTED_SECONDS / 2
    memory.remember({"a": tree(1, "a")})
    assert memory.trees(["a", "b"]) == {"a": tree(1, "a")}


def test_what_was_read_in_the_middle_of_a_commit_is_never_used() -> None:
    """Its stamp is that of what was committed, what it says is not."""
    clock = Clock()
    memory = Memory(10, clock)
    memory.remember({"a": tree(2, "a", used=0)})
    clock.now += DOUBTED_SECONDS
    memory.remember({"a": tree(2, "a", used=1)})
    assert memory.trees(["a"]) == {}
    clock.now += DOUBTED_SECONDS
    memory.remember({"a": tree(2, "a", used=1)})
    assert memory.trees(["a"]) == {"a": tree(2, "a", used=1)}


def test_the_trees_that_were_used_last_are_kept_up_to_so_many_providers() -> None:
    clock = Clock()
    memory = Memory(4, clock)
    two = {"a": tree(1, "a", "b"), "c": tree(1, "c", "d")}
    memory.remember(two)
    clock.now += DOUBTED_SECONDS
    memory.remember(two)
    assert memory.trees(["c", "a"]).keys() == {"a", "c"}
    memory.remember({"e": tree(1, "e")})
    assert memory.trees(["a", "c", "e"]).keys() == {"a"}


def test_a_request_for_more_than_is_kept_does_not_push_out_its_own_trees() -> None:
    clock = Clock()
    memory = Memory(4, clock)
    cloud = {root: tree(1, root, f"{root}2") for root in ("a", "b", "c")}
    for _ in range(4):
        known = memory.trees(cloud)
        memory.remember({root: one for root, one in cloud.items() if root not in known}, beside=known)
        clock.now += DOUBTED_SECONDS
    assert known.keys() == {"a", "b"}


def test_a_tree_that_is_too_large_is_not_remembered() -> None:
    for most, kept in ((0, set()), (1, {"c"})):
        clock = Clock()
        memory = Memory(most, clock)
        for _ in range(2):
            memory.remember({"a": tree(1, "a", "b"), "c": tree(1, "c")})
            clock.now += DOUBTED_SECONDS
        assert memory.trees(["a", "c"]).keys() == kept
