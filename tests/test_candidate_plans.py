"""What Neo4j does for the texts of the search: operators, reads, and how often it is asked. No times."""

from collections.abc import Iterator
from typing import Any

import neo4j
import pytest
from cloud import Provider, read_cloud, uuid_of
from graphplace.cypher import Statement, statement
from oracle.graph import write_graph

from graphplace.candidates import start
from graphplace.candidates.find import find_candidates
from graphplace.compiler.compile import ANCHORING, OFFERS, compile_request
from graphplace.graph.database import Database, Transaction
from graphplace.graph.plans import plan_ahead
from graphplace.request.parse import parse_candidate_request
from graphplace.request.syntax import EXTENDED

# Each of these reads or holds more than the batch: all nodes of a kind, a product, all rows at once.
UNBOUNDED = {
    "AllNodesScan",
    "CartesianProduct",
    "Eager",
    "NodeByLabelScan",
    "NodeIndexScan",
    "UndirectedRelationshipTypeScan",
    "ValueHashJoin",
    "NodeHashJoin",
}
# These hold rows too, and are fine for the few providers of each tree.
SORTING = {"PartialSort", "PartialTop", "Sort", "Top"}

REQUEST = (
    "resources=DISK_GB:1&required=HW_CPU_X86_AVX&resources_C=VCPU:2&required_R=HW_NUMA_ROOT&resources_N=SRIOV_NET_VF:1"
    f"&member_of_C={uuid_of('A')}&resources_M=SRIOV_NET_VF:1&same_subtree=_R,_C,_N&group_policy=none"
    "&root_required=HW_CPU_X86_AVX,!HW_CPU_X86_SGX"
)


pytestmark = pytest.mark.usefixtures("_long_ago")
RARE = 5
# Providers of a host that fit something in REQUEST, and the pool.
FITTING = 4


def hosts(number: int) -> tuple[Provider, ...]:
    host = """\
cn{0}  DISK_GB:100  HW_CPU_X86_AVX  @pool  {1}
  numa{0}  VCPU:8  HW_NUMA_ROOT  @A
    pf{0}  SRIOV_NET_VF:8
  gpu{0}  VGPU:4
"""
    # Its root, too, is one that has_root looks for: the first one fits, whichever it is.
    pool = "ss  DISK_GB:1000  HW_CPU_X86_AVX  MISC_SHARES_VIA_AGGREGATE  @pool"
    return read_cloud(
        "".join(host.format(one, "@rare  HW_CPU_X86_VMX" if one < RARE else "") for one in range(number)) + pool
    )


@pytest.fixture
def planned_when_empty(database: Database) -> Database:
    """A graph that was empty when Neo4j planned every text of the search."""
    plan_ahead(database)
    return database


STARTS: list[tuple[str, dict[str, Any]]] = [
    ("candidates.start_at_class", {"class": "VCPU", "amount": 2, "least": None, "most": 16}),
    ("candidates.start_at_trait", {"traits": ["HW_CPU_X86_VMX"], "most": 16}),
    ("candidates.start_at_aggregate", {"aggregates": [uuid_of("rare")], "most": 16}),
    ("candidates.start_at_tree", {"provider": uuid_of("pf0"), "most": 16}),
]


NAMES: dict[str, Any] = {
    "classes": [{"class": "VCPU", "amount": 1}, {"class": "DISK_GB", "amount": 500}],
    "traits": ["HW_NUMA_ROOT", "HW_CPU_X86_VMX"],
    "aggregates": [uuid_of("A"), uuid_of("rare")],
    "providers": [uuid_of("pf0")],
    "most": 10,
}
QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("candidates.facts", NAMES),
    ("candidates.reaches", NAMES),
    ("candidates.has_member", {"member_of": [[uuid_of("rare")], [uuid_of("pool")]]}),
    (
        "candidates.has_root",
        {
            "required": ["HW_CPU_X86_AVX"],
            "forbidden": ["HW_CPU_X86_SGX"],
            "member_of": [[uuid_of("pool")]],
            "forbidden_aggregates": [uuid_of("A")],
        },
    ),
]


def parse(query: str) -> Any:
    return parse_candidate_request([tuple(pair.split("=", 1)) for pair in query.split("&")])  # type: ignore[misc]


