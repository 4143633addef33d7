"""Placement's tables, and what may stand in them that its API would not have written."""

import sqlalchemy as sa


def _table(name: str, *columns: str) -> sa.TableClause:
    # SQLite has no times: of a column without a type it would give the text.
    times = (sa.column(time, sa.DateTime()) for time in ("created_at", "updated_at"))
    return sa.table(name, *map(sa.column, columns), *times)


AMOUNTS = ("total", "reserved", "min_unit", "max_unit", "step_size", "allocation_ratio")

PROVIDERS = _table("resource_providers", "id", "uuid", "name", "generation", "root_provider_id", "parent_provider_id")
INVENTORIES = _table("inventories", "id", "resource_provider_id", "resource_class_id", *AMOUNTS)
CLASSES = _table("resource_classes", "id", "name")
TRAITS = _table("traits", "id", "name")
TRAITS_OF_PROVIDERS = _table("resource_provider_traits", "resource_provider_id", "trait_id")
AGGREGATES = _table("placement_aggregates", "id", "uuid")
MEMBERSHIPS = _table("resource_provider_aggregates", "resource_provider_id", "aggregate_id")
CONSUMERS = _table("consumers", "id", "uuid", "generation", "project_id", "user_id", "consumer_type_id")
ALLOCATIONS = _table("allocations", "id", "resource_provider_id", "resource_class_id", "consumer_id", "used")
PROJECTS = _table("projects", "id", "external_id")
USERS = _table("users", "id", "external_id")
TYPES = _table("consumer_types", "id", "name")

# What a dump calls the names of each kind, and where they are; of the first two it has custom ones only.
NAMES = {
    "resource_classes": (CLASSES, CLASSES.c.name),
    "traits": (TRAITS, TRAITS.c.name),
    "aggregates": (AGGREGATES, AGGREGATES.c.uuid),
    "projects": (PROJECTS, PROJECTS.c.external_id),
    "users": (USERS, USERS.c.external_id),
    "consumer_types": (TYPES, TYPES.c.name),
}
CUSTOM = {kind: NAMES[kind][1].startswith("CUSTOM_", autoescape=True) for kind in ("resource_classes", "traits")}

COUNTS = {
    "providers": sa.select(sa.func.count()).select_from(PROVIDERS),
    "inventories": sa.select(sa.func.count()).select_from(INVENTORIES),
    "traits_of_providers": sa.select(sa.func.count()).select_from(TRAITS_OF_PROVIDERS),
    "memberships": sa.select(sa.func.count()).select_from(MEMBERSHIPS),
    "consumers": sa.select(sa.func.count(sa.distinct(ALLOCATIONS.c.consumer_id))),
    "allocations": sa.select(sa.func.count()).select_from(ALLOCATIONS),
    "custom_traits": sa.select(sa.func.count()).select_from(TRAITS).where(CUSTOM["traits"]),
    "custom_resource_classes": sa.select(sa.func.count()).select_from(CLASSES).where(CUSTOM["resource_classes"]),
}

