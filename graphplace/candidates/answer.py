"""Placements in the form of the API: allocation requests with their mappings."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from graphplace.candidates.remembered import Summary
from graphplace.candidates.splits import Choice
from graphplace.candidates.spread import Placement
from graphplace.compiler.slots import Slot, Slots


@dataclass(frozen=True)
class _Form:
    """What a choice gives, by positions: to all trees where it is made, however many those are.

    ``gifts`` has, for each position that gives something, what stands under the provider in ``allocations``;
    ``mappings`` the positions under each suffix.
    """

    gifts: tuple[tuple[int, dict[str, dict[str, int]]], ...]
    mappings: tuple[tuple[str, tuple[int, ...]], ...]


class Answer:
    """The allocation requests of one request's placements."""

    def __init__(self, slots: Slots) -> None:
        self._slots = slots
        self._forms: dict[Choice, _Form] = {}

    def allocation_request(self, placement: Placement) -> dict[str, Any]:
        """Return *placement* as the API gives it."""
        form = self._form(placement.choice)
        providers = placement.tree.providers
        return {
            "allocations": {providers[position]: gift for position, gift in form.gifts},
            "mappings": {
                suffix: [providers[position] for position in positions] for suffix, positions in form.mappings
            },
        }

    def roots(self, placement: Placement) -> Iterator[str]:
        """Yield the roots of the trees that give resources in *placement*."""
        tree = placement.tree
        if not tree.shared:
            yield tree.root
            return
        for position, _ in self._form(placement.choice).gifts:
            yield tree.shared.get(position, tree.root)

    def is_flat(self, placement: Placement) -> bool:
        """Tell whether each provider that gives resources in *placement* is of another tree."""
        tree = placement.tree
        roots = [tree.shared.get(position, tree.root) for position, _ in self._form(placement.choice).gifts]
        return len(roots) == len(set(roots))

    def _form(self, choice: Choice) -> _Form:
        form = self._forms.get(choice)
        if form is None:
            form = self._forms[choice] = _form_of(self._slots, choice)
        return form


def _form_of(slots: Slots, choice: Choice) -> _Form:
    gifts: dict[int, dict[str, dict[str, int]]] = {}
    mappings: dict[str, dict[int, None]] = {}
    for slot, position in _filled(slots, choice):
        mappings.setdefault(slot.group.suffix, {})[position] = None
        if slot.resources:
            resources = gifts.setdefault(position, {"resources": {}})["resources"]
            for name, amount in slot.resources:
                resources[name] = resources.get(name, 0) + amount
    return _Form(tuple(gifts.items()), tuple((suffix, tuple(positions)) for suffix, positions in mappings.items()))


def _filled(slots: Slots, choice: Choice) -> Iterator[tuple[Slot, int]]:
    """Yield each slot with the position of its provider, and one slot for each part of what was split."""
    for slot, chosen in zip(slots.all, choice, strict=True):
        if isinstance(chosen, int):
            yield slot, chosen
        else:
            ((name, _),) = slot.resources
            yield from ((Slot(slot.group, ((name, part),)), position) for position, part in chosen)


def is_current(allocation_request: dict[str, Any], summaries: dict[str, Summary]) -> bool:
    """Tell whether what was found still fits what was read after it: others may have claimed or deleted meanwhile."""
    for provider, gift in allocation_request["allocations"].items():
        summary = summaries.get(provider)
        if summary is None:
            return False
        for name, amount in gift["resources"].items():
            stored = summary["resources"].get(name)
            if stored is None or stored["used"] + amount > stored["capacity"]:
                return False
    return True
