"""``graphplace cypher``: what only reads is run, nothing else is, and what runs on and on is ended."""

from collections.abc import Iterator
from threading import Thread

import neo4j
import pytest
from claims import load, put
from cloud import uuid_of
from flask.testing import FlaskClient
from graphplace.api import create_app

from graphplace import ask
from graphplace.errors import BadRequestError, GraphplaceError, TimeBudgetError
from graphplace.graph import schema
from graphplace.graph.database import Database

CLOUD = """
cn1  VCPU:8(used=2)  HW_CPU_X86_AVX2  @az1
  numa0  MEMORY_MB:4096
cn2  VCPU:8
"""
NO_CALL = "may not call"
MORE_THAN_READ = "would do more than read"
NOT_READ = "Neo4j refuses"
TOO_LARGE = "may become too large"

# docs/ask.md says what these are, by the headings.
REFUSED: dict[str, list[tuple[str, str]]] = {
    "Writes": [
        ("CREATE (:Leak)", MORE_THAN_READ),
        ("CREATE (n:Leak) RETURN n", MORE_THAN_READ),
        ("MERGE (n:Leak) RETURN n", MORE_THAN_READ),
        ("MATCH (n) SET n.name = 'leak'", MORE_THAN_READ),
        ("MATCH (n) SET n:Leak", MORE_THAN_READ),
        ("MATCH (n) SET n += {leak: 1}", MORE_THAN_READ),
        ("MATCH (n) REMOVE n.name", MORE_THAN_READ),
        ("MATCH (n) DETACH DELETE n", MORE_THAN_READ),
        ("MATCH (n) OPTIONAL MATCH (n)-[r]-() DELETE r, n", MORE_THAN_READ),
        ("FOREACH (x IN [1, 2] | CREATE (:Leak))", MORE_THAN_READ),
        ("MATCH (n) WITH n LIMIT 1 FOREACH (x IN [1] | SET n.leak = 1) RETURN n", MORE_THAN_READ),
        ("CALL () { CREATE (:Leak) } RETURN 1", MORE_THAN_READ),
        ("MATCH (n) CALL (n) { SET n.leak = 1 } RETURN count(n)", MORE_THAN_READ),
        ("UNWIND [1] AS x CALL (x) { CREATE (:Leak) } IN TRANSACTIONS OF 1 ROWS", MORE_THAN_READ),
        ("UNWIND [1] AS x CALL (x) { MATCH (n:Root) RETURN n } IN TRANSACTIONS RETURN n", MORE_THAN_READ),
        ("MATCH (n:Root) WHERE EXISTS { CREATE (:Leak) } RETURN n", NOT_READ),
        ("RETURN COUNT { CREATE (:Leak) }", NOT_READ),
    ],
    "Schema": [
        ("CREATE INDEX leak FOR (n:Leak) ON (n.name)", MORE_THAN_READ),
        ("CREATE CONSTRAINT leak FOR (n:Leak) REQUIRE n.name IS UNIQUE", MORE_THAN_READ),
        ("DROP CONSTRAINT resource_provider_uuid", MORE_THAN_READ),
        ("DROP INDEX inventory_free_by_provider IF EXISTS", MORE_THAN_READ),
    ],
    "Files": [
        ("LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line", MORE_THAN_READ),
        ("LOAD CSV WITH HEADERS FROM 'http://127.0.0.1:1/x' AS line RETURN line", MORE_THAN_READ),
        (
            "MATCH (n:Root) CALL (n) { LOAD CSV FROM 'file:///' + n.name AS line RETURN line } RETURN line",
            MORE_THAN_READ,
        ),
        ("RETURN file()", NO_CALL),
    ],
    "Administration": [
        ("SHOW TRANSACTIONS", MORE_THAN_READ),
        ("SHOW TRANSACTIONS YIELD currentQuery RETURN currentQuery", MORE_THAN_READ),
        ("SHOW SETTINGS", MORE_THAN_READ),
        ("SHOW INDEXES", MORE_THAN_READ),
        ("SHOW PROCEDURES", MORE_THAN_READ),
        ("SHOW DATABASES", ""),
        ("SHOW USERS", ""),
        ("TERMINATE TRANSACTIONS 'neo4j-transaction-1'", MORE_THAN_READ),
        ("SHOW TRANSACTIONS YIELD transactionId AS id TERMINATE TRANSACTIONS id YIELD message RETURN message", ""),
        ("CREATE USER leak SET PASSWORD 'leakleak'", ""),
        ("ALTER CURRENT USER SET PASSWORD FROM 'a' TO 'bbbbbbbb'", ""),
        ("DROP USER neo4j", ""),
        ("CREATE DATABASE leak", ""),
        ("STOP DATABASE neo4j", ""),
        ("GRANT ROLE admin TO neo4j", ""),
        ("ENABLE SERVER 'x'", ""),
    ],
    "Other databases": [
        ("USE system SHOW USERS", "Leave out USE"),
        ("USE system MATCH (n) RETURN n", "Leave out USE"),
        ("USE neo4j MATCH (n) RETURN n", "Leave out USE"),
        ("CALL () { USE system MATCH (n) RETURN n } RETURN n", ""),
        ("USE graph.byName('system') MATCH (n) RETURN n", "Leave out USE"),
        ("CALL () { USE graph.byName('system') MATCH (n) RETURN n } RETURN n", ""),
    ],
    "Procedures": [
        ("CALL dbms.killConnections(['bolt-1'])", NO_CALL),
        ("CALL dbms.killConnection('bolt-1') YIELD message RETURN message", NO_CALL),
        ("CALL dbms.listConnections", NO_CALL),
        ("CALL dbms.listConfig()", NO_CALL),
        ("CALL dbms.setConfigValue('db.transaction.timeout', '0')", ""),
        ("CALL db.clearQueryCaches()", NO_CALL),
        ("CALL db.createLabel('Leak')", ""),
        ("CALL db.createProperty('leak')", ""),
        ("CALL db.awaitIndexes(1)", MORE_THAN_READ),
        ("CALL db.ping()", NO_CALL),
        ("CALL tx.setMetaData({leak: 1})", MORE_THAN_READ),
        ("CALL db.index.fulltext.queryNodes('x', 'y')", ""),
        ("CALL apoc.load.json('http://127.0.0.1:1/')", ""),
        ("CALL apoc.cypher.runWrite('CREATE (:Leak)', {})", ""),
        ("MATCH (n:Root) CALL db.createLabel(n.name) RETURN n", ""),
    ],
    "Functions": [
        ("RETURN apoc.cypher.runFirstColumnSingle('CREATE (:Leak)', {})", ""),
        ("RETURN graph.names()", NOT_READ),
        ("RETURN size(range(1, 1000000000000))", NO_CALL),
        ("UNWIND `range`(1, 1000000000000) AS x RETURN count(x)", NO_CALL),
        ("UNWIND RANGE /* a comment */ (1, 1000000000000) AS x RETURN count(x)", NO_CALL),
        ("RETURN reduce(x = 0, y IN [1] | x + y)", NO_CALL),
        ("MATCH (n:Root) RETURN replace(n.name, 'c', n.name)", NO_CALL),
        ("RETURN 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' =~ '(a|aa)+'", "may not use =~"),
        ("MATCH (n) WITH collect(n) AS l RETURN [x IN l | [y IN l | 1]]", "a loop inside of a loop"),
        ("MATCH (n) WITH collect(n) AS l RETURN any(x IN l WHERE all(y IN l WHERE x <> y))", "a loop inside of a loop"),
    ],
    "Growth": [
        ("WITH 'a' AS s" + " WITH s + s AS s" * 40 + " RETURN size(s)", TOO_LARGE),
        ("WITH 'a' AS s" + " WITH s || s AS s" * 40 + " RETURN size(s)", TOO_LARGE),
        ("WITH 'a' AS s" + " WITH CASE WHEN s = s THEN s + s ELSE s END AS `s`" * 40 + " RETURN size(s)", TOO_LARGE),
        ("WITH 'a' AS s, 'b' AS t" + " WITH s + t AS s, s + t AS t" * 40 + " RETURN size(s)", TOO_LARGE),
        ("WITH 'a' AS s" + " CALL (s) { RETURN s + s AS t } WITH t AS s" * 40 + " RETURN size(s)", TOO_LARGE),
        ("WITH [1] AS l" + " WITH l + l AS l" * 40 + " UNWIND l AS x RETURN count(x)", TOO_LARGE),
        ("WITH [1] AS l" + " WITH [l, l] AS l" * 40 + " RETURN DISTINCT l", TOO_LARGE),
        ("WITH [1] AS l" + " WITH {a: l, b: l} AS l" * 40 + " RETURN DISTINCT l", TOO_LARGE),
        ("WITH [1, 2] AS l" + " WITH [x IN l | l] AS l" * 40 + " RETURN DISTINCT l", TOO_LARGE),
        ("WITH [1, 2] AS l" + " WITH [x IN l | [x, x]] AS l" * 40 + " RETURN DISTINCT l", "Use UNWIND"),
        ("MATCH (n) WITH collect(n) AS l RETURN [x IN l | x.name] AS m", "Use UNWIND"),
        ("MATCH (n) WITH collect(n) AS l RETURN [x IN l WHERE x IN l | x] AS m", TOO_LARGE),
        ("MATCH (n) WITH collect(n) AS l RETURN size(l + l" + " + l" * 20 + ")", TOO_LARGE),
        (f"RETURN '{'a' * 20_000}' AS s", "at most 20000 characters"),
    ],
    "Disguises": [
        ("RETURN 1; MATCH (n) DETACH DELETE n", "one statement"),
        ("RETURN 1;; CREATE (:Leak)", "one statement"),
        ("/* harmless */ CREATE (:Leak)", MORE_THAN_READ),
        ("// harmless\rCREATE (:Leak)", MORE_THAN_READ),
        ("// harmless\u2028CREATE (:Leak)", MORE_THAN_READ),
        ("RETURN 1 // '\nUNION CREATE (:Leak) RETURN 2 AS `1` // '", ""),
        ("CR\\u0045ATE (:Leak)", "Write characters themselves"),
        ("RETURN '\\u0027 AS x CREATE (:Leak) //'", "Write characters themselves"),
        ("EXPLAIN CREATE (:Leak)", "Leave out EXPLAIN"),
        ("PROFILE CREATE (:Leak)", "Leave out PROFILE"),
        ("/**/ profile MATCH (n) RETURN n", "Leave out profile"),
        ("CYPHER 25 CREATE (:Leak)", "Leave out CYPHER"),
        ("CYPHER runtime=slotted PROFILE CREATE (:Leak)", "Leave out CYPHER"),
        ("cypher planner=dp MATCH (n) SET n.leak = 1", "Leave out cypher"),
        (":use system", ""),
        (":param x => 1", ""),
        ("BEGIN", NOT_READ),
        ("COMMIT", NOT_READ),
    ],
    "No query": [
        ("", "no query"),
        (" ; ", "no query"),
        ("// nothing", "no query"),
        ("RETURN", NOT_READ),
        ("MATCH (n) RETURN m", NOT_READ),
        ("RETURN $missing", NOT_READ),
        ("RETURN 'open", "Nothing in a query starts with"),
        ("RETURN 1 # 2", "Nothing in a query starts with"),
        ("RETURN 1" + " + 1" * 500, "at most 1000 words"),
        ("RETURN null" + ".a" * 400, "at most 150 dots"),
        ("RETURN " + "(" * 400 + "1" + ")" * 400, "nested too deeply"),
        ("RETURN " + "NOT " * 500 + "true", "nested too deeply"),
    ],
}
ALLOWED: list[tuple[str, list[list[object]]]] = [
    ("RETURN 1 AS one", [[1]]),
    ("MATCH (p:Root) RETURN p.name ORDER BY p.name;", [["cn1"], ["cn2"]]),
    ("MATCH (p {name: $name})<-[:CHILD_OF*]-(c) RETURN collect(c.name) AS names", [[["numa0"]]]),
    ("MATCH (p:Root)\n// CREATE (:Leak)\nWHERE p.name IN (['cn1']) RETURN 'CREATE (:Leak) ; range(1)' AS text", None),
    (
        "MATCH (p:Root) WHERE any(x IN [1, 2] WHERE x > 1) AND NOT (p.name = 'cn2') RETURN [x IN [1] | x + 1] AS l",
        [[[2]]],
    ),
    ("MATCH (p:Root) RETURN p.name AS n UNION MATCH (p:Trait) WHERE (p)<--() RETURN p.name AS n", None),
    (
        "MATCH p = SHORTEST 1 (a:Root {name: 'cn1'})-[]-+(b:Trait {name: 'HW_CPU_X86_AVX2'}) RETURN length(p) AS l",
        [[1]],
    ),
    (
        "MATCH (a:Root {name: 'cn1'}) RETURN EXISTS { (a)<-[:CHILD_OF]-() } AS e, COUNT { (a)--() } > 3 AS c",
        [[True, True]],
    ),
    ("MATCH (c:Consumer)-[r:CONSUMES]->(i) RETURN type(r) AS t, sum(r.amount) AS s", [["CONSUMES", 2]]),
    ("MATCH (p:Root {name: 'cn1'}) CALL (p) { MATCH (p)-[:MEMBER_OF]->(a) RETURN count(a) AS n } RETURN n", [[1]]),
    (
        "MATCH (p:Root) WITH 'cn1' AS a, collect(p.name) AS l RETURN [x IN l WHERE x = a], [x IN [a] | x + a] AS n",
        [[["cn1"], ["cn1cn1"]]],
    ),
    ("RETURN duration.between(date('2024-01-01'), date('2024-01-31')) AS d", [["P30D"]]),
    ("CALL db.labels() YIELD label WITH label WHERE label = 'Root' RETURN label", [["Root"]]),
    ("MATCH (t:Trait {name: 'HW_CPU_X86_AVX2'}) RETURN t {.name} AS t", [[{"name": "HW_CPU_X86_AVX2"}]]),
    ("RETURN 1.5 AS f, null AS n, 'a\\'b' AS s, [true] AS l, 1.0 / 0 AS i", [[1.5, None, "a'b", [True], "inf"]]),
]


