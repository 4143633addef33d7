"""The audits, as data: each has a statement of its name in audit.cypher, and words for what that gives.

Commands are those of ``openstack``, which every cloud has, where the API can mend what was found.
"""

import math
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphplace.usages import UNKNOWN

Row = Mapping[str, Any]

# Ratios are rounded up to this many digits.
_RATIO_DIGITS = 4


@dataclass(frozen=True)
class Finding:
    """One thing that was found: what it is in ``words``, and the commands that ``mend`` it, of which one is enough.

    ``data`` are the same facts for programs.
    """

    words: str
    mend: tuple[str, ...]
    data: Row


@dataclass(frozen=True)
class Audit:
    """One question: its ``title``, and a ``sentence`` that says what is found and why it matters.

    ``words`` and ``mend`` make of one map that the statement gives what a finding says, and what mends it.
    """

    name: str
    title: str
    sentence: str
    words: Callable[[Row], str]
    mend: Callable[[Row], tuple[str, ...]]


def _openstack(version: str, *words: str) -> str:
    """Return a command at *version* of the API; what was found in the graph may have been named by anybody."""
    return f"openstack --os-placement-api-version {version} resource provider {shlex.join(words)}"


def _orphan(row: Row) -> str:
    return f"{row['uuid']} of project {row['project']}, since {row['since']}: {', '.join(row['held'])}"


def _release(row: Row) -> tuple[str, ...]:
    return (_openstack("1.0", "allocation", "delete", row["uuid"]),)


def _doubled(row: Row) -> str:
    roots = ", ".join(f"{root['name']} ({root['uuid']})" for root in row["roots"])
    return f"{row['uuid']} of type {row['type'] or UNKNOWN}, written {row['since']}: {roots}"


def _leave_one(row: Row) -> tuple[str, ...]:
    return tuple(
        _openstack("1.28", "allocation", "unset", *_each("--provider", root["providers"]), row["uuid"])
        for root in row["roots"]
    )


def _over(row: Row) -> str:
    return (
        f"{row['name']} ({row['uuid']}) {row['resource_class']}: {row['used']} used by {row['consumers']} consumers, "
        f"{row['capacity']} there"
    )


def _make_room(row: Row) -> tuple[str, ...]:
    who_to_move = _openstack("1.0", "show", "--allocations", row["uuid"])
    if row["room"] < 1:
        return (who_to_move,)
    scale = 10**_RATIO_DIGITS
    ratio = math.ceil(row["used"] * scale / row["room"]) / scale
    given = f"{row['resource_class']}:allocation_ratio={ratio:g}"
    return who_to_move, _openstack("1.0", "inventory", "set", "--amend", row["uuid"], "--resource", given)


def _stale(row: Row) -> str:
    return f"{row['name']} ({row['uuid']}), written {row['since']}; providers in its tree: {len(row['providers'])}"


def _delete_tree(row: Row) -> tuple[str, ...]:
    return (" && ".join(_openstack("1.0", "delete", uuid) for uuid in row["providers"]),)


def _empty(row: Row) -> str:
    return f"{row['name']} ({row['uuid']}), written {row['since']}"


def _delete(row: Row) -> tuple[str, ...]:
    return (_openstack("1.0", "delete", row["uuid"]),)


def _lonely(row: Row) -> str:
    return f"{row['name']} ({row['uuid']}); aggregates: {', '.join(row['aggregates']) or 'none'}"


def _join(row: Row) -> tuple[str, ...]:
    # What a host is a member of already has to be named again, and which host it is, nobody here knows.
    joined = _openstack("1.1", "aggregate", "set", "HOST", *_each("--aggregate", row["aggregates"] or ["AGGREGATE"]))
    return joined, *_delete(row)


def _untyped(row: Row) -> str:
    return f"{row['uuid']} of project {row['project']}, since {row['since']}"


def _give_type(row: Row) -> tuple[str, ...]:
    held = [f"rp={one['provider']},{one['resource_class']}={one['amount']}" for one in row["held"]]
    owner = ("--project-id", row["project"], "--user-id", row["user"], "--consumer-type", "INSTANCE")
    return (_openstack("1.38", "allocation", "set", row["uuid"], *_each("--allocation", held), *owner),)


def _each(option: str, values: Iterable[str]) -> Iterator[str]:
    for value in values:
        yield option
        yield value


def _of_check(row: Row) -> str:
    return str(row["words"])


def _repair(row: Row) -> tuple[str, ...]:
    return (row["advice"] or "graphplace check --repair",)


ORPHANS = Audit(
    "orphans",
    "Consumers that no service knows",
    "They hold what nobody uses; only with a file of those that are known.",
    _orphan,
    _release,
)
DRIFT = Audit(
    "drift",
    "What graphplace check finds",
    "Derived values are not what they are derived from, or an invariant does not hold.",
    _of_check,
    _repair,
)
AUDITS = (
    DRIFT,
    ORPHANS,
    Audit(
        "doubled",
        "Consumers on more than one root",
        "A move that is under way, or one that left its claim behind. What pools share does not count.",
        _doubled,
        _leave_one,
    ),
    Audit(
        "over_capacity",
        "Inventories with more used than there is",
        "They shrank, or their ratio did; nothing more fits, and what is there may starve.",
        _over,
        _make_room,
    ),
    Audit(
        "stale",
        "Hosts and pools that nobody uses or writes to",
        "The machine may be gone, and candidates name it still.",
        _stale,
        _delete_tree,
    ),
    Audit(
        "empty",
        "Providers without anything",
        "They have no inventory, no trait and no child, so that no request finds them.",
        _empty,
        _delete,
    ),
    Audit(
        "lonely_pools",
        "Pools that share with nobody",
        "No other tree is in an aggregate of theirs, so that no host reaches them.",
        _lonely,
        _join,
    ),
    Audit(
        "untyped",
        "Consumers without a type",
        "They were claimed below version 1.38, as Nova does, and count as unknown in usages. Skip it while that is so.",
        _untyped,
        _give_type,
    ),
)
