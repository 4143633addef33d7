"""Query strings against their schemas."""

from graphplace import validation
from graphplace.request.query import decode_query
from graphplace.validation import Shape

Pairs = list[tuple[str, str]]


def load_query(data: bytes, shape: Shape) -> Pairs:
    """Return the decoded key and value pairs of the query string *data*, in order. Raises BadRequestError.

    The last value of each key is checked against *shape*, as Placement does; what repetition means is the route's.
    """
    pairs = decode_query(data)
    validation.check(dict(pairs), shape, "Invalid query string parameters")
    return pairs
