"""Processors as Linux tells of them: lists of their numbers, and what they can do."""

import re
from pathlib import Path

import os_traits

from graphplace.errors import BadRequestError

# Flags of /proc/cpuinfo whose trait is not called like them.
FLAG_TRAITS = {
    "aes": "AESNI",
    "fma": "FMA3",
    "pclmulqdq": "CLMUL",
    "pni": "SSE3",
    "sha_ni": "SHA",
}
RANGE = re.compile(r"(?P<first>\d{1,6})(-(?P<last>\d{1,6}))?")


def read_cpu_list(text: str) -> frozenset[int]:
    """Return the numbers in a list such as ``0-3,8``. Raises BadRequestError for what is none."""
    numbers: set[int] = set()
    for part in filter(None, text.strip().split(",")):
        found = RANGE.fullmatch(part.strip())
        if found is None:
            raise BadRequestError(f"{text!r} is not a list of processors: {part!r} is neither a number nor a range.")
        numbers.update(range(int(found["first"]), int(found["last"] or found["first"]) + 1))
    return frozenset(numbers)


def read_cpu_traits(cpuinfo: Path) -> list[str]:
    """Return the traits of the first processor's flags, those that os-traits has a name for."""
    flags = re.search(r"^flags\s*:(.*)$", cpuinfo.read_text(), re.MULTILINE)
    words = flags[1].split() if flags else []
    names = {f"HW_CPU_X86_{FLAG_TRAITS.get(word, word.upper().replace('_', ''))}" for word in words}
    return sorted(names.intersection(os_traits.get_traits("HW_CPU_X86")))
