"""``graphplace completion``: completion of commands and options in the shell, by click."""

import click
from click.shell_completion import get_completion_class

from graphplace.cli.command import Command


@click.command(
    cls=Command,
    examples=[
        'eval "$(graphplace completion bash)"',
        'eval "$(graphplace completion zsh)"',
        "graphplace completion fish > ~/.config/fish/completions/graphplace.fish",
    ],
)
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@click.pass_context
def completion(context: click.Context, *, shell: str) -> None:
    """Print what lets SHELL complete graphplace's commands, options and questions."""
    root = context.find_root()
    made = get_completion_class(shell)
    if made is not None:
        click.echo(made(root.command, {}, "graphplace", "_GRAPHPLACE_COMPLETE").source())
