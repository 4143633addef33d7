"""Immutable data for services of different ages: a version with each object, and one way to write all of them.

An object is written as ``{"name": "Selection", "version": "1.0", "data": {...}}``, and so is each object within it.
What the data holds, and of what kind it is, follows from the annotations of the class.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import MappingProxyType, NoneType
from typing import Any, ClassVar, Literal, Self, get_args, get_origin, get_type_hints

import marshmallow
from marshmallow import Schema, ValidationError, validate

from graphplace.errors import BadRequestError
from graphplace.fields import Body

ENVELOPE = {"name", "version", "data"}


class Versioned:
    """The base of frozen dataclasses that can be written and read.

    Mappings that they are made with are copied, and cannot be changed. ``VERSION`` changes with the fields of a class,
    its second number where they become more: those of an older one have their defaults then. Whoever knows only
    older ones must not guess.
    """

    VERSION: ClassVar[str] = "1.0"

    def __post_init__(self) -> None:
        for field in fields(self):  # type: ignore[arg-type]  # each class below this one is a dataclass
            object.__setattr__(self, field.name, _frozen(getattr(self, field.name)))

    def __reduce__(self) -> tuple[Any, ...]:
        # Read-only mappings cannot be pickled.
        return type(self).from_dict, (self.to_dict(),)

    def to_dict(self) -> dict[str, Any]:
        """Return this as plain data that JSON can say; sets are sorted lists."""
        written: dict[str, Any] = _Part(type(self)).serialize("whole", {"whole": self})
        return written

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Return what *document* says, which :meth:`to_dict` has written; what it leaves out has its default.

        Raises BadRequestError for another object, for a version that is newer than this one or not compatible with it,
        for a field that is not known, and for a value of the wrong kind.
        """
        try:
            made: Self = _Part(cls).deserialize(document)
        except ValidationError as error:
            raise BadRequestError(f"This is no {cls.__name__} that can be read: {error.messages}") from error
        return made


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return MappingProxyType({key: _frozen(each) for key, each in value.items()})
    if isinstance(value, set):
        return frozenset(value)
    return tuple(map(_frozen, value)) if isinstance(value, tuple | list) else value


class _Part(marshmallow.fields.Field[Any]):
    """An object, as its fields; with its name and version if it is a versioned one."""

    def __init__(self, made: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.made = made
        self.version: str | None = made.VERSION if issubclass(made, Versioned) else None
        self.inner = _schema(made)

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> Any:
        if value is None:
            return None
        data = self.inner.dump(value)
        return {"name": self.made.__name__, "version": self.version, "data": data} if self.version else data

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        return self.made(**self.inner.load(self._opened(value) if self.version else value))

    def _opened(self, value: Any) -> Any:
        name = self.made.__name__
        if not isinstance(value, Mapping) or value.keys() != ENVELOPE:
            raise ValidationError(f"A {name} is an object with name, version and data, and nothing else.")
        if value["name"] != name:
            raise ValidationError(f"It is a {value['name']}, not a {name}.")
        if value["version"] not in _readable(str(self.version)):
            raise ValidationError(f"Version {value['version']!r} of {name} is not known; known is {self.version!r}.")
        return value["data"]


def _readable(version: str) -> list[str]:
    """Return *version* and those before it that have no field that it has not."""
    major, _, minor = version.partition(".")
    return [f"{major}.{older}" for older in range(int(minor) + 1)]


class _Items(marshmallow.fields.List[Any]):
    """A tuple or a frozenset, written as a list."""

    def __init__(self, items: marshmallow.fields.Field[Any], collected: type[Any], **kwargs: Any) -> None:
        super().__init__(items, **kwargs)
        self.collected = collected

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> list[Any] | None:
        return super()._serialize(sorted(value) if self.collected is frozenset else value, attr, obj, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        return self.collected(super()._deserialize(value, attr, data, **kwargs))


# By annotation, what a value may be: "4" is no number, 1 is not true.
SCALARS: dict[Any, tuple[type, ...]] = {str: (str,), int: (int,), float: (float, int), bool: (bool,)}


def _scalar(kind: Any, **options: Any) -> marshmallow.fields.Raw:
    def check(value: object) -> None:
        if type(value) not in SCALARS[kind]:
            raise ValidationError(f"It must be of type {kind.__name__}, not {value!r}.")

    return marshmallow.fields.Raw(validate=check, **options)


@cache
def _schema(made: Any) -> Schema:
    """Return what reads and writes the fields of the dataclass *made*."""
    kinds = get_type_hints(made)
    given = {
        field.name: _field(kinds[field.name], required=MISSING is field.default is field.default_factory)
        for field in fields(made)
    }
    return Body.from_dict(given, name=made.__name__)()


def _field(kind: Any, **options: Any) -> marshmallow.fields.Field[Any]:
    """Return the field of a value with the annotation *kind*."""
    origin, arguments = get_origin(kind), get_args(kind)
    if NoneType in arguments:
        (kind,) = set(arguments) - {NoneType}
        return _field(kind, allow_none=True, **options)
    if origin is Literal:
        return marshmallow.fields.String(validate=validate.OneOf(arguments), **options)
    if is_dataclass(kind):
        return _Part(kind, **options)
    items = [_field(argument) for argument in arguments if argument is not ...]
    if origin is Mapping:
        return marshmallow.fields.Dict(*items, **options)
    if origin is frozenset or ... in arguments:
        return _Items(items[0], origin, **options)
    return marshmallow.fields.Tuple(items, **options) if origin is tuple else _scalar(kind, **options)
