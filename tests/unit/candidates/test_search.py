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
from graphplace.compiler.problem import Problem
from graphplace.errors import TimeBudgetError
from graphplace.graph.budget import Budget


@st.composite
def problems(draw: st.DrawFn) -> tuple[Problem, Shape]:
    """Draw up to five slots and up to six providers in one tree, with every kind of constraint."""
    providers = draw(st.integers(1, 6))
    slots = draw(st.integers(1, 5))
    kinds = tuple(draw(st.integers(0, 2)) for _ in range(slots))
    domains = st.integers(1, (1 << providers) - 1)
    isolated = draw(st.frozensets(st.integers(0, slots - 1)))
    summed = draw(st.integers(0, 2))
    unsuffixed = tuple(slot for slot in range(slots) if slot not in isolated)
    collective = draw(st.integers(0, 2)) if unsuffixed else 0
    subtree = st.lists(st.integers(0, slots - 1), unique=True, min_size=2, max_size=3).map(sorted).map(tuple)
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
        apart=tuple(isolated - {slot} if slot in isolated else frozenset() for slot in range(slots)),
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


def is_valid(problem: Problem, shape: Shape, choice: tuple[int, ...]) -> bool:
    taken: Counter[tuple[int, int]] = Counter()
    for slot, provider in enumerate(choice):
        if any(choice[other] == provider for other in problem.apart[slot]):
            return False
        for summed, amount in problem.needs[slot]:
            taken[provider, summed] += amount
    if any(amount > shape.room[provider][summed] for (provider, summed), amount in taken.items()):
        return False
    for subtree in problem.subtrees:
        chosen = {choice[slot] for slot in subtree}
        if not any(all(shape.ancestors[one] >> top & 1 for one in chosen) for top in chosen):
            return False
    covered = {one for slot in problem.unsuffixed for one in members(shape.covers[choice[slot]])}
    return len(covered) == problem.collective


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
