"""The search within one tree: against trying every choice, and how much it tries where there is no answer."""

from collections import Counter
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphplace.candidates import search
from graphplace.candidates.search import choices
from graphplace.candidates.shape import Shape, members, set_of
from graphplace.compiler.problem import Problem, Subtree
from graphplace.errors import TimeBudgetError
from graphplace.graph.budget import Budget


@st.composite
def problems(draw: st.DrawFn) -> tuple[Problem, Shape]:
    """Draw up to five slots and up to six providers in one tree, with every kind of constraint."""
    providers = draw(st.integers(1, 6))
    slots = draw(st.integers(1, 5))
    kinds = tuple(draw(st.integers(0, 2)) for _ in range(slots))
    domains = st.integers(1, (1 << providers) - 1)
    suffixed = draw(st.frozensets(st.integers(0, slots - 1)))
    isolated = frozenset(slot for slot in suffixed if draw(st.booleans()))
    summed = draw(st.integers(0, 2))
    unsuffixed = tuple(slot for slot in range(slots) if slot not in suffixed)
    collective = draw(st.integers(0, 2)) if unsuffixed else 0
    subtree = st.lists(st.integers(0, slots - 1), unique=True, min_size=2, max_size=4).flatmap(
        lambda some: st.integers(1, len(some)).map(lambda inside: Subtree(tuple(some[:inside]), tuple(some[inside:])))
    )
    ancestors = [1]
    for position in range(1, providers):
        ancestors.append(1 << position | ancestors[draw(st.integers(0, position - 1))])
    needs = [
        tuple((position, draw(st.integers(1, 3))) for position in range(summed) if draw(st.booleans()))
        for _ in range(3)
    ]
    room = tuple(tuple(draw(st.integers(0, 6)) for _ in range(summed)) for _ in range(providers))
    problem = Problem(
        kinds=kinds,
        apart=apart(slots, isolated, suffixed),
        summed=("VCPU", "DISK_GB")[:summed],
        needs=tuple(needs[kind] for kind in kinds),
        subtrees=tuple(draw(st.lists(subtree, max_size=2))) if slots > 1 else (),
        collective=collective,
        unsuffixed=unsuffixed,
    )
    shape = Shape(
        # Whatever fits a kind has room for one slot of it.
        domains=tuple(
            set_of(
                [
                    provider
                    for provider in members(draw(domains))
                    if all(room[provider][summed] >= amount for summed, amount in needs[kind])
                ]
            )
            for kind in range(3)
        ),
        room=room,
        ancestors=tuple(ancestors),
        covers=tuple(draw(st.integers(0, (1 << collective) - 1)) for _ in range(providers)),
    )
    return problem, shape


def apart(slots: int, isolated: frozenset[int], suffixed: frozenset[int]) -> tuple[frozenset[int], ...]:
    def of(slot: int) -> frozenset[int]:
        if slot in isolated:
            return suffixed - {slot}
        return isolated if slot in suffixed else frozenset()

    return tuple(of(slot) for slot in range(slots))


def is_valid(problem: Problem, shape: Shape, choice: tuple[int, ...]) -> bool:
    taken: Counter[tuple[int, int]] = Counter()
    for slot, provider in enumerate(choice):
        if any(choice[other] == provider for other in problem.apart[slot]):
            return False
        for summed, amount in problem.needs[slot]:
            taken[provider, summed] += amount
    if any(amount > shape.room[provider][summed] for (provider, summed), amount in taken.items()):
        return False
    for inside, outside in problem.subtrees:
        within = {choice[slot] for slot in inside}
        if not is_subtree(shape, within) or any(is_subtree(shape, within | {choice[slot]}) for slot in outside):
            return False
    covered = {one for slot in problem.unsuffixed for one in members(shape.covers[choice[slot]])}
    return len(covered) == problem.collective


def is_subtree(shape: Shape, chosen: set[int]) -> bool:
    return any(all(shape.ancestors[one] >> top & 1 for one in chosen) for top in chosen)


