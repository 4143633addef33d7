"""Requests for candidates that would take too long: given up, and told so; never answered with less."""

import neo4j.exceptions
import pytest
from claims import error
from cloud import Inventory, Provider, read_cloud, uuid_of
from graphplace.api import create_app
from oracle.graph import write_graph

from graphplace.candidates.find import budget_of, find_candidates
from graphplace.compiler.compile import compile_request
from graphplace.errors import TimeBudgetError
from graphplace.graph.database import Database
from graphplace.request.parse import parse_candidate_request
from graphplace.settings import Settings


def groups(amounts: list[int]) -> str:
    return "&".join(f"resources{n}=SRIOV_NET_VF:{amount}" for n, amount in enumerate(amounts)) + "&group_policy=none"


# Eight devices of an odd size each, and even amounts that leave a single unit for each two devices: none fits, and no
# bound says so. Trying takes hours.
DEVICES = [101 + 2 * n for n in range(8)]
AMOUNTS = [14 + 6 * n % 46 + 2 * n for n in range(16)]
AMOUNTS.append(sum(DEVICES) - len(DEVICES) + 2 - sum(AMOUNTS))
HARD = "cn1\n" + "".join(f"  pf{n}  SRIOV_NET_VF:{size}\n" for n, size in enumerate(DEVICES))


@pytest.mark.difference("Time limit")
@pytest.mark.parametrize(
    "query",
    [
        groups(AMOUNTS),
        # As many candidates as there are grains of sand on all beaches.
        groups([1] * 20),
    ],
    ids=["none", "too many"],
)
def test_a_search_that_takes_too_long_is_given_up(database: Database, query: str) -> None:
    write_graph(database, read_cloud(HARD))
    client = create_app(database, Settings(allocation_candidates_timeout=0.5)).test_client()
    headers = {"X-Auth-Token": "admin", "OpenStack-API-Version": "placement 1.39"}
    response = client.get(f"/allocation_candidates?{query}", headers=headers)
    status, code, detail = error(response)
    assert (status, code) == (503, "placement.undefined_code")
    assert response.headers["Retry-After"].isdigit()
    assert "longer than the 0.5 s that the setting GRAPHPLACE_ALLOCATION_CANDIDATES_TIMEOUT allows" in detail


def test_neo4j_gives_up_a_statement_that_takes_too_long(database: Database) -> None:
    """Five thousand devices are compared with a thousand amounts; Neo4j looks at the time every other second."""
    devices = tuple(
        Provider(name=f"pf{n}", parent="cn1", inventories={"SRIOV_NET_VF": Inventory(total=2000)}) for n in range(5000)
    )
    write_graph(database, (Provider(name="cn1"), *devices))
    request = parse_candidate_request(
        [(f"resources{n}", f"SRIOV_NET_VF:{n}") for n in range(1, 1001)] + [("group_policy", "none"), ("limit", "1")]
    )
    settings = Settings(allocation_candidates_timeout=0.5)
    with pytest.raises(TimeBudgetError):
        find_candidates(database, request, settings)
    # That may have ended between two statements. One alone can only be ended by Neo4j.
    query = compile_request(request, {})
    with pytest.raises(TimeBudgetError) as given_up:
        database.read(
            lambda tx: tx.run(query.statement, roots=[uuid_of("cn1")], sharing=False, **query.parameters),
            budget_of(settings),
        )
    assert isinstance(given_up.value.__cause__, neo4j.exceptions.ClientError)


def test_any_time_may_be_allowed(database: Database) -> None:
    write_graph(database, read_cloud("cn1  VCPU:1"))
    request = parse_candidate_request([("resources", "VCPU:1")])
    found = find_candidates(database, request, Settings(allocation_candidates_timeout=0))
    assert len(found.allocation_requests) == 1
