"""The calls of one answer, as servers stream them: whole or in pieces."""

from __future__ import annotations

import hashlib
import json
import string
from collections.abc import Collection, Mapping
from typing import Any

from msgspec import Struct

from orca_core.model.llm import ModelToolCall

ID_LENGTH = 9
"""Mistral takes ids of exactly so many letters and digits; no other server minds them."""
MAX_CHECKED = 65_536
"""Arguments that are longer are not looked at for their end while more may come."""
_RETURNED = ("extra_content", "provider_specific_fields")
"""What goes back as it came: Gemini's signature of a thought, and LiteLLM's copy of it."""
_DIGITS = string.digits + string.ascii_letters


class CallPiece(Struct, frozen=True):
    """What one piece of a stream says of one call. Whatever it leaves out is None or empty."""

    index: int | None = None
    id: str = ""
    name: str = ""
    arguments: str = ""
    extra: Mapping[str, Any] | None = None


class _Open(Struct):
    """A call of which more may come."""

    index: int | None
    id: str
    name: str = ""
    arguments: str = ""
    extra: Mapping[str, Any] | None = None

    def is_whole(self) -> bool:
        """Whether its arguments are an object already."""
        ends = len(self.arguments) <= MAX_CHECKED and self.arguments.rstrip().endswith("}")
        return ends and _object(self.arguments) is not None


def pieces_in(delta: Mapping[str, Any]) -> tuple[CallPiece, ...]:
    """The pieces of calls in a delta or a message, `function_call` of old servers among them."""
    found = delta.get("tool_calls")
    rows = found if isinstance(found, list) else [found] if isinstance(found, dict) else []
    if not rows and isinstance(delta.get("function_call"), dict):
        rows = [{"function": delta["function_call"]}]
    return tuple(_piece(each) for each in rows if isinstance(each, dict))


class Calls:
    """Takes pieces in their order. A call begins with a new index, with a new id unless the one of its index is still
    open, or where the one that it seems to continue is whole already; an empty id or name never overwrites one."""

    def __init__(self, taken: Collection[str] = ()) -> None:
        """`taken`: ids of calls before this answer, which none that is made here may repeat."""
        self._taken = taken
        self._calls: list[_Open] = []
        self._latest: _Open | None = None

    def take(self, piece: CallPiece) -> None:
        call = self._continued(piece)
        if call is not None and self._adds_nothing(call, piece):
            return
        if call is None or self._begins_anew(call, piece):
            call = _Open(piece.index, piece.id)
            self._calls.append(call)
        self._latest = call
        if call.arguments.strip() and piece.arguments.strip() and call.is_whole():
            call.arguments = ""  # "{}" stood there until the true ones came
        call.index = piece.index if call.index is None else call.index
        call.id = call.id or piece.id
        call.name = call.name or piece.name
        call.arguments += piece.arguments
        call.extra = piece.extra or call.extra

    def finish(self, *, was_cut: bool) -> tuple[ModelToolCall, ...]:
        """The calls. One without a name is none; nor is one that can not be read in an answer that `was_cut` for its
        length. Arguments that can not be read are ""."""
        made: list[ModelToolCall] = []
        for number, call in enumerate(self._calls):
            arguments = arguments_in(call.arguments)
            if not call.name or (was_cut and not arguments):
                continue
            is_new = call.id and call.id not in {each.id for each in made}
            known = call.id if is_new else self._new_id(number, call.name, arguments)
            made.append(ModelToolCall(known, call.name, arguments, call.extra))
        return tuple(made)

    def _continued(self, piece: CallPiece) -> _Open | None:
        """The call that a piece seems to be about, before its texts are compared."""
        if piece.index is not None:
            known = next((each for each in reversed(self._calls) if each.index == piece.index), None)
            return known or self._unnumbered(piece)
        if piece.id:
            known = next((each for each in reversed(self._calls) if each.id == piece.id), None)
            unnamed = self._latest if self._latest and not (self._latest.id or self._latest.name) else None
            return known or unnamed
        return self._latest

    def _unnumbered(self, piece: CallPiece) -> _Open | None:
        """The latest call, where it had no number until now."""
        latest = self._latest
        goes_on = latest is not None and latest.index is None and not piece.name and piece.id in ("", latest.id)
        return latest if goes_on else None

    def _adds_nothing(self, call: _Open, piece: CallPiece) -> bool:
        """Whether it says again, whole, what the call has already, or goes on behind arguments that are over."""
        if not piece.arguments.strip() or not call.is_whole():
            return False
        is_same = piece.id in ("", call.id) and piece.name in ("", call.name)
        is_again = bool(piece.id) and piece.arguments == call.arguments
        return is_same and (is_again or not piece.arguments.lstrip().startswith(("{", '"')))

    def _begins_anew(self, call: _Open, piece: CallPiece) -> bool:
        is_other = bool(piece.name and call.name and piece.name != call.name)
        if piece.id and call.id and piece.id != call.id:  # some give an id anew to each piece of what is numbered
            goes_on = piece.index is not None and not is_other and (call.arguments.strip() or not piece.name)
            return not goes_on or call.is_whole()
        if piece.index is None and is_other:
            return True
        if not (is_other or piece.arguments.strip()) or not call.is_whole():
            return False
        return bool(piece.name) or _object(call.arguments) != {}

    def _new_id(self, number: int, name: str, arguments: str) -> str:
        """An id made of the call itself, so that the same answer gives the same one however it was cut."""
        salt = 0
        while True:
            seed = hashlib.sha256(f"{number}\0{salt}\0{name}\0{arguments}".encode("utf-8", "replace")).digest()
            made = "".join(_DIGITS[byte % len(_DIGITS)] for byte in seed[:ID_LENGTH])
            if made not in self._taken:
                return made
            salt += 1


def arguments_in(text: str) -> str:
    """The text of a JSON object: as it came where it is one, "{}" where nothing came, "" where it can not be read."""
    text = readable(text).strip()
    if text in ("", "null"):
        return "{}"
    if _object(text) is not None:
        return text
    inner = _value(text)
    if isinstance(inner, str):  # an object, written as text twice
        return arguments_in(inner) if _object(inner) is not None or not inner.strip() else ""
    return ""


def _piece(row: Mapping[str, Any]) -> CallPiece:
    found = row.get("function")
    function: Mapping[str, Any] = found if isinstance(found, dict) else {}
    arguments = function.get("arguments")
    if arguments is not None and not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False)
    kept = {name: row[name] for name in _RETURNED if row.get(name)}
    return CallPiece(
        _index(row.get("index")),
        _name(row.get("id")),
        _name(function.get("name")),
        arguments or "",
        json.loads(readable(json.dumps(kept, ensure_ascii=False))) if kept else None,
    )


def _index(value: object) -> int | None:
    if isinstance(value, str) and value.isdecimal():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _name(value: object) -> str:
    return readable(value) if isinstance(value, str) else ""


def _object(text: str) -> dict[str, Any] | None:
    value = _value(text)
    return value if isinstance(value, dict) else None


def _value(text: str) -> object:
    """A text's JSON value; None where it is no JSON."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None


def _refuse(word: str) -> None:
    """NaN and the infinities are Python's, not JSON's. Raises ValueError."""
    raise ValueError(word)


def readable(text: str) -> str:
    """A text without halves of surrogate pairs, which no server could read; two that belong together are joined."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
