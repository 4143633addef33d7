"""The machine that this runs on: what hwloc's ``lstopo`` finds, and what Linux alone tells of it."""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

from graphplace.compute.drivers.topology import Device, Machine, read_machine
from graphplace.cpus import read_cpu_traits
from graphplace.errors import BadRequestError

COMMANDS = ("lstopo-no-graphics", "lstopo")
PCI_DEVICES = Path("/sys/bus/pci/devices")
CPUINFO = Path("/proc/cpuinfo")
TIMEOUT_SECONDS = 120


def read_this_machine(pci_devices: Path = PCI_DEVICES, cpuinfo: Path = CPUINFO) -> Machine:
    """Return this machine, with its SR-IOV functions and the traits of its processors.

    A virtual function is counted at the device that it is a function of, and is none itself. Raises BadRequestError
    where hwloc is not installed or fails.
    """
    machine = read_machine(_lstopo())
    devices = [
        _split(device, pci_devices / device.address)
        for device in machine.devices
        if not (pci_devices / device.address / "physfn").exists()
    ]
    return replace(machine, devices=devices, cpu_traits=read_cpu_traits(cpuinfo))


def _lstopo() -> bytes:
    command = next(filter(None, map(shutil.which, COMMANDS)), None)
    if command is None:
        raise BadRequestError(
            "hwloc is not installed here: there is no lstopo. Install it (the package is hwloc-nox or hwloc), or give "
            "a file that lstopo --of xml wrote."
        )
    try:
        done = subprocess.run(  # noqa: S603  # the command is hwloc's, without any input
            [command, "--of", "xml"], capture_output=True, check=True, timeout=TIMEOUT_SECONDS
        )
    except subprocess.TimeoutExpired as error:
        raise BadRequestError(f"{command} has not ended after {TIMEOUT_SECONDS} s.") from error
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode(errors="replace").strip()
        raise BadRequestError(f"{command} failed with exit status {error.returncode}: {said}") from error
    return done.stdout


def _split(device: Device, folder: Path) -> Device:
    return replace(
        device,
        sriov=_count(folder / "sriov_totalvfs") > 0,
        functions=_count(folder / "sriov_numvfs"),
    )


def _count(path: Path) -> int:
    """Return the number in a file that only devices with SR-IOV have; 0 where there is none."""
    try:
        return int(path.read_text())
    except FileNotFoundError:
        return 0
