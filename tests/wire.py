"""What the compute side sends, and a chance to be quicker than it, or to end it."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from graphplace.compute.placement import Session


class CrashError(BaseException):
    """The end of a process, which no code of it sees coming."""


class Wire:
    """A session that notes what is sent.

    ``sent`` has each request as "METHOD /path?query", ``headers`` those of the last one.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._before: list[tuple[re.Pattern[str], Iterator[Callable[[], object]]]] = []
        self.sent: list[str] = []
        self.headers: dict[str, str] = {}

    @property
    def writes(self) -> list[str]:
        return [line for line in self.sent if not line.startswith("GET ")]

    def before(self, pattern: str, action: Callable[[], object], *, times: int = 1, skip: int = 0) -> None:
        """Do *action* before each of the next *times* requests that the pattern is found in, after *skip* of them."""
        self._before.append((re.compile(pattern), iter([lambda: None] * skip + [action] * times)))

    def get(self, url: str, **options: Any) -> Any:
        return self._send("GET", url, **options)

    def put(self, url: str, **options: Any) -> Any:
        return self._send("PUT", url, **options)

    def post(self, url: str, **options: Any) -> Any:
        return self._send("POST", url, **options)

    def delete(self, url: str, **options: Any) -> Any:
        return self._send("DELETE", url, **options)

    def _send(self, method: str, url: str, **options: Any) -> Any:
        line = f"{method} {url}"
        for pattern, actions in self._before:
            if pattern.search(line):
                next(actions, lambda: None)()
        self.sent.append(line)
        self.headers = options["headers"]
        return getattr(self._session, method.lower())(url, **options)


def crash() -> None:
    """End the process."""
    raise CrashError
