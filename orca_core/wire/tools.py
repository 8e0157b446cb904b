"""Tools in JSON: guides with their figures, calls as they are reported and told again, and what became of reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from orca_core.domain.errors import InvalidInput
from orca_core.domain.growth.tools import GUIDES, CallsTaken, Guide, GuideView, RefusedCall, ToolCall
from orca_core.wire.values import Json, number, timestamp_json


def guide_json(view: GuideView) -> Json:
    """What is known of a tool; `id`, `text` and `updated_at` are null where no guide was written of it yet."""
    figures, guide = view.figures, view.guide
    return {
        "id": None if guide is None else str(GUIDES.ref(guide)),
        "tool": figures.tool,
        "text": None if guide is None else guide.text,
        "calls": figures.calls,
        "success_rate": number(figures.success_rate) if figures.calls else None,
        "median_s": None if figures.median_s is None else number(figures.median_s),
        "p95_s": None if figures.p95_s is None else number(figures.p95_s),
        "errors": [{"error": error, "count": count} for error, count in figures.errors],
        "updated_at": None if guide is None else timestamp_json(guide.updated_at),
    }


def tool_json(view: GuideView) -> Json:
    """All that a person is shown of a tool and its guide; `waiting` is the guide that waits, which no program gets."""
    written = {} if view.guide is None else _record_json(view.guide)
    waiting = None
    if view.waiting is not None:
        waiting = {"id": str(GUIDES.ref(view.waiting)), "text": view.waiting.text, **_record_json(view.waiting)}
    return {
        **guide_json(view),
        "last_call_at": timestamp_json(view.figures.last_at),
        "status": None if view.status is None else view.status.value,
        **written,
        "waiting": waiting,
    }


def tool_shown_json(view: GuideView, calls: Sequence[ToolCall]) -> Json:
    return {**tool_json(view), "latest": [call_json(each) for each in calls]}


def tools_json(views: Sequence[GuideView]) -> Json:
    return {"tools": [tool_json(each) for each in views], "total": len(views)}


def call_json(call: ToolCall) -> Json:
    """A call as it can be reported again: it is known then."""
    return {
        "tool": call.tool,
        "call_id": call.call_id,
        "session_id": call.session_id,
        "input": call.input,
        "output": call.output,
        "success": call.success,
        "seconds": call.seconds,
        "tokens": call.tokens,
        "at": timestamp_json(call.at),
        "step": call.step,
    }


def calls_from(document: Any) -> list[Mapping[str, Any]]:
    """The calls of a report: one call, a list of them, or `{"calls": […]}`. What each is worth is for whoever records
    it. Raises InvalidInput."""
    found = document.get("calls", [document]) if isinstance(document, Mapping) else document
    if not isinstance(found, list):
        raise InvalidInput(
            template="that is no report of calls", hint='one call, a list of calls, or an object with "calls", as JSON'
        )
    return found


def taken_json(taken: CallsTaken) -> Json:
    """How many calls are new, how many were known, and which were refused, by their place from 0 on."""
    return {"taken": len(taken.taken), "known": taken.known, "refused": [refused_json(each) for each in taken.refused]}


def refused_json(refused: RefusedCall) -> Json:
    return {"id": None, "place": refused.place, "reason": refused.reason}


def _record_json(guide: Guide) -> Json:
    return {
        "uid": guide.uid,
        "version": guide.version,
        "pinned": guide.pinned,
        "held_because": guide.held_because,
        "archived_because": None if guide.archived_because is None else guide.archived_because.value,
        "access_count": guide.access_count,
        "last_accessed": timestamp_json(guide.last_accessed),
        "created_at": timestamp_json(guide.created_at),
    }
