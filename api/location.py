"""Absolute addresses of the API's own resources, for Location headers, and relative ones, for links."""

from urllib.parse import quote

from flask import request


def path_of(*parts: str) -> str:
    """Return the path of the resource at *parts* below the place where the API is mounted."""
    return "/".join([request.script_root, *(quote(part, safe="") for part in parts)])


def url_of(*parts: str) -> str:
    """Return the absolute URL of the resource at *parts*."""
    return request.host_url.rstrip("/") + path_of(*parts)
