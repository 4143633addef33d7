"""Allocation candidates over HTTP: what the worked examples do not say."""

from typing import Any

import pytest
from claims import error, load, put
from cloud import uuid_of
from flask.testing import FlaskClient
from graph import look
from graphplace.cypher import Statement, statement
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphplace.candidates import find, summaries
from graphplace.candidates.overlay import View
from graphplace.graph.budget import ANY_TIME
from graphplace.graph.database import Database, Transaction
from graphplace.request.parse import parse_candidate_request
from graphplace.settings import Settings


def ask(client: FlaskClient, query: str) -> Any:
    response = client.get(f"/allocation_candidates?{query}")
    assert response.status_code == 200, response.text
    return response.get_json()


def providers_of(body: Any) -> list[set[str]]:
    return [set(one["allocations"]) for one in body["allocation_requests"]]


def test_an_answer_is_not_cached(client: FlaskClient) -> None:
    response = client.get("/allocation_candidates?resources=VCPU:1")
    assert response.headers["content-type"] == "application/json"
    assert response.headers["cache-control"] == "no-cache"
    assert "last-modified" in response.headers


def test_summaries_have_everything_of_every_provider_of_the_tree(client: FlaskClient) -> None:
    load(
        client,
        """
        cn1  VCPU:10(reserved=1,allocation_ratio=1.5)  CUSTOM_B  HW_CPU_X86_AVX  CUSTOM_A
          numa0  MEMORY_MB:512
        cn2
        """,
    )
    assert put(client, "c1", {"cn1": {"VCPU": 3}}).status_code == 204
    assert ask(client, "resources=VCPU:2") == {
        "allocation_requests": [
            {
                "allocations": {uuid_of("cn1"): {"resources": {"VCPU": 2}}},
                "mappings": {"": [uuid_of("cn1")]},
            }
        ],
        "provider_summaries": {
            uuid_of("cn1"): {
                "resources": {"VCPU": {"capacity": 13, "used": 3}},
                "traits": ["HW_CPU_X86_AVX", "CUSTOM_A", "CUSTOM_B"],
                "parent_provider_uuid": None,
                "root_provider_uuid": uuid_of("cn1"),
            },
            uuid_of("numa0"): {
                "resources": {"MEMORY_MB": {"capacity": 512, "used": 0}},
                "traits": [],
                "parent_provider_uuid": uuid_of("cn1"),
                "root_provider_uuid": uuid_of("cn1"),
            },
        },
    }


def test_every_tree_gives_one_candidate_before_any_gives_a_second(client: FlaskClient) -> None:
    """LP 2070257: candidates of one host alone starve the others."""
    load(
        client,
        "\n".join(f"cn{host}\n" + "".join(f"  pf{host}_{n}  SRIOV_NET_VF:8\n" for n in range(8)) for host in "abc"),
    )
    groups = "&".join(f"resources{n}=SRIOV_NET_VF:1" for n in range(1, 5))
    for limit in (1, 2, 3, 7):
        body = ask(client, f"{groups}&group_policy=none&limit={limit}")
        roots = [
            {body["provider_summaries"][provider]["root_provider_uuid"] for provider in providers}
            for providers in providers_of(body)
        ]
        counts = sorted(roots.count({uuid_of(f"cn{host}")}) for host in "abc")
        assert sum(counts) == limit
        assert counts[-1] - counts[0] <= 1


def test_more_kinds_of_groups_than_an_integer_has_bits(client: FlaskClient) -> None:
    load(client, "cn1\n  d1  VCPU:9999\n  d2  VCPU:9999")
    groups = "&".join(f"resources{n}=VCPU:{n}" for n in range(1, 101))
    body = ask(client, f"{groups}&group_policy=none&limit=5")
    assert len(body["allocation_requests"]) == 5
    assert {
        sum(gift["resources"]["VCPU"] for gift in one["allocations"].values()) for one in body["allocation_requests"]
    } == {5050}


