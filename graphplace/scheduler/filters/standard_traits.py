"""Traits that are called after a value."""

from functools import cache

import os_traits

from graphplace.scheduler.filters.contract import RequestFilterFailed


def standard_trait(prefix: str, value: str, source: str) -> str:
    """Return the standard trait with *prefix* that stands for *value*, which *source* says.

    Raises RequestFilterFailed when there is none: then no host can have it.
    """
    trait = f"{prefix}_{value.replace('-', '_').upper()}"
    known = _known(f"{prefix}_")
    if trait not in known:
        values = ", ".join(name.removeprefix(f"{prefix}_").lower() for name in known)
        raise RequestFilterFailed(
            f"No host can have {source} = {value!r}: there is no trait {trait}; known are {values}."
        )
    return trait


@cache
def _known(prefix: str) -> list[str]:
    # It reads all of the package, which takes a millisecond.
    known: list[str] = os_traits.get_traits(prefix)
    return known
