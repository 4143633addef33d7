"""Bodies of the resource classes' routes."""

from graphplace.api.schemas import Body, custom_name


class Named(Body):
    """POST /resource_classes, and PUT /resource_classes/{name} of version 1.6 and before."""

    name = custom_name(required=True)
