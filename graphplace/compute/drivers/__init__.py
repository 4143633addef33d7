"""Drivers by name: those that graphplace has, and those that other packages offer.

A package offers one as an entry point of the group ``graphplace.drivers`` that names what makes it: a class or a
function whose parameters are strings, each an option that whoever starts the driver may give.
"""

import inspect
from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, entry_points

from graphplace.compute.driver import Driver
from graphplace.errors import BadRequestError

GROUP = "graphplace.drivers"
BUILT_IN = (
    EntryPoint("file", "graphplace.compute.drivers.file:FileDriver", GROUP),
    EntryPoint("hwloc", "graphplace.compute.drivers.hwloc:HwlocDriver", GROUP),
)


def driver_names() -> list[str]:
    """Return the names of all drivers that are installed."""
    return sorted(_found())


def driver_named(name: str, options: Mapping[str, str]) -> Driver:
    """Return the driver *name*, made with *options*.

    Raises BadRequestError for a name or an option that there is not, for one that is missing, and for what the driver
    itself finds wrong with one.
    """
    found = _found()
    if name not in found:
        raise BadRequestError(f"There is no driver {name}; there are {', '.join(sorted(found))}.")
    make: Callable[..., Driver] = found[name].load()
    parameters = inspect.signature(make).parameters
    for option in options:
        if option not in parameters:
            raise BadRequestError(f"The driver {name} has no option {option}; it has {', '.join(parameters)}.")
    for parameter in parameters.values():
        if parameter.default is parameter.empty and parameter.name not in options:
            raise BadRequestError(f"The driver {name} needs the option {parameter.name}.")
    return make(**options)


def _found() -> dict[str, EntryPoint]:
    """Return the drivers by name; a name that graphplace has itself is graphplace's."""
    return {point.name: point for point in (*entry_points(group=GROUP), *BUILT_IN)}
