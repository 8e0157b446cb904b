"""How the answer of a second reader is read, who says something of several things by their numbers: as models write it,
by rows or by number alone; what was cut off is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct

from orca_core.rules.learning.agent.json_reading import CutObject, values_in
from orca_core.rules.learning.agent.parsing import without_thinking

V = TypeVar("V")

_ANSWERS = "answers"
_SPELT_OUT = {"true": True, "false": False}


class Form(Struct, Generic[V], frozen=True):
    """What an answer looks like: an object with a list of this name, each row of which names its thing by `noun` and
    says `says` of it. `value` reads what it says; None is no value."""

    noun: str
    rows: str
    says: str
    value: Callable[[Any], V | None]


class Said(Struct, Generic[V], frozen=True):
    """What was said, by numbers, in its order; `is_cut` where the answer ended before its end."""

    rows: tuple[tuple[int, V], ...]
    is_cut: bool


def read_answers(answer: str, count: int, noun: str) -> Mapping[int, bool] | None:
    """Whether the user says so, by a statement's number; those that it does not answer are not in it. None where
    nothing in the answer can be read. Where one is answered twice, the doubt counts."""
    said = read(answer, count, Form(noun, _ANSWERS, "says_so", truth))
    if said is None:
        return None
    answers: dict[int, bool] = {}
    for number, says_so in said.rows:
        answers[number] = says_so and answers.get(number, True)
    return answers or None


def read(answer: str, count: int, form: Form[V]) -> Said[V] | None:
    """What it says of the things from 1 to `count`, of each as often as it does. None where nothing has the form."""
    shaped = [(found, items) for found in values_in(without_thinking(answer)) if (items := _items(found.value, form))]
    if not shaped:
        return None
    whole = [each for each in shaped if not each[0].is_cut]
    found, items = whole[-1] if whole else shaped[-1]
    return Said(tuple(each for each in _read(items, form) if 1 <= each[0] <= count), found.is_cut)


def truth(value: Any) -> bool | None:
    if isinstance(value, str):
        return _SPELT_OUT.get(value.strip().lower())
    return value if isinstance(value, bool) else None


def _items(value: Any, form: Form[V]) -> list[Any] | None:
    """The answers in a value, also of one that names them by number; None where it has not the shape."""
    noun = form.noun
    if isinstance(value, dict) and form.rows in value:
        value = value[form.rows]
        if isinstance(value, dict) and noun not in value:
            return [{noun: number, form.says: said} for number, said in value.items()]
    if isinstance(value, dict):
        return [value] if noun in value else None
    if isinstance(value, list) and any(isinstance(item, dict) and noun in item for item in value):
        return value
    return None


def _read(items: Sequence[Any], form: Form[V]) -> Iterator[tuple[int, V]]:
    """The answers that are whole, and name their thing."""
    for item in items:
        if isinstance(item, CutObject) or not isinstance(item, dict):
            continue
        number, said = _number(item.get(form.noun)), form.value(item.get(form.says))
        if number is not None and said is not None:
            yield number, said


def _number(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 10:
        return int(value)
    return int(value) if isinstance(value, int | float) and value == value // 1 else None
