"""Asking what may hang, without hanging with it."""

from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock, Thread
from typing import Generic, TypeVar

T = TypeVar("T")


class Question(Generic[T]):
    """A question that *ask* answers, in a thread of its own.

    It is not asked again before it was answered: who wants to know meanwhile waits for the same answer. So a Neo4j that
    hangs costs one thread, however many ask.
    """

    def __init__(self, ask: Callable[[], T]) -> None:
        self._ask = ask
        self._lock = Lock()
        self._asked: Future[T] | None = None

    def answer(self, seconds: float) -> T:
        """Return the answer. Raises TimeoutError if there is none within *seconds*, and what the asking raises."""
        with self._lock:
            if self._asked is None or self._asked.done():
                self._asked = self._start()
            asked = self._asked
        return asked.result(seconds)

    def _start(self) -> Future[T]:
        asked = Future[T]()

        def work() -> None:
            try:
                asked.set_result(self._ask())
            except Exception as error:  # whoever waits for the answer raises it
                asked.set_exception(error)

        # Not one that the end of the process would wait for.
        Thread(target=work, daemon=True).start()
        return asked
