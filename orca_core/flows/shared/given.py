"""What programs give to the functions that they call: of another type than it says, it is refused in a sentence."""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import cache, wraps
from typing import Any, TypeVar, get_type_hints

import msgspec

from orca_core.domain.errors import InvalidInput

C = TypeVar("C")

_EXPECTED = {
    "str": "a text",
    "int": "a number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "a mapping",
    "datetime": "a time",
}
_FOUND = {"null": "None", "array": "list", "object": "dict"}


def checked(cls: type[C]) -> type[C]:
    """Have every public coroutine of a class look at what it is given, before it does anything."""
    for name, method in vars(cls).copy().items():
        if not name.startswith("_") and inspect.iscoroutinefunction(method):
            setattr(cls, name, _looking(method))
    return cls


def _looking(method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    @cache
    def shape() -> tuple[inspect.Signature, dict[str, Any]]:
        return inspect.signature(method), get_type_hints(method)

    @wraps(method)
    async def call(*args: Any, **named: Any) -> Any:
        signature, hints = shape()
        for name, value in signature.bind(*args, **named).arguments.items():
            check(name, value, hints.get(name, Any))
        return await method(*args, **named)

    return call


def check(name: str, value: object, hint: Any) -> None:
    """Raises InvalidInput where the value is no such thing."""
    try:
        msgspec.convert(value, hint, builtin_types=(datetime,))
    except msgspec.ValidationError as error:
        told = re.match(r"Expected `(\w+).*?`, got `(\w+)", str(error))
        expected, found = told.groups() if told else (str(error), type(value).__name__)
        raise InvalidInput(
            template="{what} must be {expected}, not {found}",
            what=name,
            expected=_EXPECTED.get(expected, expected),
            found=_FOUND.get(found, found),
        ) from None
