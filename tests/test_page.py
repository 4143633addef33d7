"""The page without a browser: what its shell is, what data its views have, and for whom."""

import json
from pathlib import Path

import neo4j
import pytest
from claims import load, put
from cloud import uuid_of
from flask.testing import FlaskClient
from graphplace.api import create_app
from graphplace.api.policy import RULES_OF
from graphplace.api.ui.data import MOST_FOUND
from graphplace.api.ui.page import edition
from graphplace.api.ui.views import VIEWS

from graphplace.audit import AUDITS, ORPHANS, STALE
from graphplace.graph.database import Database
from graphplace.settings import CONFIG_VARIABLE, Settings

CLOUD = """
cn1  VCPU:8(used=2)  @az1  COMPUTE_NODE
  numa0  MEMORY_MB:4096
    pf0  SRIOV_NET_VF:4  CUSTOM_PHYSNET
cn2  VCPU:8  @az1
pool  DISK_GB:1000  MISC_SHARES_VIA_AGGREGATE  @az1
"""


@pytest.fixture
def cloud(client: FlaskClient) -> FlaskClient:
    load(client, CLOUD)
    return client


def filled(path: str) -> str:
    """A path with values in the place of its parameters."""
    for gap, value in (("<path:uuid>", uuid_of("cn1")), ("<uuid>", uuid_of("cn1")), ("<name>", "host-tree")):
        path = path.replace(gap, value)
    return path


def paths_of_data() -> list[tuple[str, str]]:
    return [(view.method, f"{filled(view.path)}.json") for view in VIEWS]


def test_the_shell_is_for_everybody_and_loads_nothing_from_elsewhere(client: FlaskClient) -> None:
    del client.environ_base["HTTP_X_AUTH_TOKEN"]

    for view in VIEWS:
        for path in view.paths:
            answer = client.get(filled(path))
            assert (answer.status_code, answer.mimetype) == (200, "text/html"), path
            policy = answer.headers["Content-Security-Policy"]
            assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
            assert "unsafe" not in policy
            # Inline scripts and styles would not run.
            assert "<script>" not in answer.text
            assert "<style" not in answer.text
            assert " style=" not in answer.text
    assert client.get("/ui").headers["Location"] == "/ui/"
    for path in ("/ui/static/main.js", f"/ui/static/{edition()}/../page.py", f"/ui/static/{edition()}/%2e%2e/page.py"):
        assert client.get(path, headers={"X-Auth-Token": "admin"}).status_code == 404


def test_browsers_keep_the_files_of_this_edition_only(client: FlaskClient) -> None:
    with client.get(f"/ui/static/{edition()}/main.js") as script:
        assert script.mimetype == "text/javascript"
        assert script.cache_control.immutable
        assert script.cache_control.max_age
    # The page of another worker, which is newer or older.
    with client.get("/ui/static/0123456789abcdef/main.js") as script:
        assert script.status_code == 200
        assert not script.cache_control.max_age


def test_the_shell_finds_its_files_below_a_path(database: Database) -> None:
    client = create_app(database, Settings(path_prefix="/placement")).test_client()

    shell = client.get("/placement/ui/").text

    address = f"/placement/ui/static/{edition()}/main.js"
    assert f'src="{address}"' in shell
    with client.get(address) as script:
        assert script.status_code == 200
    assert client.get("/placement/ui").headers["Location"] == "/placement/ui/"


@pytest.mark.parametrize(("method", "path"), paths_of_data())
def test_data_is_for_those_with_a_token_who_may_read_it(client: FlaskClient, method: str, path: str) -> None:
    assert client.open(path, method=method, headers={"X-Auth-Token": "somebody"}).status_code == 403
    del client.environ_base["HTTP_X_AUTH_TOKEN"]
    assert client.open(path, method=method).status_code == 401


def test_each_rule_of_what_a_view_shows_keeps_it_shut(database: Database, tmp_path: Path) -> None:
    (tmp_path / "placement.conf").write_text("[oslo_policy]\npolicy_file = rules.yaml\n[graphplace]\npolicy = oslo")
    for view, (method, path) in zip(VIEWS, paths_of_data(), strict=True):
        rules = sorted({rule for route in view.shows for rule in RULES_OF[route]})
        assert rules, view.name
        for shut in (None, *rules):
            allowed = {rule: "role:reader" if rule != shut else "!" for rule in rules}
            (tmp_path / "rules.yaml").write_text(json.dumps(allowed))
            settings = Settings.load({CONFIG_VARIABLE: str(tmp_path / "placement.conf")})
            answer = (
                create_app(database, settings)
                .test_client()
                .open(path, method=method, headers={"X-Auth-Token": "someone:p1", "X-Roles": "reader"})
            )
            assert (answer.status_code == 403) == (shut is not None), (view.name, shut, answer.text)


