"""Random requests that use what graphplace adds to Placement, each written around a candidate of its own."""

from dataclasses import replace

from cloud import Provider
from hypothesis import strategies as st
from oracle.clouds import ALL_AGGREGATES, one_in, one_of, some
from oracle.requests import KNOWN_TRAITS, UNKNOWN_UUID, Around

from graphplace.request.model import CandidateRequest, GroupPolicy, RequestGroup, SameSubtree


@st.composite
def extended_requests(draw: st.DrawFn, cloud: tuple[Provider, ...]) -> CandidateRequest:
    """Draw a request that uses at least one extension."""
    around = _Beyond(cloud, draw)
    request = around.request()
    return request if is_extended(request) else replace(request, **around.about_roots())


def is_extended(request: CandidateRequest) -> bool:
    """Tell whether Placement would refuse *request* for something that it does not have."""
    suffixed = [group for group in request.groups if group.suffix]
    return bool(
        request.isolated
        or request.root_member_of
        or request.root_forbidden_aggregates
        or request.can_split
        or any(subtree.excluded for subtree in request.same_subtrees)
        or (len(suffixed) > 1 and request.group_policy is None)
        or any(not (group.suffix or group.resources) for group in request.groups)
    )


class _Beyond(Around):
    """Chooses as for any request, and now and then in a way that only graphplace understands."""

    can_split: tuple[str, ...] = ()

    def request(self) -> CandidateRequest:
        request = replace(super().request(), can_split=self.can_split)
        if request.group_policy is None and self.draw(one_in(2)):
            request = replace(request, isolated=self.isolated())
        return replace(request, **self.about_roots()) if self.draw(one_in(3)) else request

    def unsuffixed(self) -> RequestGroup:
        if self.taken and self.draw(one_in(3)):
            return self.somewhere_in_the_tree()
        return self.split() if self.draw(one_in(2)) else super().unsuffixed()

    def somewhere_in_the_tree(self) -> RequestGroup:
        own = [uuid for uuid in self.providers if self.oracle.root(uuid) == self.anchor]
        group = self.conditions("", (), [self.draw(one_of(*own))])
        return group if group != RequestGroup() else replace(group, forbidden=frozenset({KNOWN_TRAITS[0]}))

    def split(self) -> RequestGroup:
        """Ask for what several providers of the tree have together, of one class or of two."""
        resources: dict[str, int] = {}
        used = []
        for _ in range(self.draw(one_of(1, 1, 2))):
            name = self.draw(one_of(*self.often_held()))
            parts = self.parts(name)
            if name not in resources and parts:
                resources[name] = sum(parts.values())
                used += parts
        if not resources:
            return super().unsuffixed()
        self.can_split = tuple(resources)
        for name, amount in self.resources(self.provider(), 1) if self.draw(one_in(2)) else ():
            resources.setdefault(name, amount)
        if self.draw(one_in(4)):
            self.can_split = tuple(resources)
        return self.conditions("", tuple(resources.items()), used)

    def often_held(self) -> list[str]:
        """Return the classes of the tree, those of most providers most often."""
        own = [uuid for uuid in self.providers if self.oracle.root(uuid) == self.anchor]
        held = [name for uuid in own for name in self.possible(uuid)]
        return [name for name in held for _ in range(held.count(name))] or ["VCPU"]

    def parts(self, name: str) -> dict[str, int]:
        """Draw what some providers of the tree may give of a class."""
        able = {
            uuid: possible[name]
            for uuid in self.providers
            if self.oracle.root(uuid) == self.anchor and name in (possible := self.possible(uuid))
        }
        chosen = self.draw(some(tuple(able), 3, min(len(able), 2)))
        parts = {uuid: self.draw(one_of(able[uuid][-1], *able[uuid])) for uuid in chosen}
        for uuid, part in parts.items():
            self.taken[uuid, name] = self.taken.get((uuid, name), 0) + part
        return parts

    def group_policy(self) -> GroupPolicy | None:
        return super().group_policy() if self.draw(one_in(4)) else None

    def isolated(self) -> tuple[str, ...]:
        """Draw groups whose providers no other group is written around."""
        used = list(self.chosen.values())
        alone = [suffix for suffix, uuid in self.chosen.items() if used.count(uuid) == 1 or self.slips()]
        return tuple(self.draw(some(tuple(alone), 3)))

    def subtree(self, suffix: str) -> SameSubtree:
        subtree = super().subtree(suffix)
        inside = {self.chosen[one] for one in subtree.suffixes}
        outside = [
            one
            for one, uuid in self.chosen.items()
            if one not in subtree.suffixes and (self.slips() or not self.oracle.is_subtree(inside | {uuid}))
        ]
        return replace(subtree, excluded=tuple(self.draw(some(tuple(outside), 2))))

    def about_roots(self) -> dict[str, object]:
        """Draw aggregates that the anchor is in, or is not in."""
        had = sorted(self.oracle.aggregates(self.anchor))
        others = [one for one in ALL_AGGREGATES if one not in had or self.slips()]
        return {
            "root_member_of": self.sets(had, ALL_AGGREGATES, UNKNOWN_UUID, fewest=1),
            "root_forbidden_aggregates": frozenset(self.draw(some((*others, UNKNOWN_UUID), 2, 1))),
        }
