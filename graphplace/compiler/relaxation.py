"""One thing less in a request: what may be left out of it for it to have candidates."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from graphplace.request.model import CandidateRequest, RequestGroup
from graphplace.request.write import any_of as written


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


def of_names(request: CandidateRequest, *, parameter: str, required: str, forbidden: str) -> Iterator[Relaxation]:
    """Yield a relaxation for each set of names that a group wants any of, and for each name that it does not want.

    *required* and *forbidden* are the fields of a group that hold them, *parameter* is what the query calls both.
    """
    for group in request.groups:
        for any_of in getattr(group, required):
            about = f"{parameter}{group.suffix}={written(any_of)}"
            yield of_group(group, about, partial(_without_required, field=required, any_of=any_of))
        for name in sorted(getattr(group, forbidden)):
            about = f"{parameter}{group.suffix}=!{name}"
            yield of_group(group, about, partial(_without_forbidden, field=forbidden, name=name))


def _without_required(group: RequestGroup, *, field: str, any_of: frozenset[str]) -> RequestGroup:
    kept = tuple(one for one in getattr(group, field) if one != any_of)
    return replace(group, **{field: kept})  # type: ignore[arg-type]  # the field holds such


def _without_forbidden(group: RequestGroup, *, field: str, name: str) -> RequestGroup:
    return replace(group, **{field: getattr(group, field) - {name}})