def profile(driver: neo4j.Driver, one: Statement, parameters: dict[str, Any]) -> dict[str, Any]:
    summary = driver.execute_query(f"PROFILE {one.packed}", given=parameters).summary  # type: ignore[arg-type]
    assert summary.profile is not None
    return dict(summary.profile)


def operators(plan: dict[str, Any]) -> Iterator[str]:
    yield plan["operatorType"].partition("@")[0]
    for child in plan.get("children", []):
        yield from operators(child)


def sorted_rows(plan: dict[str, Any]) -> int:
    """How many rows are put in order, by operators that hold them all."""
    own = int(plan["args"].get("Rows", 0)) if plan["operatorType"].partition("@")[0] in SORTING else 0
    return own + sum(sorted_rows(child) for child in plan.get("children", []))


def reads(plan: dict[str, Any]) -> int:
    return int(plan["args"].get("DbHits", 0)) + sum(reads(child) for child in plan.get("children", []))


def profiles(
    database: Database, driver: neo4j.Driver, one: Statement, parameters: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """Yield the profiles of a statement in a cloud, and in one twice as large."""
    for number in (40, 80):
        write_graph(database, hosts(number))
        yield profile(driver, one, parameters)


def of_batch(number: int) -> tuple[Statement, dict[str, Any]]:
    query = compile_request(parse(REQUEST), {})
    roots = [uuid_of(f"cn{one}") for one in range(number)]
    return query.statement, query.parameters | {"roots": roots, "sharing": True}


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start[0])
def test_a_start_reads_what_it_gives(
    planned_when_empty: Database, driver: neo4j.Driver, start: tuple[str, dict[str, Any]]
) -> None:
    counts = []
    for plan in profiles(planned_when_empty, driver, statement(start[0]), start[1]):
        assert UNBOUNDED & set(operators(plan)) == set()
        assert sorted_rows(plan) in (0, 1, RARE)
        counts.append(reads(plan))
    assert counts[1] < counts[0] * 1.1


def test_the_trees_of_a_class_come_in_order_without_being_sorted(
    planned_when_empty: Database, driver: neo4j.Driver
) -> None:
    write_graph(planned_when_empty, hosts(40))
    assert SORTING.isdisjoint(operators(profile(driver, statement(STARTS[0][0]), STARTS[0][1])))


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question[0])
def test_a_question_reads_no_more_of_a_greater_cloud(
    planned_when_empty: Database, driver: neo4j.Driver, question: tuple[str, dict[str, Any]]
) -> None:
    counts = []
    for plan in profiles(planned_when_empty, driver, statement(question[0]), question[1]):
        # Roots are gone through up to the first that fits, not all of them; and the product is one of single rows.
        assert UNBOUNDED & set(operators(plan)) <= {"NodeByLabelScan", "CartesianProduct"}
        assert sorted_rows(plan) <= 10
        counts.append(reads(plan))
    # Which root is the first is up to Neo4j: a few reads more or less.
    assert counts[1] < counts[0] * 1.1 + 10


def test_anchors_read_the_trees_that_are_shared_with(planned_when_empty: Database, driver: neo4j.Driver) -> None:
    write_graph(planned_when_empty, hosts(40))
    plan = profile(driver, statement("candidates.anchors"), {"sharers": [uuid_of("ss")]})
    assert UNBOUNDED & set(operators(plan)) == set()
    assert sorted_rows(plan) == 41
    assert reads(plan) < 41 * 20


def test_anchors_read_their_trees_whatever_the_size_of_the_cloud(
    planned_when_empty: Database, driver: neo4j.Driver
) -> None:
    """What only some requests ask of a root, or of its tree, is read of the roots of a batch."""
    request = parse_candidate_request(
        [
            ("resources_C", "VCPU:1"),
            ("root_member_of", f"in:{uuid_of('pool')},{uuid_of('rare')}"),
            ("root_member_of", f"!{uuid_of('A')}"),
            ("required", "HW_NUMA_ROOT,!HW_CPU_X86_SGX"),
            ("member_of", uuid_of("A")),
        ],
        EXTENDED,
    )
    parameters = compile_request(request, {}).anchoring | {"roots": [uuid_of(f"cn{one}") for one in range(10)]}
    counts = []
    for plan in profiles(planned_when_empty, driver, statement(ANCHORING), parameters):
        assert UNBOUNDED & set(operators(plan)) == set()
        assert sorted_rows(plan) == 0
        counts.append(reads(plan))
    # Up to which relationship a root or a provider is gone through is up to Neo4j: a few reads more or less.
    assert counts[1] < counts[0] * 1.3
    assert counts[0] < 10 * 150


