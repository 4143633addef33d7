"""Bodies of the resource classes' routes."""

from graphplace.api.schemas import Body, custom_name


class Create(Body):
    """POST /resource_classes."""

    name = custom_name(required=True)
