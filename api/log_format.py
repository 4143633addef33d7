"""The form of log lines: ``key=value`` or JSON, each with the request that it belongs to.

Any ``logging.config.dictConfig`` can name it: ``{"()": "graphplace.api.log_format.formatter", "log_format": "json"}``.
"""

import logging
import re
from typing import Any

import structlog
from flask import has_request_context
from graphplace.api.context import global_request_id, request_id

from graphplace.settings import JSON

# The first ones of each line, in this order.
_ORDER = ["time", "level", "logger", "process", "request_id", "global_request_id", "message"]

# What a terminal would obey. JSON has its own way to write them, and a line break is written as one in both.
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


def formatter(log_format: str) -> logging.Formatter:
    """Return what formats records of the standard library in *log_format*, ``logfmt`` or ``json``."""
    render: list[structlog.typing.Processor] = (
        [structlog.processors.JSONRenderer()]
        if log_format == JSON
        else [_escape, structlog.processors.LogfmtRenderer(key_order=_ORDER, drop_missing=True)]
    )
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.stdlib.ExtraAdder(),
            structlog.processors.TimeStamper(fmt="iso", key="time"),
            structlog.processors.CallsiteParameterAdder([structlog.processors.CallsiteParameter.PROCESS]),
            structlog.processors.format_exc_info,
            structlog.processors.EventRenamer("message"),
            _add_request,
        ],
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *render],
    )


def _add_request(_logger: Any, _name: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    if has_request_context():
        event["request_id"] = request_id()
        if (of_client := global_request_id()) is not None:
            event["global_request_id"] = of_client
    return event


def _escape(_logger: Any, _name: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    return {
        key: _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", value) if isinstance(value, str) else value
        for key, value in event.items()
    }
