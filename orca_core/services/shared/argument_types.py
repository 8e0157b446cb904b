"""What programs give to the functions that they call: of another type than it says, it is refused in a sentence."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache, partial, wraps
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from orca_core.model.errors import InvalidInput

C = TypeVar("C")

_REFUSED: Mapping[type, partial[InvalidInput]] = {
    str: partial(InvalidInput, expected="a text"),
    int: partial(InvalidInput, expected="a number"),
    bool: partial(InvalidInput, expected="true or false"),
    Sequence: partial(InvalidInput, expected="a list"),
    Mapping: partial(InvalidInput, expected="a mapping"),
}
_LOOKS_ALIKE: Mapping[type, tuple[type, ...]] = {Sequence: (str, bytes), int: (bool,)}


def checked(cls: type[C]) -> type[C]:
    """Have every public coroutine of a class look at what it is given, before it does anything."""
    for name, method in vars(cls).copy().items():
        if not name.startswith("_") and inspect.iscoroutinefunction(method):
            setattr(cls, name, _looking(method))
    return cls


def _looking(method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    @cache
    def shape() -> tuple[inspect.Signature, Mapping[str, Any]]:
        return inspect.signature(method), get_type_hints(method)

    @wraps(method)
    async def call(*args: Any, **named: Any) -> Any:
        signature, hints = shape()
        for name, value in signature.bind(*args, **named).arguments.items():
            check(name, value, hints.get(name, Any))
        return await method(*args, **named)

    return call


def check(name: str, value: object, hint: Any) -> None:
    """Raises InvalidInput where the value is plainly no such thing. Types of Orca's own are not looked at."""
    if get_origin(hint) in (Union, UnionType):
        choices = get_args(hint)
        if value is None and NoneType in choices:
            return
        [hint, *others] = [each for each in choices if each is not NoneType]
        if others:
            return
    kind = get_origin(hint) or hint
    if kind not in _REFUSED:
        return
    if not isinstance(value, kind) or isinstance(value, _LOOKS_ALIKE.get(kind, ())):
        found = "None" if value is None else type(value).__name__
        raise _REFUSED[kind](template="{what} must be {expected}, not {found}", what=name, found=found)
    if kind is Sequence and isinstance(value, Sequence):
        for each in value:
            check(name, each, get_args(hint)[0])
