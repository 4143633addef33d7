"""The cookbook: every question on one cloud with its exact answer, and what it reads of a larger one."""

import json
from typing import Any

import neo4j
import pytest
from claims import generation, load, put
from cloud import PROJECT, USER, uuid_of
from graphplace.api import create_app
from growing import grow
from profiling import hits

from graphplace import ask
from graphplace.errors import BadRequestError, NotFoundError
from graphplace.graph import schema
from graphplace.graph.database import Database

CLOUD = """
cn1  HW_CPU_X86_AVX2  @az1  @nfs
  cn1_numa0  VCPU:8(used=2)  MEMORY_MB:4096(reserved=512,used=1024)
  cn1_numa1  VCPU:8  MEMORY_MB:4096
    cn1_gpu  VGPU:2(used=2)  CUSTOM_FAST
cn2  VCPU:8(max_unit=4,step_size=2)  MEMORY_MB:2048(used=2048)  HW_CPU_X86_AVX2  @az1
cn3  VCPU:4  @az2
  cn3_empty
cn4  VCPU:4  @nfs
old  DISK_GB:10
nfs  DISK_GB:1000(used=100)  MISC_SHARES_VIA_AGGREGATE  @nfs
"""
AZ1, AZ2, NFS = (uuid_of(name) for name in ("az1", "az2", "nfs"))
MOVER, VM, GPU = (uuid_of(name) for name in ("mover", "vm", "cn1_gpu VGPU"))
# What differs from run to run.
TIMES = {"since", "changed"}
Rows = list[list[Any]]

FLAVOR = {"resources": "VCPU:2,MEMORY_MB:512"}
WITH_DISK = {"resources": "VCPU:1,DISK_GB:300"}
FIT = [*sorted([[AZ1, 2, 1, 4], [NFS, 2, 1, 4]]), [AZ2, 1, 0, 0], [None, 1, 0, 0]]
# The pool is filled once, though two trees would take as much of it.
FIT_WITH_DISK = [*sorted([[AZ1, 2, 1, 2], [NFS, 2, 2, 2]]), [AZ2, 1, 0, 0], [None, 1, 0, 0]]
LIMIT = str(2**31 - 1)
MOVING = ["MIGRATION", MOVER, "p2", ["cn1", "cn3"], 30]

