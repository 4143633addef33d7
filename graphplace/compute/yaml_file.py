"""Files that people write, in YAML or JSON, against their schema."""

from typing import Any

import orjson
import yaml

from graphplace.errors import BadRequestError
from graphplace.fields import Body, uuid_checker
from graphplace.validation import validator_of

# A message quotes the offending value; beyond this it would only be noise.
MAX_MESSAGE = 300


class _EachKeyOnce(yaml.SafeLoader):
    """Reads YAML, and refuses a key that is there twice: PyYAML would drop the first of two inventories of a class."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002  # PyYAML's
        seen: set[str] = set()
        for key in [key for key, _ in node.value if isinstance(key, yaml.ScalarNode)]:
            if key.value in seen:
                raise yaml.MarkedYAMLError(problem=f"{key.value!r} is there twice", problem_mark=key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def read_yaml(text: str | bytes, shape: type[Body]) -> Any:
    """Return what *text* says, which fits *shape*; bytes are UTF-8. Raises BadRequestError."""
    try:
        # YAML has dates and keys that are numbers, which JSON has not.
        document = orjson.loads(orjson.dumps(yaml.load(text, _EachKeyOnce)))  # noqa: S506  # it is a SafeLoader
    except (yaml.YAMLError, RecursionError) as error:
        raise BadRequestError(f"This is neither YAML nor JSON: {error}") from error
    except orjson.JSONEncodeError as error:
        raise BadRequestError(f"This says more than JSON can: {error}") from error
    if (wrong := validator_of(shape, uuid_checker).first_error(document)) is not None:
        raise BadRequestError(f"{wrong.json_path}: {wrong.message[:MAX_MESSAGE]}")
    return document
