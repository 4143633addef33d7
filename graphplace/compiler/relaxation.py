"""One thing less in a request: what may be left out of it for it to have candidates."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from graphplace.request.model import CandidateRequest, RequestGroup


@dataclass(frozen=True)
class Relaxation:
    """``relaxed(request)`` is the request without what ``about`` says as the query does.

    It lets more providers fit the group ``suffix``, if that is not None, and more trees anchor candidates if
    ``of_root``; otherwise it is about what holds among groups.
    """

    about: str
    relaxed: Callable[[CandidateRequest], CandidateRequest]
    suffix: str | None = None
    of_root: bool = False


def of_group(
    group: RequestGroup, about: str, change: Callable[[RequestGroup], RequestGroup], *, of_root: bool = False
) -> Relaxation:
    """Return the relaxation that makes *change* to the *group* of a request.

    What an unsuffixed group without resources asks for is a condition on the tree.
    """

    def relaxed(request: CandidateRequest) -> CandidateRequest:
        groups = tuple(change(one) if one.suffix == group.suffix else one for one in request.groups)
        return replace(request, groups=groups)

    is_slot = bool(group.suffix or group.resources)
    return Relaxation(about, relaxed, group.suffix if is_slot else None, of_root or not is_slot)
