"""Errors as events of a turn."""

from __future__ import annotations

from orca_core.domain.errors import OrcaError, StorageError
from orca_core.domain.events import Failed


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
        fields={**error.fields, "reason": error.message},
    )
