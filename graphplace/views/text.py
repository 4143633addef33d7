"""Trees and candidates as lines of text: with colours and blocks on a terminal, plain where it is not one."""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from graphplace.views.trees import Node, Root, Stock, TreeView

BAR_WIDTH = 20
BLOCKS = ("█", "░")
PLAIN_BLOCKS = ("#", ".")
# Where nobody looks at it, no line is wrapped: programs read them.
UNWRAPPED = 100_000
# What a terminal would obey. Anybody may have given something its name.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def console() -> Console:
    """Return the console on standard output."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else UNWRAPPED)


def print_tree(console: Console, view: TreeView) -> None:
    """Print the tree as an outline, with a bar of what is used for every inventory, and the pools it can draw on."""
    for line in tree_lines(view, plain=not console.is_terminal):
        console.print(line, soft_wrap=True)


def tree_lines(view: TreeView, *, plain: bool) -> Iterator[Text]:
    """Yield the lines of :func:`print_tree`; *plain* ones have no characters that only a terminal shows well."""
    for node in view.providers:
        yield from _node_lines(node, "    " * node.depth, "", plain=plain)
    for node in view.sharing:
        yield from _node_lines(node, "", "  shares with this tree", plain=plain)


def print_roots(console: Console, roots: Iterable[Root]) -> None:
    """Print a line for each tree."""
    rows = ([root.name, root.uuid, str(root.providers)] for root in roots)
    print_table(console, ["host", "uuid", "providers"], rows)


def print_candidates(console: Console, requests: list[dict[str, Any]], names: Mapping[str, str]) -> None:
    """Print a line for each allocation request; *names* are those of its providers, by uuid."""
    rows = ([str(number), _resources(one, names), _groups(one, names)] for number, one in enumerate(requests, 1))
    print_table(console, ["#", "resources", "groups"], rows)


def print_table(console: Console, titles: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    """Print *rows* in columns under *titles*."""
    table = Table(*titles, box=None, pad_edge=False)
    for row in rows:
        # What is read from the graph is no markup.
        table.add_row(*(Text(printable(cell)) for cell in row))
    console.print(table)


def printable(name: str) -> str:
    """Return *name* as a terminal may be given it, with U+FFFD for each control character."""
    return _CONTROL.sub("\ufffd", name)


def _node_lines(node: Node, indent: str, note: str, *, plain: bool) -> Iterator[Text]:
    yield Text(indent).append(printable(node.name), "bold").append(f"  {node.uuid}", "dim").append(note, "italic")
    width = max((len(stock.resource_class) for stock in node.inventories), default=0)
    for stock in node.inventories:
        line = Text(f"{indent}  {stock.resource_class:{width}} ")
        yield line.append_text(bar(stock.used, stock.capacity, plain=plain)).append(f" {_numbers(stock)}")
    if node.traits:
        yield Text(f"{indent}  traits: {', '.join(node.traits)}", "cyan")
    if node.aggregates:
        yield Text(f"{indent}  aggregates: {', '.join(node.aggregates)}", "magenta")


def bar(used: int, capacity: int, *, plain: bool) -> Text:
    """Return a bar of what is used of a capacity."""
    full, empty = PLAIN_BLOCKS if plain else BLOCKS
    share = used / capacity if capacity else float(used > 0)
    # Something used is never an empty bar, and something free never a full one.
    filled = min(BAR_WIDTH, max(int(share * BAR_WIDTH), int(used > 0)))
    style = "red" if used > capacity else "yellow" if filled == BAR_WIDTH else "green"
    return Text(f"[{full * filled}", style).append(empty * (BAR_WIDTH - filled), "dim").append("]", style)


def _numbers(stock: Stock) -> str:
    over = stock.used - stock.capacity
    rest = f"OVER CAPACITY by {over}" if over > 0 else f"{-over} free"
    reserved = f", {stock.reserved} reserved" if stock.reserved else ""
    return f"{stock.used} of {stock.capacity} used, {rest}{reserved}"


def _resources(one: dict[str, Any], names: Mapping[str, str]) -> str:
    return " + ".join(
        f"{names.get(uuid, uuid)} {','.join(f'{name}:{amount}' for name, amount in given['resources'].items())}"
        for uuid, given in one["allocations"].items()
    )


def _groups(one: dict[str, Any], names: Mapping[str, str]) -> str:
    return "  ".join(
        f"{suffix}={','.join(names.get(uuid, uuid) for uuid in uuids)}"
        for suffix, uuids in one["mappings"].items()
        if suffix
    )
