"""How many roots and providers meet each condition of a request, by looking at each of them."""

from collections.abc import Iterable, Sequence

from oracle.oracle import Oracle, capacity

from graphplace.request.model import CandidateRequest, RequestGroup

OF_ROOTS = ("in_tree", "tree_holds", "root_required", "root_member_of")
OF_PROVIDERS = (
    "class",
    "capacity",
    "min_unit",
    "max_unit",
    "step_size",
    "distinguished",
    "required",
    "forbidden",
    "member_of",
    "forbidden_aggregates",
    "in_tree",
)

Slot = tuple[RequestGroup, tuple[tuple[str, int], ...]]


class Counting:
    """What :class:`Oracle` says of one request, condition by condition."""

    def __init__(self, oracle: Oracle, request: CandidateRequest) -> None:
        self.oracle = oracle
        self.request = request
        self.roots = [root for root in self.all_roots() if all(self.of_root(root))]

    def all_roots(self) -> list[str]:
        return [uuid for uuid, one in self.oracle.providers.items() if one.parent is None]

    def slots(self) -> list[Slot]:
        return [
            (group, resources)
            for group in self.request.groups
            for resources in ([group.resources] if group.suffix else [(one,) for one in group.resources])
        ]

    def remaining_roots(self) -> dict[str, int]:
        return remaining(([self.of_root(root)] for root in self.all_roots()), OF_ROOTS)

    def remaining(self, slot: Slot) -> dict[str, int]:
        """Return how many providers meet each condition of the slot and those before it, under any of the roots."""
        views: dict[str, list[list[bool]]] = {}
        for root in self.roots:
            for uuid in self.oracle.reachable(root):
                views.setdefault(uuid, []).append(self.of_provider(slot, uuid, root))
        return remaining(views.values(), OF_PROVIDERS)

    def of_root(self, root: str) -> list[bool]:
        """Tell what the root meets of in_tree, an unsuffixed group without resources, root traits and aggregates."""
        unsuffixed = [group for group in self.request.groups if not group.suffix]
        traits, aggregates = self.oracle.providers[root].traits, self.oracle.aggregates(root)
        return [
            all(
                group.in_tree is None
                or (group.in_tree in self.oracle.providers and self.oracle.root(group.in_tree) == root)
                for group in unsuffixed
            ),
            all(group.resources or self.oracle.has_such(root, group) for group in unsuffixed if self.known_tree(group)),
            self.request.root_required.issubset(traits) and self.request.root_forbidden.isdisjoint(traits),
            all(not any_of.isdisjoint(aggregates) for any_of in self.request.root_member_of)
            and self.request.root_forbidden_aggregates.isdisjoint(aggregates),
        ]

    def known_tree(self, group: RequestGroup) -> bool:
        return group.in_tree is None or group.in_tree in self.oracle.providers

    def of_provider(self, slot: Slot, uuid: str, root: str) -> list[bool]:
        group, resources = slot
        oracle = self.oracle
        stocks = [(amount, oracle.providers[uuid].inventories.get(name)) for name, amount in resources]
        has_all = all(stock for _, stock in stocks)
        held = [(amount, stock) for amount, stock in stocks if stock]
        spanned = not group.suffix and oracle.root(uuid) == root and oracle.is_member(root, group)
        forbidden = oracle.is_forbidden_member(uuid, group) or (
            not group.suffix and oracle.is_forbidden_member(root, group)
        )
        return [
            has_all,
            all(stock.used + amount <= capacity(stock) for amount, stock in held),
            all(amount >= stock.min_unit for amount, stock in held),
            all(amount <= stock.max_unit for amount, stock in held),
            all(amount % stock.step_size == 0 for amount, stock in held),
            bool(resources or group.required or group.member_of),
            all(oracle.has_any(uuid, any_of) for any_of in group.required) or not group.suffix,
            not oracle.has_any(uuid, group.forbidden),
            oracle.is_member(uuid, group) or spanned,
            not forbidden,
            self.is_in_tree(slot, uuid, root),
        ]

    def fits(self, slot: Slot, root: str) -> bool:
        """Tell whether a provider within reach of the root meets all that the slot asks of one."""
        return any(all(self.of_provider(slot, uuid, root)) for uuid in self.oracle.reachable(root))

    def roots_with_all(self) -> list[str]:
        """Return the roots with a provider for each slot, leaving out what may be given in parts."""
        whole = [slot for slot in self.slots() if not self.is_splittable(slot)]
        return [root for root in self.roots if all(self.fits(slot, root) for slot in whole)]

    def is_splittable(self, slot: Slot) -> bool:
        group, resources = slot
        return not group.suffix and resources[0][0] in self.request.can_split

    def can_give_parts(self, root: str) -> bool:
        """Tell whether the tree has all that may be given in parts, in parts or not."""
        return all(
            self.fits(slot, root) or self.oracle.splits(*slot[1][0], slot[0], root)
            for slot in self.slots()
            if self.is_splittable(slot)
        )

    def is_in_tree(self, slot: Slot, uuid: str, root: str) -> bool:
        group, resources = slot
        if group.in_tree is None or not resources:
            return True
        home = self.oracle.root(uuid)
        of_the_tree = self.known_tree(group) and home == self.oracle.root(group.in_tree)
        return of_the_tree and (home == root or bool(group.suffix))


def remaining(views: Iterable[list[list[bool]]], conditions: Sequence[str]) -> dict[str, int]:
    """Count those of whom any view meets each of *conditions* and all before it."""
    reached = [max([*view, False].index(False) for view in of_one) for of_one in views]
    return {name: sum(one >= number for one in reached) for number, name in enumerate(conditions, 1)}
