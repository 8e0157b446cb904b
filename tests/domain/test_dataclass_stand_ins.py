"""What stands in a data class until it is looked at, and the classes that the standard library makes at once."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import KW_ONLY, field
from typing import Any

import pytest

from orca_core.domain.dataclass import dataclass


def test_what_is_looked_at_takes_the_place_of_its_stand_in_and_nothing_else_does() -> None:
    @dataclass(frozen=True, slots=True)
    class Seen:
        x: int

    looks: list[tuple[set[str], Callable[[], object]]] = [
        (set(), lambda: Seen.x),
        ({"__init__"}, lambda: Seen.__init__),
        ({"__eq__", "__hash__", "__repr__"}, lambda: repr(Seen(1))),
        ({"__dataclass_fields__", "__dataclass_params__"}, lambda: dataclasses.fields(Seen)),
    ]
    names = set[str]().union(*(written for written, _ in looks))
    there: set[str] = set()
    for written, look in looks:
        look()
        there |= written

        assert {name for name in names if type(vars(Seen)[name]).__name__ != "_StandIn"} == there


def test_a_value_as_a_default_is_not_looked_at() -> None:
    @dataclass(frozen=True)
    class Inner:
        x: int = 1

    @dataclass(frozen=True)
    class Outer:
        inner: Inner = Inner()  # frozen

    assert type(vars(Inner)["__hash__"]).__name__ == "_StandIn"
    assert Outer() == Outer(Inner(1))


def with_a_shared_default(make: Callable[..., Any]) -> object:
    @make
    class Shared:
        seen: list[int] = []  # noqa: RUF012  # it is refused

    return Shared


def with_a_field_without_a_kind(make: Callable[..., Any]) -> object:
    @make
    class Untold:
        seen = field(default=1)

    return Untold


def with_slots_twice(make: Callable[..., Any]) -> object:
    @make(slots=True)
    class Twice:
        __slots__ = ("x",)
        x: int

    return Twice


def with_slots_above(make: Callable[..., Any]) -> object:
    class Above:
        __slots__ = ("x",)

    @make(slots=True)
    class Below(Above):
        x: int
        y: int = 1

    return Below.__slots__, repr(Below(2)), hasattr(Below(2), "__dict__")  # type: ignore[attr-defined]  # a checker does not see them


def with_all_by_name(make: Callable[..., Any]) -> object:
    @make
    class ByName:
        x: int
        _: KW_ONLY
        y: int = 2

    return ByName.__match_args__, repr(ByName(1, y=3))


def outcome(work: Callable[[], object]) -> object:
    """What comes of it, or what is raised."""
    try:
        return work()
    except (TypeError, ValueError) as error:
        return type(error), str(error)


@pytest.mark.parametrize(
    "work",
    [with_a_shared_default, with_a_field_without_a_kind, with_slots_twice, with_slots_above, with_all_by_name],
    ids=lambda work: work.__name__,
)
def test_what_is_special_is_what_the_library_makes(work: Callable[[Callable[..., Any]], object]) -> None:
    assert outcome(lambda: work(dataclass)) == outcome(lambda: work(dataclasses.dataclass))
