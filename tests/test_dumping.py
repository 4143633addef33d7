"""graphplace dump and load: what is dumped is what is there, at one moment, and loading it brings all of it back."""

import io
import json
from collections import Counter
from collections.abc import Callable
from functools import partial
from threading import Event, Thread
from typing import Any

import neo4j
import pytest
from between import begin, write_between
from claims import claim, generation, load, put
from cloud import uuid_of
from flask.testing import FlaskClient
from graph import look
from hypothesis import given, settings
from hypothesis import strategies as st
from writers import BUSY_CLOUD, busy

from graphplace import host_aggregates, hosts
from graphplace.check import check
from graphplace.dumping import Dumped, dump, dump_per_tree
from graphplace.errors import BadRequestError, ConflictError
from graphplace.graph import schema
from graphplace.graph.database import Database
from graphplace.loading import load as load_document
from graphplace.loading import read_cloud, restore
from graphplace.locks import MOST_READS

CLOUD = """
cn1  VCPU:8(allocation_ratio=0.57,used=2)  HW_CPU_X86_AVX  @A
  numa1  MEMORY_MB:1024(used=512)  CUSTOM_COLD
    core1  CUSTOM_GPU:2(used=1)
pool  DISK_GB:1000(reserved=10,used=100)  MISC_SHARES_VIA_AGGREGATE  @A  @B
"""
Dumping = Callable[[Database, io.BytesIO], Dumped]
both = pytest.mark.parametrize("dumping", [dump, dump_per_tree])

# All that the graph holds: what nodes have, and what they are related to. A revision only ever grows.
NODES = """
MATCH (n) WHERE NOT n:Migration AND coalesce(n.name STARTS WITH 'CUSTOM_', true) OR n:ResourceProvider
WITH n, properties(n) AS had
RETURN labels(n) AS labels, [key IN keys(had) WHERE key <> 'revision' | [key, toString(had[key])]] AS had
"""
RELATIONSHIPS = """
MATCH (a)-[r]->(b)
RETURN type(r) AS type, coalesce(a.uuid, [a.provider_uuid, a.resource_class]) AS a,
  coalesce(b.uuid, b.id, b.name, [b.provider_uuid, b.resource_class]) AS b,
  [key IN keys(r) | [key, toString(r[key])]] AS had
"""


def everything(database: Database) -> Counter[str]:
    rows = look(database, NODES) + look(database, RELATIONSHIPS)
    return Counter(json.dumps({**row, "had": sorted(row["had"], key=str)}, sort_keys=True) for row in rows)


def dumped(database: Database, dumping: Dumping = dump) -> bytes:
    out = io.BytesIO()
    dumping(database, out)
    return out.getvalue()


def lines_of(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in data.splitlines()]


def load_rich_cloud(client: FlaskClient) -> None:
    """A cloud with something of everything, of generations that are not the first, and over its capacity."""
    load(client, CLOUD)
    client.put("/traits/CUSTOM_UNUSED")
    client.put("/resource_classes/CUSTOM_UNUSED")
    both_trees = {"cn1": {"VCPU": 1}, "pool": {"DISK_GB": 5}}
    put(client, "vm", both_trees, project="p", user="u", kind="MIGRATION")
    put(client, "vm", both_trees, 1, project="p2", user="u", kind="MIGRATION")
    untyped = {key: value for key, value in claim({"numa1": {"MEMORY_MB": 7}}).items() if key != "consumer_type"}
    old = {"HTTP_OPENSTACK_API_VERSION": "placement 1.36"}
    answer = client.put(f"/allocations/{uuid_of('old')}", json=untyped, environ_overrides=old)
    assert answer.status_code == 204, answer.text
    client.put(
        f"/resource_providers/{uuid_of('pool')}/inventories/DISK_GB",
        json={"total": 50, "resource_provider_generation": generation(client, "pool")},
    )


