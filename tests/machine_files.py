"""The XML that hwloc wrote on real machines; tests/machines/README.md tells where it is from."""

import lzma
from pathlib import Path

FOLDER = Path(__file__).with_name("machines")
MACHINES = sorted(path.name.removesuffix(".xml.xz") for path in FOLDER.glob("*.xml.xz"))


def xml_of(machine: str) -> bytes:
    """Return what hwloc wrote on the machine."""
    return lzma.decompress((FOLDER / f"{machine}.xml.xz").read_bytes())
