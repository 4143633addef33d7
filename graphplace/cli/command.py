"""What all commands share: examples in the help, and one line for what goes wrong."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import click

from graphplace.errors import GraphplaceError
from graphplace.validation import Shape, json_schema


class Command(click.Command):
    """A command whose help ends with *examples*, each a line that a shell takes as it stands."""

    def __init__(self, *args: Any, examples: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = tuple(examples)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # click's
        """Write the examples."""
        with formatter.section("Examples"):
            for example in self.examples:
                formatter.write(f"  {example}\n")


class FailedError(click.ClickException):
    """What looks for faults failed itself, so that nothing is known of the graph."""

    exit_code = 2


class Group(click.Group):
    """A group of commands that fail with one line on standard error and exit status 1."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that *ctx* names."""
        try:
            return super().invoke(ctx)
        except GraphplaceError as error:
            raise click.ClickException(str(error)) from error


def printing_option(name: str, text: Callable[[], str], words: str) -> Callable[[Callable[..., None]], Any]:
    """Return the option *name*, which prints *text* in place of whatever its command does; *words* are its help."""

    def show(context: click.Context, _parameter: click.Parameter, value: bool) -> None:  # noqa: FBT001  # click's
        if value:
            click.echo(text())
            context.exit()

    return click.option(name, is_flag=True, is_eager=True, expose_value=False, callback=show, help=words)


def schema_option(shape: Shape) -> Callable[[Callable[..., None]], Any]:
    """Return the option ``--schema``, which prints the JSON Schema of *shape*."""
    return printing_option("--schema", lambda: json.dumps(json_schema(shape), indent=2), "Print the JSON Schema.")


restart_option = click.option(
    "--restart",
    is_flag=True,
    help="If the graph holds a part only, as one that was broken off left it, empty it first.",
)
