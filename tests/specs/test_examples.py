"""The worked examples: the API answers them exactly, and the pattern form finds the same candidates.

They are in the files beside this one, and in the guide to what goes beyond Placement.
"""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qsl

import neo4j
import pytest
from cloud import Provider, load_cloud, read_cloud
from examples import Candidate, Example, candidate_of, read_examples, read_guide
from flask.testing import FlaskClient
from pattern_form import candidate_of_row, run_pattern

from graphplace.request.parse import parse_candidate_request
from graphplace.request.syntax import EXTENDED, NEWEST

# Drawing 20,000 candidates takes minutes: of so many only these are asked for.
MOST_DRAWN = 100

# Nobody asks for what these have, but with them the cloud is neither flat nor without sharing.
BYSTANDERS = read_cloud(
    """
    bystander
      bystander_child  CUSTOM_BYSTANDER:1
    bystander_storage  CUSTOM_BYSTANDER:1  MISC_SHARES_VIA_AGGREGATE  @bystanders
    """
)

HERE = Path(__file__).parent
GUIDE = HERE.parents[1] / "docs" / "extensions.md"

each_example = pytest.mark.parametrize(
    "example", [pytest.param(one, id=one.title) for one in (*read_examples(HERE), *read_guide(GUIDE))]
)


def roots_last_to_first(cloud: tuple[Provider, ...]) -> tuple[Provider, ...]:
    """Return the same cloud in another order of creation, in which parents still come before their children."""
    starts = [position for position, provider in enumerate(cloud) if provider.parent is None]
    trees = [cloud[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]
    return tuple(provider for tree in reversed(trees) for provider in tree)


def check(example: Example, client: FlaskClient) -> None:
    version = "placement 1.39, graphplace 1.0" if example.extended else "placement 1.39"
    for query, answer in example.queries:
        response = client.get(f"/allocation_candidates?{query}", headers={"OpenStack-API-Version": version})
        body = response.get_json()
        if answer.error:
            assert (response.status_code, body["errors"][0]["code"]) == (400, answer.error), query
            continue
        assert response.status_code == 200, f"{query}: {response.text}"
        found = [candidate_of(one, example.names) for one in body["allocation_requests"]]
        assert len(set(found)) == len(found) == answer.count, query
        if answer.candidates is not None:
            assert written(found) == written(answer.candidates), query
        if answer.distinct_allocations is not None:
            assert len({one.allocations for one in found}) == answer.distinct_allocations, query
        if answer.summaries is not None:
            assert {example.names[uuid] for uuid in body["provider_summaries"]} == answer.summaries, query


def written(candidates: Iterable[Candidate]) -> list[str]:
    return sorted(str(one) for one in candidates)


@each_example
def test_the_api_answers_an_example(example: Example, client: FlaskClient) -> None:
    load_cloud(client, example.cloud)
    check(example, client)


@each_example
def test_an_example_has_the_same_answers_among_others_and_in_another_order(
    example: Example, client: FlaskClient
) -> None:
    """SB 2005669, LP 1799892: no other way of searching where nothing is nested and nothing shares."""
    load_cloud(client, BYSTANDERS + roots_last_to_first(example.cloud))
    check(example, client)


@each_example
def test_the_pattern_form_finds_the_candidates_of_an_example(
    example: Example, client: FlaskClient, neo4j_driver: neo4j.Driver
) -> None:
    load_cloud(client, example.cloud)
    syntax = EXTENDED if example.extended else NEWEST
    for query, answer in example.queries:
        if answer.error:
            continue
        request = parse_candidate_request(parse_qsl(query), syntax)
        if answer.count > MOST_DRAWN:
            request = replace(request, limit=MOST_DRAWN)
        found = [candidate_of_row(request, row) for row in run_pattern(neo4j_driver, request)]
        assert len(set(found)) == len(found) == min(answer.count, MOST_DRAWN), query
        if answer.candidates is not None:
            assert written(found) == written(answer.candidates), query
