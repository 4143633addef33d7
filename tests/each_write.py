"""Every route that writes, with one request that it grants, on one small cloud."""

from dataclasses import dataclass
from typing import Any

from claims import claim
from cloud import uuid_of
from flask.testing import FlaskClient
from graphplace.api.route import Route
from werkzeug.test import TestResponse

CLOUD = """
cn1  VCPU:8(used=2)  MEMORY_MB:8  HW_CPU_X86_VMX  @rack
  numa  CUSTOM_GOLD:4
cn2  VCPU:8
"""
CN1, CN2, NUMA, CONSUMER = (uuid_of(name) for name in ("cn1", "cn2", "numa", "cn1 VCPU"))
CN1_PATH = f"/resource_providers/{CN1}"
MOVED = claim({"cn2": {"VCPU": 2}}, 1, project="p", user="u", kind="MOVED")


@dataclass(frozen=True)
class Case:
    """A write to the cloud above, and the status that answers it."""

    method: str
    path: str
    status: int
    body: Any = None
    version: str = "latest"


# fmt: off
CASES = {
    "resource_providers.create": Case("POST", "/resource_providers", 200, {
        "name": "new", "uuid": uuid_of("new"), "parent_provider_uuid": NUMA}),
    "resource_providers.update": Case("PUT", f"/resource_providers/{NUMA}", 200, {
        "name": "moved", "parent_provider_uuid": CN2}),
    "resource_providers.delete": Case("DELETE", f"/resource_providers/{NUMA}", 204),
    "aggregates.replace": Case("PUT", f"{CN1_PATH}/aggregates", 200, {
        "aggregates": [uuid_of("row")], "resource_provider_generation": 4}),
    "provider_traits.replace": Case("PUT", f"{CN1_PATH}/traits", 200, {
        "traits": ["MISC_SHARES_VIA_AGGREGATE"], "resource_provider_generation": 4}),
    "provider_traits.clear": Case("DELETE", f"{CN1_PATH}/traits", 204),
    "resource_classes.create": Case("POST", "/resource_classes", 201, {"name": "CUSTOM_NEW"}),
    "resource_classes.rename": Case("PUT", "/resource_classes/CUSTOM_GOLD", 200, {"name": "CUSTOM_SILVER"}, "1.6"),
    "resource_classes.ensure": Case("PUT", "/resource_classes/CUSTOM_NEW", 201),
    "resource_classes.delete": Case("DELETE", "/resource_classes/CUSTOM_UNUSED", 204),
    "inventories.create": Case("POST", f"{CN1_PATH}/inventories", 201, {"resource_class": "DISK_GB", "total": 9}),
    "inventories.replace": Case("PUT", f"{CN1_PATH}/inventories", 200, {
        "inventories": {"VCPU": {"total": 4}, "DISK_GB": {"total": 9}}, "resource_provider_generation": 4}),
    "inventories.delete_all": Case("DELETE", f"/resource_providers/{CN2}/inventories", 204),
    "inventories.update": Case("PUT", f"{CN1_PATH}/inventories/VCPU", 200, {
        "total": 4, "resource_provider_generation": 4}),
    "inventories.delete": Case("DELETE", f"{CN1_PATH}/inventories/MEMORY_MB", 204),
    "allocations.replace_many": Case("POST", "/allocations", 204, {
        CONSUMER: MOVED, uuid_of("c"): claim({"cn1": {"VCPU": 8}, "numa": {"CUSTOM_GOLD": 4}})}),
    "allocations.replace": Case("PUT", f"/allocations/{CONSUMER}", 204, MOVED),
    "allocations.delete": Case("DELETE", f"/allocations/{CONSUMER}", 204),
    "reshaper.reshape": Case("POST", "/reshaper", 204, {
        "inventories": {
            CN1: {"inventories": {"MEMORY_MB": {"total": 4}}, "resource_provider_generation": 4},
            NUMA: {"inventories": {"VCPU": {"total": 8}}, "resource_provider_generation": 1},
        },
        "allocations": {CONSUMER: claim({"numa": {"VCPU": 2}}, 1)}}),
    "traits.ensure": Case("PUT", "/traits/CUSTOM_NEW", 201),
    "traits.delete": Case("DELETE", "/traits/CUSTOM_UNUSED", 204),
}
# fmt: on
# What is sent as a write is, and changes nothing.
PREVIEWS = {
    "allocation_candidates.what_if": Case(
        "POST",
        "/allocation_candidates/what-if?resources=VCPU:1&limit=10",
        200,
        {
            "consumers_gone": [CONSUMER],
            "drained": [CN2],
            "inventories": {NUMA: {"VCPU": {"total": 8}}},
            "traits": {CN1: {"remove": ["HW_CPU_X86_VMX"]}},
        },
        "1.39, graphplace 1.0",
    ),
    "allocation_candidates.explain_what_if": Case(
        "POST", "/allocation_candidates/explain?resources=VCPU:1", 200, {"drained": [CN2]}, "1.39, graphplace 1.0"
    ),
    "reshaper.preview": Case("POST", "/reshaper/preview", 200, CASES["reshaper.reshape"].body, "1.39, graphplace 1.0"),
}


def send(client: FlaskClient, case: Case) -> TestResponse:
    headers = {"OpenStack-API-Version": f"placement {case.version}"}
    return client.open(case.path, method=case.method, json=case.body, headers=headers)


def name_of(route: Route) -> str:
    return f"{route.view.__module__.rpartition('.')[2]}.{route.view.__name__}"
