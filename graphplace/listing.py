"""Names of one kind, such as all traits, and how new they are."""

from dataclasses import dataclass
from datetime import datetime

from neo4j import Record


@dataclass(frozen=True)
class Listing:
    """Names in alphabetical order, and when the newest of them was written; None without any."""

    names: list[str]
    updated_at: datetime | None

    @classmethod
    def of(cls, row: Record | None) -> "Listing":
        """Return the listing that is in a row with the columns ``names`` and ``updated_at``."""
        if row is None or row["updated_at"] is None:
            return cls([], None)
        return cls(row["names"], row["updated_at"].to_native())
