"""JSON of the stream of all that changes: each notice with its cursor and its chat, then its event as in a turn."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.domain.feed import MOST_CHANGES, ChangedElsewhere, FeedEvent, Missed, Notice, OperationMade
from orca_core.domain.journal import Change, Operation
from orca_core.wire.events import Sentence, event_json, in_english
from orca_core.wire.memories import change_json
from orca_core.wire.refs import ref_json
from orca_core.wire.values import Json, timestamp_json


def notice_json(notice: Notice, sentence: Sentence = in_english) -> Json:
    """`cursor` is what to go on after; `chat` is None where the event is of none."""
    return {"cursor": notice.cursor, "chat": notice.session_id or None, **_event_json(notice.event, sentence)}


def operation_json(operation: Operation) -> Json:
    """An operation, without what it changed."""
    header, under_way = operation.header, operation.under_way
    return {
        "id": operation.id,
        "actor": header.actor.value,
        "action": header.action,
        "at": timestamp_json(header.at),
        "session_id": header.session_id,
        "round": header.round,
        "undoes": operation.undoes,
        "undone_by": operation.undone_by,
        "under_way": None if under_way is None else {"done": under_way.done, "whole": under_way.whole},
    }


def operation_made_json(operation: Operation, changes: Sequence[Change]) -> Json:
    """An operation with what it changed; `cut` where that is only the beginning."""
    return {
        "operation": operation_json(operation),
        "changes": [{"id": ref_json(change.ref), **change_json(change)} for change in changes],
        **({"cut": True} if len(changes) >= MOST_CHANGES else {}),
    }


def _event_json(event: FeedEvent, sentence: Sentence) -> Json:
    match event:
        case OperationMade():
            return {"event": event.event, **operation_made_json(event.operation, event.changes)}
        case ChangedElsewhere():
            return {"event": event.event}
        case Missed():
            return {"event": event.event, "count": event.count}
        case _:
            return event_json(event, sentence)