# What is read; each takes a condition on the providers that it is of, those of allocations one on their consumers, too.
PARENTS = PROVIDERS.alias("parents")
PROVIDER_ROWS = (
    sa.select(*PROVIDERS.c, PARENTS.c.name.label("parent"))
    .select_from(PROVIDERS.outerjoin(PARENTS, PARENTS.c.id == PROVIDERS.c.parent_provider_id))
    .order_by(PROVIDERS.c.root_provider_id, PROVIDERS.c.id)
)
INVENTORY_ROWS = sa.select(
    PROVIDERS.c.id.label("provider"), CLASSES.c.name.label("resource_class"), *INVENTORIES.c
).select_from(
    PROVIDERS.join(INVENTORIES, INVENTORIES.c.resource_provider_id == PROVIDERS.c.id).join(
        CLASSES, CLASSES.c.id == INVENTORIES.c.resource_class_id
    )
)
TRAIT_ROWS = sa.select(PROVIDERS.c.id, TRAITS.c.name).select_from(
    PROVIDERS.join(TRAITS_OF_PROVIDERS, TRAITS_OF_PROVIDERS.c.resource_provider_id == PROVIDERS.c.id).join(
        TRAITS, TRAITS.c.id == TRAITS_OF_PROVIDERS.c.trait_id
    )
)
AGGREGATE_ROWS = sa.select(PROVIDERS.c.id, AGGREGATES.c.uuid).select_from(
    PROVIDERS.join(MEMBERSHIPS, MEMBERSHIPS.c.resource_provider_id == PROVIDERS.c.id).join(
        AGGREGATES, AGGREGATES.c.id == MEMBERSHIPS.c.aggregate_id
    )
)
_HELD = (
    ALLOCATIONS.join(CONSUMERS, CONSUMERS.c.uuid == ALLOCATIONS.c.consumer_id)
    .join(PROVIDERS, PROVIDERS.c.id == ALLOCATIONS.c.resource_provider_id)
    .join(CLASSES, CLASSES.c.id == ALLOCATIONS.c.resource_class_id)
)
ALLOCATION_ROWS = (
    sa.select(
        ALLOCATIONS.c.consumer_id,
        PROVIDERS.c.name.label("provider"),
        CLASSES.c.name.label("resource_class"),
        ALLOCATIONS.c.used,
        ALLOCATIONS.c.created_at,
    )
    .select_from(_HELD)
    .order_by(ALLOCATIONS.c.id)
)
HOLDERS = sa.select(ALLOCATIONS.c.consumer_id).select_from(_HELD)
CONSUMER_ROWS = sa.select(
    *CONSUMERS.c,
    PROJECTS.c.external_id.label("project"),
    USERS.c.external_id.label("user"),
    TYPES.c.name.label("type"),
).select_from(
    CONSUMERS.join(PROJECTS, PROJECTS.c.id == CONSUMERS.c.project_id)
    .join(USERS, USERS.c.id == CONSUMERS.c.user_id)
    .outerjoin(TYPES, TYPES.c.id == CONSUMERS.c.consumer_type_id)
)

_OWNED = (
    ALLOCATIONS.outerjoin(CONSUMERS, CONSUMERS.c.uuid == ALLOCATIONS.c.consumer_id)
    .outerjoin(PROJECTS, PROJECTS.c.id == CONSUMERS.c.project_id)
    .outerjoin(USERS, USERS.c.id == CONSUMERS.c.user_id)
)
_GIVEN = ALLOCATIONS.outerjoin(
    INVENTORIES,
    sa.and_(
        INVENTORIES.c.resource_provider_id == ALLOCATIONS.c.resource_provider_id,
        INVENTORIES.c.resource_class_id == ALLOCATIONS.c.resource_class_id,
    ),
)
_SAME = (ALLOCATIONS.c.consumer_id, ALLOCATIONS.c.resource_provider_id, ALLOCATIONS.c.resource_class_id)

MIGRATE = "run placement-manage db online_data_migrations"

# What cannot be taken over: what is wrong, what to do about it, and a statement that gives those of whom it is true.
PROBLEMS = [
    (
        "providers without a root or a name",
        MIGRATE,
        sa.select(PROVIDERS.c.uuid).where(sa.or_(PROVIDERS.c.root_provider_id.is_(None), PROVIDERS.c.name.is_(None))),
    ),
    (
        "consumers of which no project and user are known",
        MIGRATE,
        sa.select(ALLOCATIONS.c.consumer_id)
        .distinct()
        .select_from(_OWNED)
        .where(sa.or_(PROJECTS.c.id.is_(None), USERS.c.id.is_(None))),
    ),
    (
        "consumers that hold something of which there is no inventory",
        "give the provider its inventory back, or delete their allocations",
        sa.select(ALLOCATIONS.c.consumer_id).distinct().select_from(_GIVEN).where(INVENTORIES.c.id.is_(None)),
    ),
    (
        "consumers that hold one class of one provider twice",
        "write their allocations anew",
        sa.select(ALLOCATIONS.c.consumer_id).distinct().group_by(*_SAME).having(sa.func.count() > 1),
    ),
]
