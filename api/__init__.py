"""The Flask application: Placement's REST API over the engine."""

from graphplace.api.app import create_app

__all__ = ["create_app"]
