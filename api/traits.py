"""Traits over HTTP."""

from flask import Response
from graphplace.api.context import database
from graphplace.api.location import url_of
from graphplace.api.responses import empty_response, json_response, now
from graphplace.api.schemas import MAX_NAME, is_custom_name
from graphplace.api.validation import Pairs

from graphplace import traits
from graphplace.errors import BadRequestError

_BOOLEANS = {"true": True, "false": False}


def index(query: Pairs) -> Response:
    """Answer with the traits, filtered by ``name=in:A,B``, ``name=startswith:P`` and ``associated=true|false``."""
    given = dict(query)
    names, prefix = _name_filter(given.get("name"))
    associated = _boolean(given.get("associated"))
    found = traits.index(database(), names=names, prefix=prefix, associated=associated)
    return json_response({"traits": found.names}, last_modified=found.updated_at or now())


def show(name: str) -> Response:
    """Answer whether the trait exists: its existence is all there is to say of it."""
    return empty_response(last_modified=traits.get(database(), name).updated_at)


def ensure(name: str) -> Response:
    """Create the trait (201) unless it exists (204)."""
    if not is_custom_name(name):
        raise BadRequestError(
            f"The trait is invalid. A valid trait must be no longer than {MAX_NAME} characters, start with "
            f'the prefix "CUSTOM_" and use following characters: "A"-"Z", "0"-"9" and "_". Got: {name}'
        )
    trait, created = traits.ensure(database(), name)
    return empty_response(
        201 if created else 204, last_modified=trait.updated_at, location=url_of("traits", trait.name)
    )


def delete(name: str) -> Response:
    """Delete the trait."""
    traits.delete(database(), name)
    return empty_response()


def _name_filter(text: str | None) -> tuple[list[str] | None, str | None]:
    """Return the names and the prefix that *text* asks for; an unknown operator asks for nothing, as in Placement."""
    if text is None:
        return None, None
    operator, colon, value = text.partition(":")
    if not colon:
        raise BadRequestError(
            "Badly formatted name parameter. Expected name query string parameter in form: "
            f'?name=[in|startswith]:[name1,name2|prefix]. Got: "{text}"'
        )
    return value.split(",") if operator == "in" else None, value if operator == "startswith" else None


def _boolean(text: str | None) -> bool | None:
    if text is None:
        return None
    if text.lower() not in _BOOLEANS:
        raise BadRequestError(f'The query parameter "associated" only accepts "true" or "false", not {text!r}.')
    return _BOOLEANS[text.lower()]
