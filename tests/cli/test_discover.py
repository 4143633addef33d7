"""``graphplace discover`` on a real graph, in process and over HTTP."""

import json
import re
import shlex
import sys
from pathlib import Path

import pytest
from claims import put
from clients.identity import identity
from cloud import load_cloud, read_cloud, uuid_of
from commands import Command
from flask.testing import FlaskClient
from graphplace.api import create_app
from http_server import serving
from machine_files import xml_of

from graphplace.graph.database import Database
from graphplace.settings import Settings

GUIDE = Path(__file__).parents[2] / "docs" / "discover.md"
FILE = """
version: 1
providers:
- name: '{host}'
  inventories: {VCPU: {total: 8}}
  traits: [COMPUTE_NODE]
- name: '{host}_gpu0'
  parent: '{host}'
  inventories: {VGPU: {total: 4}}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "box.yaml"
    path.write_text(FILE)
    return path


def test_a_host_is_found_changed_and_lost_again(graphplace: Command, client: FlaskClient, file: Path) -> None:
    new = ["+ box", "+     VCPU +8", "+     traits +COMPUTE_NODE", "+     box_gpu0", "+         VGPU +4"]
    dry = graphplace("discover", "--host", "box", "--file", str(file), "--dry-run")
    assert (dry.exit_code, dry.stdout.splitlines()) == (0, [*new, "Nothing is written."])
    found = graphplace("discover", "--host", "box", "--file", str(file), "--uuid", uuid_of("box"))
    assert (found.exit_code, found.stdout.splitlines()) == (0, [*new, "Written."])
    again = graphplace("discover", "--host", "box", "--file", str(file))
    assert (again.exit_code, again.stdout) == (0, "box is as Placement has it.\n")

    assert put(client, "c1", {"box": {"VCPU": 1}}).status_code == 204
    file.write_text(FILE.replace("total: 4", "total: 2, reserved: 1").replace("COMPUTE_NODE", "CUSTOM_OLD"))
    changed = graphplace("discover", "--host", "box", "--file", str(file))
    assert changed.stdout.splitlines() == [
        "~ box",
        "~     traits +CUSTOM_OLD -COMPUTE_NODE",
        "~     box_gpu0",
        "~         VGPU total 4 -> 2, reserved 0 -> 1",
        "Written.",
    ]

    file.write_text("{version: 1, providers: [{name: box, inventories: {DISK_GB: {total: 5}}}]}")
    conflict = graphplace("discover", "--host", "box", "--file", str(file))
    assert conflict.exit_code == 1
    assert conflict.stdout.splitlines() == [
        "~ box",
        "~     DISK_GB +5",
        "~     VCPU -8",
        "-     box_gpu0",
        "-         VGPU -2",
        f"Consumer {uuid_of('c1')} holds 1 VCPU of box, which is no longer there.",
        "Nothing is written.",
    ]


def test_what_consumers_hold_moves(graphplace: Command, client: FlaskClient, file: Path) -> None:
    load_cloud(client, read_cloud("box  VCPU:8  VGPU:4  COMPUTE_NODE\n  box_gpu0"))
    assert put(client, "c1", {"box": {"VCPU": 1, "VGPU": 2}}).status_code == 204

    found = graphplace("discover", "--host", "box", "--file", str(file))

    assert found.stdout.splitlines() == [
        "~ box",
        "~     VGPU -4",
        "~     box_gpu0",
        "~         VGPU +4",
        f"Consumer {uuid_of('c1')}: 1 VCPU of box + 2 VGPU of box -> 1 VCPU of box + 2 VGPU of box_gpu0",
        "Written.",
    ]


def test_over_http_as_data(
    graphplace: Command, database: Database, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever asks says who it is as for the openstack command: with a token, or by Keystone."""
    with serving(create_app(database, Settings())) as port, identity(f"http://127.0.0.1:{port}") as keystone:
        url = f"http://127.0.0.1:{port}"
        arguments = ("discover", "--host", "box", "--file", str(file), "--url", url)
        found = graphplace(*arguments, "--json", env={"OS_TOKEN": "admin"})
        refused = graphplace(*arguments, env={"OS_TOKEN": "other"})
        nobody = graphplace(*arguments)
        login = {"OS_AUTH_URL": keystone, "OS_USERNAME": "admin", "OS_PASSWORD": "secret", "OS_PROJECT_NAME": "admin"}
        domains = {"OS_USER_DOMAIN_ID": "default", "OS_PROJECT_DOMAIN_ID": "default"}
        again = graphplace(*arguments, env=login | domains)
    monkeypatch.setattr("graphplace.cli.placement.RETRIES", 0)
    gone = graphplace(*arguments, env={"OS_TOKEN": "admin"})

    told = json.loads(found.stdout)
    assert (told["host"], told["changed"], told["written"], told["conflicts"]) == ("box", True, True, [])
    gpu = told["providers"][1]
    assert (gpu["name"], gpu["change"], gpu["depth"], gpu["inventories"]["VGPU"]["before"]) == (
        "box_gpu0",
        "added",
        1,
        None,
    )
    assert gpu["inventories"]["VGPU"]["after"]["total"] == 4
    assert (refused.exit_code, nobody.exit_code, gone.exit_code) == (1, 1, 1)
    assert "was refused with 403" in refused.stderr
    assert "was refused with 403" in nobody.stderr
    assert (again.exit_code, again.stdout) == (0, "box is as Placement has it.\n"), again.output
    assert f"{url} cannot be asked" in gone.stderr


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--driver", "libvirt"], 1, "There is no driver libvirt; there are file, hwloc."),
        (["--option", "xml"], 1, "The option xml is not NAME=VALUE."),
        (["--option", "colour=red"], 1, "The driver hwloc has no option colour; it has xml, dedicated_cpus."),
        (["--xml", __file__, "--driver", "file"], 2, "--xml is for the driver hwloc, not file."),
        (["--xml", __file__, "--file", __file__], 2, "--file is for the driver file, not hwloc."),
        (["--xml", __file__], 1, f"{__file__}: This is not XML: not well-formed"),
        (["--file", __file__], 1, f"{__file__}: This is neither YAML nor JSON"),
    ],
)
def test_mistakes(graphplace: Command, arguments: list[str], status: int, message: str) -> None:
    failed = graphplace("discover", "--host", "box", *arguments)
    assert (failed.exit_code, message in failed.stderr) == (status, True), failed.output


