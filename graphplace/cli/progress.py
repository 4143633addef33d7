"""Telling on standard error how far a long command has come."""

import sys
import time

import click

# Where nobody watches, a line each time so many seconds have passed; on a terminal one line is written over.
SECONDS = 10.0
SECONDS_ON_A_TERMINAL = 0.2


class Progress:
    """A counter that is told ``(what, done, total)``, the total if it is known; quick commands stay silent."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._pause = SECONDS_ON_A_TERMINAL if self._terminal else SECONDS
        self._next = time.monotonic() + self._pause
        self._shown = False

    def __call__(self, what: str, done: int, total: int | None = None) -> None:
        """Show how many are *done*, now and then."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + self._pause
        text = f"{what}: {done}" if total is None else f"{what}: {done} of {total}"
        click.echo(f"\r\033[K{text}" if self._terminal else text, err=True, nl=not self._terminal)
        self._shown = self._terminal

    def clear(self) -> None:
        """Wipe the line of the counter away, for other lines to come."""
        if self._shown:
            click.echo("\r\033[K", err=True, nl=False)
            self._shown = False
