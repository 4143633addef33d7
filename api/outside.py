"""The paths beside Placement's API: they have no version of it, and some ask for no token."""

DESCRIPTION = "/openapi.json"
METRICS = "/metrics"
ALIVE, READY = "/livez", "/readyz"
PAGE = "/ui"

_OUTSIDE = frozenset({DESCRIPTION, METRICS, ALIVE, READY})


def is_outside(path: str) -> bool:
    """Tell whether *path* is no part of Placement's API."""
    return path in _OUTSIDE or is_page(path)


def is_page(path: str) -> bool:
    """Tell whether *path* is of the page. What it shows is as the newest version has it."""
    return path == PAGE or path.startswith(f"{PAGE}/")
