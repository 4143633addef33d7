"""The command ``openstack``, run in the process of the tests: to start it anew takes two seconds each time."""

import contextlib
import io
import json
import logging
import shlex
from typing import Any

import pytest
from openstackclient import shell
from osc_lib.clientmanager import ClientCache


class Openstack:
    """``openstack``: what it says to an administrator at some microversion."""

    def json(self, command: str, version: str = "1.39") -> Any:
        """Run a command that shows something, and return that as JSON."""
        status, out, errors = self.run(f"{command} -f json", version)
        assert (status, errors) == (0, "")
        return json.loads(out)

    def do(self, command: str, version: str = "1.39") -> None:
        """Run a command that shows nothing when it succeeds."""
        assert self.run(command, version) == (0, "", "")

    def refusal(self, command: str, version: str = "1.39") -> str:
        """Run a command that fails, and return what it says."""
        status, out, errors = self.run(command, version)
        assert (status, out) == (1, "")
        return errors.strip()

    def run(self, command: str, version: str) -> tuple[int, str, str]:
        """Run any command; returns its exit status and what it wrote on standard output and on standard error."""
        out, errors = io.StringIO(), io.StringIO()
        handlers = logging.root.handlers[:]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            status = shell.main([f"--os-placement-api-version={version}", *shlex.split(command)])
        logging.root.handlers[:] = handlers
        return status, out.getvalue(), errors.getvalue()


@pytest.fixture
def openstack(monkeypatch: pytest.MonkeyPatch) -> Openstack:
    """The command."""
    # A process of the command makes one client at one microversion, and the cache expects no more of it.
    monkeypatch.setattr(ClientCache, "__get__", lambda cache, instance, _owner: cache.factory(instance))
    return Openstack()