ANSWERS: list[tuple[str, dict[str, str], Rows]] = [
    (
        "host-tree",
        {"host": "cn1_gpu"},
        [
            [0, "cn1", None, None, None, None, None],
            [1, "cn1_numa0", "MEMORY_MB", 4096, 512, 1024, 2560],
            [1, "cn1_numa0", "VCPU", 8, 0, 3, 5],
            [1, "cn1_numa1", "MEMORY_MB", 4096, 0, 1000, 3096],
            [1, "cn1_numa1", "VCPU", 8, 0, 4, 4],
            [2, "cn1_gpu", "VGPU", 2, 0, 2, 0],
        ],
    ),
    ("host-tree", {"host": uuid_of("old")}, [[0, "old", "DISK_GB", 10, 0, 0, 10]]),
    (
        "consumer-claims",
        {"consumer": VM},
        [
            ["cn1 / cn1_numa1", "MEMORY_MB", 1000, 4096, 1000],
            ["cn1 / cn1_numa1", "VCPU", 4, 8, 4],
            ["nfs", "DISK_GB", 50, 1000, 150],
        ],
    ),
    ("several-roots", {}, [MOVING]),
    ("several-roots", {"hours": "30", "consumer_type": "MIGRATION"}, [MOVING]),
    ("several-roots", {"hours": "48"}, []),
    ("several-roots", {"consumer_type": "INSTANCE"}, []),
    ("over-capacity", {}, [["cn2", "cn2", "MEMORY_MB", 1024, 2048, 1024]]),
    (
        "stranded-capacity",
        FLAVOR,
        [
            ["cn2", "VCPU", 8, ["MEMORY_MB"]],
            ["cn4", "VCPU", 4, ["MEMORY_MB"]],
            ["cn3", "VCPU", 3, ["MEMORY_MB"]],
        ],
    ),
    (
        "stranded-capacity",
        {"resources": "VCPU:2,DISK_GB:10"},
        [["old", "DISK_GB", 10, ["VCPU"]], ["cn2", "VCPU", 8, ["DISK_GB"]], ["cn3", "VCPU", 3, ["DISK_GB"]]],
    ),
    ("largest-block", {"host": "cn2"}, [["cn2", "MEMORY_MB", 0, "cn2", 0], ["cn2", "VCPU", 4, "cn2", 8]]),
    (
        "largest-block",
        {"host": "cn1"},
        [
            ["cn1", "MEMORY_MB", 3096, "cn1_numa1", 5656],
            ["cn1", "VCPU", 5, "cn1_numa0", 9],
            ["cn1", "VGPU", 0, "cn1_gpu", 0],
            ["cn1_gpu", "VGPU", 0, "cn1_gpu", 0],
            ["cn1_numa0", "MEMORY_MB", 2560, "cn1_numa0", 2560],
            ["cn1_numa0", "VCPU", 5, "cn1_numa0", 5],
            ["cn1_numa1", "MEMORY_MB", 3096, "cn1_numa1", 3096],
            ["cn1_numa1", "VCPU", 4, "cn1_numa1", 4],
            ["cn1_numa1", "VGPU", 0, "cn1_gpu", 0],
        ],
    ),
    (
        "stale-providers",
        {},
        [["cn3", "cn3_empty", "no inventory, trait or child"], ["old", "old", "unused and unchanged"]],
    ),
    ("stale-providers", {"days": "200"}, [["cn3", "cn3_empty", "no inventory, trait or child"]]),
    ("sharing-pools", {}, [["nfs", NFS, 2, "DISK_GB", 1000, 150, 850]]),
    ("sharing-pools", {"pool": "cn1"}, []),
    (
        "traits-without-room",
        {"asked": "HW_CPU_X86_AVX2,CUSTOM_NOWHERE"},
        [["CUSTOM_FAST", 1, "never free"], ["CUSTOM_NOWHERE", 0, "nobody has it"]],
    ),
    ("traits-without-room", {}, [["CUSTOM_FAST", 1, "never free"]]),
    (
        "blast-radius",
        {"provider": "cn1_numa1"},
        [
            [PROJECT, GPU, "INSTANCE", ["cn1_gpu"], ["VGPU:2"]],
            ["p2", VM, "INSTANCE", ["cn1_numa1"], ["MEMORY_MB:1000", "VCPU:4"]],
        ],
    ),
    (
        "compare-hosts",
        {"host": "cn2", "other": "cn3"},
        [
            ["/", "MEMORY_MB allocation_ratio", "1.0", None],
            ["/", "MEMORY_MB max_unit", LIMIT, None],
            ["/", "MEMORY_MB min_unit", "1", None],
            ["/", "MEMORY_MB reserved", "0", None],
            ["/", "MEMORY_MB step_size", "1", None],
            ["/", "MEMORY_MB total", "1024", None],
            ["/", "VCPU max_unit", "4", LIMIT],
            ["/", "VCPU step_size", "2", "1"],
            ["/", "VCPU total", "8", "4"],
            *sorted([["/", f"aggregate {AZ1}", "yes", None], ["/", f"aggregate {AZ2}", None, "yes"]], key=str),
            ["/", "trait HW_CPU_X86_AVX2", "yes", None],
            ["/_empty/", "provider", None, "yes"],
        ],
    ),
    ("flavor-fit", FLAVOR, FIT),
    ("flavor-fit", WITH_DISK, FIT_WITH_DISK),
    ("flavor-fit", FLAVOR | {"required": "HW_CPU_X86_AVX2"}, sorted([[AZ1, 2, 1, 4], [NFS, 1, 1, 4]])),
    (
        "usage-by-class",
        {},
        [
            ["VGPU", 1, 2, 0, 2, 2, 0, 100.0],
            ["MEMORY_MB", 3, 9216, 512, 8704, 4072, 4632, 46.8],
            ["VCPU", 5, 32, 0, 32, 8, 24, 25.0],
            ["DISK_GB", 2, 1010, 0, 1010, 150, 860, 14.9],
        ],
    ),
    ("usage-by-class", {"resource_class": "VGPU"}, [["VGPU", 1, 2, 0, 2, 2, 0, 100.0]]),
    (
        "fullest-hosts",
        {},
        [
            ["cn2", "MEMORY_MB", 2048, 1024, -1024, 200.0],
            ["cn1", "VGPU", 2, 2, 0, 100.0],
            ["cn3", "VCPU", 1, 4, 3, 25.0],
            ["nfs", "DISK_GB", 150, 1000, 850, 15.0],
            ["cn4", "VCPU", 0, 4, 4, 0.0],
            ["old", "DISK_GB", 0, 10, 10, 0.0],
        ],
    ),
    ("fullest-hosts", {"resource_class": "VCPU", "most": "1"}, [["cn1", "VCPU", 7, 16, 9, 43.8]]),
    (
        "aggregate-capacity",
        {"aggregate": AZ1},
        [[AZ1, 2, "MEMORY_MB", 8704, 4072, 4632], [AZ1, 2, "VCPU", 24, 7, 17], [AZ1, 2, "VGPU", 2, 2, 0]],
    ),
    ("oldest-consumers", {"most": "1"}, [[MOVER, "MIGRATION", "p2", ["cn1", "cn3"], 30]]),
    ("oldest-consumers", {"consumer_type": "UNHEARD_OF"}, []),
    (
        "project-consumers",
        {"project": "p2"},
        sorted(
            [
                [MOVER, "MIGRATION", USER, ["cn1", "cn3"], ["VCPU:2"]],
                [VM, "INSTANCE", USER, ["cn1", "nfs"], ["DISK_GB:50", "MEMORY_MB:1000", "VCPU:4"]],
            ]
        ),
    ),
]
# Questions about something small: they read no more in a larger cloud, all others no more than the cloud grew.
SMALL: dict[str, dict[str, str]] = {
    "host-tree": {"host": "cn1"},
    "consumer-claims": {"consumer": VM},
    "over-capacity": {},
    "largest-block": {"host": "cn1"},
    "sharing-pools": {},
    "blast-radius": {"provider": "cn1"},
    "compare-hosts": {"host": "cn1", "other": "cn2"},
    "aggregate-capacity": {"aggregate": AZ1},
    "project-consumers": {"project": "p2"},
}
SIZES = (100, 300)
MORE = 1.1


