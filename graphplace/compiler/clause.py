"""One condition on a provider, told twice: in English for people, and in Cypher for the pattern form.

In Cypher the root of the anchoring tree is ``root``, the provider of the n-th slot is ``p<n>`` and its inventory of
the m-th class of that slot ``i<n>_<m>``. Text of a request enters Cypher as a quoted literal and in no other way.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graphplace.compiler.slots import Slot

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
