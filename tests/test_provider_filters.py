"""GET /resource_providers with filters."""

from urllib.parse import quote

import pytest
from cloud import load_cloud, read_cloud, uuid_of
from flask.testing import FlaskClient
from graphplace.api import create_app

from graphplace.graph import schema
from graphplace.graph.database import Database

CLOUD = """
cn1  HW_CPU_X86_VMX  @A  VCPU:8(reserved=2,used=1)
  numa0  HW_CPU_X86_SGX  @B  MEMORY_MB:1000(min_unit=128,max_unit=512,step_size=128)
  numa1  HW_CPU_X86_SGX  HW_CPU_X86_VMX
cn2  HW_CPU_X86_VMX  @A  @B  VCPU:4(allocation_ratio=2.5)  MEMORY_MB:200
ss   MISC_SHARES_VIA_AGGREGATE  @B  @C  DISK_GB:100(used=100)
"""
NAMES = ("cn1", "numa0", "numa1", "cn2", "ss")
A, B, C, NOBODYS = (uuid_of(name) for name in ("A", "B", "C", "nobody's"))


@pytest.fixture(scope="module")
def cloud(connected: Database) -> FlaskClient:
    """The cloud above, for tests that only read it."""
    schema.wipe(connected)
    client = create_app(connected).test_client()
    client.environ_base |= {"HTTP_X_AUTH_TOKEN": "admin", "HTTP_OPENSTACK_API_VERSION": "placement latest"}
    load_cloud(client, read_cloud(CLOUD))
    return client


