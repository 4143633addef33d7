"""The strategy noauth2: whom it believes, and where it is refused."""

import socket

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient
from graphplace.api import wsgi

from graphplace.cli import main
from graphplace.errors import SettingsError


def test_without_a_token_it_says_what_it_wants(client: FlaskClient) -> None:
    del client.environ_base["HTTP_X_AUTH_TOKEN"]

    answer = client.get("/traits")

    assert answer.status_code == 401
    assert answer.www_authenticate.type == "noauth2"


@pytest.mark.difference("Who asks")
def test_a_wsgi_server_is_told_the_strategy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHPLACE_NEO4J_URI", "bolt://127.0.0.1:1")
    monkeypatch.delenv("GRAPHPLACE_AUTH_STRATEGY", raising=False)

    with pytest.raises(SettingsError, match="GRAPHPLACE_AUTH_STRATEGY"):
        wsgi.create()


def test_with_keystone_any_address_may_be_served() -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:  # noqa: S104  # that is the one in question
        port = taken.getsockname()[1]

        result = CliRunner().invoke(
            main,
            ["serve", "--host", "0.0.0.0", "--port", str(port)],  # noqa: S104
            env={"GRAPHPLACE_AUTH_STRATEGY": "keystone"},
        )

    assert f"Cannot listen on port {port}" in result.stderr


def test_a_strategy_that_is_unknown_is_refused() -> None:
    result = CliRunner().invoke(main, ["serve"], env={"GRAPHPLACE_AUTH_STRATEGY": "none"})

    assert "must be keystone or noauth2" in result.stderr
