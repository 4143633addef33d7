"""Reads of a whole tree while it is written to: each is of one moment."""

from typing import Any

from claims import claim, generation, load, put
from cloud import uuid_of
from flask.testing import FlaskClient
from together import together

RESHAPES, READERS, WIDTH = 60, 3, 60


def shape(client: FlaskClient, provider: str, inventories: dict[str, Any]) -> dict[str, Any]:
    return {"inventories": inventories, "resource_provider_generation": generation(client, provider)}


def test_a_tree_is_read_while_it_is_reshaped(client: FlaskClient) -> None:
    """Its devices and the claim on one of them move to and fro: each answer shows them in one place, in use."""
    # The two places are as far apart as they can be, in a tree that takes some time to read.
    names = [f"numa{number}" for number in range(WIDTH)]
    load(client, "\n  ".join(["cn  VCPU:8", *names]))
    places = (names[0], names[-1])
    client.post(f"/resource_providers/{uuid_of(places[0])}/inventories", json={"resource_class": "VGPU", "total": 2})
    assert put(client, "c", {places[0]: {"VGPU": 1}}).status_code == 204
    done = False

    def reshape() -> None:
        nonlocal done
        try:
            for number in range(RESHAPES):
                old, new = places[number % 2], places[(number + 1) % 2]
                body = {
                    "inventories": {
                        uuid_of(old): shape(client, old, {}),
                        uuid_of(new): shape(client, new, {"VGPU": {"total": 2}}),
                    },
                    "allocations": {uuid_of("c"): claim({new: {"VGPU": 1}}, number + 1)},
                }
                assert client.post("/reshaper", json=body).status_code == 204
        finally:
            done = True

    def read() -> int:
        reads = 0
        while not done:
            answer = client.get(f"/allocation_candidates?resources=VGPU:1&in_tree={uuid_of('cn')}").json
            resources = [one["resources"] for one in answer["provider_summaries"].values()]
            found = [one["VGPU"] for one in resources if "VGPU" in one]
            # While the devices moved, the search may have found no tree that has them.
            assert found == [{"capacity": 2, "used": 1}] or answer["provider_summaries"] == {}
            reads += len(found)
        return reads

    _, *reads = together([reshape, *[read] * READERS])
    assert all(reads)
