"""What a request says of hosts by name: the rules that Placement knows nothing of."""

from collections.abc import Collection

from graphplace.hosts import Place
from graphplace.scheduler.placing import Objection
from graphplace.scheduler.request_spec import RequestSpec


def objections(spec: RequestSpec) -> tuple[Objection, ...]:
    """Return the rules of *spec* about services, nodes and cells, each of which tells why a host may not be taken."""
    wanted = spec.requested_destination
    rules = (
        ("service_host", _given(wanted.host), "are not the host asked for"),
        ("nodename", _given(wanted.node), "are not the node asked for"),
        ("cell_uuid", _given(wanted.cell), "are in other cells"),
        ("service_host", spec.force_hosts, "are not among the hosts asked for"),
        ("nodename", spec.force_nodes, "are not among the nodes asked for"),
    )
    confined = (_confined(field, names, words) for field, names, words in rules if names)
    return (*confined, *([_ignoring(spec.ignore_hosts)] if spec.ignore_hosts else []))


def named_service(spec: RequestSpec) -> str | None:
    """Return the only service that *spec* can be placed on by its names, None if it leaves a choice."""
    group = spec.instance_group
    together = set(group.hosts) if group and group.policy == "affinity" else set()
    names = _given(spec.requested_destination.host) or tuple(spec.force_hosts) or tuple(together)
    return names[0] if len(names) == 1 else None


def _given(name: str | None) -> tuple[str, ...]:
    return () if name is None else (name,)


def _confined(field: str, names: Collection[str], words: str) -> Objection:
    def objection(place: Place) -> str | None:
        return None if getattr(place, field) in names else words

    return objection


def _ignoring(names: Collection[str]) -> Objection:
    def objection(place: Place) -> str | None:
        return "are to be left alone" if place.service_host in names else None

    return objection
