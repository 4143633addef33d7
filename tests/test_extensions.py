"""What graphplace adds to Placement is there for those who ask for it by name, and for nobody else."""

from itertools import combinations, islice, product
from urllib.parse import parse_qsl

import neo4j
import pytest
from cloud import load_cloud, read_cloud, uuid_of
from flask.testing import FlaskClient
from graphplace.api.features import Extension
from pattern_form import run_pattern

from graphplace.request.parse import parse_candidate_request
from graphplace.request.syntax import EXTENDED

CLOUD = """
cn1  VCPU:4  HW_CPU_X86_AVX  @A
  numa0  VCPU:4
  numa1  VCPU:4
"""
TWO = "resources_A=VCPU:1&resources_B=VCPU:1"

# For each extension, queries that Placement refuses.
QUERIES = {
    Extension.ROOT_MEMBER_OF: [f"resources=VCPU:1&root_member_of={uuid_of('A')}"],
    Extension.ISOLATE: [f"{TWO}&isolate=_A"],
    Extension.EXCLUDED_GROUPS: [f"{TWO}&group_policy=none&same_subtree=_A,!_B"],
    Extension.CAN_SPLIT: ["resources=VCPU:8&can_split=VCPU"],
    Extension.POLICY_OPTIONAL: [TWO],
    Extension.UNSUFFIXED_RESOURCELESS: ["resources_A=VCPU:1&required=HW_CPU_X86_AVX"],
}


def test_each_extension_is_looked_at() -> None:
    """Those that are no part of a query have tests of their own: test_explain, test_reshaper, test_trees and so on."""
    others = {Extension.EXPLAIN, Extension.RESHAPE_PREVIEW, Extension.TREE, Extension.WHAT_IF}
    assert QUERIES.keys() | others == set(Extension)


@pytest.mark.parametrize("placement", ["1.36", "1.39", "latest"])
@pytest.mark.parametrize("extension", QUERIES)
def test_an_extension_is_there_for_those_who_ask_for_it(
    client: FlaskClient, extension: Extension, placement: str
) -> None:
    load_cloud(client, read_cloud(CLOUD))
    for query in QUERIES[extension]:
        path = f"/allocation_candidates?{query}"
        plain, extended = (
            client.get(path, headers={"OpenStack-API-Version": f"placement {placement}{beyond}"})
            for beyond in ("", f", graphplace 1.{extension.since}")
        )
        assert plain.status_code == 400
        assert extended.status_code == 200
        assert extended.json["allocation_requests"]


@pytest.mark.parametrize(
    ("condition", "status"),
    [
        # What the tree has to hold ends the search where nothing at all bears the name, as it does of any group.
        (f"member_of={uuid_of('nobody')}", 200),
        (f"required=HW_CPU_X86_AVX&in_tree={uuid_of('nobody')}", 200),
        # Whether any tree holds it is another question: the next group is looked at.
        ("required=HW_CPU_X86_SGX", 400),
        (f"member_of={uuid_of('A')}&required=!HW_CPU_X86_AVX", 400),
    ],
)
def test_a_group_that_is_a_condition_ends_the_search_when_nothing_bears_its_names(
    client: FlaskClient, condition: str, status: int
) -> None:
    load_cloud(client, read_cloud(CLOUD))
    query = f"resources_A=VCPU:1&{condition}&resources_B=CUSTOM_NONE:1"
    header = {"OpenStack-API-Version": "placement 1.39, graphplace 1.0"}
    answer = client.get(f"/allocation_candidates?{query}", headers=header)
    assert answer.status_code == status
    if status == 200:
        assert answer.json["allocation_requests"] == []


def test_a_candidate_of_one_provider_a_tree_is_never_split(client: FlaskClient) -> None:
    """Below microversion 1.29 a candidate uses at most one provider of a tree."""
    load_cloud(client, read_cloud(CLOUD))
    for placement, number in (("1.28", 0), ("1.29", 3)):
        headers = {"OpenStack-API-Version": f"placement {placement}, graphplace 1.0"}
        answer = client.get("/allocation_candidates?resources=VCPU:8&can_split=VCPU", headers=headers)
        assert len(answer.json["allocation_requests"]) == number


def ways_to_split(cells: int, *classes: str) -> list[set[tuple[str, str]]]:
    """Return the first ways to get two of each class from so many cells, as pairs of uuid and class."""
    uuids = sorted(uuid_of(f"cell{n}") for n in range(cells))
    of_each = [[[(uuid, name) for uuid in pair] for pair in combinations(uuids, 2)] for name in classes]
    return [{part for parts in way for part in parts} for way in islice(product(*of_each), 100)]


@pytest.mark.parametrize(("cells", "classes"), [(16, ["VCPU"]), (6, ["VCPU", "MEMORY_MB"]), (5, ["VCPU", "MEMORY_MB"])])
def test_a_tree_is_split_in_a_hundred_ways_at_most(
    client: FlaskClient, neo4j_driver: neo4j.Driver, cells: int, classes: list[str]
) -> None:
    load_cloud(client, read_cloud("cn\n" + "".join(f"  cell{n}  VCPU:1  MEMORY_MB:1\n" for n in range(cells))))
    query = f"resources={','.join(f'{name}:2' for name in classes)}&can_split={','.join(classes)}"
    answer = client.get(
        f"/allocation_candidates?{query}", headers={"OpenStack-API-Version": "placement 1.39, graphplace 1.0"}
    )
    found = [
        {(uuid, name) for uuid, given in one["allocations"].items() for name in given["resources"]}
        for one in answer.json["allocation_requests"]
    ]
    assert found == ways_to_split(cells, *classes)
    drawn = [
        {(provider["uuid"], name) for position, name in enumerate(classes, 1) for provider in row[f"p{position}"]}
        for row in run_pattern(neo4j_driver, parse_candidate_request(parse_qsl(query), EXTENDED))
    ]
    assert sorted(map(sorted, drawn)) == sorted(map(sorted, found))
