"""Answers to the compute side that are not Placement's."""

from typing import Any

import pytest

from graphplace.compute.errors import PlacementError
from graphplace.compute.placement import Placement
from graphplace.errors import Code


class Answer:
    def __init__(self, status_code: int, text: str, body: Any = None) -> None:
        self.status_code = status_code
        self.text = text
        self._body = body

    def json(self) -> Any:
        if self._body is None:
            raise ValueError("no JSON")
        return self._body


class Session:
    """Gives one answer to everything."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def get(self, _url: str, /, **_options: Any) -> Any:
        return self._answer

    put = post = delete = get


@pytest.mark.parametrize(
    ("body", "words", "code"),
    [
        (None, "<h1>Bad gateway</h1>", Code.UNDEFINED),
        ([], "<h1>Bad gateway</h1>", Code.UNDEFINED),
        ({"errors": []}, "<h1>Bad gateway</h1>", Code.UNDEFINED),
        ({"errors": [{"detail": None}]}, "<h1>Bad gateway</h1>", Code.UNDEFINED),
        ({"errors": [{"detail": " late \n"}]}, "late", Code.UNDEFINED),
        ({"errors": [{"detail": "new", "code": "placement.of_a_later_release"}]}, "new", Code.UNDEFINED),
        ({"errors": [{"detail": "race", "code": "placement.concurrent_update"}]}, "race", Code.CONCURRENT_UPDATE),
    ],
)
def test_a_refusal_in_any_words(body: Any, words: str, code: Code) -> None:
    placement = Placement(Session(Answer(502, "<h1>Bad gateway</h1>", body)))

    with pytest.raises(PlacementError) as raised:
        placement.put("/traits/CUSTOM_A")
    assert str(raised.value) == f"PUT /traits/CUSTOM_A was refused with 502: {words}"
    assert (raised.value.status, raised.value.code) == (502, code)


def test_an_answer_of_something_else() -> None:
    with pytest.raises(PlacementError, match="GET /traits was answered with 200, but not in JSON"):
        Placement(Session(Answer(200, "<h1>Welcome</h1>"))).get("/traits")


def test_an_answer_without_a_body() -> None:
    assert Placement(Session(Answer(204, ""))).put("/traits/CUSTOM_A") is None
