"""What a field of a record may hold in JSON, by the type that it has in code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from orca_core.domain.dataclass import dataclass
from orca_core.domain.errors import quoted
from orca_core.domain.exchange import LEFT_BEHIND, LINKS
from orca_core.domain.records import NO_DEFAULT, Column, RecordType
from orca_core.domain.times import timestamp
from orca_core.wire.json_tokens import shortened

Check = Callable[[Any], Any]
"""From JSON to the plain value that history keeps. Raises Misfit."""

NO_FIELD, MISSING = "no field", "missing"
"""What is wrong where nothing can be expected, and where nothing was found."""
MOST_SHOWN = 40
_LARGEST = 2**53


class Misfit(ValueError):
    """A value that is none of its field: `expected` is what belongs there, `within` where in the value it is wrong."""

    def __init__(self, *, expected: str, found: object, within: str = "", known: str = "") -> None:
        super().__init__(expected)
        self.expected = expected
        self.found = _shown(found)
        self.within = within
        self.known = known

    def at(self, step: str) -> Misfit:
        """The same, said of what holds the value at this step."""
        self.within = f"{step}{self.within}"
        return self


@dataclass(frozen=True, slots=True)
class Shape:
    """What a column may hold, where it stands `within` the JSON of its record, and the plain value that it has where
    nothing is said; NO_DEFAULT where there is none."""

    column: Column
    check: Check
    within: str
    default: Any


@cache
def shapes_of(record_type: RecordType[Any]) -> Mapping[str, Shape]:
    """The columns of a kind that travel, by their names."""
    links, left = LINKS.get(record_type.kind, {}), LEFT_BEHIND.get(record_type.kind, frozenset())
    found: dict[str, Shape] = {}
    for column in record_type.columns:
        if column.name != "id" and column.name not in left:
            annotation = _annotation(record_type.record, column.path)
            check = _check(_named(annotation) if column.name in links else annotation)
            found[column.name] = Shape(
                column, check, "".join(f".{each}" for each in column.path), _plain_default(column)
            )
    return found


def _plain_default(column: Column) -> Any:
    if column.default is NO_DEFAULT or column.default is None:
        return column.default
    codec = column.codec
    return codec.plain(column.default if codec.from_column is None else codec.from_column(column.default))


@cache
def groups_of(record_type: RecordType[Any]) -> frozenset[str]:
    """The fields that are objects of further fields."""
    return frozenset(each.column.path[0] for each in shapes_of(record_type).values() if len(each.column.path) > 1)


def text(value: Any) -> str:
    if not isinstance(value, str):
        raise Misfit(expected="a text", found=value)
    return value


def whole_number(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _LARGEST:
        raise Misfit(expected="a whole number from 0", found=value)
    return value


def moment(value: Any) -> str:
    try:
        at = datetime.fromisoformat(text(value))
        return timestamp(at.replace(tzinfo=UTC) if at.tzinfo is None else at)
    except (ValueError, OverflowError):
        raise Misfit(expected="a time such as 2026-11-20T21:55:10Z", found=value) from None


def mapping(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Misfit(expected="an object", found=value)
    return value


def a_list(value: Any, check: Check) -> list[Any]:
    if not isinstance(value, list):
        raise Misfit(expected="a list", found=value)
    checked = []
    for place, each in enumerate(value):
        try:
            checked.append(check(each))
        except Misfit as misfit:
            raise misfit.at(f"[{place}]") from None
    return checked


def optional(check: Check) -> Check:
    return lambda value: None if value is None else check(value)


def one_of(choices: type[Enum]) -> Check:
    known = [each.value for each in choices]

    def check(value: Any) -> Any:
        if not isinstance(value, str) or value not in known:
            if len(known) == 1:
                raise Misfit(expected=quoted(known[0]), found=value)
            raise Misfit(expected="", found=value, known=", ".join(map(str, known)))
        return value

    return check


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Misfit(expected="a number", found=value)
    return float(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Misfit(expected="true or false", found=value)
    return value


def _check(annotation: Any) -> Check:
    if get_origin(annotation) in (Union, UnionType):
        [inner] = [each for each in get_args(annotation) if each is not type(None)]
        return optional(_check(inner))
    if get_origin(annotation) is tuple:
        each = _check(get_args(annotation)[0])
        return lambda value: a_list(value, each)
    if get_origin(annotation) is Mapping:
        return mapping
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return one_of(annotation)
    return {str: text, int: whole_number, float: _number, bool: _flag, datetime: moment}[annotation]


def _named(annotation: Any) -> Any:
    """The type of a link in a document: what is a number in a home is a name there."""
    if get_origin(annotation) in (Union, UnionType):
        return str | None
    return tuple[str, ...] if get_origin(annotation) is tuple else str


def _annotation(record: type[Any], path: tuple[str, ...]) -> Any:
    found: Any = record
    for step in path:
        found = get_type_hints(found)[step]
    return found


def _shown(value: object) -> str:
    """What was found, short enough for a sentence."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict | list):
        return "{…}" if isinstance(value, dict) else "[…]"
    return quoted(value, MOST_SHOWN) if isinstance(value, str) else shortened(str(value))
