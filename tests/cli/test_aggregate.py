"""graphplace cell, host and aggregate, as an operator uses them one after the other."""

import json

from claims import load
from cloud import uuid_of
from commands import Command
from flask.testing import FlaskClient


def test_cells_hosts_and_aggregates(graphplace: Command, client: FlaskClient) -> None:
    load(client, "cn1  VCPU:8\ncn2  VCPU:8")
    uuid, rack = uuid_of("cell1"), uuid_of("rack")

    def told(*arguments: str) -> str:
        result = graphplace(*arguments)
        assert result.exit_code == 0, result.output
        return result.stdout

    assert told("cell", "create", "cell1", "--uuid", uuid) == f"{uuid} cell1\n"
    assert told("cell", "list") == f"{uuid} cell1\n"
    assert json.loads(told("cell", "list", "--json")) == [{"uuid": uuid, "name": "cell1"}]
    assert told("host", "map", "cn1", "--cell", "cell1").split()[5:] == ["cn1", "cn1", "cell1", uuid_of("cn1")]
    assert told("host", "discover", "--cell", uuid) == "cn2 cn2\n"
    created = told("aggregate", "create", "rack", "--uuid", rack, "--zone", "az1", "--property", "a=b=c")
    assert created.split()[4:] == ["rack", rack, "a=b=c,", "availability_zone=az1"]
    told("aggregate", "add-host", "rack", "cn1")
    told("aggregate", "set", rack, "--property", "filter_tenant_id=p1", "--unset", "a")
    expected = {
        "uuid": rack,
        "name": "rack",
        "metadata": {"availability_zone": "az1", "filter_tenant_id": "p1"},
        "hosts": ["cn1"],
    }
    assert json.loads(told("aggregate", "show", "rack", "--json")) == expected
    assert json.loads(told("aggregate", "list", "--json")) == [expected]
    assert "filter_tenant_id=p1" in told("aggregate", "list")
    (cn1,) = json.loads(told("host", "list", "cn1", "--json"))
    assert cn1 == {
        "service_host": "cn1",
        "nodename": "cn1",
        "cell": {"uuid": uuid, "name": "cell1"},
        "provider_uuid": uuid_of("cn1"),
        "aggregates": ["rack"],
    }
    assert [line.split()[0] for line in told("host", "list").splitlines()] == ["host", "cn1", "cn2"]

    refused = graphplace("aggregate", "delete", "rack")
    assert (refused.exit_code, refused.stderr) == (
        1,
        "Error: The host aggregate rack has hosts; remove them first: cn1.\n",
    )
    told("aggregate", "remove-host", "rack", "cn1")
    told("aggregate", "delete", "rack")
    assert told("host", "unmap", "cn1") == "1 hosts unmapped.\n"
    told("host", "unmap", "cn2")
    told("cell", "delete", "cell1")
    assert told("cell", "list") == ""


def test_a_property_without_a_value(graphplace: Command) -> None:
    refused = graphplace("aggregate", "create", "rack", "--property", "key")
    assert (refused.exit_code, "'key' is not KEY=VALUE" in refused.stderr) == (2, True)
