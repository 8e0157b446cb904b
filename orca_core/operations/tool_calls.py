"""Calls of tools as they are recorded: each once, the latest of a tool whole."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from datetime import datetime

from msgspec.structs import replace

from orca_core.model.record_types import Ref, parse_timestamp, timestamp
from orca_core.model.tasks import STEP, STEPS, TASKS, Step, Task
from orca_core.model.tools import CallsTaken, NewCall, ToolCall, ToolFigures
from orca_core.operations.records import record_of, records_there
from orca_core.rules.work import reported_calls
from orca_core.rules.work.reported_calls import KEPT, call_identity, call_of_step, is_same_call
from orca_core.store.ports import Condition, Row, Rows, any_of, at_most, is_, is_not

TABLE = "tool_calls"
COLUMNS = (
    *("id", "tool", "input", "output", "success", "at", "call_id", "session_id", "step", "seconds", "tokens"),
    "is_slim",
)


MOST_ERRORS = 5
"""So many kinds of errors are shown of a tool. Chosen by hand."""
OfSteps = dict[tuple[str, str], list[ToolCall]]
"""The calls that steps made, by session and tool, as far as they were looked up."""


def take(rows: Rows, calls: Iterable[NewCall]) -> CallsTaken:
    """Record those of the calls that are not known, in their order."""
    taken: list[ToolCall] = []
    of_steps: OfSteps = {}
    known = 0
    for call in calls:
        made = _insert(rows, call, of_steps)
        taken += [made] if made is not None else []
        known += made is None
    for folded in dict.fromkeys(reported_calls.fold_tool(each.tool) for each in taken):
        _make_slim(rows, folded)
    return CallsTaken(tuple(taken), known)


def figures_of(rows: Rows, wanted: Sequence[str] | None) -> list[ToolFigures]:
    """Of the tools with these folded names, in their order; of all, the most used first, where none are named."""
    those = () if wanted is None else (any_of("folded", wanted),)
    counted = rows.grouped(TABLE, ("folded",), ("count", "sum success", "max at", "max id"), *those)
    spelled = dict[int, str](
        (number, tool)
        for number, tool in rows.select(TABLE, ("id", "tool"), any_of("id", [row[-1] for row in counted]))
    )
    seconds, errors = _seconds(rows, those), _errors(rows, those)
    found = {}
    for folded, calls, succeeded, last_at, last in sorted(counted, key=lambda row: (-row[1], row[0])):
        took = seconds.get(folded, [])
        found[folded] = ToolFigures(
            tool=spelled[last],
            calls=calls,
            succeeded=succeeded,
            median_s=statistics.median(took) if took else None,
            p95_s=took[-(-len(took) * 95 // 100) - 1] if took else None,
            errors=tuple(errors.get(folded, ())[:MOST_ERRORS]),
            last_at=parse_timestamp(last_at),
        )
    return list(found.values()) if wanted is None else [found[each] for each in wanted if each in found]


def _seconds(rows: Rows, those: Sequence[Condition]) -> dict[str, list[float]]:
    """How long the calls of each tool took, the shortest first."""
    found: dict[str, list[float]] = {}
    for folded, seconds in rows.select(
        TABLE, ("folded", "seconds"), is_not("seconds", None), *those, order=("seconds",)
    ):
        found.setdefault(folded, []).append(seconds)
    return found


def _errors(rows: Rows, those: Sequence[Condition]) -> dict[str, list[tuple[str, int]]]:
    """The errors of each tool and how often each came, the most frequent first, of equals the latest."""
    found: dict[str, list[tuple[str, int]]] = {}
    counted = rows.grouped(TABLE, ("folded", "error"), ("count", "max id"), is_not("error", ""), *those)
    for folded, error, count, _last in sorted(counted, key=lambda row: (-row[2], -row[3])):
        found.setdefault(folded, []).append((error, count))
    return found


def latest(rows: Rows, folded: str, limit: int) -> list[ToolCall]:
    """The latest calls of a tool, newest first."""
    found = rows.select(TABLE, COLUMNS, is_("folded", folded), order=("-id",), limit=limit)
    return [call_from_row(each) for each in found]


def record_steps(rows: Rows, task: Task, steps: Iterable[Step]) -> None:
    """Record the steps that are over and name a tool, in the transaction that changed them."""
    calls = (call_of_step(each, task) for each in steps)
    take(rows, [each for each in calls if each is not None])


def agree(rows: Rows, touched: Sequence[Ref], undone_at: datetime, *, are_kept: bool) -> None:
    """After an operation on steps was taken back or done again: the call that a step was by it goes, that which it is
    now is there, where calls `are_kept`."""
    for step in records_there(rows, STEPS, [ref.id for ref in touched if ref.kind == STEP]):
        task = record_of(rows, TASKS, step.task)
        call = call_of_step(step, task) if are_kept else None
        if call is None or call.at != undone_at:
            rows.delete(TABLE, is_("step", step.id), is_("at", timestamp(undone_at)))
        if call is not None:
            take(rows, [call])


def call_from_row(row: Row) -> ToolCall:
    values = dict(zip(COLUMNS, row, strict=True))
    flags = {name: bool(values[name]) for name in ("success", "is_slim")}
    return ToolCall(**{**values, **flags, "at": parse_timestamp(values["at"])})


def of_own_steps(rows: Rows, calls: Sequence[NewCall]) -> list[NewCall]:
    """The calls as they are reported, without a step that the scope does not have. One of a step that is over was made
    when that ended, where nobody said when."""
    named = sorted({each.step for each in calls if each.step is not None})
    steps = {each.id: each for each in records_there(rows, STEPS, named)}
    return [_of_own_step(each, steps.get(each.step or 0)) for each in calls]


def _of_own_step(call: NewCall, step: Step | None) -> NewCall:
    if step is None:
        return replace(call, step=None)
    if call.is_timed or step.completed_at is None:
        return call
    return replace(call, at=step.completed_at, is_timed=True)


def _insert(rows: Rows, call: NewCall, of_steps: OfSteps) -> ToolCall | None:
    """The call with its number; None where it is known."""
    folded = reported_calls.fold_tool(call.tool)
    values = {
        "tool": call.tool,
        "folded": folded,
        "identity": rows.key_of(call_identity(call)),
        "input": call.input,
        "output": call.output,
        "success": int(call.success),
        "at": timestamp(call.at),
        "call_id": call.call_id,
        "session_id": call.session_id,
        "step": call.step,
        "seconds": call.seconds,
        "tokens": call.tokens,
        "error": call.error,
    }
    if rows.count(TABLE, is_("identity", values["identity"])) or _meets(rows, call, folded, of_steps):
        return None
    number = rows.insert(TABLE, values)
    return call_from_row([{**values, "id": number, "is_slim": 0}[name] for name in COLUMNS])


def _meets(rows: Rows, call: NewCall, folded: str, of_steps: OfSteps) -> bool:
    """Whether a session's call is one that a step of it made, or the other way round: a client tells of both, and the
    two are noted as one from then on."""
    same_tool = (is_("session_id", call.session_id), is_("folded", folded))
    if not call.session_id or bool(call.call_id) == (call.step is not None):
        return False
    if call.step is None:
        if (key := (call.session_id, folded)) not in of_steps:
            of_steps[key] = those(rows, *same_tool, is_not("step", None))
        made = of_steps[key]
        free = [each for each in made if each.call_id == ""]
        if any(each.call_id == call.call_id for each in made):
            return True
    else:
        made = those(rows, *same_tool, is_not("call_id", ""))
        free = [each for each in made if each.step is None]
        if any(each.step == call.step and is_same_call(call, each) for each in made):
            return True
    found = next((each for each in free if is_same_call(call, each)), None)
    if found is None:
        return False
    rows.update(TABLE, {"call_id": call.call_id or found.call_id, "step": call.step or found.step}, is_("id", found.id))
    if call.step is None:
        made[made.index(found)] = replace(found, call_id=call.call_id)
    return True


def those(rows: Rows, *which: Condition) -> list[ToolCall]:
    return [call_from_row(each) for each in rows.select(TABLE, COLUMNS, *which, order=("id",))]


def _make_slim(rows: Rows, folded: str) -> None:
    """Of a tool's older calls nothing is kept but what is counted."""
    kept = rows.select(TABLE, ("id",), is_("folded", folded), order=("-id",), limit=KEPT + 1)
    if len(kept) > KEPT:
        older = (is_("folded", folded), is_("is_slim", 0), at_most("id", kept[-1][0]))
        rows.update(TABLE, {"is_slim": 1, "input": "", "output": ""}, *older)
