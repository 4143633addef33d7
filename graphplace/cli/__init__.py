"""The ``graphplace`` command: one module for each of its commands."""

import click

from graphplace.cli.aggregate import aggregate
from graphplace.cli.ask import ask
from graphplace.cli.audit import audit_graph
from graphplace.cli.candidates import candidates
from graphplace.cli.cell import cell
from graphplace.cli.check import check_graph
from graphplace.cli.command import Group
from graphplace.cli.compile import compile_query
from graphplace.cli.completion import completion
from graphplace.cli.cypher import cypher
from graphplace.cli.db import db
from graphplace.cli.demo import demo
from graphplace.cli.discover import discover
from graphplace.cli.dump import dump_file
from graphplace.cli.explain import explain_query
from graphplace.cli.export import export
from graphplace.cli.host import host
from graphplace.cli.import_placement import import_placement
from graphplace.cli.load import load_file
from graphplace.cli.migrate import migrate_compute_inventory
from graphplace.cli.neo4j import neo4j
from graphplace.cli.push import push_graph
from graphplace.cli.reshape import reshape
from graphplace.cli.schedule import schedule
from graphplace.cli.serve import serve
from graphplace.cli.status import status
from graphplace.cli.top import top
from graphplace.cli.tree import tree
from graphplace.cli.watch import watch
from graphplace.cli.what_if import what_if


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="graphplace")
def main() -> None:
    """OpenStack Placement on a Neo4j property graph.

    Every command works on the Neo4j at GRAPHPLACE_NEO4J_URI. Without that setting it works on the managed local
    Neo4j: the one that runs on the data folder, or one that it starts for as long as it needs it.
    """


for command in (
    demo,
    serve,
    candidates,
    explain_query,
    what_if,
    tree,
    top,
    watch,
    ask,
    cypher,
    export,
    discover,
    cell,
    host,
    aggregate,
    schedule,
    load_file,
    dump_file,
    reshape,
    migrate_compute_inventory,
    import_placement,
    push_graph,
    check_graph,
    audit_graph,
    compile_query,
    db,
    status,
    neo4j,
    completion,
):
    main.add_command(command)