@pytest.fixture(scope="module")
def client_of_cloud(connected: Database) -> FlaskClient:
    """A client of the API over the cloud above."""
    schema.wipe(connected)
    client = create_app(connected).test_client()
    client.environ_base |= {"HTTP_X_AUTH_TOKEN": "admin", "HTTP_OPENSTACK_API_VERSION": "placement latest"}
    load(client, CLOUD)
    return client


@pytest.fixture
def cloud(client_of_cloud: FlaskClient, connected: Database, neo4j_driver: neo4j.Driver) -> Iterator[Database]:
    """The same as a database, which has to be as it was at the end of each test."""
    before = state(neo4j_driver)
    yield connected
    assert state(neo4j_driver) == before


def state(driver: neo4j.Driver) -> object:
    """All nodes with their properties, all relationships, and all indexes and users."""
    with driver.session() as session:
        nodes = session.run("MATCH (n) RETURN labels(n), properties(n) ORDER BY elementId(n)").values()
        relationships = session.run("MATCH (a)-[r]->(b) RETURN elementId(a), type(r), properties(r), elementId(b)")
        indexes = session.run("SHOW INDEXES YIELD name RETURN name ORDER BY name")
        return [nodes, sorted(relationships.values(), key=str), indexes.values()]


@pytest.mark.parametrize("kind", REFUSED)
def test_what_does_not_only_read_is_refused(cloud: Database, kind: str) -> None:
    for text, words in REFUSED[kind]:
        with pytest.raises(GraphplaceError) as refusal:
            ask.ask(cloud, text, {})
        assert isinstance(refusal.value, BadRequestError), text
        assert words in str(refusal.value), text


