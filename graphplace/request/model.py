"""What a client asks of ``GET /allocation_candidates``, as immutable data."""

from dataclasses import dataclass
from typing import Literal

GroupPolicy = Literal["none", "isolate"]


@dataclass(frozen=True, kw_only=True)
class RequestGroup:
    """One request group: what has to be found together, on one provider if the group has a suffix.

    ``suffix`` is "" for the unsuffixed group. ``resources`` are pairs of resource class and amount, the
    classes distinct; none makes the group *resourceless*. Of each set in ``required`` the provider needs at
    least one trait, of each set in ``member_of`` it must be in at least one aggregate; it holds no trait of
    ``forbidden`` and is in no aggregate of ``forbidden_aggregates``. ``in_tree`` is the uuid of a provider in
    whose tree the group is to be satisfied.
    """

    suffix: str = ""
    resources: tuple[tuple[str, int], ...] = ()
    required: tuple[frozenset[str], ...] = ()
    forbidden: frozenset[str] = frozenset()
    member_of: tuple[frozenset[str], ...] = ()
    forbidden_aggregates: frozenset[str] = frozenset()
    in_tree: str | None = None


@dataclass(frozen=True)
class SameSubtree:
    """The suffixes of groups whose providers lie in one subtree, and of groups each of which does not lie in it."""

    suffixes: tuple[str, ...]
    excluded: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class CandidateRequest:
    """All request groups, in the order in which the query names them first, and what holds for all of them.

    The providers of the groups whose suffixes are ``isolated`` serve no other group with a suffix; the policy
    ``isolate`` says so of all groups. The root of the tree that anchors a candidate has every trait of
    ``root_required`` and none of ``root_forbidden``; it is in at least one aggregate of each set in
    ``root_member_of``, and in none of ``root_forbidden_aggregates``. The unsuffixed group may get the classes in
    ``can_split`` from several providers each. ``limit`` is the greatest number of candidates wanted, None for all of
    them. Without ``nested`` no two providers of one tree give resources to one candidate. ``emptied`` asks what there
    would be if nothing were allocated.
    """

    groups: tuple[RequestGroup, ...]
    group_policy: GroupPolicy | None = None
    isolated: tuple[str, ...] = ()
    same_subtrees: tuple[SameSubtree, ...] = ()
    root_required: frozenset[str] = frozenset()
    root_forbidden: frozenset[str] = frozenset()
    root_member_of: tuple[frozenset[str], ...] = ()
    root_forbidden_aggregates: frozenset[str] = frozenset()
    can_split: tuple[str, ...] = ()
    limit: int | None = None
    nested: bool = True
    emptied: bool = False