@pytest.mark.parametrize("eager", [False, True], ids=["as it is", "with bounds and memory from the start"])
@given(drawn=problems(), shuffled=st.booleans())
def test_every_valid_choice_is_found_once(*, drawn: tuple[Problem, Shape], shuffled: bool, eager: bool) -> None:
    problem, shape = drawn
    every = product(*(list(members(shape.domains[kind])) for kind in problem.kinds))
    expected = [choice for choice in every if is_valid(problem, shape, choice)]
    with pytest.MonkeyPatch.context() as patch:
        if eager:
            patch.setattr(search, "FEWEST_OPEN_FOR_BOUNDS", 1)
            patch.setattr(search, "FEWEST_FAILURES_FOR_MEMORY", 1)
        assert sorted(choices(problem, shape, shuffled=shuffled)) == sorted(expected)


def devices(number: int, units: int, groups: int, amount: int, *, isolate: bool = False) -> tuple[Problem, Shape]:
    """Return like devices under one root, and groups that ask each for the same amount of one of them."""
    everyone = frozenset(range(groups)) if isolate else frozenset()
    problem = Problem(
        kinds=(0,) * groups,
        apart=tuple(everyone - {slot} for slot in range(groups)),
        summed=() if isolate else ("SRIOV_NET_VF",),
        needs=((() if isolate else ((0, amount),)),) * groups,
        subtrees=(),
        collective=0,
        unsuffixed=(),
    )
    room = tuple(() if isolate else (units,) for _ in range(number))
    return problem, Shape(domains=(set_of(range(number)),), room=room, ancestors=(), covers=())


