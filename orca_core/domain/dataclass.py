"""`dataclass` as everywhere in Orca: its methods are written when they are first used.

The standard library compiles six methods for each class when its module is imported: half a millisecond, of 500
classes, most of which a start never uses. Here a class has its fields and slots at once, and stand-ins for the methods;
whoever first looks at one has the standard library write them all, and they take the places of the stand-ins."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Set
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, order=False):
        """As `dataclasses.dataclass`, but that no field is an `InitVar`."""

        def made(cls):
            if order or _is_left_to_the_library(cls):
                return dataclasses.dataclass(frozen=frozen, slots=slots, order=order)(cls)
            return _with_stand_ins(cls, is_frozen=frozen, has_slots=slots)

        return made if cls is None else made(cls)


def _is_left_to_the_library(cls: type) -> bool:
    """Of these there are few: what inherits from a data class, what says itself how it is assigned to, and what has a
    field that nobody gives it."""
    inherits = any(dataclasses.is_dataclass(base) for base in cls.__bases__)
    assigns = not vars(cls).keys().isdisjoint(("__setattr__", "__delattr__"))
    return (
        inherits or assigns or any(isinstance(each, dataclasses.Field) and not each.init for each in vars(cls).values())
    )


def _with_stand_ins(cls: type, *, is_frozen: bool, has_slots: bool) -> type:
    own = {name for name, value in vars(cls).items() if value is not None}
    cls = dataclasses.dataclass(init=False, repr=False, eq=False, slots=has_slots)(cls)
    params: Any = vars(cls)["__dataclass_params__"]
    params.init = params.repr = params.eq = True
    params.frozen = is_frozen
    wanted = ["__init__", "__repr__", "__eq__", *(["__hash__"] if is_frozen else [])]
    names = [name for name in wanted if name not in own]

    def write() -> None:
        written = _written(cls, is_frozen=is_frozen)
        for name in names:
            if isinstance(vars(cls).get(name), _StandIn):  # else somebody has put another in its place
                setattr(cls, name, vars(written)[name])
        if "__doc__" not in own:
            cls.__doc__ = written.__doc__

    for name in names:
        setattr(cls, name, _StandIn(cls, name, write))
    if not is_frozen:
        if "__eq__" in names and "__hash__" not in own:
            cls.__hash__ = None  # type: ignore[assignment]  # as the standard library says that there is none
        return cls
    _freeze(cls, own, has_slots=has_slots)
    return cls


class _StandIn:
    """Stands in a class where a method will be: it is a descriptor, so that nobody ever holds it."""

    __slots__ = ("_cls", "_name", "_write")

    def __init__(self, cls: type, name: str, write: Callable[[], None]) -> None:
        self._cls = cls
        self._name = name
        self._write = write

    def __get__(self, of: object, owner: type | None = None) -> Any:
        self._write()
        return vars(self._cls)[self._name].__get__(of, owner)


def _written(cls: type, *, is_frozen: bool) -> type:
    """A class of the same fields with the methods that the standard library writes for them."""
    fields = dataclasses.fields(cls)
    body: dict[str, Any] = {
        "__module__": cls.__module__,
        "__qualname__": cls.__qualname__,
        "__doc__": "",
        "__annotations__": {each.name: each.type for each in fields},
        **{each.name: each for each in fields},
    }
    if hasattr(cls, "__post_init__"):
        body["__post_init__"] = cls.__post_init__  # it is called by its name, of the class that is made
    return dataclasses.dataclass(frozen=is_frozen)(type(cls.__name__, (), body))


def _freeze(cls: Any, own: Set[str], *, has_slots: bool) -> None:
    names = frozenset(each.name for each in dataclasses.fields(cls))

    def assign(self: object, name: str, value: object) -> None:
        if type(self) is cls or name in names:
            message = f"cannot assign to field {name!r}"
            raise dataclasses.FrozenInstanceError(message)
        super(cls, self).__setattr__(name, value)

    def delete(self: object, name: str) -> None:
        if type(self) is cls or name in names:
            message = f"cannot delete field {name!r}"
            raise dataclasses.FrozenInstanceError(message)
        super(cls, self).__delattr__(name)

    cls.__setattr__, cls.__delattr__ = assign, delete
    for name, method in (("__getstate__", _state), ("__setstate__", _take_state)):
        if has_slots and name not in own:  # else pickling, and copying, would assign
            setattr(cls, name, method)


def _state(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in dataclasses.fields(self)]


def _take_state(self: Any, state: list[Any]) -> None:
    for each, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)
