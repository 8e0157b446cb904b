"""The calls in a session as a client hands it over when a task stops: messages of calls and of their results, which
belong together by the call's id. One that can't be read is refused by itself."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct, field

from orca_core.model.errors import InvalidInput
from orca_core.model.tools import RefusedCall
from orca_core.rules.text.dates import moment
from orca_core.rules.work.tool_calls import between, is_id

MAX_MESSAGES = 10_000
MAX_CHARS = 4_000_000
"""So much of one session is read, the newest of it: it bounds the time that a hostile one takes. Chosen by hand."""
_CALLS = ("tool_use", "tool_call")
_RESULT = "tool_result"
_FINISHED = ("finished", "success", "completed", "done")
_RUNNING = ("running", "waiting", "pending")


class _Call(Struct):
    """What is known of one call by its id: what was asked, and what came of it."""

    place: int
    tool: str = ""
    input: Any = None
    outputs: list[Any] = field(default_factory=list)
    status: str = ""
    began: datetime | None = None
    ended: datetime | None = None
    was_asked: bool = False
    has_result: bool = False


def calls_in(content: Any) -> tuple[list[tuple[int, Mapping[str, Any]]], list[RefusedCall]]:
    """Each call that has a result, with the place of its first message, in the form that `calls.checked` reads; and
    the messages that could not be read. Of a session that is too long the newest is read; a call that it holds half of
    is left out."""
    found: dict[str, _Call] = {}
    refused: list[RefusedCall] = []
    if not isinstance(content, Sequence) or isinstance(content, str):
        return [], [] if content is None else [RefusedCall(0, _unreadable("a list of messages"))]
    first = _first_read(content)
    if first:
        refused.append(RefusedCall(0, _too_long(first)))
    for place in range(first, len(content)):
        try:
            _read(place, content[place], found)
        except InvalidInput as error:
            refused.append(RefusedCall(place, error))
    named = []
    are_asked = any(call.was_asked for call in found.values())
    for call_id, call in found.items():
        if not call.has_result or (first and are_asked and not call.was_asked):
            continue
        if call.tool:
            named.append((call.place, _as_reported(call_id, call)))
        else:
            refused.append(RefusedCall(call.place, _unreadable("the name of the tool")))
    return named, refused


def _first_read(content: Sequence[Any]) -> int:
    """The place from which on all is read."""
    oldest, room = max(0, len(content) - MAX_MESSAGES), MAX_CHARS
    for place in range(len(content) - 1, oldest - 1, -1):
        room -= _size(content[place], room)
        if room < 0:
            return place + 1
    return oldest


def _size(value: Any, most: int) -> int:
    """In characters, counted until it is more than this."""
    size, waiting = 0, [value]
    while waiting and size <= most:
        each = waiting.pop()
        if isinstance(each, str | Mapping | list | tuple):
            size += len(each)
        if isinstance(each, Mapping):
            waiting += [*each.keys(), *each.values()]
        elif isinstance(each, list | tuple):
            waiting += each
    return size


def _read(place: int, given: Any, found: dict[str, _Call]) -> None:
    """Take in one message. Those that are no calls and no results are passed over. Raises InvalidInput."""
    if not isinstance(given, Mapping):
        raise _unreadable("a message")
    inner = given.get("message")
    message = inner if isinstance(inner, Mapping) else given
    kind = message.get("type")
    if kind not in (*_CALLS, _RESULT):
        return
    for item in _items(message.get("content")):
        call_id = item.get("id") or item.get("tool_use_id") or message.get("tool_call_id")
        if not is_id(call_id):
            raise _unreadable("the id of the call")
        call = found.setdefault(str(call_id), _Call(place))
        call.tool = call.tool or _first_text(message.get("tool_name"), item.get("name"))
        if kind == _RESULT:
            _take_result(call, given, message, item)
        else:
            _take_use(call, given, message, item)


def _take_use(call: _Call, given: Mapping[str, Any], message: Mapping[str, Any], item: Mapping[str, Any]) -> None:
    own = item.get("input", item.get("arguments"))
    call.was_asked = True
    call.input = message.get("arguments") if own is None else own
    call.began = call.began or _time(given.get("create_time"))


def _take_result(call: _Call, given: Mapping[str, Any], message: Mapping[str, Any], item: Mapping[str, Any]) -> None:
    status = message.get("status")
    if not isinstance(status, str):
        raise _unreadable("the status of the result")
    if status in _RUNNING:
        return
    call.has_result = True
    call.status = status
    call.outputs.append(item.get("output", item.get("content", "")))
    call.ended = _time(given.get("update_time")) or _time(given.get("create_time"))
    call.began = _time(given.get("create_time")) or call.began


def _as_reported(call_id: str, call: _Call) -> Mapping[str, Any]:
    return {
        "tool": call.tool,
        "call_id": call_id,
        "input": call.input,
        "output": call.outputs[0] if len(call.outputs) == 1 else call.outputs,
        "success": call.status in _FINISHED,
        "seconds": between(call.began, call.ended),
        "at": call.ended,
    }


def _items(content: Any) -> Iterator[Mapping[str, Any]]:
    """The parts of a message of a tool: its content is JSON in a string, mostly; a list, or one object."""
    read = content
    if isinstance(content, str):
        try:
            read = json.loads(content)
        except (ValueError, RecursionError):
            raise _unreadable("JSON in its content") from None
    parts = [read] if isinstance(read, Mapping) else read
    if not isinstance(parts, list) or not parts or not all(isinstance(each, Mapping) for each in parts):
        raise _unreadable("a list of parts in its content")
    yield from parts


def _first_text(*given: Any) -> str:
    return next((each for each in given if isinstance(each, str) and each.strip()), "")


def _time(given: Any) -> datetime | None:
    """None too for what some programs write where they know none."""
    try:
        return moment(given) if isinstance(given, str) else None
    except InvalidInput:
        return None


def _unreadable(what: str) -> InvalidInput:
    return InvalidInput(template="this message of a tool can't be read: it lacks {what}", what=what)


def _too_long(unread: int) -> InvalidInput:
    return InvalidInput(
        template="the oldest messages of the session were not read: {count}",
        hint="of a session the newest {messages:,} messages and {chars:,} characters are read",
        count=unread,
        messages=MAX_MESSAGES,
        chars=MAX_CHARS,
    )