def add_hosts(client: FlaskClient, database: Database) -> None:
    """A cell with a host in a host aggregate, one whose provider was deleted, and a host aggregate without hosts."""
    hosts.create_cell(database, "cell1")
    load(client, "gone  VCPU:1")
    hosts.discover(database, "cell1")
    host_aggregates.create(database, "rack", uuid_of("rack"), {"availability_zone": "az", "filter_tenant_id": "p"})
    host_aggregates.create(database, "empty")
    for host in ("cn1", "gone"):
        host_aggregates.add_host(database, "rack", host)
    assert client.delete(f"/resource_providers/{uuid_of('gone')}").status_code == 204


@both
def test_a_round_trip_is_the_identity(client: FlaskClient, database: Database, dumping: Dumping) -> None:
    load_rich_cloud(client)
    add_hosts(client, database)
    before, state = dumped(database, dumping), everything(database)
    assert b"CUSTOM_UNUSED" in before

    schema.wipe(database)
    restored = restore(database, before.splitlines())

    assert (restored.providers, restored.allocations) == (4, 7)
    assert dumped(database, dumping) == before
    assert everything(database) == state
    assert list(check(database)) == []
    assert client.get("/allocation_candidates?resources=VCPU:1").json["allocation_requests"]


def test_the_lines(client: FlaskClient, database: Database) -> None:
    load_rich_cloud(client)
    trees = [line for line in lines_of(dumped(database)) if "providers" in line]
    (host,) = (line for line in trees if line["providers"][0]["name"] == "cn1")

    assert [(one["name"], one.get("parent")) for one in host["providers"]] == [
        ("cn1", None),
        ("numa1", "cn1"),
        ("core1", "numa1"),
    ]
    shown = client.get(f"/resource_providers/{uuid_of('cn1')}").json
    assert host["providers"][0]["generation"] == shown["generation"]
    assert host["providers"][0]["inventories"]["VCPU"]["allocation_ratio"] == 0.57
    (vm,) = (one for one in host["consumers"] if one["uuid"] == uuid_of("vm"))
    assert (vm["generation"], vm["project_id"], vm["type"]) == (2, "p2", "MIGRATION")
    assert vm["allocations"] == {"cn1": {"VCPU": 1}}
    (old,) = (one for one in host["consumers"] if one["uuid"] == uuid_of("old"))
    assert "type" not in old