def names(client: FlaskClient, query: str) -> set[str]:
    answer = client.get(f"/resource_providers?{query}")
    assert answer.status_code == 200, answer.text
    return {provider["name"] for provider in answer.json["resource_providers"]}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", set(NAMES)),
        ("name=cn1", {"cn1"}),
        ("name=CN1", set()),
        ("name=", set(NAMES)),
        ("name=cn1&name=cn2", {"cn2"}),
        (f"uuid={uuid_of('cn1')}", {"cn1"}),
        (f"uuid={uuid_of('nobody')}", set()),
        (f"uuid={uuid_of('cn1').upper()}", set()),
        (f"name=cn1&uuid={uuid_of('cn2')}", set()),
        (f"in_tree={uuid_of('cn1')}", {"cn1", "numa0", "numa1"}),
        (f"in_tree={uuid_of('numa1')}", {"cn1", "numa0", "numa1"}),
        (f"in_tree={uuid_of('ss')}", {"ss"}),
        (f"in_tree={uuid_of('nobody')}", set()),
        (f"in_tree={uuid_of('nobody')}&required=CUSTOM_UNKNOWN", set()),
        (f"in_tree={uuid_of('cn1')}&name=numa0", {"numa0"}),
    ],
)
def test_by_what_they_are_called_and_where_they_stand(cloud: FlaskClient, query: str, found: set[str]) -> None:
    assert names(cloud, query) == found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("required=HW_CPU_X86_VMX", {"cn1", "numa1", "cn2"}),
        ("required= HW_CPU_X86_VMX ", {"cn1", "numa1", "cn2"}),
        ("required=HW_CPU_X86_VMX,HW_CPU_X86_SGX", {"numa1"}),
        ("required=HW_CPU_X86_VMX&required=HW_CPU_X86_SGX", {"numa1"}),
        ("required=in:HW_CPU_X86_VMX,HW_CPU_X86_SGX", {"cn1", "numa0", "numa1", "cn2"}),
        ("required=in:HW_CPU_X86_VMX,HW_CPU_X86_SGX&required=!HW_CPU_X86_VMX", {"numa0"}),
        ("required=!HW_CPU_X86_VMX", {"numa0", "ss"}),
        ("required=!!HW_CPU_X86_VMX", {"numa0", "ss"}),
        ("required=!HW_CPU_X86_VMX,!HW_CPU_X86_SGX", {"ss"}),
        ("required=HW_CPU_X86_VMX,!HW_CPU_X86_SGX", {"cn1", "cn2"}),
        ("required=HW_CPU_X86_VMX,!HW_CPU_X86_VMX", set()),
        ("required=HW_CPU_X86_AVX", set()),
        (f"required=HW_CPU_X86_VMX&in_tree={uuid_of('numa0')}", {"cn1", "numa1"}),
    ],
)
def test_by_their_traits(cloud: FlaskClient, query: str, found: set[str]) -> None:
    assert names(cloud, query) == found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (f"member_of={A}", {"cn1", "cn2"}),
        (f"member_of=in:{A},{C}", {"cn1", "cn2", "ss"}),
        (f"member_of={A}&member_of={B}", {"cn2"}),
        (f"member_of=in:{A},{C}&member_of={B}", {"cn2", "ss"}),
        (f"member_of=!{A}", {"numa0", "numa1", "ss"}),
        (f"member_of=!in:{A},{C}", {"numa0", "numa1"}),
        (f"member_of=!{A}&member_of=!{C}", {"numa0", "numa1"}),
        (f"member_of={B}&member_of=!{A}", {"numa0", "ss"}),
        (f"member_of={A}&member_of=!{A}", set()),
        (f"member_of=in:{A},{C}&member_of=!{A}", {"ss"}),
        (f"member_of={NOBODYS}", set()),
        (f"member_of=in:{NOBODYS},{C}", {"ss"}),
        (f"member_of=!{NOBODYS}", set(NAMES)),
        (f"member_of={A.upper()}", set()),
        (f"member_of=in:{A},{B},{C}&required=MISC_SHARES_VIA_AGGREGATE", {"ss"}),
        (f"member_of={A}&in_tree={uuid_of('numa0')}", {"cn1"}),
    ],
)
def test_by_their_aggregates(cloud: FlaskClient, query: str, found: set[str]) -> None:
    assert names(cloud, query) == found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("resources=VCPU:5", {"cn1", "cn2"}),
        ("resources=VCPU:6", {"cn2"}),
        ("resources=VCPU:10", {"cn2"}),
        ("resources=VCPU:11", set()),
        ("resources=VCPU:1,MEMORY_MB:1", {"cn2"}),
        ("resources=VCPU:1&resources=MEMORY_MB:256", {"numa0"}),
        ("resources=MEMORY_MB:64", {"cn2"}),
        ("resources=MEMORY_MB:128", {"cn2", "numa0"}),
        ("resources=MEMORY_MB:130", {"cn2"}),
        ("resources=MEMORY_MB:512", {"numa0"}),
        ("resources=MEMORY_MB:640", set()),
        ("resources=DISK_GB:1", set()),
        ("resources=FPGA:1", set()),
        (f"resources=VCPU:{10**30}", set()),
        (f"resources=VCPU:1&member_of={A}&required=!HW_CPU_X86_SGX&in_tree={uuid_of('cn1')}", {"cn1"}),
    ],
)
def test_by_what_they_still_can_give(cloud: FlaskClient, query: str, found: set[str]) -> None:
    """LP 1623545."""
    assert names(cloud, query) == found


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("required=CUSTOM_NO", "No such trait(s): CUSTOM_NO."),
        ("required=!CUSTOM_NO", "No such trait(s): CUSTOM_NO."),
        ("required=in:HW_CPU_X86_VMX,CUSTOM_NO", "No such trait(s): CUSTOM_NO."),
        ("required=", "Expected 'required' parameter value of the form: HW_CPU_X86_VMX,!CUSTOM_MAGIC."),
        ("required=HW_CPU_X86_VMX,,HW_CPU_X86_SGX", "Expected 'required' parameter value of the form"),
        ("required=in:HW_CPU_X86_VMX,!HW_CPU_X86_SGX", "does not support forbidden traits"),
        ("member_of=no", "Expected 'member_of' parameter to contain valid UUID(s)."),
        ("member_of=", "Expected 'member_of' parameter to contain valid UUID(s)."),
        (f"member_of=in:{A},!{B}", "Expected 'member_of' parameter to contain valid UUID(s)."),
        (f"member_of={A},{B}", "must be prefixed with the 'in:' or '!in:' keyword"),
        ("resources=", "Got: empty string."),
        ("resources=VCPU", "Got: VCPU."),
        ("resources=VCPU:1,", "Got: ."),
        ("resources=VCPU:fred", "Requested resource VCPU expected positive integer amount. Got: fred."),
        ("resources=VCPU:-2", "Requested resource VCPU requires amount >= 1. Got: -2."),
        ("resources=CUSTOM_NO:1", "Invalid resource class in resources parameter"),
        ("uuid=no", "Invalid query string parameters"),
        (f"uuid={A.replace('-', '')}", "Invalid query string parameters"),
        ("in_tree=no", "Invalid query string parameters"),
        ("spam=eggs", "Additional properties are not allowed"),
        ("name=%88", "cannot be decoded"),
    ],
)
def test_what_cannot_be_read_is_refused(cloud: FlaskClient, query: str, words: str) -> None:
    answer = cloud.get(f"/resource_providers?{query}")

    assert answer.status_code == 400
    assert words in answer.json["errors"][0]["detail"]


@pytest.mark.parametrize("value", ["☃" * 100, "x" * 10_000, "'\"`})-[]->(", "\0"])
@pytest.mark.parametrize("key", ["name", "uuid", "in_tree", "required", "member_of", "resources"])
def test_no_text_breaks_the_query(cloud: FlaskClient, key: str, value: str) -> None:
    assert cloud.get(f"/resource_providers?{key}={quote(value)}").status_code == (200 if key == "name" else 400)
