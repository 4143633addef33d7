"""Who may do what: the table of rules against Placement's own, and operators' policy files."""

import json
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest
from flask.testing import FlaskClient
from graphplace.api import create_app, metrics
from graphplace.api.policy import LEGACY_CHECK, LEGACY_NAME, RULES, RULES_OF
from graphplace.api.routes import ROUTES
from placement.policies import list_rules

from graphplace.errors import SettingsError
from graphplace.graph.database import Database
from graphplace.settings import CONFIG_VARIABLE, Settings

TRAITS = "placement:traits:list"
ZERO = "00000000-0000-0000-0000-000000000000"


def test_every_route_has_a_rule_and_every_rule_a_route() -> None:
    routes = {f"{route.method} {route.path}" for routes in ROUTES.values() for route in routes}

    assert routes - {"GET /"} | {metrics.ROUTE} == set(RULES_OF)


def test_the_rules_are_those_of_placement() -> None:
    theirs = {
        rule.name: (
            rule.check_str,
            rule.scope_types,
            rule.deprecated_rule and (rule.deprecated_rule.name, rule.deprecated_rule.check_str),
        )
        for rule in list_rules()
    }

    assert theirs == {
        rule.name: (
            rule.check,
            ["project"] if rule.scoped else None,
            (LEGACY_NAME, LEGACY_CHECK) if rule.legacy else None,
        )
        for rule in RULES
    }


@pytest.fixture
def policy_file(tmp_path: Path) -> Path:
    """An operator's policy file, empty, beside the file that names it."""
    (tmp_path / "placement.conf").write_text("[oslo_policy]\npolicy_file = rules.yaml\n[graphplace]\npolicy = oslo")
    file = tmp_path / "rules.yaml"
    file.write_text("{}")
    return file


@pytest.fixture
def reader(policy_file: Path, database: Database) -> FlaskClient:
    """A client under that policy whose only role is reader."""
    settings = Settings.load({CONFIG_VARIABLE: str(policy_file.parent / "placement.conf")})
    client = create_app(database, settings).test_client()
    client.environ_base |= {
        "HTTP_X_AUTH_TOKEN": "someone:p1",
        "HTTP_X_ROLES": "reader",
        "HTTP_OPENSTACK_API_VERSION": "placement latest",
    }
    return client


def test_a_policy_file_opens_a_route(policy_file: Path, reader: FlaskClient) -> None:
    policy_file.write_text(json.dumps({TRAITS: "role:reader"}))

    assert reader.get("/traits").status_code == 200
    refused = reader.get("/resource_classes")
    assert refused.status_code == 403
    assert "placement:resource_classes:list" in refused.json["errors"][0]["detail"]


def test_usages_are_for_readers_of_the_project(reader: FlaskClient) -> None:
    assert reader.get("/usages?project_id=p1").status_code == 200
    assert reader.get("/usages?project_id=p2").status_code == 403


def test_a_tree_is_for_those_who_may_see_all_that_it_shows(policy_file: Path, reader: FlaskClient) -> None:
    headers = {"OpenStack-API-Version": "placement latest, graphplace 1.0"}
    rules = RULES_OF["GET /resource_providers/<uuid>/tree"]
    for number, rule in enumerate(rules):
        policy_file.write_text(json.dumps(dict.fromkeys(rules[:number], "role:reader")))
        refused = reader.get(f"/resource_providers/{ZERO}/tree", headers=headers)
        assert refused.status_code == 403
        assert rule in refused.json["errors"][0]["detail"]
    policy_file.write_text(json.dumps(dict.fromkeys(rules, "role:reader")))
    assert reader.get(f"/resource_providers/{ZERO}/tree", headers=headers).status_code == 404


def test_tokens_of_the_system_are_refused(reader: FlaskClient) -> None:
    roles = {"X-Roles": "admin"}

    assert reader.get("/traits", headers=roles).status_code == 200
    assert reader.get("/traits", headers=roles | {"OpenStack-System-Scope": "all"}).status_code == 403


def test_what_is_not_installed_is_named(database: Database) -> None:
    with (
        patch.dict("sys.modules", {"graphplace.api.openstack": None}),
        pytest.raises(SettingsError, match=r"graphplace\[keystone\]"),
    ):
        create_app(database, Settings(policy="oslo"))


SERVING = """
import sys
from graphplace.api import create_app
from graphplace.graph.database import Database
from graphplace.settings import Settings

create_app(Database.connect(Settings(neo4j_uri="bolt://127.0.0.1:9")))
assert not {name for name in sys.modules if name.startswith(("oslo_", "keystone", "webob"))}
"""


def test_without_the_extra_the_rest_works() -> None:
    """Nothing of OpenStack's libraries is loaded unless it is used."""
    subprocess.run([sys.executable, "-c", SERVING], check=True)  # noqa: S603  # made here
