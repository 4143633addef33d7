"""What consumers hold, as the compute side changes it."""

from typing import Any

import pytest
from claims import consumer, generation, held_by, load, put
from cloud import PROJECT, USER, uuid_of
from flask.testing import FlaskClient
from wire import Wire

from graphplace.compute.errors import AllocationUpdateFailed
from graphplace.compute.report_client import ReportClient
from graphplace.errors import Code

CN1, CN2, POOL = map(uuid_of, ("cn1", "cn2", "pool"))
C1, C2 = map(uuid_of, ("c1", "c2"))
PUT = f"PUT /allocations/{C1}"


@pytest.fixture(autouse=True)
def _two_hosts(client: FlaskClient) -> None:
    load(client, "cn1  VCPU:8\ncn2  VCPU:8  @rack\npool  DISK_GB:100  MISC_SHARES_VIA_AGGREGATE  @rack")


def asking(**held: dict[str, int]) -> dict[str, Any]:
    """A request as GET /allocation_candidates gives them, but for mappings."""
    return {"allocations": {uuid_of(name): {"resources": resources} for name, resources in held.items()}}


def touch(client: FlaskClient, name: str) -> None:
    """Write what a consumer holds as it is, so that its generation is another one."""
    assert client.put(f"/allocations/{uuid_of(name)}", json=consumer(client, name)).status_code == 204


class Outrun:
    """An answer that Placement gives when others were quicker; every fourth try of a server's own gives one."""

    status_code = 409
    text = "..."

    @staticmethod
    def json() -> Any:
        return {"errors": [{"code": "placement.concurrent_update", "detail": "others were quicker"}]}


def outrun(monkeypatch: pytest.MonkeyPatch, wire: Wire, method: str, times: int) -> None:
    """Let the next writes lose to others."""
    send = getattr(wire, method)
    left = iter(range(times))

    def losing(url: str, **options: Any) -> Any:
        if next(left, None) is None:
            return send(url, **options)
        wire.sent.append(f"{method.upper()} {url}")
        return Outrun

    monkeypatch.setattr(wire, method, losing)


def test_a_candidate_is_claimed(compute: ReportClient, client: FlaskClient) -> None:
    answer = client.get("/allocation_candidates?resources=VCPU:2,DISK_GB:5").json

    compute.claim(None, C1, answer["allocation_requests"][0], PROJECT, USER)

    assert held_by(client, "c1") == {CN2: {"VCPU": 2}, POOL: {"DISK_GB": 5}}
    record = consumer(client, "c1")
    assert (record["project_id"], record["user_id"], record["consumer_generation"]) == (PROJECT, USER, 1)


def test_a_claim_adds_to_what_is_held(compute: ReportClient, client: FlaskClient) -> None:
    put(client, "c1", {"cn1": {"VCPU": 2}, "pool": {"DISK_GB": 5}})

    compute.claim(None, C1, asking(cn2={"VCPU": 2}, pool={"DISK_GB": 5}), PROJECT, USER)

    assert held_by(client, "c1") == {CN1: {"VCPU": 2}, CN2: {"VCPU": 2}, POOL: {"DISK_GB": 10}}


def test_a_claim_that_does_not_fit_is_not_tried_again(compute: ReportClient, client: FlaskClient, wire: Wire) -> None:
    with pytest.raises(AllocationUpdateFailed, match="would exceed the capacity"):
        compute.claim(None, C1, asking(cn1={"VCPU": 9}), PROJECT, USER)
    assert wire.writes == [PUT]
    assert held_by(client, "c1") == {}