def test_a_batch_reads_its_trees_whatever_the_size_of_the_cloud(
    planned_when_empty: Database, driver: neo4j.Driver
) -> None:
    counts = {}
    for number in (40, 80):
        write_graph(planned_when_empty, hosts(number))
        for batch in (10, 20):
            plan = profile(driver, *of_batch(batch))
            assert UNBOUNDED & set(operators(plan)) == set()
            assert sorted_rows(plan) == batch * FITTING
            counts[number, batch] = reads(plan)
    # An aggregate of fifty providers and more is stored in another way, and read a little faster.
    assert counts[80, 10] <= counts[40, 10]
    assert counts[80, 20] <= 2 * counts[80, 10]
    assert counts[80, 10] < 10 * 300


def test_offers_read_their_providers_whatever_the_size_of_the_cloud(
    planned_when_empty: Database, driver: neo4j.Driver
) -> None:
    query = compile_request(parse_candidate_request([("resources", "VCPU:9"), ("can_split", "VCPU")], EXTENDED), {})
    parameters = query.offers | {"providers": [uuid_of(f"cn{one}") for one in range(10)]}
    counts = []
    for plan in profiles(planned_when_empty, driver, statement(OFFERS), parameters):
        assert UNBOUNDED & set(operators(plan)) == set()
        assert sorted_rows(plan) == 0
        counts.append(reads(plan))
    assert counts[0] == counts[1] < 10 * 50


def test_summaries_read_their_trees_whatever_the_size_of_the_cloud(
    planned_when_empty: Database, driver: neo4j.Driver
) -> None:
    batches = [[uuid_of(f"cn{one}") for one in some] for some in (range(6), range(6, 10))]
    counts = []
    for plan in profiles(planned_when_empty, driver, statement("candidates.summaries"), {"batches": batches}):
        assert UNBOUNDED & set(operators(plan)) == set()
        counts.append(reads(plan))
    assert counts[0] == counts[1]


def test_trees_that_lack_something_are_not_looked_at_when_the_first_ones_were_in_vain(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of hosts that have one of two things each, a few of the last ones have both."""
    monkeypatch.setattr(start, "PROBE", 10)
    both = "VCPU:8  DISK_GB:9"
    text = "".join(f"cn{one}  {both if one > 195 else both.split()[one % 2]}\n" for one in range(200))
    write_graph(database, read_cloud(text))
    looked_at = []
    stream = Transaction.stream

    def noted(self: Transaction, one: Statement, /, **parameters: Any) -> Any:
        if one.name == "candidates.match":
            looked_at.append(len(parameters["roots"]))
        return stream(self, one, **parameters)

    monkeypatch.setattr(Transaction, "stream", noted)
    found = find_candidates(database, parse("resources=VCPU:1,DISK_GB:1"))
    assert len(found.allocation_requests) == 4
    assert looked_at[0] == 10
    assert sum(looked_at) <= 14


@pytest.mark.parametrize("sharing", [True, False])
@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("resources=VCPU:1&limit=10", 4),
        (f"{REQUEST}&limit=10", 4),
        # One tree, and it is known.
        (f"resources=VCPU:1&in_tree={uuid_of('numa3')}&limit=10", 3),
        # Nothing fits anywhere.
        ("resources=VCPU:9&limit=10", 2),
        ("resources=VCPU:1", 4),
    ],
)
def test_neo4j_is_asked_a_few_times_however_many_trees_there_are(
    database: Database, monkeypatch: pytest.MonkeyPatch, query: str, asked: int, *, sharing: bool
) -> None:
    """Once more where anything shares."""
    write_graph(database, [one for one in hosts(60) if sharing or one.name != "ss"])
    names = []
    stream = Transaction.stream

    def counted(self: Transaction, one: Statement, /, **parameters: Any) -> Any:
        names.append(one.name)
        return stream(self, one, **parameters)

    monkeypatch.setattr(Transaction, "stream", counted)
    find_candidates(database, parse(query))
    assert len(names) == asked + sharing, names
