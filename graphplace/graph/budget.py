"""How long one request may take, in Neo4j and beside it."""

import time

from graphplace.errors import TimeBudgetError


class Budget:
    """A number of *seconds* from now, 0 for any number, which the setting called *setting* allows."""

    def __init__(self, seconds: float, setting: str) -> None:
        self._seconds = seconds
        self._setting = setting
        self._end = time.monotonic() + seconds if seconds else float("inf")

    def check(self) -> None:
        """Raise TimeBudgetError when the time is over."""
        if time.monotonic() > self._end:
            raise self.exceeded()

    def with_share(self, share: float, within: "Budget") -> "Budget":
        """Return a budget that ends as this one does, but has *share* of its seconds from now if *within* has them."""
        most = within.left()
        more = share * self._seconds if most is None else min(share * self._seconds, most)
        other = Budget(self._seconds, self._setting)
        other._end = max(self._end, time.monotonic() + more)
        return other

    def left(self) -> float | None:
        """Return the seconds that are left, None for any number. Raises TimeBudgetError when the time is over."""
        self.check()
        return self._end - time.monotonic() if self._seconds else None

    def exceeded(self) -> TimeBudgetError:
        """Return the error that says so."""
        return TimeBudgetError(
            f"This took longer than the {self._seconds:g} s that the setting {self._setting} allows, and was given up. "
            "A limit, or fewer groups, may take less."
        )


ANY_TIME = Budget(0, "")
