"""Query strings against their schemas."""

from urllib.parse import parse_qsl

from graphplace import validation
from graphplace.errors import BadRequestError
from graphplace.validation import Shape

Pairs = list[tuple[str, str]]

# The text of a query string is always short of what a server takes for a URL, so this bounds nothing real.
MAX_QUERY_PAIRS = 5000


def load_query(data: bytes, shape: Shape) -> Pairs:
    """Return the decoded key and value pairs of the query string *data*, in order. Raises BadRequestError.

    The last value of each key is checked against *shape*, as Placement does; what repetition means is the route's.
    """
    pairs = decode_query(data)
    validation.check(dict(pairs), shape, "Invalid query string parameters")
    return pairs


def decode_query(data: bytes) -> Pairs:
    """Return the key and value pairs of the query string *data*, in order, unchecked. Raises BadRequestError."""
    try:
        return parse_qsl(data.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MAX_QUERY_PAIRS)
    except ValueError as error:
        raise BadRequestError(f"Invalid query string parameters: they cannot be decoded: {error}") from error
