"""Who may do what, as Placement defines it: its rules by name, what each asks for, and the routes it guards.

Operators' policy files name these rules, and those that rules refer to.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """One rule: the routes that it guards (method and path as in the table of routes), and its default check.

    ``legacy`` tells whether the role ``admin`` passes too, as before roles had scopes, until the deployment enforces
    the new defaults. ``scoped`` rules are for tokens of a project: those of the system or a domain do not pass.
    """

    name: str
    routes: tuple[str, ...] = ()
    check: str = "rule:admin_or_service_api"
    legacy: bool = False
    scoped: bool = True


LEGACY_NAME, LEGACY_CHECK = "rule:admin_api", "role:admin"

_PROVIDER = "/resource_providers/<uuid>"
# It shows what several routes show.
_TREE = f"GET {_PROVIDER}/tree"

# fmt: off
RULES = (
    # What the others are made of.
    Rule("admin_api", check="role:admin"),
    Rule("service_api", check="role:service", legacy=True),
    Rule("admin_or_service_api", check="role:admin or role:service", legacy=True),
    Rule("project_reader_api", check="role:reader and project_id:%(project_id)s", legacy=True, scoped=False),
    Rule("admin_or_project_reader_or_service_api",
         check="role:admin or rule:project_reader_api or role:service", legacy=True),

    # Metrics are sums over all providers.
    Rule("placement:resource_providers:list", ("GET /resource_providers", "GET /metrics")),
    Rule("placement:resource_providers:create", ("POST /resource_providers",)),
    Rule("placement:resource_providers:show", (f"GET {_PROVIDER}", _TREE)),
    Rule("placement:resource_providers:update", (f"PUT {_PROVIDER}",)),
    Rule("placement:resource_providers:delete", (f"DELETE {_PROVIDER}",)),

    Rule("placement:resource_classes:list", ("GET /resource_classes",)),
    Rule("placement:resource_classes:create", ("POST /resource_classes",)),
    Rule("placement:resource_classes:show", ("GET /resource_classes/<name>",)),
    Rule("placement:resource_classes:update", ("PUT /resource_classes/<name>",)),
    Rule("placement:resource_classes:delete", ("DELETE /resource_classes/<name>",)),

    Rule("placement:resource_providers:inventories:list", (f"GET {_PROVIDER}/inventories", _TREE)),
    Rule("placement:resource_providers:inventories:create", (f"POST {_PROVIDER}/inventories",)),
    Rule("placement:resource_providers:inventories:show", (f"GET {_PROVIDER}/inventories/<name>",)),
    Rule("placement:resource_providers:inventories:update",
         (f"PUT {_PROVIDER}/inventories", f"PUT {_PROVIDER}/inventories/<name>")),
    Rule("placement:resource_providers:inventories:delete",
         (f"DELETE {_PROVIDER}/inventories", f"DELETE {_PROVIDER}/inventories/<name>")),

    Rule("placement:resource_providers:aggregates:list", (f"GET {_PROVIDER}/aggregates", _TREE)),
    Rule("placement:resource_providers:aggregates:update", (f"PUT {_PROVIDER}/aggregates",)),

    Rule("placement:resource_providers:usages", (f"GET {_PROVIDER}/usages", _TREE)),
    Rule("placement:usages", ("GET /usages",), check="rule:admin_or_project_reader_or_service_api"),

    Rule("placement:traits:list", ("GET /traits",)),
    Rule("placement:traits:show", ("GET /traits/<name>",)),
    Rule("placement:traits:update", ("PUT /traits/<name>",)),
    Rule("placement:traits:delete", ("DELETE /traits/<name>",)),
    Rule("placement:resource_providers:traits:list", (f"GET {_PROVIDER}/traits", _TREE)),
    Rule("placement:resource_providers:traits:update", (f"PUT {_PROVIDER}/traits",)),
    Rule("placement:resource_providers:traits:delete", (f"DELETE {_PROVIDER}/traits",)),

    Rule("placement:allocations:manage", ("POST /allocations",)),
    Rule("placement:allocations:list", ("GET /allocations/<uuid>",)),
    Rule("placement:allocations:update", ("PUT /allocations/<uuid>",)),
    Rule("placement:allocations:delete", ("DELETE /allocations/<uuid>",)),
    Rule("placement:resource_providers:allocations:list", (f"GET {_PROVIDER}/allocations",)),

    Rule("placement:allocation_candidates:list",
         ("GET /allocation_candidates", "GET /allocation_candidates/explain",
          "POST /allocation_candidates/explain", "POST /allocation_candidates/what-if")),

    Rule("placement:reshaper:reshape", ("POST /reshaper", "POST /reshaper/preview"), check="rule:service_api"),
)
# fmt: on

ROUTES = {route for rule in RULES for route in rule.routes}
RULES_OF = {route: tuple(rule.name for rule in RULES if route in rule.routes) for route in ROUTES}
