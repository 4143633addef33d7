"""The life of a small cloud at each version, in the forms that a client of that version sends and reads."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from graphplace.api.features import Feature
from werkzeug.test import TestResponse

HOST = "5df5c9a1-0f4b-4a02-9a4f-3f1f3a3c7f10"
SERVER = "0c1d1a5c-51a5-4a4a-bf35-4b0a1c1f2f11"
ZERO = "00000000-0000-0000-0000-000000000000"
OWNER = {"project_id": "p", "user_id": "u"}
VERSIONS = range(max(feature.since for feature in Feature) + 1)


class Api:
    """What sends requests of one version, and forms their bodies."""

    def __init__(self, client: FlaskClient, minor: int) -> None:
        self.client = client
        self.minor = minor

    def send(self, status: int, method: str, path: str, body: object = None) -> TestResponse:
        headers = {"OpenStack-API-Version": f"placement 1.{self.minor}"}
        answer = self.client.open(path, method=method, json=body, headers=headers)
        assert answer.status_code == status, answer.text
        assert answer.headers["openstack-api-version"] == f"placement 1.{self.minor}"
        assert ("cache-control" in answer.headers) is ("last-modified" in answer.headers)
        return answer

    def get(self, path: str) -> Any:
        answer = self.send(200, "GET", path)
        assert ("last-modified" in answer.headers) is (self.minor >= 15)
        return answer.get_json()

    def claim(self, amount: int, generation: int | None) -> dict[str, Any]:
        if self.minor < 12:
            listed = {"allocations": [{"resource_provider": {"uuid": HOST}, "resources": {"VCPU": amount}}]}
            return listed | (OWNER if self.minor >= 8 else {})
        body: dict[str, Any] = {"allocations": {HOST: {"resources": {"VCPU": amount}}}, **OWNER}
        if self.minor >= 28:
            body["consumer_generation"] = generation
        if self.minor >= 38:
            body["consumer_type"] = "INSTANCE"
        return body


@pytest.mark.parametrize("minor", VERSIONS)
def test_a_cloud_lives(client: FlaskClient, minor: int) -> None:
    api = Api(client, minor)
    path = f"/resource_providers/{HOST}"

    api.send(201 if minor < 20 else 200, "POST", "/resource_providers", {"name": "host", "uuid": HOST})
    inventory = {"resource_class": "VCPU", "total": 8}
    assert api.send(201, "POST", f"{path}/inventories", inventory).get_json()["resource_provider_generation"] == 1
    for generation, amount in ((None, 1), (1, 2)):
        api.send(204, "PUT", f"/allocations/{SERVER}", api.claim(amount, generation))

    provider = {"uuid": HOST, "name": "host", "generation": 3}
    tree = {"parent_provider_uuid": None, "root_provider_uuid": HOST} if minor >= 14 else {}
    shown = api.get(path)
    assert [link["rel"] for link in shown.pop("links")] == [
        "self",
        "inventories",
        "usages",
        *(["aggregates"] if minor >= 1 else []),
        *(["traits"] if minor >= 6 else []),
        *(["allocations"] if minor >= 11 else []),
    ]
    assert shown == provider | tree

    held = {
        "allocations": {HOST: {"generation": 3, "resources": {"VCPU": 2}}},
        **(OWNER if minor >= 12 else {}),
        **({"consumer_generation": 2} if minor >= 28 else {}),
        **({"consumer_type": "INSTANCE"} if minor >= 38 else {}),
    }
    assert api.get(f"/allocations/{SERVER}") == held
    of_provider = {"resources": {"VCPU": 2}} | ({"consumer_generation": 2} if minor >= 28 else {})
    assert api.get(f"{path}/allocations") == {
        "allocations": {SERVER: of_provider},
        "resource_provider_generation": 3,
    }
    assert api.get(f"{path}/usages") == {"usages": {"VCPU": 2}, "resource_provider_generation": 3}

    api.send(409, "DELETE", path)
    api.send(204, "DELETE", f"/allocations/{SERVER}")
    assert api.get(f"/allocations/{SERVER}") == {"allocations": {}}
    api.send(204, "DELETE", f"{path}/inventories/VCPU")
    api.send(204, "DELETE", path)
    error = api.send(404, "GET", path).get_json()["errors"][0]
    assert ("code" in error) is (minor >= 23)


@pytest.mark.parametrize("minor", [version for version in VERSIONS if version >= Feature.CANDIDATES.since])
def test_a_candidate_is_found_and_claimed(client: FlaskClient, minor: int) -> None:
    api = Api(client, minor)
    api.send(201 if minor < 20 else 200, "POST", "/resource_providers", {"name": "host", "uuid": HOST})
    for name in ("VCPU", "DISK_GB"):
        api.send(201, "POST", f"/resource_providers/{HOST}/inventories", {"resource_class": name, "total": 8})

    found = api.get("/allocation_candidates?resources=VCPU:2")

    gift = {"resources": {"VCPU": 2}}
    keyed = {"allocations": {HOST: gift}} | ({"mappings": {"": [HOST]}} if minor >= 34 else {})
    listed = {"allocations": [{"resource_provider": {"uuid": HOST}, **gift}]}
    others = {"DISK_GB": {"capacity": 8, "used": 0}} if minor >= 27 else {}
    assert found == {
        "allocation_requests": [keyed if minor >= 12 else listed],
        "provider_summaries": {
            HOST: {
                "resources": {"VCPU": {"capacity": 8, "used": 0}} | others,
                **({"traits": []} if minor >= 17 else {}),
                **({"parent_provider_uuid": None, "root_provider_uuid": HOST} if minor >= 29 else {}),
            }
        },
    }
    (request,) = found["allocation_requests"]
    api.send(204, "PUT", f"/allocations/{SERVER}", api.claim(2, None) | request)
    assert api.get(f"/resource_providers/{HOST}/usages")["usages"] == {"VCPU": 2, "DISK_GB": 0}


def test_who_claims_without_an_owner_is_nobody(client: FlaskClient) -> None:
    old, new = Api(client, 7), Api(client, 39)
    old.send(201, "POST", "/resource_providers", {"name": "host", "uuid": HOST})
    old.send(201, "POST", f"/resource_providers/{HOST}/inventories", {"resource_class": "VCPU", "total": 8})
    old.send(204, "PUT", f"/allocations/{SERVER}", old.claim(1, None))

    held = new.get(f"/allocations/{SERVER}")
    assert (held["project_id"], held["user_id"], held["consumer_type"]) == (ZERO, ZERO, "unknown")
    assert new.get(f"/usages?project_id={ZERO}")["usages"] == {"unknown": {"VCPU": 1, "consumer_count": 1}}


def test_a_renamed_class_keeps_its_inventories_and_allocations(client: FlaskClient) -> None:
    old, new = Api(client, 6), Api(client, 39)
    old.send(201, "POST", "/resource_classes", {"name": "CUSTOM_GOLD"})
    new.send(200, "POST", "/resource_providers", {"name": "host", "uuid": HOST})
    gold = {"resource_class": "CUSTOM_GOLD", "total": 8}
    new.send(201, "POST", f"/resource_providers/{HOST}/inventories", gold)
    claim = new.claim(1, None) | {"allocations": {HOST: {"resources": {"CUSTOM_GOLD": 3}}}}
    new.send(204, "PUT", f"/allocations/{SERVER}", claim)

    renamed = old.send(200, "PUT", "/resource_classes/CUSTOM_GOLD", {"name": "CUSTOM_SILVER"}).get_json()

    assert renamed == {
        "name": "CUSTOM_SILVER",
        "links": [{"rel": "self", "href": "/resource_classes/CUSTOM_SILVER"}],
    }
    new.send(404, "GET", "/resource_classes/CUSTOM_GOLD")
    assert list(new.get(f"/resource_providers/{HOST}/inventories")["inventories"]) == ["CUSTOM_SILVER"]
    assert new.get(f"/allocations/{SERVER}")["allocations"][HOST]["resources"] == {"CUSTOM_SILVER": 3}
    assert new.get("/usages?project_id=p")["usages"]["INSTANCE"]["CUSTOM_SILVER"] == 3
    assert len(new.get("/allocation_candidates?resources=CUSTOM_SILVER:5")["allocation_requests"]) == 1
    assert new.get("/allocation_candidates?resources=CUSTOM_SILVER:6")["allocation_requests"] == []
    new.send(409, "DELETE", "/resource_classes/CUSTOM_SILVER")


def test_classes_that_cannot_be_renamed(client: FlaskClient) -> None:
    api = Api(client, 6)
    for name in ("CUSTOM_GOLD", "CUSTOM_SILVER"):
        api.send(201, "POST", "/resource_classes", {"name": name})

    api.send(400, "PUT", "/resource_classes/VCPU", {"name": "CUSTOM_A"})
    api.send(409, "PUT", "/resource_classes/CUSTOM_GOLD", {"name": "CUSTOM_SILVER"})
    api.send(404, "PUT", "/resource_classes/CUSTOM_NONE", {"name": "CUSTOM_A"})
    api.send(400, "PUT", "/resource_classes/CUSTOM_GOLD", {"name": "GOLD"})
    api.send(200, "PUT", "/resource_classes/CUSTOM_GOLD", {"name": "CUSTOM_GOLD"})
