"""Public reports about the search for candidates that a cloud and an answer do not tell."""

from collections import Counter

import pytest
from cloud import load_cloud, read_cloud, uuid_of
from flask.testing import FlaskClient

WIDE = "\n".join(f"cn{host}\n" + "\n".join(f"  cn{host}_pf{n}  SRIOV_NET_VF:1" for n in range(8)) for host in range(3))


@pytest.mark.parametrize("rounds", [1, 2])
def test_every_host_has_a_candidate_before_any_has_one_more(client: FlaskClient, rounds: int) -> None:
    """LP 2070257, LP 1827628: a limit must not hide hosts behind the many candidates of one."""
    load_cloud(client, read_cloud(WIDE))
    groups = "&".join(f"resources{n}=SRIOV_NET_VF:1" for n in range(4))
    answer = client.get(f"/allocation_candidates?{groups}&group_policy=none&limit={3 * rounds}").get_json()
    hosts = Counter(
        answer["provider_summaries"][next(iter(one["allocations"]))]["root_provider_uuid"]
        for one in answer["allocation_requests"]
    )
    assert hosts == {uuid_of(f"cn{host}"): rounds for host in range(3)}


def test_an_overfull_provider_has_no_candidates_until_it_has_room_again(client: FlaskClient) -> None:
    """LP 1619722: shrinking an inventory below what is used is allowed."""
    load_cloud(client, read_cloud("cn  VCPU:4(used=3)"))
    inventory = f"/resource_providers/{uuid_of('cn')}/inventories/VCPU"
    for total, candidates in [(2, 0), (3, 0), (4, 1)]:
        generation = client.get(inventory).get_json()["resource_provider_generation"]
        resized = client.put(inventory, json={"total": total, "resource_provider_generation": generation})
        assert resized.status_code == 200
        answer = client.get("/allocation_candidates?resources=VCPU:1")
        assert (answer.status_code, len(answer.get_json()["allocation_requests"])) == (200, candidates)