def test_a_claim_that_loses_to_others_is_sent_again(
    compute: ReportClient, client: FlaskClient, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    outrun(monkeypatch, wire, "put", times=3)

    compute.claim(None, C1, asking(cn1={"VCPU": 2}), PROJECT, USER)

    assert wire.writes == [PUT] * 4
    assert held_by(client, "c1") == {CN1: {"VCPU": 2}}


def test_a_claim_that_always_loses_fails(compute: ReportClient, wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    outrun(monkeypatch, wire, "put", times=4)

    with pytest.raises(AllocationUpdateFailed, match="Others were quicker 4 times") as raised:
        compute.claim(None, C1, asking(cn1={"VCPU": 2}), PROJECT, USER)
    assert raised.value.code is Code.CONCURRENT_UPDATE
    assert wire.writes == [PUT] * 4


def test_a_consumer_that_changes_during_its_claim(compute: ReportClient, client: FlaskClient, wire: Wire) -> None:
    put(client, "c1", {"cn1": {"VCPU": 2}})
    wire.before("PUT", lambda: touch(client, "c1"))

    with pytest.raises(AllocationUpdateFailed, match=f"Consumer {C1} changed during the claim"):
        compute.claim(None, C1, asking(cn2={"VCPU": 2}), PROJECT, USER)
    assert wire.writes == [PUT]
    assert held_by(client, "c1") == {CN1: {"VCPU": 2}}


def test_a_consumer_that_is_claimed_for_by_another(compute: ReportClient, client: FlaskClient, wire: Wire) -> None:
    wire.before("PUT", lambda: put(client, "c1", {"cn1": {"VCPU": 2}}))

    with pytest.raises(AllocationUpdateFailed, match="changed during the claim"):
        compute.claim(None, C1, asking(cn1={"VCPU": 2}), PROJECT, USER)
    assert held_by(client, "c1") == {CN1: {"VCPU": 2}}


def test_all_moves_to_another_consumer(compute: ReportClient, client: FlaskClient, wire: Wire) -> None:
    put(client, "c1", {"cn2": {"VCPU": 8}, "pool": {"DISK_GB": 5}})
    before = generation(client, "cn2")

    assert compute.move(None, C1, C2)

    assert wire.writes == ["POST /allocations"]
    assert held_by(client, "c1") == {}
    assert held_by(client, "c2") == {CN2: {"VCPU": 8}, POOL: {"DISK_GB": 5}}
    assert consumer(client, "c2")["project_id"] == PROJECT
    assert generation(client, "cn2") > before
    assert not compute.move(None, C1, C2), "there is nothing left to move"


def test_a_move_does_not_overwrite(compute: ReportClient, client: FlaskClient, wire: Wire) -> None:
    put(client, "c1", {"cn1": {"VCPU": 1}})
    put(client, "c2", {"cn2": {"VCPU": 2}})

    with pytest.raises(AllocationUpdateFailed, match=f"Consumer {C2} cannot take over from {C1}"):
        compute.move(None, C1, C2)
    assert wire.writes == []


def test_a_consumer_that_changes_during_its_move(compute: ReportClient, client: FlaskClient, wire: Wire) -> None:
    put(client, "c1", {"cn1": {"VCPU": 1}})
    wire.before("POST", lambda: put(client, "c1", {"cn2": {"VCPU": 2}}, 1))

    assert compute.move(None, C1, C2)

    assert held_by(client, "c2") == {CN2: {"VCPU": 2}}


def test_a_consumer_that_is_released_during_its_move(compute: ReportClient, client: FlaskClient, wire: Wire) -> None:
    put(client, "c1", {"cn1": {"VCPU": 1}})
    wire.before("POST", lambda: client.delete(f"/allocations/{C1}"))

    assert not compute.move(None, C1, C2)
    assert held_by(client, "c2") == {}


def test_a_move_that_always_loses_fails(
    compute: ReportClient, client: FlaskClient, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(client, "c1", {"cn1": {"VCPU": 1}})
    outrun(monkeypatch, wire, "post", times=4)

    with pytest.raises(AllocationUpdateFailed, match="Others were quicker 4 times"):
        compute.move(None, C1, C2)
    assert held_by(client, "c1") == {CN1: {"VCPU": 1}}


def test_a_consumer_is_released_once(compute: ReportClient, client: FlaskClient) -> None:
    put(client, "c1", {"cn1": {"VCPU": 1}})

    assert compute.release(None, C1)
    assert held_by(client, "c1") == {}
    assert not compute.release(None, C1)