@pytest.mark.parametrize("amount", [2**31 - 1, 2**31, 2**63, 10**30])
def test_an_amount_that_nothing_holds_has_no_candidates(client: FlaskClient, amount: int) -> None:
    load(client, "cn1  VCPU:2147483647(allocation_ratio=16.0,max_unit=2147483646)")
    assert ask(client, f"resources=VCPU:{amount}&limit={amount}") == {
        "allocation_requests": [],
        "provider_summaries": {},
    }


NEVER = "11111111-1111-4111-8111-111111111111"


@pytest.mark.parametrize(
    ("query", "refusal"),
    [
        (
            "resources=CUSTOM_NONE:1",
            "Invalid resource class in resources parameter: No such resource class CUSTOM_NONE",
        ),
        ("resources=VCPU:1&required=CUSTOM_NONE", "No such trait(s): CUSTOM_NONE"),
        (
            "resources=VCPU:1&required=in:CUSTOM_NO,CUSTOM_NONE,HW_CPU_X86_AVX",
            "No such trait(s): CUSTOM_NO, CUSTOM_NONE",
        ),
        ("resources=VCPU:1&required=!CUSTOM_NONE", "No such trait(s): CUSTOM_NONE"),
        ("resources=VCPU:1&root_required=!CUSTOM_NONE", "No such trait(s): CUSTOM_NONE"),
        # The root's traits come first, whatever stands first in the query.
        ("resources=CUSTOM_NONE:1&root_required=CUSTOM_NO", "No such trait(s): CUSTOM_NO"),
        ("resources=CUSTOM_NONE:1&root_required=HW_CPU_X86_SGX", None),
        # Within a group: classes, aggregates, traits, tree, capacity.
        (f"resources=CUSTOM_NONE:1&member_of={NEVER}", "No such resource class CUSTOM_NONE"),
        (f"resources=VCPU:1&member_of={NEVER}&required=CUSTOM_NONE", None),
        (f"resources=VCPU:1&in_tree={NEVER}&required=CUSTOM_NONE", "No such trait(s): CUSTOM_NONE"),
        # Group by group, in the order of the query: an empty answer ends it.
        ("resources1=VCPU:1&resources2=CUSTOM_NONE:1&group_policy=none", "No such resource class CUSTOM_NONE"),
        ("resources1=VCPU:99&resources2=CUSTOM_NONE:1&group_policy=none", None),
        ("resources2=CUSTOM_NONE:1&resources1=VCPU:99&group_policy=none", "No such resource class CUSTOM_NONE"),
        ("required1=HW_CPU_X86_SGX&resources2=CUSTOM_NONE:1&resources1=VCPU:1&group_policy=none", None),
        (f"in_tree1={NEVER}&resources2=CUSTOM_NONE:1&resources1=VCPU:1&group_policy=none", None),
    ],
)
def test_an_unknown_name_is_refused_when_it_is_reached(client: FlaskClient, query: str, refusal: str | None) -> None:
    load(client, "cn1  VCPU:8  HW_CPU_X86_AVX  @A")
    response = client.get(f"/allocation_candidates?{query}")
    if refusal is None:
        assert (response.status_code, response.get_json()["allocation_requests"]) == (200, [])
    else:
        status, code, detail = error(response)
        assert (status, code) == (400, "placement.undefined_code")
        assert refusal in detail


def test_a_refusal_of_the_query_has_its_code(client: FlaskClient) -> None:
    status, code, detail = error(client.get("/allocation_candidates?required1=HW_CPU_X86_AVX&same_subtree=1"))
    assert (status, code) == (400, "placement.query.missing_value")
    assert "There must be at least one resources" in detail


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    pairs=st.lists(
        st.tuples(
            st.sampled_from(
                ["resources", "resources1", "required", "required1", "member_of", "in_tree1", "limit", "x"]
            ),
            st.text(max_size=12) | st.sampled_from(["VCPU:1", "VCPU:1,DISK_GB:2", "in:HW_CPU_X86_AVX", NEVER]),
        ),
        max_size=6,
    )
)
def test_junk_is_never_a_server_error(client: FlaskClient, pairs: list[tuple[str, str]]) -> None:
    response = client.get("/allocation_candidates", query_string=pairs)
    assert response.status_code in (200, 400)


