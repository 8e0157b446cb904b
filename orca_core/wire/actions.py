"""Acts of the user in JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from orca_core.domain.growth.actions import ACTIONS, Action
from orca_core.domain.queries import RecordPage
from orca_core.domain.refs import Ref
from orca_core.domain.work.tasks import TASK
from orca_core.wire.refs import ref_json
from orca_core.wire.values import Json, timestamp_json


def action_json(action: Action, supports: Sequence[int] = ()) -> Json:
    """An act; `supports` are the memories that it speaks for by now."""
    return {
        "id": ref_json(ACTIONS.ref(action)),
        "uid": action.uid,
        "type": action.type.value,
        "session_id": action.session_id,
        "round": action.round,
        "message_id": action.message or None,
        "task_id": None if action.task is None else ref_json(Ref(TASK, action.task)),
        "tool": action.tool or None,
        "call_id": action.call or None,
        "at": timestamp_json(action.at),
        "data": dict(action.data),
        "state": action.state.value,
        "read": action.read.value,
        "supports": list(supports),
    }


def actions_json(page: RecordPage[Action], supports: Mapping[int, Sequence[int]]) -> Json:
    """A page of acts; `total` counts those beyond the page too."""
    return {
        "actions": [action_json(each, supports.get(each.id, ())) for each in page.records],
        "total": page.total,
    }