def test_neo4j_refuses_to_write_though_graphplace_would_not(cloud: Database) -> None:
    for text in ("CREATE (:Leak)", "MATCH (n) DETACH DELETE n", "CREATE INDEX leak FOR (n:Leak) ON (n.name)"):
        with pytest.raises(BadRequestError, match="Neo4j refuses"):
            cloud.look(text, {}, seconds=10, most=1)


@pytest.mark.parametrize(("text", "rows"), ALLOWED, ids=range(len(ALLOWED)))
def test_what_only_reads_is_run(cloud: Database, text: str, rows: list[list[object]] | None) -> None:
    found = ask.ask(cloud, text, {"name": "cn1"})

    assert found.complete
    assert rows is None or found.rows == rows


def test_nodes_relationships_and_paths_are_plain_data(cloud: Database) -> None:
    text = "MATCH p = (:Consumer)-[r:CONSUMES]->(i:Inventory) RETURN r, i, p, i.updated_at AS at"
    ((relationship, inventory, path, at),) = ask.ask(cloud, text, {}).rows

    assert relationship["type"] == "CONSUMES"
    assert relationship["properties"]["amount"] == 2
    assert inventory["labels"] == ["Inventory"]
    assert inventory["properties"]["resource_class"] == "VCPU"
    assert inventory["properties"]["updated_at"] == at
    assert path["nodes"][1] == inventory
    assert path["relationships"] == [relationship]