@pytest.fixture(scope="module")
def cloud(connected: Database, neo4j_driver: neo4j.Driver) -> Database:
    """The cloud above: one host is over its capacity, one has been idle for long, and a consumer moves for as long."""
    schema.wipe(connected)
    client = create_app(connected).test_client()
    client.environ_base |= {"HTTP_X_AUTH_TOKEN": "admin", "HTTP_OPENSTACK_API_VERSION": "placement latest"}
    load(client, CLOUD)
    held = {"cn1_numa1": {"VCPU": 4, "MEMORY_MB": 1000}, "nfs": {"DISK_GB": 50}}
    moving = {"cn1_numa0": {"VCPU": 1}, "cn3": {"VCPU": 1}}
    assert put(client, "vm", held, project="p2").status_code == 204
    assert put(client, "mover", moving, project="p2", kind="MIGRATION").status_code == 204
    path = f"/resource_providers/{uuid_of('cn2')}"
    body = {"total": 1024, "resource_provider_generation": generation(client, "cn2")}
    assert client.put(f"{path}/inventories/MEMORY_MB", json=body).status_code == 200
    neo4j_driver.execute_query(
        "MATCH (c:Consumer {uuid: $mover}) MATCH (p:ResourceProvider {name: 'old'}) "
        "SET c.updated_at = datetime() - duration({hours: 30, minutes: 30}), "
        "p.updated_at = datetime() - duration({days: 100})",
        mover=MOVER,
    )
    return connected


def asked(database: Database, name: str, given: dict[str, str]) -> ask.Answer:
    question = ask.question(name)
    return ask.run(database, question, ask.read_values(question, given))


@pytest.mark.parametrize(("name", "given", "rows"), ANSWERS, ids=lambda value: value if isinstance(value, str) else "")
def test_a_question_has_its_answer(cloud: Database, name: str, given: dict[str, str], rows: Rows) -> None:
    found = asked(cloud, name, given)

    assert found.columns == ask.question(name).columns
    kept = [place for place, column in enumerate(found.columns) if column not in TIMES]
    assert [[row[place] for place in kept] for row in found.rows] == rows
    assert found.complete
    json.dumps(ask.document(found))