@both
def test_long_lists_are_cut_into_lines(
    client: FlaskClient, database: Database, dumping: Dumping, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_rich_cloud(client)
    add_hosts(client, database)
    whole = dumped(database, dumping)
    monkeypatch.setattr("graphplace.dumping.lines.CONSUMERS_A_LINE", 1)
    monkeypatch.setattr("graphplace.dumping.lines.NAMES_A_LINE", 1)
    monkeypatch.setattr("graphplace.dumping.whole.TREES_AT_ONCE", 1)
    monkeypatch.setattr("graphplace.dumping.whole.LOCKS_AT_ONCE", 1)
    monkeypatch.setattr("graphplace.loading.batches.ENTRIES_AT_ONCE", 1)
    cut = dumped(database, dumping)
    assert len(cut.splitlines()) > len(whole.splitlines())
    assert max(len(line.get("consumers", [])) for line in lines_of(cut)) == 1
    state = everything(database)

    schema.wipe(database)
    restore(database, cut.splitlines())
    assert everything(database) == state
    assert dumped(database, dumping) == cut


# Refused, with these words in the error; what is written before the mistake is told, and marked in the graph.
BROKEN: dict[str, tuple[Callable[[list[bytes]], list[bytes]], str]] = {
    "no last line": (lambda lines: lines[:-1], "the totals, is missing"),
    "a line that is cut": (lambda lines: [*lines[:-1], lines[-1][:-3]], "this is not JSON"),
    "a line that is lost": (lambda lines: lines[1:], "totals are not those of what they are of"),
    "more behind the end": (lambda lines: [*lines, lines[0]], "the totals have to be the last line"),
    "an unknown word": (
        lambda lines: [lines[0], lines[1].replace(b'"generation"', b'"age"', 1), *lines[2:]],
        "Line 2: .*generation",
    ),
    "a bad time": (
        lambda lines: [lines[0], lines[1].replace(b'"created_at":"2', b'"created_at":"X'), *lines[2:]],
        "Line 2: ",
    ),
    "no such inventory": (
        lambda lines: [line.replace(b'"VCPU":{"allocation_ratio"', b'"PGPU":{"allocation_ratio"') for line in lines],
        "no provider has this inventory: cn1 VCPU",
    ),
    "no such provider of a host": (
        lambda lines: [line.replace(b'"provider":"cn1"', b'"provider":"cn9"') for line in lines],
        "the host cn1 cn1 names what is nowhere",
    ),
    "no such parent": (
        lambda lines: [line.replace(b'"parent":"cn1"', b'"parent":"cn2"') for line in lines],
        "The parent of provider numa1 is not before it: cn2",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_dump(client: FlaskClient, database: Database, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    load(client, CLOUD)
    hosts.create_cell(database, "cell1")
    hosts.discover(database, "cell1")
    lines = dumped(database).splitlines()
    # Those of the pool are written before the mistake.
    lines.sort(key=lambda line: (b'"totals"' in line, b'"name":"pool"' not in line, b'"name":"cn1"' not in line))
    broken, words = BROKEN[name]
    schema.wipe(database)
    monkeypatch.setattr("graphplace.loading.batches.ENTRIES_AT_ONCE", 1)

    with pytest.raises(BadRequestError, match=f"(?s){words}.*broken off.*db wipe"):
        restore(database, broken(lines))
    assert "load" in {one.check for one in check(database)}
    with pytest.raises(ConflictError, match="holds a part of a file"):
        restore(database, lines)
    schema.wipe(database)
    restore(database, lines)
    assert list(check(database)) == []


def test_what_one_transaction_holds_is_there_whole_or_not_at_all(client: FlaskClient, database: Database) -> None:
    load(client, CLOUD)
    lines = dumped(database).splitlines()
    schema.wipe(database)
    state = everything(database)

    with pytest.raises(BadRequestError, match=r"the totals, is missing: the file is not whole\.$"):
        restore(database, lines[:-1])
    assert everything(database) == state
    assert list(check(database)) == []


def test_a_graph_that_is_not_empty_is_left_alone(client: FlaskClient, database: Database) -> None:
    load(client, CLOUD)
    data, state = dumped(database), everything(database)
    with pytest.raises(ConflictError, match="this one holds providers or consumers"):
        restore(database, data.splitlines())
    assert everything(database) == state


def test_a_graph_with_cells_is_not_empty(client: FlaskClient, database: Database) -> None:
    load(client, CLOUD)
    data = dumped(database)
    schema.wipe(database)
    hosts.create_cell(database, "cell1")
    with pytest.raises(ConflictError, match="or hosts, cells or host aggregates"):
        restore(database, data.splitlines())
    assert [cell.name for cell in hosts.cells(database)] == ["cell1"]


def claims_in(lines: list[dict[str, Any]]) -> Counter[tuple[str, str]]:
    held: Counter[tuple[str, str]] = Counter()
    for line in lines:
        for one in line.get("consumers", []):
            held.update(
                {(name, kind): amount for name, had in one["allocations"].items() for kind, amount in had.items()}
            )
    return held


@both
def test_a_dump_that_is_taken_while_the_cloud_is_written_to(
    client: FlaskClient, database: Database, dumping: Dumping
) -> None:
    """Whatever is dumped meanwhile can be loaded, and is a cloud in which everything holds."""
    load(client, BUSY_CLOUD)
    with busy(client):
        taken = [dumped(database, dumping) for _ in range(6)]
    for data in taken:
        schema.wipe(database)
        restore(database, data.splitlines())
        assert list(check(database)) == []


def test_a_dump_is_of_one_moment(client: FlaskClient, database: Database) -> None:
    """A unit that is handed over between trees is dumped once, and a consumer with what it holds of all trees."""
    hosts = [f"cn{number}" for number in range(6)]
    load(client, "\n".join(f"{host}  VCPU:1  DISK_GB:1" for host in hosts))
    put(client, "c0", {"cn0": {"VCPU": 1}, "cn1": {"DISK_GB": 1}})
    taken: list[bytes] = []
    handed = 0

    def hand_over() -> None:
        nonlocal handed
        answer = client.post(
            "/allocations",
            json={
                uuid_of(f"c{handed}"): claim({}, 1),
                uuid_of(f"c{handed + 1}"): claim(
                    {hosts[(handed + 1) % 6]: {"VCPU": 1}, hosts[(handed + 2) % 6]: {"DISK_GB": 1}}
                ),
            },
        )
        assert answer.status_code == 204, answer.text
        handed += 1

    over = Event()

    def write() -> None:
        while not over.is_set():
            hand_over()

    writer = Thread(target=write)
    writer.start()
    try:
        taken.extend(dumped(database) for _ in range(10))
    finally:
        over.set()
        writer.join()
    assert handed
    for data in taken:
        lines = lines_of(data)
        held = claims_in(lines)
        assert Counter(kind for _, kind in held.elements()) == {"VCPU": 1, "DISK_GB": 1}
        assert len({one["uuid"] for line in lines for one in line.get("consumers", [])}) == 1


def test_nobody_hands_over_between_two_trees(
    client: FlaskClient, database: Database, driver: neo4j.Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What moves from a tree that is still to be read to one that has been would be in neither."""
    first, second = sorted(["cn1", "cn2"], key=uuid_of)
    load(client, "cn1  VCPU:1\ncn2  VCPU:1")
    put(client, "vm", {second: {"VCPU": 1}})
    monkeypatch.setattr("graphplace.dumping.whole.TREES_AT_ONCE", 1)
    threads: list[Thread] = []
    move = partial(put, client, "vm", {first: {"VCPU": 1}}, 1)
    write_between(monkeypatch, "dumping.trees", lambda: threads.append(begin(driver, move)))

    data = dumped(database)
    for thread in threads:
        thread.join()
    assert claims_in(lines_of(data)) == {(second, "VCPU"): 1}
    assert claims_in(lines_of(dumped(database))) == {(first, "VCPU"): 1}


def test_what_comes_before_all_locks_are_there_is_dumped_whole(
    client: FlaskClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(client, "cn1  VCPU:1")

    def come() -> None:
        load(client, "cn2  VCPU:1  CUSTOM_NEW")
        put(client, "vm", {"cn1": {"VCPU": 1}, "cn2": {"VCPU": 1}})

    write_between(monkeypatch, "dumping.everything", come)
    data = dumped(database)
    assert claims_in(lines_of(data)) == {("cn1", "VCPU"): 1, ("cn2", "VCPU"): 1}
    assert data == dumped(database)


def test_what_comes_after_all_locks_are_there_is_not_dumped(
    client: FlaskClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(client, "cn1  VCPU:1")
    before = dumped(database)

    def come() -> None:
        assert client.put("/traits/CUSTOM_NEW").status_code == 201
        load(client, "cn2  CUSTOM_NEW")

    # Everything is listed twice: to be locked, and to see that nothing is left. The roots are listed after that.
    seen = iter([False, True])
    write_between(monkeypatch, "dumping.everything", lambda: next(seen) and come(), times=2)
    assert dumped(database) == before
    assert dumped(database) != before


@pytest.mark.parametrize("writes", [1, MOST_READS])
def test_a_tree_is_read_until_it_is_twice_the_same(
    client: FlaskClient, database: Database, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    load(client, "cn1  VCPU:8")
    generations = iter([None, *range(1, writes)])

    def write() -> None:
        put(client, "vm", {"cn1": {"VCPU": 1}}, next(generations))

    reads = write_between(monkeypatch, "dumping.trees", write, times=writes)
    data = dumped(database, dump_per_tree)
    # One that never settles is read once more, locked, and read again.
    assert reads() == writes + 2
    assert data == dumped(database)


def test_writers_wait_for_a_dump_and_not_for_one_per_tree(
    client: FlaskClient, database: Database, driver: neo4j.Driver
) -> None:
    load(client, CLOUD)
    with driver.session() as session, session.begin_transaction() as writing:
        writing.run("MATCH (p:ResourceProvider {name: 'pool'}) SET p:ResourceProvider").consume()
        per_tree = dumped(database, dump_per_tree)
        whole: list[bytes] = []
        dumper = Thread(target=lambda: whole.append(dumped(database)))
        dumper.start()
        writing.commit()
    dumper.join()
    assert whole == [per_tree]


@both
def test_what_only_some_writes_let_pass_comes_back(client: FlaskClient, database: Database, dumping: Dumping) -> None:
    """A provider that lost its name, with a child and a claim, and one that reserves more than it has."""
    load(client, CLOUD)
    numa, pool = uuid_of("numa1"), uuid_of("pool")
    assert client.put(f"/resource_providers/{numa}", json={"name": ""}).status_code == 200
    drawn = {"inventories": {"DISK_GB": {"total": 1000, "reserved": 1001}}, "resource_provider_generation": 4}
    assert client.post("/reshaper", json={"inventories": {pool: drawn}, "allocations": {}}).status_code == 204
    data, state = dumped(database, dumping), everything(database)

    schema.wipe(database)
    restore(database, data.splitlines())
    assert everything(database) == state


@st.composite
def clouds(draw: st.DrawFn) -> dict[str, Any]:
    """A document of version 1: trees of any shape, with pools, and consumers of several of them."""
    number = draw(st.integers(1, 8))
    providers: list[dict[str, Any]] = []
    for index in range(number):
        parent = draw(st.none() | st.integers(0, index - 1)) if index else None
        inventory = st.fixed_dictionaries(
            {
                "total": st.integers(20, 100),
                "reserved": st.integers(0, 3),
                "allocation_ratio": st.sampled_from([1.0, 0.57, 16.0, 1.1]),
            }
        )
        providers.append(
            {
                "uuid": uuid_of(f"provider{index}"),
                "name": draw(st.text(min_size=1, max_size=5)) + str(index),
                **({} if parent is None else {"parent": providers[parent]["name"]}),
                "inventories": draw(st.dictionaries(st.sampled_from(["VCPU", "DISK_GB", "CUSTOM_A"]), inventory)),
                "traits": draw(
                    st.lists(st.sampled_from(["CUSTOM_B", "MISC_SHARES_VIA_AGGREGATE", "HW_CPU_X86_AVX"]), unique=True)
                ),
                "aggregates": [uuid_of(name) for name in draw(st.sets(st.sampled_from("ABC")))],
            }
        )
    had = [(one["name"], kind) for one in providers for kind in one["inventories"]]
    consumers = []
    for index in range(draw(st.integers(0, 4)) if had else 0):
        held: dict[str, dict[str, int]] = {}
        for name, kind in draw(st.sets(st.sampled_from(had), min_size=1, max_size=4)):
            held.setdefault(name, {})[kind] = draw(st.integers(1, 2))
        owner = {"type": draw(st.sampled_from(["A", "B"])), "project_id": draw(st.sampled_from("pq")), "user_id": "ü"}
        consumers.append({"uuid": uuid_of(f"consumer{index}"), "allocations": held} | owner)
    return {
        "version": 1,
        "resource_classes": ["CUSTOM_A"],
        "traits": ["CUSTOM_B", "CUSTOM_C"],
        "providers": providers,
        "consumers": consumers,
    }


@settings(max_examples=25)
@given(document=clouds(), dumping=st.sampled_from([dump, dump_per_tree]), times=st.integers(1, 2))
def test_any_cloud_comes_back(connected: Database, document: dict[str, Any], dumping: Dumping, times: int) -> None:
    schema.wipe(connected)
    read = read_cloud(json.dumps(document).encode())
    for _ in range(times):
        load_document(connected, read)
    data, state = dumped(connected, dumping), everything(connected)

    schema.wipe(connected)
    restore(connected, data.splitlines())
    assert dumped(connected, dump) == data
    assert everything(connected) == state
    assert list(check(connected)) == []