@pytest.fixture
def fillings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Every provider that is tried for a slot."""
    tried: list[int] = []
    original = search._Search._fill  # noqa: SLF001  # the steps of the search are what is counted

    def counted(self: Any, frame: Any, provider: int) -> Any:
        tried.append(provider)
        return original(self, frame, provider)

    monkeypatch.setattr(search._Search, "_fill", counted)  # noqa: SLF001  # see above
    return tried


@pytest.mark.parametrize("isolate", [False, True])
@pytest.mark.parametrize("groups", range(1, 17))
def test_sixteen_like_devices_give_ten_candidates_at_once(groups: int, *, isolate: bool, fillings: list[int]) -> None:
    problem, shape = devices(16, 1, groups, 1, isolate=isolate)
    found = [choice for choice, _ in zip(choices(problem, shape), range(10), strict=False)]
    assert len(found) == 10
    assert len(fillings) < 100


@pytest.mark.parametrize(
    ("number", "units", "groups", "amount"),
    [(12, 3, 13, 2), (12, 1, 13, 1), (8, 6, 25, 2), (6, 5, 13, 2), (40, 7, 81, 3)],
)
def test_more_groups_than_fit_are_refuted_without_trying(
    number: int, units: int, groups: int, amount: int, fillings: list[int]
) -> None:
    problem, shape = devices(number, units, groups, amount)
    assert list(choices(problem, shape)) == []
    assert fillings == []


def test_more_isolated_groups_than_devices_are_refuted_without_trying(fillings: list[int]) -> None:
    problem, shape = devices(12, 1, 13, 1, isolate=True)
    assert list(choices(problem, shape)) == []
    assert fillings == []


def some_isolated(number: int, units: int, isolated: int, others: int) -> tuple[Problem, Shape]:
    """Return like devices, and groups for a unit each, of which the first ones share theirs with no other."""
    groups = isolated + others
    problem = Problem(
        kinds=(0,) * groups,
        apart=apart(groups, frozenset(range(isolated)), frozenset(range(groups))),
        summed=("SRIOV_NET_VF",),
        needs=(((0, 1),),) * groups,
        subtrees=(),
        collective=0,
        unsuffixed=(),
    )
    return problem, Shape(domains=(set_of(range(number)),), room=((units,),) * number, ancestors=(), covers=())


@pytest.mark.parametrize("isolated", range(1, 16))
def test_some_of_sixteen_groups_isolated_give_ten_candidates_at_once(isolated: int, fillings: list[int]) -> None:
    problem, shape = some_isolated(16, 16, isolated, 16 - isolated)
    found = [choice for choice, _ in zip(choices(problem, shape), range(10), strict=False)]
    assert len(found) == 10
    assert len(fillings) < 100


@pytest.mark.parametrize(("isolated", "others"), [(7, 3), (6, 5), (5, 7), (4, 9), (1, 15)])
def test_groups_that_isolated_ones_leave_no_room_for_are_refuted_soon(
    isolated: int, others: int, fillings: list[int]
) -> None:
    problem, shape = some_isolated(8, 2, isolated, others)
    assert list(choices(problem, shape)) == []
    assert len(fillings) < 5_000


def two_sides(devices: int, inside: int, outside: int) -> tuple[Problem, Shape]:
    """Return two nodes with like devices below each, and isolated groups for devices below the chosen node or not."""
    groups = 1 + inside + outside
    problem = Problem(
        kinds=(0, *[1] * (inside + outside)),
        apart=apart(groups, frozenset(range(groups)), frozenset(range(groups))),
        summed=(),
        needs=((),) * groups,
        subtrees=(Subtree(tuple(range(1 + inside)), tuple(range(1 + inside, groups))),),
        collective=0,
        unsuffixed=(),
    )
    below = [1 << node | 1 << 2 + node * devices + device for node in range(2) for device in range(devices)]
    shape = Shape(
        domains=(0b11, set_of(range(2, 2 + 2 * devices))),
        room=((),) * (2 + 2 * devices),
        ancestors=(0b01, 0b10, *below),
        covers=(),
    )
    return problem, shape


def test_eight_groups_on_each_side_give_ten_candidates_at_once(fillings: list[int]) -> None:
    found = [choice for choice, _ in zip(choices(*two_sides(16, 8, 8)), range(10), strict=False)]
    assert len(found) == 10
    assert len(fillings) < 100


def test_more_groups_than_fit_on_the_other_side_are_refuted_soon(fillings: list[int]) -> None:
    assert list(choices(*two_sides(8, 4, 10))) == []
    assert len(fillings) < 200


def test_a_packing_that_only_sums_allow_is_refuted_soon(fillings: list[int]) -> None:
    """Nine devices of 10 hold no thirteen groups of 3, three of 5 and five of 7: by sums and numbers they might."""
    amounts = [3] * 13 + [5] * 3 + [7] * 5
    problem = Problem(
        kinds=tuple({3: 0, 5: 1, 7: 2}[amount] for amount in amounts),
        apart=(frozenset(),) * len(amounts),
        summed=("SRIOV_NET_VF",),
        needs=tuple(((0, amount),) for amount in amounts),
        subtrees=(),
        collective=0,
        unsuffixed=(),
    )
    shape = Shape(domains=(set_of(range(9)),) * 3, room=((10,),) * 9, ancestors=(), covers=())
    assert list(choices(problem, shape)) == []
    assert len(fillings) < 20_000


def test_hundreds_of_groups_do_not_exhaust_the_stack() -> None:
    problem, shape = devices(4, 1000, 900, 1)
    assert len(next(choices(problem, shape))) == 900


def test_a_search_stops_when_its_time_is_over() -> None:
    """Eight devices of odd sizes and even amounts: there is no answer, and trying takes hours."""
    devices = [101 + 2 * device for device in range(8)]
    amounts = [14 + 6 * slot % 46 + 2 * slot for slot in range(16)]
    amounts.append(sum(devices) - len(devices) + 2 - sum(amounts))
    problem = Problem(
        kinds=tuple(range(len(amounts))),
        apart=(frozenset(),) * len(amounts),
        summed=("SRIOV_NET_VF",),
        needs=tuple(((0, amount),) for amount in amounts),
        subtrees=(),
        collective=0,
        unsuffixed=(),
    )
    shape = Shape(
        domains=(set_of(range(len(devices))),) * len(amounts),
        room=tuple((size,) for size in devices),
        ancestors=(),
        covers=(),
    )
    with pytest.raises(TimeBudgetError, match=r"longer than the 0\.05 s that the setting PATIENCE allows"):
        next(choices(problem, shape, Budget(0.05, "PATIENCE")))