def test_the_machine_of_the_guide(graphplace: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    guide = GUIDE.read_text()
    (command, shown) = re.findall(r"^```console\n\$ graphplace (.*)\n((?:.*\n)*?)```", guide, re.MULTILINE)[0]
    (tmp_path / "24em64t-2n6c2t-pci.xml").write_bytes(xml_of("24em64t-2n6c2t-pci"))
    monkeypatch.chdir(tmp_path)

    assert graphplace(*shlex.split(command)).stdout == shown
    assert graphplace(*shlex.split(command)[:-1]).stdout.endswith("Written.\n")
    (query,) = re.findall(r"graphplace candidates '(.*)'", guide)
    found = json.loads(graphplace("candidates", query, "--json").stdout)
    assert len(found["allocation_requests"]) == 3


def test_the_file_of_the_guide(graphplace: Command, client: FlaskClient, tmp_path: Path) -> None:
    (text,) = re.findall(r"^```yaml\n(.*?)^```", GUIDE.read_text(), re.DOTALL | re.MULTILINE)
    (tmp_path / "compute3.yaml").write_text(text)
    load_cloud(client, read_cloud("compute3  VCPU:8\n  port  VCPU:1"))

    found = graphplace("discover", "--host", "compute3", "--file", str(tmp_path / "compute3.yaml"))

    assert found.stdout.splitlines() == [
        "~ compute3",
        "~     DISK_GB +900",
        "~     VCPU -8",
        "~     traits +COMPUTE_NODE",
        "+     compute3_rack_power",
        "+         CUSTOM_WATT +750",
        "+     compute3_fpga0",
        "+         FPGA +2",
        "+         traits +CUSTOM_FPGA_ARRIA10",
        "+         aggregates +6e1f4e52-7a36-4f0c-9a4d-0d5d3c1f0002",
        "Written.",
    ]


def test_without_the_extra(graphplace: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "graphplace.compute.drivers", None)
    failed = graphplace("discover", "--host", "box")
    assert (failed.exit_code, "pip install 'graphplace[compute]'" in failed.stderr) == (1, True), failed.output
