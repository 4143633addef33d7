"""The bodies and query strings of all routes, one module for each resource."""

from graphplace.fields import (
    CUSTOM_NAME,
    END,
    MAX_NAME,
    NAME,
    UUID_KEY,
    Body,
    PatternDict,
    UniqueList,
    Uuid,
    custom_name,
    is_custom_name,
    is_uuid,
)

__all__ = [
    "CUSTOM_NAME",
    "END",
    "MAX_NAME",
    "NAME",
    "UUID_KEY",
    "Body",
    "PatternDict",
    "UniqueList",
    "Uuid",
    "custom_name",
    "is_custom_name",
    "is_uuid",
]
