"""Every route of the API, as one table: method, path, view, the feature it came with, and what it takes."""

from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any

from flask import Blueprint, Flask, request
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
    trees,
    usages,
)
from graphplace.api.features import Extension, Feature
from graphplace.api.route import Route, dispatch
from graphplace.api.schemas import aggregate as aggregate_schemas
from graphplace.api.schemas import allocation as allocation_schemas
from graphplace.api.schemas import answers, explanation, preview
from graphplace.api.schemas import inventory as inventory_schemas
from graphplace.api.schemas import provider_traits as provider_traits_schemas
from graphplace.api.schemas import reshaper as reshaper_schemas
from graphplace.api.schemas import resource_class as resource_class_schemas
from graphplace.api.schemas import resource_provider as resource_provider_schemas
from graphplace.api.schemas import trait as trait_schemas
from graphplace.api.schemas import tree as tree_schemas
from graphplace.api.schemas import usage as usage_schemas
from werkzeug.exceptions import NotFound
from werkzeug.routing import Rule

from graphplace.request.parse import query_schema
from graphplace.request.syntax import EXTENDED
from graphplace.what_if.document import WhatIf

_INVENTORIES = "/resource_providers/<uuid>/inventories"

# fmt: off
ROUTES: dict[str, tuple[Route, ...]] = {
    "root": (
        Route("GET", "/", root.show, answers={200: answers.Root}),
    ),
    "resource_providers": (
        Route("GET", "/resource_providers", resource_providers.index, query=resource_provider_schemas.INDEX,
              answers={200: answers.Providers}),
        Route("POST", "/resource_providers", resource_providers.create, body=resource_provider_schemas.CREATE,
              answers={200: answers.Provider}, refusals=(409,)),
        Route("GET", "/resource_providers/<uuid>", resource_providers.show,
              answers={200: answers.Provider}, refusals=(404,)),
        Route("PUT", "/resource_providers/<uuid>", resource_providers.update, body=resource_provider_schemas.UPDATE,
              subject=resource_providers.check_exists, answers={200: answers.Provider}, refusals=(404, 409)),
        Route("DELETE", "/resource_providers/<uuid>", resource_providers.delete,
              answers={204: None}, refusals=(404, 409)),
    ),
    "trees": (
        Route("GET", "/resource_providers/<uuid>/tree", trees.show, since=Extension.TREE,
              answers={200: tree_schemas.Tree, 304: None}, refusals=(404,)),
    ),
    "aggregates": (
        Route("GET", "/resource_providers/<uuid>/aggregates", aggregates.show, since=Feature.AGGREGATES,
              answers={200: answers.Aggregates}, refusals=(404,)),
        Route("PUT", "/resource_providers/<uuid>/aggregates", aggregates.replace, since=Feature.AGGREGATES,
              body=aggregate_schemas.REPLACE, subject=resource_providers.check_exists,
              answers={200: answers.Aggregates}, refusals=(404, 409)),
    ),
    "provider_traits": (
        Route("GET", "/resource_providers/<uuid>/traits", provider_traits.show, since=Feature.TRAITS,
              answers={200: answers.ProviderTraits}, refusals=(404,)),
        Route("PUT", "/resource_providers/<uuid>/traits", provider_traits.replace, since=Feature.TRAITS,
              body=provider_traits_schemas.Replace, answers={200: answers.ProviderTraits}, refusals=(404, 409)),
        Route("DELETE", "/resource_providers/<uuid>/traits", provider_traits.clear, since=Feature.TRAITS,
              answers={204: None}, refusals=(404, 409)),
    ),
    "allocation_candidates": (
        Route("GET", "/allocation_candidates", allocation_candidates.index, since=Feature.CANDIDATES,
              query_form=query_schema(EXTENDED), answers={200: answers.Candidates}),
        Route("GET", "/allocation_candidates/explain", allocation_candidates.explain, since=Extension.EXPLAIN,
              query_form=explanation.QUERY, answers={200: explanation.Explanation}),
        Route("POST", "/allocation_candidates/explain", allocation_candidates.explain_what_if, since=Extension.WHAT_IF,
              query_form=explanation.QUERY, body=WhatIf, answers={200: explanation.Explanation},
              refusals=(404, 409)),
        Route("POST", "/allocation_candidates/what-if", allocation_candidates.what_if, since=Extension.WHAT_IF,
              query_form=query_schema(EXTENDED), body=WhatIf, answers={200: answers.Candidates}, refusals=(404, 409)),
    ),
    "resource_classes": (
        Route("GET", "/resource_classes", resource_classes.index, since=Feature.RESOURCE_CLASSES,
              answers={200: answers.ResourceClasses}),
        Route("POST", "/resource_classes", resource_classes.create, since=Feature.RESOURCE_CLASSES,
              body=resource_class_schemas.Named, answers={201: None}, refusals=(409,)),
        Route("GET", "/resource_classes/<name>", resource_classes.show, since=Feature.RESOURCE_CLASSES,
              answers={200: answers.ResourceClass}, refusals=(404,)),
        Route("PUT", "/resource_classes/<name>", resource_classes.rename, since=Feature.RESOURCE_CLASSES,
              until=Feature.RESOURCE_CLASS_ENSURED, body=resource_class_schemas.Named,
              answers={200: answers.ResourceClass}, refusals=(404, 409)),
        Route("PUT", "/resource_classes/<name>", resource_classes.ensure, since=Feature.RESOURCE_CLASS_ENSURED,
              answers={201: None, 204: None}),
        Route("DELETE", "/resource_classes/<name>", resource_classes.delete, since=Feature.RESOURCE_CLASSES,
              answers={204: None}, refusals=(404, 409)),
    ),
    "inventories": (
        Route("GET", _INVENTORIES, inventories.index, answers={200: answers.Inventories}, refusals=(404,)),
        Route("POST", _INVENTORIES, inventories.create, body=inventory_schemas.Create,
              subject=resource_providers.check_exists,
              answers={201: answers.InventoryWithGeneration}, refusals=(404, 409)),
        Route("PUT", _INVENTORIES, inventories.replace, body=inventory_schemas.REPLACE,
              subject=resource_providers.check_exists, answers={200: answers.Inventories}, refusals=(404, 409)),
        Route("DELETE", _INVENTORIES, inventories.delete_all, since=Feature.ALL_INVENTORIES_DELETED,
              answers={204: None}, refusals=(404, 409)),
        Route("GET", f"{_INVENTORIES}/<name>", inventories.show,
              answers={200: answers.InventoryWithGeneration}, refusals=(404,)),
        Route("PUT", f"{_INVENTORIES}/<name>", inventories.update, body=inventory_schemas.Update,
              subject=resource_providers.check_exists,
              answers={200: answers.InventoryWithGeneration}, refusals=(404, 409)),
        Route("DELETE", f"{_INVENTORIES}/<name>", inventories.delete, answers={204: None}, refusals=(404, 409)),
    ),
    "allocations": (
        Route("GET", "/resource_providers/<uuid>/allocations", allocations.index_of_provider,
              answers={200: answers.ProviderAllocations}, refusals=(404,)),
        Route("POST", "/allocations", allocations.replace_many, since=Feature.CLAIMS_TOGETHER,
              body=allocation_schemas.CLAIMS, answers={204: None}, refusals=(409,)),
        Route("GET", "/allocations/<uuid>", allocations.show, answers={200: answers.Allocations}),
        Route("PUT", "/allocations/<uuid>", allocations.replace, body=allocation_schemas.CLAIM,
              answers={204: None}, refusals=(409,)),
        Route("DELETE", "/allocations/<uuid>", allocations.delete, answers={204: None}, refusals=(404,)),
    ),
    "usages": (
        Route("GET", "/resource_providers/<uuid>/usages", usages.of_provider,
              answers={200: answers.ProviderUsages}, refusals=(404,)),
        Route("GET", "/usages", usages.index, since=Feature.PROJECT_USAGES, query=usage_schemas.INDEX,
              answers={200: answers.Usages}),
    ),
    "reshaper": (
        Route("POST", "/reshaper", reshaper.reshape, since=Feature.RESHAPER, body=reshaper_schemas.RESHAPE,
              answers={204: None}, refusals=(409,)),
        Route("POST", "/reshaper/preview", reshaper.preview, since=Extension.RESHAPE_PREVIEW,
              body=reshaper_schemas.RESHAPE, answers={200: preview.Preview}),
    ),
    "traits": (
        Route("GET", "/traits", traits.index, since=Feature.TRAITS, query=trait_schemas.Index,
              answers={200: answers.Traits}),
        Route("GET", "/traits/<name>", traits.show, since=Feature.TRAITS, answers={204: None}, refusals=(404,)),
        Route("PUT", "/traits/<name>", traits.ensure, since=Feature.TRAITS, answers={201: None, 204: None}),
        Route("DELETE", "/traits/<name>", traits.delete, since=Feature.TRAITS,
              answers={204: None}, refusals=(404, 409)),
    ),
}
# fmt: on


def refuse_second_slash() -> None:
    """Raise NotFound for a path with two slashes at its start, which routing would take for one.

    Who lets a proxy keep clients from a path must not see it reached by another.
    """
    if request.environ.get("PATH_INFO", "").startswith("//"):
        raise NotFound


class ExactRule(Rule):
    """A rule for the methods that it names: GET does not bring HEAD along."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.methods is not None:
            self.methods.discard("HEAD")


def register(app: Flask) -> None:
    """Give *app* one blueprint per resource, with its routes."""
    app.url_rule_class = ExactRule
    for name, routes in ROUTES.items():
        blueprint = Blueprint(name, __name__)
        for path, of_path in groupby(routes, key=attrgetter("path")):
            choices = tuple(of_path)
            blueprint.add_url_rule(
                path,
                endpoint=path,
                view_func=partial(dispatch, choices),
                methods=[route.method for route in choices],
                provide_automatic_options=False,
            )
        app.register_blueprint(blueprint)
