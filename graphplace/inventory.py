"""What a provider has of one resource class."""

from dataclasses import dataclass
from decimal import Decimal

from graphplace.fields import MAX_AMOUNT

# A huge allocation_ratio makes a capacity beyond any sum of claims; the graph's integers end here.
MAX_CAPACITY = 2**63 - 1
# Or one far below zero, from which what is used is still to be taken.
MIN_CAPACITY = -(2**62)


@dataclass(frozen=True, kw_only=True)
class Inventory:
    """What a provider has of one resource class, in that class's units.

    An allocation is between ``min_unit`` and ``max_unit`` and a multiple of ``step_size``.
    """

    total: int
    reserved: int = 0
    min_unit: int = 1
    max_unit: int = MAX_AMOUNT
    step_size: int = 1
    allocation_ratio: float = 1.0

    @property
    def capacity(self) -> int:
        """The sum that all allocations may reach: the whole part of (total - reserved) * allocation_ratio.

        The ratio is the decimal number that its client wrote: 100 * 0.57 is 57.
        """
        capacity = int((self.total - self.reserved) * Decimal(repr(self.allocation_ratio)))
        return max(MIN_CAPACITY, min(capacity, MAX_CAPACITY))
