"""How a field of a record is stored: as the value that code holds, as plain JSON, and as a column."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from enum import Enum
from types import UnionType
from typing import Any, Union, get_args, get_origin

from msgspec import Struct

from orca_core.domain.times import parse_timestamp, timestamp

_COLUMNS_OWN = (int, float, str, bytes)


class Codec(Struct, frozen=True):
    """A type's three forms: the value that code holds, the plain JSON value that history keeps, and the column. None
    where two of them are the same."""

    to_plain: Callable[[Any], Any] | None = None
    from_plain: Callable[[Any], Any] | None = None
    plain_to_column: Callable[[Any], Any] | None = None
    from_column: Callable[[Any], Any] | None = None

    def plain(self, value: Any) -> Any:
        return value if value is None or self.to_plain is None else self.to_plain(value)

    def value(self, plain: Any) -> Any:
        return plain if plain is None or self.from_plain is None else self.from_plain(plain)

    def column(self, plain: Any) -> Any:
        return plain if plain is None or self.plain_to_column is None else self.plain_to_column(plain)


def codec_of(annotation: Any) -> Codec:
    """How a type is stored. Raises TypeError for one that no column can hold."""
    annotation = _without_none(annotation)
    if get_origin(annotation) is tuple:
        return _tuple_codec(get_args(annotation)[0])
    if get_origin(annotation) is Mapping:
        return Codec(dict, None, to_json, json.loads)
    if annotation is bool:
        return Codec(plain_to_column=int, from_column=bool)
    if annotation is datetime:
        return Codec(timestamp, parse_timestamp, None, parse_timestamp)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        by_value = {each.value: each for each in annotation}  # a third of an enum's own look-up
        return Codec(lambda value: value.value, annotation, None, by_value.__getitem__)
    if isinstance(annotation, type) and issubclass(annotation, _COLUMNS_OWN):
        return Codec()
    raise TypeError(f"no column holds {annotation}")


_SQL_TYPES = {bool: "INTEGER", int: "INTEGER", float: "REAL", bytes: "BLOB"}


def sql_type_of(annotation: Any) -> str:
    """What its column is declared as; most is text."""
    return _SQL_TYPES.get(_without_none(annotation), "TEXT")


def is_optional(annotation: Any) -> bool:
    return _without_none(annotation) is not annotation


def _without_none(annotation: Any) -> Any:
    if get_origin(annotation) not in (Union, UnionType):
        return annotation
    [inner] = [each for each in get_args(annotation) if each is not type(None)]
    return inner


def _tuple_codec(inner: Any) -> Codec:
    """A tuple of plain values, as a JSON list."""
    if inner not in (int, float, str):
        raise TypeError(f"no column holds a tuple of {inner}")
    return Codec(list, tuple, to_json, _tuple_from_json)


def _tuple_from_json(text: str) -> tuple[Any, ...]:
    return () if text == "[]" else tuple(json.loads(text))


def to_json(value: Any) -> str:
    """Compact, as it is stored."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
