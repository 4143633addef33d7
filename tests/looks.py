"""What a client can see of the API at one version, over a small cloud.

A look sends requests by what it is given for that, and returns what is to be compared.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from cloud import PROJECT, USER, uuid_of
from werkzeug.test import TestResponse

CLOUD = """
cn1  VCPU:8(used=2)  MEMORY_MB:512  HW_CPU_X86_AVX  @A
  numa0  SRIOV_NET_VF:4
cn2  VCPU:4  HW_CPU_X86_AVX2  @A  @B
ss1  CUSTOM_GOLD:5
"""
CN1, NUMA0, CN2, SS1 = (uuid_of(name) for name in ("cn1", "numa0", "cn2", "ss1"))
A, B = uuid_of("A"), uuid_of("B")
NEW, HOLDER = "00000000-0000-4000-8000-00000000beef", uuid_of("cn1 VCPU")
PROVIDER = f"/resource_providers/{CN1}"
OWNER = {"project_id": PROJECT, "user_id": USER}
LISTED = {"allocations": [{"resource_provider": {"uuid": CN1}, "resources": {"VCPU": 1}}]}
KEYED = {"allocations": {CN1: {"resources": {"VCPU": 1}}}, **OWNER}
GENERATED = KEYED | {"consumer_generation": None}
MAPPED = GENERATED | {"mappings": {"": [CN1]}}
TYPED = MAPPED | {"consumer_type": "INSTANCE"}
RESHAPED = {CN2: {"resource_provider_generation": 3, "inventories": {"VCPU": {"total": 4}}}}

CANDIDATE = ("allocation_requests", 0)
SUMMARY = ("provider_summaries", CN1)
MEMORY = "/allocation_candidates?resources=MEMORY_MB:1"
LOCATION = f"http://localhost/resource_providers/{NEW}"

Ask = Callable[..., TestResponse]


@dataclass(frozen=True)
class Change:
    """What ``look`` sees ``below`` the version of a feature, and ``at`` it."""

    look: Callable[[Ask], Any]
    below: Any
    at: Any


def status(method: str, path: str, body: object = None) -> Callable[[Ask], int]:
    return lambda ask: ask(method, path, body).status_code


def has(name: str, path: str, *way: str | int) -> Callable[[Ask], bool]:
    """Tell whether *name* is in what *way* leads to in the document at *path*."""

    def look(ask: Ask) -> bool:
        found = ask("GET", path).get_json()
        for step in way:
            found = found[step]
        return name in found

    return look


def links_to(rel: str) -> Callable[[Ask], bool]:
    def look(ask: Ask) -> bool:
        provider = ask("GET", PROVIDER).get_json()
        (listed,) = ask("GET", f"/resource_providers?uuid={CN1}").get_json()["resource_providers"]
        assert listed == provider
        return {"rel": rel, "href": f"{PROVIDER}/{rel}"} in provider["links"]

    return look


def candidates(query: str) -> Callable[[Ask], int]:
    """Return how many candidates there are."""
    return lambda ask: len(ask("GET", f"/allocation_candidates?{query}").get_json()["allocation_requests"])


def providers(query: str) -> Callable[[Ask], set[str]]:
    def look(ask: Ask) -> set[str]:
        return {one["uuid"] for one in ask("GET", f"/resource_providers?{query}").get_json()["resource_providers"]}

    return look


def query(key: str, value: str) -> str:
    """Return the query of a request for candidates with one more parameter."""
    return f"/allocation_candidates?resources=VCPU:1&{key}={quote(value)}"


def form_of_candidates(ask: Ask) -> str:
    (one,) = ask("GET", "/allocation_candidates?resources=MEMORY_MB:1").get_json()["allocation_requests"]
    return type(one["allocations"]).__name__


def classes_summarised(ask: Ask) -> set[str]:
    summaries = ask("GET", "/allocation_candidates?resources=MEMORY_MB:1").get_json()["provider_summaries"]
    return set(summaries[CN1]["resources"])


def providers_summarised(ask: Ask) -> set[str]:
    return set(ask("GET", "/allocation_candidates?resources=MEMORY_MB:1").get_json()["provider_summaries"])


def cached(path: str) -> Callable[[Ask], bool]:
    def look(ask: Ask) -> bool:
        headers = ask("GET", path).headers
        assert ("last-modified" in headers) is (headers.get("cache-control") == "no-cache")
        return "last-modified" in headers

    return look


def generation_after_aggregates(body: object) -> Callable[[Ask], tuple[int, int]]:
    def look(ask: Ask) -> tuple[int, int]:
        answered = ask("PUT", f"/resource_providers/{CN2}/aggregates", body).status_code
        return answered, ask("GET", f"/resource_providers/{CN2}").get_json()["generation"]

    return look


def created(ask: Ask) -> tuple[int, bool, str | None]:
    answer = ask("POST", "/resource_providers", {"name": "new", "uuid": NEW})
    return answer.status_code, answer.data != b"", answer.location


def usages(ask: Ask) -> Any:
    return ask("GET", f"/usages?project_id={PROJECT}").get_json()["usages"]