def test_a_query_of_ten_thousand_characters(client: FlaskClient) -> None:
    load(client, "cn1  VCPU:9999")
    groups = "&".join(f"resources_{n}=VCPU:1" for n in range(600))
    assert len(groups) > 10_000
    assert len(ask(client, f"{groups}&group_policy=none")["allocation_requests"]) == 1
    assert ask(client, f"{groups}&group_policy=isolate")["allocation_requests"] == []
    assert client.get("/allocation_candidates?resources=" + "VCPU:" * 2000).status_code == 400


# --- what others write meanwhile -----------------------------------------------------------------------------------


class Meddled(Transaction):
    """A transaction beside which somebody writes, once, after the statement *after* has run."""

    def __init__(self, inner: Transaction, after: str, meddle: Any) -> None:
        self._inner = inner
        self._after = after
        self._meddle = meddle

    def stream(self, statement: Statement, /, **parameters: Any) -> Any:
        rows = list(self._inner.stream(statement, **parameters))
        if statement.name == self._after and self._meddle:
            meddle, self._meddle = self._meddle, None
            meddle()
        return rows


def find_meddled(database: Database, query: list[tuple[str, str]], after: str, meddle: Any) -> find.Candidates:
    request = parse_candidate_request(query)
    return database.read(
        lambda tx: find._find(View(Meddled(tx, after, meddle)), request, Settings(), ANY_TIME)  # noqa: SLF001  # see Meddled
    )


def test_what_is_claimed_meanwhile_is_no_candidate_and_another_takes_its_place(
    client: FlaskClient, database: Database
) -> None:
    load(client, "cn1  VCPU:2\ncn2  VCPU:2\ncn3  VCPU:2")
    query = [("resources", "VCPU:2"), ("limit", "2")]
    (first, second) = find.find_candidates(database, parse_candidate_request(query)).allocation_requests
    (lost,) = first["allocations"]

    def claim() -> None:
        name = next(name for name in ("cn1", "cn2", "cn3") if uuid_of(name) == lost)
        assert put(client, "c1", {name: {"VCPU": 1}}).status_code == 204

    found = find_meddled(database, query, "candidates.match", claim)
    assert len(found.allocation_requests) == 2
    assert second in found.allocation_requests
    assert not any(lost in one["allocations"] for one in found.allocation_requests)


def test_what_is_deleted_meanwhile_is_no_candidate(client: FlaskClient, database: Database) -> None:
    load(client, "cn1  VCPU:2\ncn2  VCPU:2")

    def delete() -> None:
        assert client.delete(f"/resource_providers/{uuid_of('cn1')}").status_code == 204

    found = find_meddled(database, [("resources", "VCPU:2")], "candidates.match", delete)
    assert [set(one["allocations"]) for one in found.allocation_requests] == [{uuid_of("cn2")}]
    assert set(found.provider_summaries) == {uuid_of("cn2")}


class Noted(Transaction):
    """A transaction that keeps which batches it was asked for."""

    def __init__(self, inner: Transaction) -> None:
        self._inner = inner
        self.asked: list[Any] = []

    def stream(self, statement: Statement, /, **parameters: Any) -> Any:
        self.asked.append(parameters["batches"])
        return self._inner.stream(statement, **parameters)


class Torn(Noted):
    """One that at first gives every summary torn, and says of one tree that it was written to meanwhile."""

    def __init__(self, inner: Transaction, moved: str) -> None:
        super().__init__(inner)
        self._moved = moved

    def stream(self, statement: Statement, /, **parameters: Any) -> Any:
        for row in super().stream(statement, **parameters):
            first = len(self.asked) == 1
            yield row.data() | {"moved": [self._moved], "held": [[[]], [[]]]} if first else row


