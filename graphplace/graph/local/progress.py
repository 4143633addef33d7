"""Telling a person what takes long: a bar on a terminal, plain lines elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.filesize import decimal
from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn, TransferSpeedColumn
from rich.progress import Progress as Bar


class Progress:
    """Reports to *console*; the default is the standard error, so that standard output stays the answer."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(stderr=True)

    @classmethod
    def silent(cls) -> "Progress":
        """Report nothing."""
        return cls(Console(quiet=True))

    def say(self, text: str) -> None:
        """Print *text* as a line of its own."""
        self.console.print(text, highlight=False, markup=False, soft_wrap=True)

    @contextmanager
    def download(self, title: str, total: int) -> Iterator[Callable[[int], None]]:
        """Yield a function that takes the number of bytes that came in, of *total* altogether.

        The function may be called from several threads.
        """
        columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
        with Bar(*columns, TimeRemainingColumn(), console=self.console, disable=not self.console.is_terminal) as bar:
            task = bar.add_task(title, total=total)
            if self.console.is_terminal:
                yield lambda count: bar.advance(task, count)
                return
            self.say(f"{title}: {decimal(total)} ...")
            yield lambda _: None
            self.say(f"{title}: done.")
