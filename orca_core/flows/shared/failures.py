"""Errors as events of a turn, and as a run's cause."""

from __future__ import annotations

import traceback
from pathlib import Path

from orca_core.domain.errors import OrcaError, StorageError
from orca_core.domain.events import Failed
from orca_core.tasks import LOG


def cause(error: Exception) -> str:
    """What is said of work that failed in the background. What is no error of Orca's own is a mistake in it: its kind
    and its place are said; its words may hold what a user wrote, and are kept nowhere."""
    if isinstance(error, OrcaError):
        return str(error)
    LOG.error("something broke in the background", exc_info=error)
    steps = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(steps[-1].filename).name}:{steps[-1].lineno})" if steps else ""
    return f"something broke that should not: {type(error).__name__}{where}"


def failed(error: OrcaError) -> Failed:
    """An error as an event."""
    return Failed(
        kind=error.kind,
        message=error.message,
        hint=error.hint,
        template=error.sentence_template,
        hint_template=error.way_out_template,
        fields=dict(error.fields),
    )


def not_saved(error: StorageError) -> Failed:
    """What could not be saved still gets its answer, and this."""
    return Failed(
        kind="not_saved",
        message=f"not saved: {error.message}",
        hint=error.hint,
        template="not saved: {reason}",
        hint_template=error.way_out_template,
        fields={**error.fields, "reason": error.message, "reason_template": error.sentence_template},
    )
