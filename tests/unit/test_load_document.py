"""Reading documents of a whole cloud."""

from typing import Any

import orjson
import pytest

from graphplace.errors import BadRequestError
from graphplace.loading import read_cloud

UUIDS = [f"00000000-0000-4000-8000-00000000000{digit}" for digit in range(10)]


def document(**rest: Any) -> bytes:
    return orjson.dumps({"version": 1} | rest)


def test_parents_come_before_their_children() -> None:
    providers = [
        {"uuid": UUIDS[0], "name": "c", "parent": "b"},
        {"uuid": UUIDS[1], "name": "b", "parent": "a"},
        {"uuid": UUIDS[2], "name": "a"},
    ]

    assert [one.name for one in read_cloud(document(providers=providers)).providers] == ["a", "b", "c"]


def test_numbers_are_of_the_kind_that_is_asked_for() -> None:
    """JSON does not tell 4.0 from 4."""
    inventory = {"total": 4.0, "allocation_ratio": 2}
    consumer = CONSUMER | {"allocations": {"a": {"VCPU": 3.0}}}

    cloud = read_cloud(document(providers=[ENTRY | {"inventories": {"VCPU": inventory}}], consumers=[consumer]))

    found = cloud.providers[0].inventories["VCPU"]
    assert [repr(found.total), repr(found.reserved), repr(found.allocation_ratio)] == ["4", "0", "2.0"]
    assert repr(cloud.consumers[0].allocations["a"]["VCPU"]) == "3"


ENTRY = {"uuid": UUIDS[0], "name": "a"}
HELD = {"a": {"VCPU": 1}}
CONSUMER = {"uuid": UUIDS[0], "type": "VM", "project_id": "p", "user_id": "u"}
WRONG = {
    "not JSON": (b'{"version": 1', "not JSON"),
    "no object": (b"[]", r"\$: \[\] is not of type 'object'"),
    "no version": (b"{}", "'version' is a required property"),
    "other version": (b'{"version": 2}', r"\$\.version"),
    "unknown key": (document(hosts=[]), "'hosts'"),
    "no uuid": (document(providers=[{"name": "a"}]), r"\$\.providers\[0\]: 'uuid' is a required property"),
    "bad uuid": (document(providers=[{"uuid": "1", "name": "a"}]), "'1' is not a 'uuid'"),
    "bad total": (document(providers=[ENTRY | {"inventories": {"VCPU": {"total": 0}}}]), r"VCPU\.total: 0"),
    "bad trait": (document(providers=[ENTRY | {"traits": ["a"]}]), r"traits\[0\]"),
    "standard trait declared": (document(traits=["HW_NUMA_ROOT"]), "HW_NUMA_ROOT"),
    "amount of 0": (document(consumers=[CONSUMER | {"allocations": {"a": {"VCPU": 0}}}]), r"allocations\.a\.VCPU: 0"),
    "type of two lines": (document(consumers=[CONSUMER | {"type": "A\n", "allocations": HELD}]), r"\.type: 'A\\n'"),
    "two of a uuid": (document(providers=[ENTRY, ENTRY | {"name": "b"}]), f"uuid {UUIDS[0]} occurs twice"),
    "two of a name": (document(providers=[ENTRY, ENTRY | {"uuid": UUIDS[1]}]), "name a occurs twice"),
    "its own parent": (document(providers=[ENTRY | {"parent": "a"}]), "own ancestors: a below a"),
    "a ring": (
        document(providers=[ENTRY | {"parent": "b"}, {"uuid": UUIDS[1], "name": "b", "parent": "a"}]),
        "own ancestors",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_named(name: str) -> None:
    data, words = WRONG[name]
    with pytest.raises(BadRequestError, match=words):
        read_cloud(data)
