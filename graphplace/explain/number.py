"""How many candidates a request has, as far as anybody wants to know."""

from dataclasses import dataclass

from graphplace.candidates.find import count_candidates
from graphplace.candidates.overlay import Views
from graphplace.errors import BadRequestError
from graphplace.graph.budget import Budget
from graphplace.request.model import CandidateRequest

MOST_COUNTED = 100
"""How many candidates are counted: that there are more than that is enough to know."""


@dataclass(frozen=True)
class Number:
    """A number of candidates; if there are ``more``, it is only known that there are."""

    count: int
    more: bool

    @classmethod
    def of(cls, found: int) -> "Number":
        """Return the number for *found* of at most MOST_COUNTED + 1 that were looked for."""
        return cls(min(found, MOST_COUNTED), found > MOST_COUNTED)


NONE = Number(0, more=False)


def how_many(views: Views, request: CandidateRequest, budget: Budget) -> Number:
    """Count the candidates of *request*, up to MOST_COUNTED.

    Raises BadRequestError for an unknown class or trait, and TimeBudgetError when the time of *budget* is over.
    """
    return Number.of(count_candidates(views, request, MOST_COUNTED + 1, budget))


def how_many_if_any(views: Views, request: CandidateRequest, budget: Budget) -> Number:
    """Count as :func:`how_many` does, where what names something unknown has none.

    A search that gets further than another one may come to a name that the other did not come to.
    """
    try:
        return how_many(views, request, budget)
    except BadRequestError:
        return NONE
