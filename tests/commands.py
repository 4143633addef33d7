"""Running the ``graphplace`` command as a test does."""

from dataclasses import dataclass
from typing import Any

from click.testing import CliRunner, Result

from graphplace.cli import main
from graphplace.cli.serve import environment
from graphplace.settings import Settings

# However busy the machine is, all changes are tried that explanations suggest.
ANY_TIME = {"GRAPHPLACE_EXPLAIN_CHANGES_TIMEOUT": "0"}


@dataclass(frozen=True)
class Command:
    """``graphplace`` with *settings*: call it with the arguments of the command line."""

    settings: Settings

    def __call__(self, *arguments: str, env: dict[str, str] | None = None, **options: Any) -> Result:
        return CliRunner().invoke(main, arguments, env=environment(self.settings) | (env or {}), **options)
