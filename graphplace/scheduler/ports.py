"""What Neutron's ports and networks need of a host."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from graphplace.errors import BadRequestError
from graphplace.request.model import RequestGroup
from graphplace.scheduler.versioned import Versioned

REMOTE_MANAGED = "remote-managed"


@dataclass(frozen=True, kw_only=True)
class Port(Versioned):
    """A port: its uuid, its request groups, the suffixes of those that need one subtree, and who manages it."""

    uuid: str
    groups: tuple[RequestGroup, ...] = ()
    same_subtree: tuple[str, ...] = ()
    remote_managed: bool = False

    @classmethod
    def from_neutron(cls, port: Mapping[str, Any]) -> "Port":
        """Return what Neutron's answer to GET /v2.0/ports/{id} says of *port*.

        Its ``resource_request`` has either one group, which gets the port's uuid as its suffix, or ``request_groups``
        with an ``id`` each and ``same_subtree``. Raises BadRequestError for one that has neither form.
        """
        asked = port.get("resource_request") or {}
        try:
            groups = asked["request_groups"] if "request_groups" in asked else [{"id": port["id"], **asked}]
            return cls(
                uuid=port["id"],
                groups=tuple(_group(group) for group in groups if asked),
                same_subtree=tuple(asked.get("same_subtree", ())),
                remote_managed=port.get("binding:vnic_type") == REMOTE_MANAGED,
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise BadRequestError(
                f"The resource_request of port {port.get('id')} must have resources, or request_groups with an id and "
                f"resources each. Got: {asked}"
            ) from error


def segments_of(subnets: Iterable[Mapping[str, Any]], port: Mapping[str, Any] | None = None) -> frozenset[str]:
    """Return the segments of a network by any of which an instance may be attached to it; none if it is not routed.

    *subnets* are those of the network as Neutron's answer to GET /v2.0/subnets has them, and *port* is the instance's,
    as for :meth:`Port.from_neutron`. One that has addresses stays in the subnets of these.
    """
    fixed = {address["subnet_id"] for address in (port or {}).get("fixed_ips") or ()}
    segments = {subnet.get("segment_id") for subnet in subnets if not fixed or subnet["id"] in fixed}
    return frozenset(segment for segment in segments if segment)


def _group(group: Mapping[str, Any]) -> RequestGroup:
    return RequestGroup(
        suffix=group["id"],
        resources=tuple(group["resources"].items()),
        required=tuple(frozenset({trait}) for trait in group.get("required", ())),
    )
