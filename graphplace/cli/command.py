"""What all commands share: examples in the help, and one line for what goes wrong."""

from collections.abc import Sequence
from typing import Any

import click

from graphplace.errors import GraphplaceError


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


class Group(click.Group):
    """A group of commands that fail with one line on standard error and exit status 1."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that *ctx* names."""
        try:
            return super().invoke(ctx)
        except GraphplaceError as error:
            raise click.ClickException(str(error)) from error
