"""One condition on a provider, told twice: in English for people, and in Cypher for the pattern form.

In Cypher the root of the anchoring tree is ``root``, the provider of the n-th slot is ``p<n>`` and its inventory of
the m-th class of that slot ``i<n>_<m>``. A slot that may be split has a way ``w<n>`` instead: a map with its ``parts``,
each a map of ``provider``, ``inventory`` and ``amount``. Text of a request enters Cypher as a quoted literal and in no
other way.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from graphplace.compiler.slots import Slot, Slots

ROOT = "root"


@dataclass(frozen=True, kw_only=True)
class Clause:
    """A condition, where ``words`` say what ``patterns`` match and ``predicates`` demand, all of them.

    The words follow "a provider" or "a root", as in "with the trait HW_NUMA_ROOT". They may contain any text that the
    request does. A predicate may have several lines.
    """

    words: str
    patterns: tuple[str, ...] = ()
    predicates: tuple[str, ...] = ()


def provider(position: int) -> str:
    """Return the variable for the provider of the slot at *position*."""
    return f"p{position + 1}"


def inventory(position: int, resource: int) -> str:
    """Return the variable for the inventory that serves a resource, by its position, of the slot at *position*."""
    return f"i{position + 1}_{resource + 1}"


def way(position: int) -> str:
    """Return the variable for the way to fill the slot at *position*, which may be split."""
    return f"w{position + 1}"


def parts(position: int) -> str:
    """Return the list of parts of the slot at *position*, which may be split."""
    return f"{way(position)}.parts"


def amounts(position: int) -> str:
    """Return the name for what each provider of the slot at *position*, which may be split, gives."""
    return f"amounts{position + 1}"


def part_of_each(slots: Slots, positions: Iterable[int], part: str, whole: Callable[[int], Iterable[str]]) -> str:
    """Return a list of what fills the slots at *positions*: *part* of each part, or else what *whole* names."""
    positions = list(positions)
    unsplit = [variable for one in positions if one not in slots.splittable for variable in whole(one)]
    split = [f"[part IN {parts(one)} | part.{part}]" for one in positions if one in slots.splittable]
    return " + ".join([f"[{', '.join(unsplit)}]"] * bool(unsplit or not split) + split)


def quoted(text: str) -> str:
    """Return *text* as a string literal: JSON's escapes are Cypher's."""
    return json.dumps(text)


def linked(variable: str, relationship: str, label: str, key: str, names: Iterable[str]) -> str:
    """Return a predicate: *variable* has a *relationship* to a node with this label and one of the names as key."""
    match sorted(names):
        case [name]:
            return f"EXISTS {{ ({variable})-[:{relationship}]->(:{label} {{{key}: {quoted(name)}}}) }}"
        case several:
            one_of = ", ".join(quoted(name) for name in several)
            return f"EXISTS {{ ({variable})-[:{relationship}]->(one:{label}) WHERE one.{key} IN [{one_of}] }}"


def counted(number: int, noun: str) -> str:
    """Return "1 tree" or "2 trees"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def in_words(names: Iterable[str], conjunction: str) -> str:
    """Return ``A``, ``A or B``, ``A, B or C`` with the *conjunction* "or"."""
    *others, last = names
    return f"{', '.join(others)} {conjunction} {last}" if others else last


def group_in_words(slot: Slot) -> str:
    """Return what people call the group of *slot*."""
    return f"group {slot.group.suffix}" if slot.suffixed else "the unsuffixed group"


def groups_in_words(slots: Sequence[Slot]) -> str:
    """Return what people call the groups of *slots*."""
    return in_words(dict.fromkeys(group_in_words(slot) for slot in slots), "and")
