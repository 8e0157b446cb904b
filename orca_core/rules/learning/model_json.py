"""JSON as models write it: in chatter, with trailing commas, cut off. What is whole is read, nothing is completed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

MAX_CHARS = 100_000
"""No more of an answer is read: it bounds the time that a hostile one takes."""
MAX_DEPTH = 32
"""An answer has four levels; this bounds the stack of one that nests on purpose."""
MAX_STARTS = 50
"""How many brackets in the chatter around an answer are tried as its beginning: it bounds the time, too."""

THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>|\A.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
"""The thoughts in an answer, also those whose beginning was cut off."""
LIST_MARK = re.compile(r"^(?:[-*•·]|\(?\d{1,2}[.)、．](?!\d)|（\d{1,2}）)\s*")
SENTENCE_END = re.compile(r"[。！？；.!?;](?=\s|$|[\u3400-\u9fff])")

_OPENING = re.compile(r"[{\[]")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],"]|[^{}\[\],"]+', re.DOTALL)
_CLOSING = {"{": "}", "[": "]"}
_CUT = "\0cut"
"""The member that marks an object in which the text ended; no object that is read has it."""


class DroppedItemError(Exception):
    """An item of an answer breaks a rule of form; the message is the rule's name."""


class Value(Struct, frozen=True):
    """A value found in a text; `is_cut` where the text ended inside it, and only its whole parts are there."""

    value: Any
    is_cut: bool


class CutObject(dict[str, Any]):
    """An object that the text ended in: its members that were whole."""


def values_in(text: str) -> Iterator[Value]:
    """The objects and arrays that stand in a text, in their order, outermost only."""
    text = text[:MAX_CHARS]
    position = 0
    for _ in range(MAX_STARTS):
        opening = _OPENING.search(text, position)
        if opening is None:
            return
        written, end = _balanced(text, opening.start())
        is_cut = end is None
        try:
            value = json.loads(written, strict=False, parse_int=float, object_pairs_hook=_object)
        except ValueError:
            position = opening.start() + 1
            continue
        yield Value(value, is_cut)
        if end is None:
            return
        position = end


def _balanced(text: str, start: int) -> tuple[str, int | None]:
    """The value that begins here, without commas too many, and where it ends. Where the text ends before it does: None,
    and the value up to its last whole part, closed, its open objects marked. Empty where no value can be."""
    pieces: list[str] = []
    closing: list[str] = []
    whole: tuple[int, Sequence[str]] = (0, ())
    for match in _TOKEN.finditer(text, start):
        token = match[0]
        if token == '"':  # of a string that does not end
            break
        if token[0] == '"':
            token = _ESCAPE.sub(_escaped, token)
        if token in _CLOSING:
            closing.append(_CLOSING[token])
            if len(closing) > MAX_DEPTH:
                return "", start
        elif token in ("}", "]"):
            if token != closing.pop():
                return "", start
            _drop_comma(pieces)
        elif token == ",":
            whole = len(pieces), tuple(closing)
        pieces.append(token)
        if not closing:
            return "".join(pieces), match.end()
        if token in "{}[]":
            whole = len(pieces), tuple(closing)
    count, still_open = whole
    kept = pieces[:count]
    for each in reversed(still_open):
        mark = "" if each == "]" else f"{'' if kept[-1] == '{' else ','}{json.dumps(_CUT)}:1"
        kept.append(mark + each)
    return "".join(kept), None


def _escaped(match: re.Match[str]) -> str:
    """An escape as JSON has it: models write `\\'` and `C:\\work`, too."""
    character = match[1]
    return match[0] if character in '"\\/bfnrtu' else "'" if character == "'" else f"\\\\{character}"


def _drop_comma(pieces: list[str]) -> None:
    while pieces and not pieces[-1].strip():
        pieces.pop()
    if pieces and pieces[-1] == ",":
        pieces.pop()


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(members)
    return CutObject(found) if found.pop(_CUT, None) is not None else found


def without_thinking(answer: str) -> str:
    """The answer without its thoughts. If there is nothing else, the thoughts are read."""
    rest = THINKING.sub("", answer)
    return rest if rest.strip() else answer


def last_items(answer: str, items_of: Callable[[Any], list[Any] | None]) -> list[Any] | None:
    """The items of the answer's last whole value in which `items_of` finds some, else of one that was cut; None where
    it finds none."""
    shaped = [
        (found, items) for found in values_in(without_thinking(answer)) if (items := items_of(found.value)) is not None
    ]
    whole = [items for found, items in shaped if not found.is_cut]
    return whole[-1] if whole else shaped[-1][1] if shaped else None


def items_under(value: Any, name: str, has_the_shape: Callable[[Mapping[str, Any]], bool]) -> list[Any] | None:
    """The items of a list, those that an object holds under a name, or an object that is one itself; None for a value
    of any other shape."""
    if isinstance(value, list):
        are_items = not value or any(isinstance(item, dict) and has_the_shape(item) for item in value)
        return value if are_items else None
    if not isinstance(value, dict):
        return None
    inner = value.get(name)
    if isinstance(inner, list):
        return inner
    if isinstance(inner, dict):
        return [inner]
    return [value] if has_the_shape(value) else None