def test_rows_beyond_the_limit_are_not_read(cloud: Database) -> None:
    found = ask.ask(cloud, "MATCH (a:Trait), (b:Trait), (c:Trait) RETURN a.name, b.name", {}, ask.Limits(rows=7))

    assert len(found.rows) == 7
    assert not found.complete


@pytest.mark.parametrize("limits", [{"seconds": 0}, {"seconds": -1}, {"seconds": float("inf")}, {"rows": 0}])
def test_there_is_no_asking_without_limits(limits: dict[str, float]) -> None:
    with pytest.raises(BadRequestError, match="limit"):
        ask.Limits(**limits)  # type: ignore[arg-type]  # of either field


# Each has to go through far more than is done in the time, on a fast machine too: fourth powers of hundreds.
RUNAWAYS = [
    "MATCH (a:Trait), (b:Trait), (c:Trait), (d:Trait) WHERE a <> d RETURN count(*) AS n",
    "MATCH (a:Trait), (b:Trait), (c:Trait), (d:Trait) WHERE a.name + b.name + c.name + d.name = '!' RETURN a",
    "MATCH p=()-[*0..9]-() MATCH q=()-[*0..9]-() MATCH r=()-[*0..9]-() MATCH s=()-[*0..9]-() RETURN count(*) AS n",
]


@pytest.mark.parametrize("text", RUNAWAYS, ids=range(len(RUNAWAYS)))
def test_what_runs_on_ends_at_its_limit_and_claims_go_on(
    client_of_cloud: FlaskClient, connected: Database, neo4j_driver: neo4j.Driver, text: str
) -> None:
    ended: list[Exception] = []

    def run() -> None:
        try:
            ask.ask(connected, text, {}, ask.Limits(seconds=2))
        except GraphplaceError as error:
            ended.append(error)

    thread = Thread(target=run)
    thread.start()
    running = "SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery = $text RETURN count(*) AS count"
    while thread.is_alive() and not neo4j_driver.execute_query(running, text=text).records[0]["count"]:
        pass
    claims = 0
    while thread.is_alive():
        assert put(client_of_cloud, f"{text} {claims}", {"cn2": {"VCPU": 1}}).status_code == 204
        assert client_of_cloud.delete(f"/allocations/{uuid_of(f'{text} {claims}')}").status_code == 204
        claims += 1
    assert claims
    (error,) = ended
    assert isinstance(error, TimeBudgetError), error
    assert "took longer than 2 s" in str(error)
