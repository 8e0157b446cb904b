"""What a command changed, and why one was refused, in JSON: the same for records of every kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from orca_core.domain.journal import Conflict
from orca_core.domain.refs import Ref
from orca_core.wire.refs import ref_json
from orca_core.wire.values import Json

DELETED = "deleted"


def outcome_json(
    operations: Sequence[int | None], changed: Sequence[Json], refused: Sequence[Json] = (), **more: Any
) -> Json:
    """`operation` is what an undo takes, the last one where there were several, null where nothing can be taken back;
    `changed` are the records as they are now; `refused` is what was left as it was, though it was asked for."""
    made = [each for each in operations if each is not None]
    return {
        "operation": made[-1] if made else None,
        "operations": made,
        "changed": list(changed),
        "refused": list(refused),
        **more,
    }


def deleted_json(ref: Ref) -> Json:
    """A record that is there no more."""
    return {"id": ref_json(ref), "status": DELETED}


def conflict_json(conflict: Conflict) -> Json:
    """A field that an undo left alone, because something changed it later."""
    return {"id": ref_json(conflict.ref), "field": conflict.field, "reason": "changed_later"}


def error_json(kind: str, message: str, hint: str = "", *, is_event: bool = False) -> Json:
    """Why nothing was done: the one document of a command that failed, or the last line of one that prints events."""
    said = {"kind": kind, "message": message, "hint": hint}
    return {"event": "error", **said} if is_event else {"error": said}
