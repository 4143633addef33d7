"""What ``/metrics`` says, as a test wants to look at it."""

from collections.abc import Mapping

from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

Labels = frozenset[tuple[str, str]]


def samples(text: str) -> dict[tuple[str, Labels], float]:
    """The value of each sample, by its name and its labels."""
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


class Metrics:
    """The numbers of *client*, of which the tests look at what was added since."""

    def __init__(self, client: FlaskClient, headers: Mapping[str, str] | None = None) -> None:
        self._client, self._headers = client, headers or {}
        self.before = self.read()

    def read(self) -> dict[tuple[str, Labels], float]:
        answer = self._client.get("/metrics", headers=self._headers)
        assert answer.status_code == 200, answer.text
        return samples(answer.text)

    def now(self, name: str, **labels: str) -> float | None:
        """The value of a sample now; None if there is none of these labels."""
        return self.read().get((f"graphplace_{name}", frozenset(labels.items())))

    def added(self, name: str, **labels: str) -> float:
        """By how much a sample has grown since this was made."""
        key = (f"graphplace_{name}", frozenset(labels.items()))
        return self.read().get(key, 0) - self.before.get(key, 0)
