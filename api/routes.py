"""Every route of the API, as one table: method, path, view, the version it came with, and what it takes."""

from flask import Blueprint, Flask
from graphplace.api import (
    aggregates,
    allocation_candidates,
    allocations,
    inventories,
    provider_traits,
    reshaper,
    resource_classes,
    resource_providers,
    root,
    traits,
    usages,
)
from graphplace.api.route import Route
from graphplace.api.schemas import aggregate as aggregate_schemas
from graphplace.api.schemas import allocation as allocation_schemas
from graphplace.api.schemas import inventory as inventory_schemas
from graphplace.api.schemas import provider_traits as provider_traits_schemas
from graphplace.api.schemas import reshaper as reshaper_schemas
from graphplace.api.schemas import resource_class as resource_class_schemas
from graphplace.api.schemas import resource_provider as resource_provider_schemas
from graphplace.api.schemas import trait as trait_schemas
from graphplace.api.schemas import usage as usage_schemas

_INVENTORIES = "/resource_providers/<uuid>/inventories"

# fmt: off
ROUTES: dict[str, tuple[Route, ...]] = {
    "root": (
        Route("GET", "/", root.show),
    ),
    "resource_providers": (
        Route("GET", "/resource_providers", resource_providers.index, query=resource_provider_schemas.Index),
        Route("POST", "/resource_providers", resource_providers.create, body=resource_provider_schemas.Create),
        Route("GET", "/resource_providers/<uuid>", resource_providers.show),
        Route("PUT", "/resource_providers/<uuid>", resource_providers.update, body=resource_provider_schemas.Update,
              subject=resource_providers.check_exists),
        Route("DELETE", "/resource_providers/<uuid>", resource_providers.delete),
    ),
    "aggregates": (
        Route("GET", "/resource_providers/<uuid>/aggregates", aggregates.show, since=1),
        Route("PUT", "/resource_providers/<uuid>/aggregates", aggregates.replace, since=1,
              body=aggregate_schemas.Replace, subject=resource_providers.check_exists),
    ),
    "provider_traits": (
        Route("GET", "/resource_providers/<uuid>/traits", provider_traits.show, since=6),
        Route("PUT", "/resource_providers/<uuid>/traits", provider_traits.replace, since=6,
              body=provider_traits_schemas.Replace),
        Route("DELETE", "/resource_providers/<uuid>/traits", provider_traits.clear, since=6),
    ),
    "allocation_candidates": (
        Route("GET", "/allocation_candidates", allocation_candidates.index, since=10),
    ),
    "resource_classes": (
        Route("GET", "/resource_classes", resource_classes.index, since=2),
        Route("POST", "/resource_classes", resource_classes.create, since=2, body=resource_class_schemas.Create),
        Route("GET", "/resource_classes/<name>", resource_classes.show, since=2),
        Route("PUT", "/resource_classes/<name>", resource_classes.ensure, since=7),
        Route("DELETE", "/resource_classes/<name>", resource_classes.delete, since=2),
    ),
    "inventories": (
        Route("GET", _INVENTORIES, inventories.index),
        Route("POST", _INVENTORIES, inventories.create, body=inventory_schemas.Create,
              subject=resource_providers.check_exists),
        Route("PUT", _INVENTORIES, inventories.replace, body=inventory_schemas.Replace,
              subject=resource_providers.check_exists),
        Route("DELETE", _INVENTORIES, inventories.delete_all, since=5),
        Route("GET", f"{_INVENTORIES}/<name>", inventories.show),
        Route("PUT", f"{_INVENTORIES}/<name>", inventories.update, body=inventory_schemas.Update,
              subject=resource_providers.check_exists),
        Route("DELETE", f"{_INVENTORIES}/<name>", inventories.delete),
    ),
    "allocations": (
        Route("GET", "/resource_providers/<uuid>/allocations", allocations.index_of_provider),
        Route("POST", "/allocations", allocations.replace_many, since=13, body=allocation_schemas.CLAIMS),
        Route("GET", "/allocations/<uuid>", allocations.show),
        Route("PUT", "/allocations/<uuid>", allocations.replace, body=allocation_schemas.Claim),
        Route("DELETE", "/allocations/<uuid>", allocations.delete),
    ),
    "usages": (
        Route("GET", "/resource_providers/<uuid>/usages", usages.of_provider),
        Route("GET", "/usages", usages.index, since=9, query=usage_schemas.Index),
    ),
    "reshaper": (
        Route("POST", "/reshaper", reshaper.reshape, since=30, body=reshaper_schemas.Reshape),
    ),
    "traits": (
        Route("GET", "/traits", traits.index, since=6, query=trait_schemas.Index),
        Route("GET", "/traits/<name>", traits.show, since=6),
        Route("PUT", "/traits/<name>", traits.ensure, since=6),
        Route("DELETE", "/traits/<name>", traits.delete, since=6),
    ),
}
# fmt: on


def register(app: Flask) -> None:
    """Give *app* one blueprint per resource, with its routes."""
    for name, routes in ROUTES.items():
        blueprint = Blueprint(name, __name__)
        for route in routes:
            blueprint.add_url_rule(
                route.path,
                endpoint=f"{route.method} {route.path}",
                view_func=route.serve,
                methods=[route.method],
                provide_automatic_options=False,
            )
        app.register_blueprint(blueprint)