def test_the_first_hosts_and_those_after_them(cloud: FlaskClient) -> None:
    first = cloud.get("/ui/.json").json

    assert first["sizes"] == {"trees": 3, "providers": 5, "consumers": 1}
    assert [one["name"] for one in first["providers"]] == ["cn1", "cn2", "pool"]
    assert [one["name"] for one in cloud.get("/ui/.json?after=cn1").json["providers"]] == ["cn2", "pool"]


@pytest.mark.parametrize(
    ("query", "providers", "traits", "aggregates"),
    [
        ("q=cn", ["cn1", "cn2"], None, 0),
        ("q=n", ["numa0", "cn1", "cn2"], None, 0),
        ("q=uma", ["numa0"], None, 0),
        (f"q={uuid_of('pf0')[:9]}", ["pf0"], [], 0),
        ("q=custom_phys", [], [{"name": "CUSTOM_PHYSNET", "providers": 1}], 0),
        (f"q={uuid_of('az1')}", [], [], 1),
        ("trait=CUSTOM_PHYSNET", ["pf0"], [], 0),
        (f"aggregate={uuid_of('az1')}", ["cn1", "cn2", "pool"], [], 0),
        ("q=", [], [], 0),
        ("q=nobody", [], [], 0),
    ],
)
def test_what_a_search_finds(
    cloud: FlaskClient, query: str, providers: list[str], traits: list[dict[str, object]] | None, aggregates: int
) -> None:
    found = cloud.get(f"/ui/search.json?{query}").json

    assert [one["name"] for one in found["providers"]] == providers
    assert traits is None or found["traits"] == traits
    assert len(found["aggregates"]) == aggregates


def test_a_search_is_bounded(client: FlaskClient) -> None:
    load(client, "\n".join(f"host{number:03}  CUSTOM_ALIKE  @rack" for number in range(MOST_FOUND + 1)))

    for query in ("q=host", "q=ost", "trait=CUSTOM_ALIKE", f"aggregate={uuid_of('rack')}"):
        found = client.get(f"/ui/search.json?{query}").json
        assert (len(found["providers"]), found["more"]) == (MOST_FOUND, True), query
    last = client.get("/ui/.json").json["providers"][-1]["name"]
    rest = client.get(f"/ui/.json?after={last}").json
    assert ([one["name"] for one in rest["providers"]], rest["more"]) == ([f"host{MOST_FOUND:03}"], False)


def test_a_tree_by_uuid_and_by_name(cloud: FlaskClient) -> None:
    of_api = cloud.get(
        f"/resource_providers/{uuid_of('cn1')}/tree",
        headers={"OpenStack-API-Version": "placement 1.39, graphplace 1.0"},
    )

    assert cloud.get(f"/ui/tree/{uuid_of('pf0')}.json").json == of_api.json
    assert cloud.get("/ui/tree/numa0.json").json == of_api.json
    assert cloud.get("/ui/tree/nobody.json").status_code == 404


def test_a_name_with_a_slash_is_a_name(cloud: FlaskClient) -> None:
    path = f"/resource_providers/{uuid_of('numa0')}"
    parent = uuid_of("cn1")
    assert cloud.put(path, json={"name": "cn1/numa//0", "parent_provider_uuid": parent}).status_code == 200

    assert cloud.get("/ui/tree/cn1%2Fnuma%2F%2F0").status_code == 200
    assert cloud.get("/ui/tree/cn1%2Fnuma%2F%2F0.json").json["root_provider_uuid"] == parent


def test_candidates_and_why_there_are_none(cloud: FlaskClient) -> None:
    query = "resources=VCPU:7"
    found = cloud.get(f"/ui/candidates.json?{query}").json
    none = cloud.get("/ui/candidates.json?resources_A=VCPU:7&resources_B=SRIOV_NET_VF:1&group_policy=none").json

    assert found["candidates"] == cloud.get(f"/allocation_candidates?{query}").json
    (tree,) = found["trees"]
    assert found["candidates"]["allocation_requests"][0]["allocations"].keys() == {tree["root_provider_uuid"]}
    assert none["candidates"] is None
    (reason,) = none["explanation"]["reasons"]
    assert [tree["root_provider_uuid"] for tree in none["trees"]] == [reason["tree"]] == [uuid_of("cn1")]
    # Of the tree that is drawn, what fits one group by itself, and what the other one has nobody for.
    assert [(one["suffix"], one["providers"]) for one in none["alone"]] == [("_A", []), ("_B", [uuid_of("pf0")])]


