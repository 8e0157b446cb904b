"""`dataclass` as everywhere in Orca: its fields and methods are written when they are first looked at.

The standard library reads the fields of each class when its module is imported, and compiles six methods for it: half a
millisecond, of 500 classes, most of which a start never uses. Here a class has its slots and defaults at once, and
stand-ins for the rest; whoever first looks at one has the standard library write it, and it takes the stand-in's place.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

FIELDS, PARAMS = "__dataclass_fields__", "__dataclass_params__"
CLASS_VAR = "ClassVar["

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, order=False):
        """As `dataclasses.dataclass`, but that no field is an `InitVar`."""

        def made(cls):
            if order or _is_left_to_the_library(cls, has_slots=slots):
                return dataclasses.dataclass(frozen=frozen, slots=slots, order=order)(cls)
            return _with_stand_ins(cls, is_frozen=frozen, has_slots=slots)

        return made if cls is None else made(cls)


def _is_left_to_the_library(cls: type, *, has_slots: bool) -> bool:
    """Of these there are few: what inherits from a data class or from slots, what says itself how it is assigned to,
    and what has an annotation or a default that the library refuses, or takes for more than a field to be given."""
    own = vars(cls)
    kinds = own.get("__annotations__", {})
    inherits = any(hasattr(base, FIELDS) for base in cls.__bases__)
    adds_to_slots = has_slots and any(vars(each).get("__slots__") for each in cls.__mro__)
    assigns = "__setattr__" in own or "__delattr__" in own
    return inherits or adds_to_slots or assigns or any(map(_is_special, kinds.values())) or _has_special(own, kinds)


def _is_special(kind: object) -> bool:
    is_read = isinstance(kind, str) and "KW_ONLY" not in kind and ("Var" not in kind or kind.startswith(CLASS_VAR))
    return not is_read


def _has_special(own: Mapping[str, Any], kinds: Mapping[str, str]) -> bool:
    for name, value in own.items():
        is_field = isinstance(value, dataclasses.Field)
        if is_field and (name not in kinds or not value.init):
            return True
        default = value.default if is_field else value
        if not kinds.get(name, CLASS_VAR).startswith(CLASS_VAR) and _has_no_hash(type(default)):
            return True
    return False


def _has_no_hash(kind: type) -> bool:
    """Whether its values can change, as the library tells; nothing is written for it."""
    return next(vars(each)["__hash__"] for each in kind.__mro__ if "__hash__" in vars(each)) is None


def _with_stand_ins(cls: type, *, is_frozen: bool, has_slots: bool) -> type:
    own = {name for name, value in vars(cls).items() if value is not None}
    kinds = vars(cls).get("__annotations__", {})
    names = [name for name, kind in kinds.items() if not kind.startswith(CLASS_VAR)]
    given = {name: vars(cls)[name] for name in names if name in vars(cls)}
    cls = _slotted(cls, names) if has_slots else _with_defaults(cls, given)
    if "__match_args__" not in own:
        in_order = [each for each in names if getattr(given.get(each), "kw_only", None) is not True]
        type.__setattr__(cls, "__match_args__", tuple(in_order))
    body = {"__module__": cls.__module__, "__qualname__": cls.__qualname__, "__annotations__": kinds, **given}

    def written(**wanted: bool) -> type:
        """A class of the same fields with what the library writes for them."""
        words: dict[str, object] = {"__doc__": cls.__doc__ or ""}
        if hasattr(cls, "__post_init__"):
            words["__post_init__"] = cls.__post_init__  # it is called by its name, of the class that is made
        made: type = dataclasses.dataclass(**wanted)(type(cls.__name__, (), {**body, **words}))
        return made

    def fields() -> type:
        made = written(init=False, repr=False, eq=False, slots=has_slots)
        params = vars(made)[PARAMS]
        params.init = params.repr = params.eq = True
        params.frozen = is_frozen
        return made

    def beginning() -> type:
        made = written(repr=False, eq=False, frozen=is_frozen)
        if "__doc__" not in own:
            cls.__doc__ = made.__doc__
        return made

    def others() -> type:
        return written(init=False, unsafe_hash=is_frozen)

    _stand_in(cls, own, (FIELDS, PARAMS), fields)
    _stand_in(cls, own, ("__init__",), beginning)
    _stand_in(cls, own, ("__repr__", "__eq__", "__hash__") if is_frozen else ("__repr__", "__eq__"), others)
    if is_frozen:
        _freeze(cls, own, names, has_slots=has_slots)
    elif not {"__eq__", "__hash__"} & own:
        cls.__hash__ = None  # type: ignore[assignment]  # as the standard library says that there is none
    return cls


def _with_defaults(cls: type, given: Mapping[str, Any]) -> type:
    """Of a field that was written out only its default stays in the class."""
    for name, value in given.items():
        if isinstance(value, dataclasses.Field):
            if value.default is dataclasses.MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, value.default)
    return cls


def _slotted(cls: type, names: Sequence[str]) -> type:
    """The class again, with a slot for each field in the place of its default."""
    body = {name: value for name, value in vars(cls).items() if name not in (*names, "__dict__", "__weakref__")}
    made = type(cls)(cls.__name__, cls.__bases__, {**body, "__slots__": tuple(names)})
    made.__qualname__ = cls.__qualname__
    return made


def _stand_in(cls: type, own: Set[str], names: Sequence[str], write: Callable[[], type]) -> None:
    missing = [name for name in names if name not in own]
    for name in missing:
        setattr(cls, name, _StandIn(cls, name, missing, write))


class _StandIn:
    """Stands in a class where something will be: it is a descriptor, so that nobody ever holds it."""

    __slots__ = ("_cls", "_name", "_names", "_write")

    def __init__(self, cls: type, name: str, names: Sequence[str], write: Callable[[], type]) -> None:
        self._cls = cls
        self._name = name
        self._names = names
        self._write = write

    def __get__(self, of: object, owner: type | None = None) -> Any:
        written = self._write()
        for name in self._names:
            if isinstance(vars(self._cls).get(name), _StandIn):  # else somebody has put another in its place
                setattr(self._cls, name, vars(written)[name])
        value = vars(self._cls)[self._name]
        return value.__get__(of, owner) if hasattr(value, "__get__") else value


def _freeze(cls: Any, own: Set[str], fields: Sequence[str], *, has_slots: bool) -> None:
    names = frozenset(fields)

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
