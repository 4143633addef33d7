"""Query strings, decoded and otherwise as they are written."""

from urllib.parse import parse_qsl

from graphplace.errors import BadRequestError

# The text of a query string is always short of what a server takes for a URL, so this bounds nothing real.
MAX_QUERY_PAIRS = 5000


def decode_query(data: bytes) -> list[tuple[str, str]]:
    """Return the key and value pairs of the query string *data*, in order, unchecked. Raises BadRequestError."""
    try:
        return parse_qsl(data.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MAX_QUERY_PAIRS)
    except ValueError as error:
        raise BadRequestError(f"Invalid query string parameters: they cannot be decoded: {error}") from error
