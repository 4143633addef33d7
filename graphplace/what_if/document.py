"""What shall be supposed, as clients write it (docs/what-if.md): the schema, and what it says as plain data."""

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from graphplace.allocations import Claim
from graphplace.fields import MAX_AMOUNT, NAME, UUID_KEY, Body, InventoryFields, PatternDict, UniqueList, Uuid
from graphplace.forms import Reshape as ReshapeForm
from graphplace.inventory import Inventory
from graphplace.reshaper import Shape
from graphplace.what_if.changes import Changes, Edit, Reshape


class ChangedInventory(InventoryFields):
    """The fields of an inventory that change. One that there is none of needs a total."""

    total = fields.Integer(validate=validate.Range(1, MAX_AMOUNT))


class _Edit(Body):
    @validates_schema
    def check_disjoint(self, edit: Mapping[str, Any], **_kwargs: object) -> None:
        """Raise ValidationError for what is both added and removed."""
        if both := sorted({*edit["add"]} & {*edit["remove"]}):
            raise ValidationError(f"added and removed at once: {', '.join(both)}")


class TraitEdit(_Edit):
    """Traits that a provider gets, and those that it loses."""

    add = UniqueList(fields.String(validate=validate.Regexp(NAME)), load_default=list)
    remove = UniqueList(fields.String(validate=validate.Regexp(NAME)), load_default=list)


class AggregateEdit(_Edit):
    """Aggregates that a provider joins, and those that it leaves."""

    add = UniqueList(Uuid(), load_default=list)
    remove = UniqueList(Uuid(), load_default=list)


class WhatIf(Body):
    """What is supposed to happen first, in this order."""

    consumers_gone = UniqueList(Uuid(), load_default=list)
    reshape = fields.Nested(ReshapeForm)
    inventories: fields.Field[Any] = PatternDict(
        UUID_KEY, PatternDict(NAME, fields.Nested(ChangedInventory, allow_none=True)), load_default=dict
    )
    drained = UniqueList(Uuid(), load_default=list)
    traits: fields.Field[Any] = PatternDict(UUID_KEY, fields.Nested(TraitEdit), load_default=dict)
    aggregates: fields.Field[Any] = PatternDict(UUID_KEY, fields.Nested(AggregateEdit), load_default=dict)


def read_changes(document: Mapping[str, Any]) -> Changes:
    """Return the changes of a *document* that WhatIf has loaded."""
    return Changes(
        consumers_gone=frozenset(document["consumers_gone"]),
        reshape=_reshape(document["reshape"]) if "reshape" in document else Reshape(),
        inventories=document["inventories"],
        drained=frozenset(document["drained"]),
        traits={uuid: _edit(one) for uuid, one in document["traits"].items()},
        aggregates={uuid: _edit(one) for uuid, one in document["aggregates"].items()},
    )


def _edit(document: Mapping[str, list[str]]) -> Edit:
    return Edit(frozenset(document["add"]), frozenset(document["remove"]))


def _reshape(document: Mapping[str, Any]) -> Reshape:
    return Reshape(
        {uuid: _shape(one) for uuid, one in document["inventories"].items()},
        [_claim(uuid, one) for uuid, one in document["allocations"].items()],
    )


def _shape(document: Mapping[str, Any]) -> Shape:
    generation = "resource_provider_generation"
    records = document["inventories"].items()
    return Shape(
        document[generation],
        {name: Inventory(**{key: one[key] for key in one if key != generation}) for name, one in records},
    )


def _claim(consumer_uuid: str, document: Mapping[str, Any]) -> Claim:
    return Claim(
        consumer_uuid=consumer_uuid,
        consumer_generation=document["consumer_generation"],
        project_id=document["project_id"],
        user_id=document["user_id"],
        consumer_type=document["consumer_type"],
        allocations={uuid: one["resources"] for uuid, one in document["allocations"].items()},
    )