def test_candidates_without_a_consumer(cloud: FlaskClient) -> None:
    query = "resources=VCPU:7&resources_B=SRIOV_NET_VF:1"
    explained = cloud.get(f"/ui/candidates.json?{query}").json["explanation"]
    (gone,) = [change["consumers_gone"] for change in explained["changes"] if change["consumers_gone"]]

    assert cloud.get(f"/ui/candidates.json?{query}&gone={gone[0]}").json["candidates"]["allocation_requests"]


def test_claims_in_as_few_trees_as_show_them(cloud: FlaskClient) -> None:
    assert put(cloud, "c1", {"pf0": {"SRIOV_NET_VF": 1}, "pool": {"DISK_GB": 10}}).status_code == 204
    assert put(cloud, "c2", {"cn1": {"VCPU": 1}, "cn2": {"VCPU": 1}}).status_code == 204

    one = cloud.get(f"/ui/claims/{uuid_of('c1')}.json").json
    two = cloud.get(f"/ui/claims/{uuid_of('c2')}.json").json

    assert one | {"trees": []} == cloud.get(f"/allocations/{uuid_of('c1')}").json | {"trees": []}
    assert [tree["root_provider_uuid"] for tree in one["trees"]] == [uuid_of("cn1")]
    assert [tree["root_provider_uuid"] for tree in two["trees"]] == [uuid_of("cn1"), uuid_of("cn2")]
    assert cloud.get(f"/ui/claims/{uuid_of('nobody')}.json").json == {"allocations": {}, "trees": []}


def test_a_reshape_is_previewed(cloud: FlaskClient) -> None:
    body = {
        "inventories": {uuid_of("cn2"): {"resource_provider_generation": 99, "inventories": {"VCPU": {"total": 4}}}},
        "allocations": {},
    }
    extended = {"OpenStack-API-Version": "placement 1.39, graphplace 1.0"}

    found = cloud.post("/ui/reshape.json", json=body).json

    assert [tree["root_provider_uuid"] for tree in found["trees"]] == [uuid_of("cn2")]
    del found["trees"]
    assert found == cloud.post("/reshaper/preview", json=body, headers=extended).json
    assert found["conflicts"]
    assert cloud.post("/ui/reshape.json", json={}).status_code == 400
    assert cloud.post("/ui/reshape.json", data="{}").status_code == 415


def test_the_cookbook_is_asked(cloud: FlaskClient) -> None:
    questions = {one["name"]: one for one in cloud.get("/ui/ask.json").json["questions"]}
    found = cloud.get("/ui/ask/host-tree.json?host=numa0").json

    (parameter,) = questions["host-tree"]["parameters"]
    assert (parameter["name"], parameter["required"]) == ("host", True)
    assert found["answer"]["columns"] == questions["host-tree"]["columns"]
    assert {row["provider"] for row in found["answer"]["rows"]} == {"cn1", "numa0", "pf0"}
    assert ":params" in found["text"]
    assert cloud.get("/ui/ask/host-tree.json").status_code == 400
    assert cloud.get("/ui/ask/nothing.json").status_code == 404


def test_audits_are_listed_and_run(cloud: FlaskClient, driver: neo4j.Driver) -> None:
    path = f"/resource_providers/{uuid_of('cn1')}"
    shrunk = {"resource_provider_generation": cloud.get(path).json["generation"], "total": 1}
    assert cloud.put(f"{path}/inventories/VCPU", json=shrunk).status_code == 200
    driver.execute_query("MATCH (p:ResourceProvider) SET p.updated_at = datetime() - duration('P40D')")

    listed = cloud.get("/ui/audit.json").json
    found = cloud.get("/ui/audit.json?only=over_capacity&only=stale&stale_days=39").json

    assert [one["name"] for one in listed["audits"]] == [one.name for one in AUDITS if one is not ORPHANS]
    assert listed["stale_days"] == STALE.days
    assert {one["name"]: one["total"] for one in found["audits"]} == {"over_capacity": 1, "stale": 2}
    assert "2 used by 1 consumers, 1 there" in found["audits"][0]["findings"][0]["words"]
    assert cloud.get("/ui/audit.json?only=stale&stale_days=41").json["audits"][0]["total"] == 0
    for query, words in (("only=nothing", "no audit nothing"), ("only=stale&stale_days=0", "from 1 to 36500, not 0")):
        refused = cloud.get(f"/ui/audit.json?{query}")
        assert refused.status_code == 400
        assert words in refused.text


def test_consumers_that_nobody_knows(cloud: FlaskClient) -> None:
    (found,) = cloud.post("/ui/orphans.json", json={"known": []}).json["audits"]
    (finding,) = found["findings"]

    assert found["name"] == ORPHANS.name
    assert cloud.post("/ui/orphans.json", json={"known": [finding["data"]["uuid"]]}).json["audits"][0]["total"] == 0
    assert cloud.post("/ui/orphans.json", json={"known": ["nova"]}).status_code == 400
