"""The smallest changes that give a request candidates: found by asking the search again, a bounded number of times."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from graphplace.compiler.constraints import relaxations_of
from graphplace.compiler.relaxation import Relaxation
from graphplace.compiler.slots import Slots
from graphplace.errors import BadRequestError
from graphplace.explain.counts import Counts
from graphplace.explain.number import NONE, Number
from graphplace.request.model import CandidateRequest, RequestGroup
from graphplace.request.parse import parse_candidate_request
from graphplace.request.query import decode_query
from graphplace.request.syntax import EXTENDED
from graphplace.request.write import to_query

MOST_ASKED = 100
"""How often the search is asked at the most."""


@dataclass(frozen=True)
class Change:
    """What gives candidates, in ``words``: ``query`` asks for it, and so many there were without ``consumers_gone``."""

    words: str
    query: str
    candidates: Number
    consumers_gone: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reduction:
    """Less of the class ``name`` for the group ``suffix``, which asks for ``amount`` of it.

    ``lesser`` are amounts that some inventory can give at once, the greatest first.
    """

    suffix: str
    name: str
    amount: int
    lesser: Sequence[int]
    of_root: bool = False

    def reduced(self, request: CandidateRequest, amount: int) -> CandidateRequest:
        """Return *request* with that *amount*."""

        def of_group(group: RequestGroup) -> RequestGroup:
            if group.suffix != self.suffix:
                return group
            return replace(group, resources=tuple((dict(group.resources) | {self.name: amount}).items()))

        return replace(request, groups=tuple(map(of_group, request.groups)))

    def words(self, amount: int) -> str:
        """Return what is other with *amount*."""
        group = f" for group {self.suffix}" if self.suffix else ""
        return f"with {self.name} {amount} instead of {self.amount}{group}"


Alternative = Relaxation | Reduction


@dataclass
class Search:
    """The search: ``count`` tells how many candidates a request has, and is asked MOST_ASKED times at the most.

    ``lesser(class, amount)`` are amounts as in :class:`Reduction`.
    """

    count: Callable[[CandidateRequest], Number]
    lesser: Callable[[str, int], Sequence[int]]
    left: int = MOST_ASKED
    asked: dict[CandidateRequest, Number] = field(default_factory=dict)

    def candidates(self, request: CandidateRequest) -> Number:
        """Return how many candidates *request* has; none if no query can ask for it, or when nothing is ``left``."""
        if request not in self.asked and self.left and _is_sayable(request):
            self.left -= 1
            self.asked[request] = self.count(request)
        return self.asked.get(request, NONE)


def changes_about(request: CandidateRequest, counts: Counts, about: Sequence[str], search: Search) -> Iterator[Change]:
    """Yield the single changes that give *request* candidates, of those *about* what is known to be in the way."""
    lost = _Lost.of(request, counts)
    for one in relaxations_of(request):
        if _is_about(one, about) and lost.may_be_found((one,)) and (change := _made(one, request, search)):
            yield change


def other_changes(
    request: CandidateRequest, counts: Counts, about: Sequence[str], search: Search, *, single_only: bool
) -> Iterator[Change]:
    """Yield the single changes that are not *about* that, and if there are none, pairs of any; or *single_only*."""
    every: list[Alternative] = [*relaxations_of(request), *_reductions(request, search)]
    every.sort(key=lambda one: not _is_about(one, about))
    lost = _Lost.of(request, counts)
    found = single_only
    for one in every:
        if not _is_about(one, about) and lost.may_be_found((one,)) and (change := _made(one, request, search)):
            found = True
            yield change
    if found:
        return
    for first, second in _pairs(every):
        if lost.may_be_found((first, second)):
            words, changed = _greatest(first, request)
            if change := _made(second, changed, search, f"{words} and "):
                yield change


def _is_about(one: Alternative, about: Sequence[str]) -> bool:
    return isinstance(one, Relaxation) and one.about in about


def _pairs(every: Sequence[Alternative]) -> Iterator[tuple[Alternative, Alternative]]:
    """Yield each pair once, and two reductions in both orders: the first of them is the least that may be enough."""
    for first, second in combinations(every, 2):
        yield first, second
        if isinstance(first, Reduction) and isinstance(second, Reduction):
            yield second, first


@dataclass(frozen=True)
class _Lost:
    """Whether no root is left, and the suffixes of the groups for which no provider is."""

    roots: bool
    groups: frozenset[str]

    @classmethod
    def of(cls, request: CandidateRequest, counts: Counts) -> "_Lost":
        splittable = Slots.of(request).splittable
        return cls(
            any(not step.remaining for step in counts.roots),
            frozenset(
                group.suffix
                for position, group in enumerate(counts.groups)
                if not group.fitting and position not in splittable
            ),
        )

    def may_be_found(self, some: Sequence[Alternative]) -> bool:
        """Tell whether *some* changes may give what is lost: a group in more trees, or with less asked of it."""
        if any(one.of_root for one in some):
            return True
        return not self.roots and self.groups.issubset({one.suffix for one in some})


def _reductions(request: CandidateRequest, search: Search) -> Iterator[Reduction]:
    for group in request.groups:
        for name, amount in group.resources:
            if lesser := search.lesser(name, amount):
                yield Reduction(group.suffix, name, amount, lesser)


def _greatest(one: Alternative, request: CandidateRequest) -> tuple[str, CandidateRequest]:
    """Return the change itself, or the least of a reduction that any inventory gives."""
    if isinstance(one, Relaxation):
        return f"without {one.about}", one.relaxed(request)
    return one.words(one.lesser[0]), one.reduced(request, one.lesser[0])


def _made(one: Alternative, request: CandidateRequest, search: Search, before: str = "") -> Change | None:
    """Make the change to *request*, of a reduction the least, and return it if there are candidates then."""
    if isinstance(one, Relaxation):
        words, changed = _greatest(one, request)
    else:
        amount = _largest(one, request, search)
        words, changed = one.words(amount), one.reduced(request, amount)
    number = search.candidates(changed)
    return Change(before + words, to_query(changed), number) if number.count else None


def _largest(one: Reduction, request: CandidateRequest, search: Search) -> int:
    """Return the largest of the lesser amounts that gives candidates, as if all below it did; or any, if none does."""

    def fits(amount: int) -> bool:
        return search.candidates(one.reduced(request, amount)).count > 0

    too_much, enough = -1, len(one.lesser) - 1
    if fits(one.lesser[0]) or not fits(one.lesser[enough]):
        return one.lesser[0]
    while enough - too_much > 1:
        between = (too_much + enough) // 2
        if fits(one.lesser[between]):
            enough = between
        else:
            too_much = between
    return one.lesser[enough]


def _is_sayable(request: CandidateRequest) -> bool:
    """Tell whether a query can ask for *request*: groups need resources, or something that says where they belong."""
    try:
        read = parse_candidate_request(decode_query(to_query(request).encode()), EXTENDED)
    except BadRequestError:
        return False
    return read == replace(request, nested=True, emptied=False)
