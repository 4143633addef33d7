"""``graphplace top``: what is full."""

import json

import click
from rich.table import Table
from rich.text import Text

from graphplace import ask
from graphplace.ask import Answer
from graphplace.cli.command import Command
from graphplace.cli.database import open_database
from graphplace.graph.database import Database
from graphplace.settings import Settings
from graphplace.views import text

MOST = 20


@click.command(
    cls=Command, examples=["graphplace top", "graphplace top --class VCPU --most 5", "graphplace top --json"]
)
@click.option("--class", "resource_class", metavar="CLASS", help="Only by this resource class.")
@click.option("--most", default=MOST, show_default=True, type=click.IntRange(1), help="How many hosts at the most.")
@click.option("--json", "as_json", is_flag=True, help="Print plain data instead of text.")
def top(*, resource_class: str | None, most: int, as_json: bool) -> None:
    """Show how full each resource class is, and the fullest hosts, by the class of which they have the least left."""
    with open_database(Settings.load()) as database:
        classes, hosts = read_top(database, resource_class, most)
    if as_json:
        click.echo(top_json(classes, hosts))
        return
    console = text.console()
    for table in top_tables(classes, hosts, plain=not console.is_terminal):
        console.print(table)


def read_top(database: Database, resource_class: str | None, most: int) -> tuple[Answer, Answer]:
    """Return the answers about resource classes and about hosts, both the fullest first."""
    given = {"resource_class": resource_class or "", "most": str(most)}
    by_class, by_host = ask.question("usage-by-class"), ask.question("fullest-hosts")
    return (
        ask.run(database, by_class, {"resource_class": resource_class}),
        ask.run(database, by_host, ask.read_values(by_host, given)),
    )


def top_json(classes: Answer, hosts: Answer) -> str:
    """Return both answers as JSON."""
    return json.dumps({"classes": ask.document(classes)["rows"], "hosts": ask.document(hosts)["rows"]})


def top_tables(classes: Answer, hosts: Answer, *, plain: bool) -> tuple[Table, Table]:
    """Return both answers as tables with bars, *plain* or for a terminal."""
    of_classes = Table("class", "", "used", "capacity", "free", "providers", box=None, pad_edge=False)
    for row in ask.document(classes)["rows"]:
        bar = text.bar(row["used"], row["capacity"], plain=plain)
        numbers = (str(row[name]) for name in ("used", "capacity", "free", "providers"))
        of_classes.add_row(row["resource_class"], bar, *numbers)
    of_hosts = Table("host", "class", "", "used", "capacity", "free", box=None, pad_edge=False)
    for row in ask.document(hosts)["rows"]:
        bar = text.bar(row["used"], row["capacity"], plain=plain)
        numbers = (str(row[name]) for name in ("used", "capacity", "free"))
        of_hosts.add_row(Text(text.printable(row["host"])), row["resource_class"], bar, *numbers)
    for table in (of_classes, of_hosts):
        for column in table.columns:
            column.justify = "right" if str(column.header) in {"used", "capacity", "free", "providers"} else "left"
    return of_classes, of_hosts
