"""The audits as the page shows them: which there are, and what they find."""

from datetime import timedelta
from typing import Any

from flask import request
from graphplace.api.context import database
from marshmallow import fields

from graphplace import audit as auditing
from graphplace.audit import AUDITS, LONGEST_STALE, ORPHANS, STALE, Audit
from graphplace.errors import BadRequestError
from graphplace.fields import Body, Uuid
from graphplace.validation import load_json

ONLY, STALE_DAYS = "only", "stale_days"
# Those that need nothing to be sent.
_ASKED = {one.name: one for one in AUDITS if one is not ORPHANS}


class Known(Body):
    """The consumers that some service knows."""

    known = fields.List(Uuid(), required=True)


def audit() -> dict[str, Any]:
    """Return what the audits named by ``only`` find, which may be repeated; without one, which audits there are.

    Hosts count as stale after ``stale_days``. Raises BadRequestError.
    """
    names = request.args.getlist(ONLY)
    if unknown := [name for name in names if name not in _ASKED]:
        raise BadRequestError(f"There is no audit {unknown[0]}. There are {', '.join(_ASKED)}.")
    stale = timedelta(days=_days(request.args.get(STALE_DAYS, str(STALE.days))))
    chosen = [one for name, one in _ASKED.items() if name in names]
    found = auditing.audit(database(), chosen, stale=stale)
    return {
        "audits": [auditing.document(result) for result in found] if names else [*map(_described, _ASKED.values())],
        "stale_days": stale.days,
    }


def orphans() -> dict[str, Any]:
    """Return the consumers that are not among those of the body. Raises BadRequestError."""
    known = load_json(request.get_data(), Known)["known"]
    (found,) = auditing.audit(database(), [ORPHANS], known=known)
    return {"audits": [auditing.document(found)]}


def _days(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= LONGEST_STALE):
        raise BadRequestError(f"{STALE_DAYS} must be a whole number from 1 to {LONGEST_STALE}, not {text}.")
    return int(text)


def _described(one: Audit) -> dict[str, str]:
    return {"name": one.name, "title": one.title, "sentence": one.sentence}
