"""How a field of a record is stored: as the value that code holds, as plain JSON, and as a column. msgspec reads and
writes the JSON; an enum's member comes out of a dictionary (0.06 µs, `msgspec.convert` 5.6) and a time from
`fromisoformat` (0.4 µs against 0.6), for every row that is read has some."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from enum import Enum
from types import UnionType
from typing import Any, Union, get_args, get_origin

import msgspec
from msgspec import Struct, to_builtins

from orca_core.model.times import parse_timestamp, timestamp

_SQL_TYPES = {bool: "INTEGER", int: "INTEGER", float: "REAL", bytes: "BLOB", str: "TEXT"}


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
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Mapping:
        return Codec(dict, None, to_json, msgspec.json.decode)
    if origin is tuple and inner[0] in (int, float, str):
        return Codec(list, tuple, to_json, msgspec.json.Decoder(annotation).decode)
    if annotation is bool:
        return Codec(plain_to_column=int, from_column=bool)
    if annotation is datetime:
        return Codec(timestamp, parse_timestamp, None, parse_timestamp)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return Codec(to_builtins, annotation, None, {each.value: each for each in annotation}.__getitem__)
    if annotation in _SQL_TYPES:
        return Codec()
    raise TypeError(f"no column holds {annotation}")


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


def to_json(value: Any) -> str:
    """Compact, as it is stored."""
    return msgspec.json.encode(value).decode()