def test_summaries_of_a_tree_that_moves_while_it_is_read_are_read_again(
    client: FlaskClient, database: Database
) -> None:
    load(client, "cn1  VCPU:2\ncn2  VCPU:2")
    roots = sorted([uuid_of("cn1"), uuid_of("cn2")])

    def read(transaction: Transaction) -> tuple[list[Any], Any]:
        torn = Torn(transaction, roots[1])
        return torn.asked, summaries.summarise(View(torn), roots)

    asked, found = database.read(read)
    assert asked == [[roots], [roots[1:]]]
    assert [found[root]["resources"] for root in roots] == [{}, {"VCPU": {"capacity": 2, "used": 0}}]


@pytest.mark.parametrize(("recent", "reads"), [(-1_000_000, 1), (1_000_000_000, 2)])
def test_a_tree_that_was_written_to_just_now_is_read_until_it_is_twice_alike(
    client: FlaskClient, database: Database, monkeypatch: pytest.MonkeyPatch, recent: int, reads: int
) -> None:
    """One provider alone cannot be shown in two places."""
    monkeypatch.setattr(summaries, "RECENT_MILLISECONDS", recent)
    load(client, "cn1  VCPU:2\n  numa1  VCPU:2\ncn2  VCPU:2")
    roots = sorted([uuid_of("cn1"), uuid_of("cn2")])

    def read(transaction: Transaction) -> tuple[list[Any], Any]:
        noted = Noted(transaction)
        return noted.asked, summaries.summarise(View(noted), roots)

    asked, found = database.read(read)
    assert asked == [[roots], [[uuid_of("cn1")]]][:reads]
    assert found.keys() == {*roots, uuid_of("numa1")}


def test_the_names_of_a_request_are_counted(client: FlaskClient, database: Database) -> None:
    load(client, "cn1  VCPU:8  @A\n  numa0  VCPU:4  HW_NUMA_ROOT\ncn2  VCPU:2  MISC_SHARES_VIA_AGGREGATE  @A")
    names: dict[str, Any] = {
        "classes": [{"class": "VCPU", "amount": amount} for amount in (3, 1)] + [{"class": "CUSTOM_NONE", "amount": 1}],
        "traits": ["HW_NUMA_ROOT", "CUSTOM_NONE", "HW_CPU_X86_AVX", "MISC_SHARES_VIA_AGGREGATE"],
        "aggregates": [uuid_of("A"), NEVER],
        "providers": [uuid_of("numa0"), uuid_of("cn2"), NEVER],
        "most": 100,
    }
    (facts,), (reaches,) = database.read(
        lambda tx: [tx.run(statement(f"candidates.{name}"), **names) for name in ("facts", "reaches")]
    )
    assert facts.data() == {
        "classes": [[2], [3], []],
        "traits": [[1], [], [0], [1]],
        "aggregates": [[2], []],
        "trees": [[uuid_of("cn1"), 2], [uuid_of("cn2"), 1], []],
        "sharing": True,
    }
    # cn2 shares with two, itself included.
    assert reaches.data() == {
        "classes": [0, 2, 0],
        "traits": [0, 0, 0, 2],
        "aggregates": [2, 0],
        "trees": [0, 2, 0],
    }
    assert look(database, "MATCH (i:Inventory) WHERE i.free >= 3 RETURN count(i) AS n") == [{"n": 2}]


def test_before_candidates_were_nested_a_limit_counts_those_that_are_not(client: FlaskClient) -> None:
    """Each host has twelve pairs of devices for the two groups, and four of a device with itself."""
    devices = "".join(f"  pf{{host}}_{n}  SRIOV_NET_VF:8\n" for n in range(4))
    load(client, "".join(f"cn{host}\n" + devices.format(host=host) for host in "ab"))
    client.environ_base["HTTP_OPENSTACK_API_VERSION"] = "placement 1.28"
    query = "resources1=SRIOV_NET_VF:1&resources2=SRIOV_NET_VF:1&group_policy="
    for limit in (1, 3, 8, 9):
        body = ask(client, f"{query}none&limit={limit}")
        assert [len(used) for used in providers_of(body)] == [1] * min(limit, 8)
        assert set(body["provider_summaries"]) == set().union(*providers_of(body))
    assert ask(client, f"{query}isolate&limit=1")["allocation_requests"] == []
