"""Check a call of a tool, know it again when it is reported once more, and read the calls of a session that a client
hands over; know names of tools."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, field

from orca_core import words
from orca_core.model.errors import InvalidInput
from orca_core.model.record_types import timestamp
from orca_core.model.tasks import Step, StepStatus, Task
from orca_core.model.tools import NewCall, RefusedCall, ToolCall
from orca_core.rules.requests.remember_and_forget import sensitive_reason
from orca_core.rules.text.cleaning import clean_memory, one_line
from orca_core.rules.text.dates import moment
from orca_core.rules.work import record_texts

BETWEEN_NAMES = re.compile(r"[,，、;；\n]")
"""What stands between names of tools where several are asked for: no name has it."""
_NOT_BEFORE, _NOT_BEHIND = r"(?<![\w-])(?<!\w[.:/])", r"(?![\w-]|[.:/]\w)"
"""What stands right beside a name makes it another one: `search_web` is not named by `search_web-index`."""
_QUOTES = "`'\"“”‘’「」『』（()）"
_OF_NO_PROSE = re.compile(r"[^\W_]_+[^\W_]")
"""What no sentence holds but as a name."""
CHARS_READ = 20_000
"""So much of a text is looked through, its beginning and its end: it bounds the time that a pasted log takes. Chosen by
hand."""
_GAP = "-"
"""Between the two; it makes no name of half a one."""


def fold_tool(tool: str) -> str:
    """A name as it is compared: without case, width, and blanks around it."""
    return " ".join(unicodedata.normalize("NFKC", tool).casefold().split())


def checked_name(given: str) -> str:
    """The name of a tool, cleaned. Raises InvalidInput where nobody could ask for it by that."""
    cleaned = record_texts.checked_text(given, what="tool", most=record_texts.MAX_NAME_CHARS, may_be_empty=False)
    if found := BETWEEN_NAMES.search(given.strip()):
        raise InvalidInput(
            template="the name of a tool has no {found}",
            hint="name one tool, without commas, semicolons and ends of lines",
            found=repr(found[0]),
        )
    return cleaned


def listed_tool_names(query: str) -> list[str]:
    """The names that a query lists, between commas, each once, in its order."""
    names = {fold_tool(each): clean_memory(each) for each in reversed(BETWEEN_NAMES.split(query))}
    return [names[each] for each in dict.fromkeys(map(fold_tool, BETWEEN_NAMES.split(query))) if each]


def tools_named_by_task(text: str, steps: Sequence[Step], tools: Iterable[str]) -> list[str]:
    """Those of the folded names that a text holds, then those that the steps of a task call or speak of, from the last
    step on; each once. What a tool was given, or answered, names none."""
    known = frozenset(tools)
    named = tools_named_in(text, known)
    for step in reversed(steps):
        named += [each for each in (fold_tool(step.tool),) if each in known]
        named += tools_named_in(step.description, known)
    return list(dict.fromkeys(named))


def tools_named_in(text: str, tools: Iterable[str]) -> list[str]:
    """Those of the folded names that a text holds, whole; in the order in which they stand there. A name that a
    sentence may hold by chance counts only in quotes, beside the word tool, or as the whole text: whoever reports calls
    chooses the names of tools."""
    said = fold_tool(_ends_of(text))
    places = {tool: found.start() for tool in tools if tool and tool in said and (found := _place(tool, said))}
    return sorted(places, key=lambda tool: (places[tool], tool))


def _ends_of(text: str) -> str:
    half = CHARS_READ // 2
    return text if len(text) <= CHARS_READ else f"{text[:half]}{_GAP}{text[-half:]}"


def _place(tool: str, said: str) -> re.Match[str] | None:
    name = re.escape(tool)
    if _OF_NO_PROSE.search(tool):
        return re.compile(f"{_NOT_BEFORE}{name}{_NOT_BEHIND}", re.ASCII).search(said)
    shapes = [rf"\A{name}\Z", f"(?<=[{_QUOTES}]){name}(?=[{_QUOTES}])"]
    if tool not in words.word_set("search.stop"):  # "the tool" names none
        # Chinese words stand side by side: whether the whole of them is the name is told by what is beside it.
        begins = _NOT_BEFORE if tool[0].isascii() else r"(?<!\w)"
        ends = _NOT_BEHIND if tool[-1].isascii() else r"(?!\w)"
        shapes += [rf"{begins}{name}(?= tool\b| ?工具)", rf"(?:(?<=\btool )|(?<=工具)|(?<=工具 )){name}{ends}"]
    flags = re.ASCII if tool.isascii() else re.NOFLAG
    return re.compile("|".join(shapes), flags).search(said)


KEPT = 200
"""So many calls of a tool keep what they were given and answered (LIFE 6)."""
SHOWN = 20
"""So many of the latest a guide is written of."""
ERROR_CHARS = 80
"""By so much of its beginning an error is told from others. Chosen by hand."""
MAX_SECONDS = 366 * 24 * 3600.0
"""No call takes longer: it was measured wrong, and would bend the figures. Chosen by hand."""
MAX_ID_CHARS = 200
SHOWN_CHARS = 40
"""So much of what was refused an error shows."""
_ENDS = (StepStatus.COMPLETED, StepStatus.FAILED)
_Count = Annotated[int, Meta(ge=0, lt=2**53)] | None
_Id = str | Annotated[int, Meta(gt=-(2**53), lt=2**53)] | None


class ReportedCall(Struct, frozen=True, forbid_unknown_fields=True):
    """A call in the form in which programs report it."""

    tool: str
    call_id: _Id = None
    session_id: _Id = None
    input: Any = None
    output: Any = None
    success: bool = True
    seconds: Annotated[float, Meta(ge=0, le=MAX_SECONDS)] | None = None
    tokens: _Count = None
    at: Any = None
    step: _Count = None


def checked_call(given: Any, now: datetime, session_id: str = "") -> NewCall:
    """A call as it was reported, in the session given where it names none. Raises InvalidInput, whatever is given."""
    if not isinstance(given, Mapping):
        raise InvalidInput(template="a call must be an object with a tool, not {found}", found=_shown(given))
    try:
        call = msgspec.convert(given, ReportedCall)
    except msgspec.ValidationError as error:
        known = ", ".join(ReportedCall.__struct_fields__)
        raise InvalidInput(
            template="this call can't be read: {why}", hint="it has {known}", why=str(error), known=known
        ) from None
    at = None if call.at in (None, "") else moment(call.at)
    output = _said(call.output)
    return NewCall(
        tool=checked_name(call.tool),
        input=_said(call.input),
        output=output,
        success=call.success,
        at=min(at or now, now),
        call_id=_id("call_id", call.call_id),
        session_id=_id("session_id", call.session_id) or session_id,
        step=call.step,
        seconds=call.seconds,
        tokens=call.tokens,
        is_timed=at is not None,
        said_at=at if at is not None and at > now else None,
        error="" if call.success else error_of(output),
    )


def call_identity(call: NewCall) -> str:
    """By what it is known again: a step and when it ended; its session and its own name there; else the tool, what it
    was given, what it answered, and when. Where nobody said when, the same call of a session counts once."""
    when = timestamp(call.said_at or call.at) if call.is_timed else ""
    if call.step is not None:
        return json.dumps(["step", call.step, when])
    if call.session_id and call.call_id:
        return json.dumps(["call", call.session_id, call.call_id])
    within = "" if when else call.session_id
    return json.dumps(["same", fold_tool(call.tool), call.input, call.output, when, within, call.call_id])


def is_same_call(call: NewCall, known: ToolCall) -> bool:
    """Tell whether both say the same of one tool: what it was given and answered, however that is spelled as JSON."""
    if known.is_slim or call.success != known.success:
        return False
    return all(
        mine == theirs or _read(mine) == _read(theirs)
        for mine, theirs in ((call.input, known.input), (call.output, known.output))
    )


def _read(said: str) -> Any:
    try:
        return json.loads(said)
    except (ValueError, RecursionError):
        return said.strip()


def call_of_step(step: Step, task: Task) -> NewCall | None:
    """The call that a step is which names a tool and is over. What stands between names is no part of one."""
    tool = " ".join(BETWEEN_NAMES.sub(" ", step.tool).split())
    if not tool or step.status not in _ENDS or step.completed_at is None:
        return None
    success = step.status is StepStatus.COMPLETED
    return NewCall(
        tool=tool,
        input=_said(step.args),
        output=step.result,
        success=success,
        at=step.completed_at,
        session_id=task.session_id,
        step=step.id,
        seconds=_seconds_between(step.started_at, step.completed_at),
        error="" if success else error_of(step.result),
    )


def call_name(call: ToolCall, step: Step) -> str:
    """By what acts mean a call of a step: its own name, else its step, which may have made it more than once."""
    return call.call_id or f"step {step.number}"


def _seconds_between(began: datetime | None, ended: datetime | None) -> float | None:
    """None where nobody knows, and where no call takes as long."""
    if began is None or ended is None:
        return None
    seconds = max(0.0, (ended - began).total_seconds())
    return seconds if seconds <= MAX_SECONDS else None


def error_of(output: str) -> str:
    """The beginning of what a failed call answered, by which it is counted; nothing where that holds a secret."""
    first = next((line for line in output.splitlines() if line.strip()), "")
    return "" if sensitive_reason(first) in ("secret", "account_number") else one_line(first, ERROR_CHARS)


def _id(field: str, given: str | int | None) -> str:
    return "" if given is None else record_texts.checked_text(str(given), what=field, most=MAX_ID_CHARS)


def _said(given: Any) -> str:
    """Return what a tool was given or answered, as text; JSON as JSON. Of what is too long the beginning, and how much
    was cut off. Raises InvalidInput."""
    if given is None or isinstance(given, str):
        return record_texts.cut_result(given or "")
    if isinstance(given, Mapping):
        return json.dumps(record_texts.cut_args(given), ensure_ascii=False) if given else ""
    plain = record_texts.cut_args({"value": given})
    return record_texts.cut_result(json.dumps(plain.get("value", plain), ensure_ascii=False))


def _shown(given: Any) -> str:
    """A value in an error; Python writes no integer out that is too long."""
    try:
        return repr(given)[:SHOWN_CHARS]
    except (ValueError, RecursionError):
        return type(given).__name__


MAX_MESSAGES = 10_000
"""So many messages of one session are read, the newest: it bounds the time that a hostile one takes. Chosen by
hand."""
_CALLS = ("tool_use", "tool_call")
_RESULT = "tool_result"
_FINISHED = ("finished", "success", "completed", "done")
_RUNNING = ("running", "waiting", "pending")
_Message = Mapping[str, Any]


class _SessionCall(Struct):
    """What is known of one call by its id: what was asked, and what came of it."""

    place: int
    tool: str = ""
    input: Any = None
    outputs: list[Any] = field(default_factory=list)
    status: str = ""
    began: datetime | None = None
    ended: datetime | None = None
    was_asked: bool = False


def calls_in_session(content: Any) -> tuple[list[tuple[int, _Message]], list[RefusedCall]]:
    """Each call that has a result, with the place of its first message, in the form that `checked` reads; and the
    messages that could not be read. Of a session that is too long a call is left out whose beginning was not read."""
    if not isinstance(content, Sequence) or isinstance(content, str):
        return [], [] if content is None else [RefusedCall(0, _unreadable("a list of messages"))]
    found: dict[str, _SessionCall] = {}
    refused: list[RefusedCall] = []
    first = max(0, len(content) - MAX_MESSAGES)
    if first:
        refused.append(RefusedCall(0, _too_long(first)))
    for place in range(first, len(content)):
        try:
            _take_message(place, content[place], found)
        except InvalidInput as error:
            refused.append(RefusedCall(place, error))
    ended = {name: call for name, call in found.items() if call.status and (call.was_asked or not first)}
    refused += [
        RefusedCall(each.place, _unreadable("the name of the tool")) for each in ended.values() if not each.tool
    ]
    return [(call.place, _as_reported(name, call)) for name, call in ended.items() if call.tool], refused


def _take_message(place: int, given: Any, found: dict[str, _SessionCall]) -> None:
    """Take in one message. Those that are no calls and no results are passed over. Raises InvalidInput."""
    if not isinstance(given, Mapping):
        raise _unreadable("a message")
    inner = given.get("message")
    message = inner if isinstance(inner, Mapping) else given
    kind, status = message.get("type"), message.get("status")
    if kind not in (*_CALLS, _RESULT):
        return
    began, ended = (_time_said(given.get(name)) for name in ("create_time", "update_time"))
    for item in _items(message.get("content")):
        call_id = item.get("id") or item.get("tool_use_id") or message.get("tool_call_id")
        if not _is_id(call_id):
            raise _unreadable("the id of the call")
        call = found.setdefault(str(call_id), _SessionCall(place))
        names = (message.get("tool_name"), item.get("name"))
        call.tool = call.tool or next((each for each in names if isinstance(each, str) and each.strip()), "")
        if kind in _CALLS:
            call.was_asked, call.began = True, call.began or began
            call.input = item.get("input", item.get("arguments", message.get("arguments")))
        elif not isinstance(status, str):
            raise _unreadable("the status of the result")
        elif status not in _RUNNING:
            call.status = status
            call.outputs.append(item.get("output", item.get("content", "")))
            call.began, call.ended = began or call.began, ended or began


def _is_id(given: Any) -> bool:
    is_number = isinstance(given, int) and not isinstance(given, bool) and abs(given) < 2**53
    return is_number or (isinstance(given, str) and bool(given))


def _as_reported(call_id: str, call: _SessionCall) -> _Message:
    return {
        "tool": call.tool,
        "call_id": call_id,
        "input": call.input,
        "output": call.outputs[0] if len(call.outputs) == 1 else call.outputs,
        "success": call.status in _FINISHED,
        "seconds": _seconds_between(call.began, call.ended),
        "at": call.ended,
    }


def _items(content: Any) -> Iterator[_Message]:
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


def _time_said(given: Any) -> datetime | None:
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
        hint="of a session the newest {messages:,} messages are read",
        count=unread,
        messages=MAX_MESSAGES,
    )