def test_every_question_is_asked() -> None:
    assert {name for name, _, _ in ANSWERS} == set(ask.cookbook())


def test_a_provider_that_is_asked_about_has_to_exist(cloud: Database) -> None:
    with pytest.raises(NotFoundError, match="nobody"):
        asked(cloud, "blast-radius", {"provider": "nobody"})


def test_an_answer_is_cut_at_the_limit_of_rows(cloud: Database) -> None:
    question = ask.question("host-tree")
    values = ask.read_values(question, {"host": "cn1"})
    for rows, complete in ((2, False), (6, True)):
        found = ask.run(cloud, question, values, ask.Limits(rows=rows))
        assert (len(found.rows), found.complete) == (rows, complete)


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("host-tree", {}, "needs the parameter host: the name or the uuid of a provider, for example compute1"),
        ("host-tree", {"host": ""}, "needs the parameter host"),
        ("host-tree", {"host": "cn1", "hots": "cn1"}, "has no parameter hots. It takes host."),
        ("over-capacity", {"host": "cn1"}, "has no parameter host. It takes none."),
        ("fullest-hosts", {"most": "many"}, "parameter most .* must be a whole number from 0 up, not 'many'"),
        ("fullest-hosts", {"most": "-1"}, "not '-1'"),
        ("fullest-hosts", {"most": str(10**30)}, "must be a whole number"),
        ("several-roots", {"hours": "nan"}, "must be a number from 0 up, not 'nan'"),
        ("flavor-fit", {"resources": "VCPU"}, "must be amounts of resource classes, such as .*, not 'VCPU'"),
        ("flavor-fit", {"resources": "VCPU:0"}, "not 'VCPU:0'"),
        ("flavor-fit", FLAVOR | {"required": "A,,B"}, "must be names with commas between them, not 'A,,B'"),
    ],
)
def test_a_value_of_the_wrong_type_is_named_with_what_is_accepted(name: str, given: dict[str, str], words: str) -> None:
    with pytest.raises(BadRequestError, match=words):
        ask.read_values(ask.question(name), given)


def test_what_is_pasted_into_neo4j_browser_asks_the_same(cloud: Database, neo4j_driver: neo4j.Driver) -> None:
    question = ask.question("flavor-fit")
    pasted = ask.browser_text(question.text, ask.read_values(question, FLAVOR))
    parameters, _, text = pasted.partition("\n\n")
    assert parameters == ":params {resources: {VCPU: 2, MEMORY_MB: 512}, required: null}"
    # Browser's numbers are floats.
    given = {"resources": {"VCPU": 2.0, "MEMORY_MB": 512.0}, "required": None}
    assert text.endswith(";\n")
    rows = neo4j_driver.execute_query(text.rstrip("\n;"), given).records
    assert [list(row.values()) for row in rows] == FIT


@pytest.fixture(scope="module")
def reads(cloud: Database, neo4j_driver: neo4j.Driver) -> list[dict[str, int]]:
    """What each question reads in a cloud, and in one three times as large."""
    asked = {name: given for name, given, _ in reversed(ANSWERS)} | SMALL
    found = []
    begin = 0
    for size in SIZES:
        grow(cloud, range(begin, size), trait="HW_CPU_X86_AVX2", aggregate="elsewhere")
        begin = size
        neo4j_driver.execute_query("CALL db.prepareForReplanning(60)")
        found.append({name: reads_of(neo4j_driver, name, given) for name, given in asked.items()})
    return found


def reads_of(driver: neo4j.Driver, name: str, given: dict[str, str]) -> int:
    question = ask.question(name)
    with driver.session(default_access_mode=neo4j.READ_ACCESS) as session:
        plan = session.run(f"PROFILE {question.text}", ask.read_values(question, given)).consume().profile
    assert plan is not None
    assert "CartesianProduct" not in str(plan)
    assert "AllNodesScan" not in str(plan)
    return hits(plan)


def test_no_question_reads_more_of_a_larger_cloud_than_it_has_to(reads: list[dict[str, int]]) -> None:
    small, large = reads
    growth = (SIZES[1] + 10) / SIZES[0]
    grown = {
        name: (small[name], large[name])
        for name in small
        if large[name] > MORE * small[name] * (1 if name in SMALL else growth)
    }
    assert grown == {}
