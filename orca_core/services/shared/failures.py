"""Errors as events of a turn, and as a run's cause."""

from __future__ import annotations

import asyncio
import traceback
from pathlib import Path

from orca_core.model.errors import Mistake, OrcaError, StorageError
from orca_core.model.events import Failed
from orca_core.unattended import LOG


def cause(error: Exception) -> str:
    """The cause of work that failed in the background. An exception that is no OrcaError is a mistake in Orca: its
    kind and its place are recorded, its message is not, for that may hold what a user wrote."""
    if isinstance(error, OrcaError):
        return str(error)
    LOG.error("something broke in the background", exc_info=error)
    return f"something broke that should not: {type(error).__name__} ({_place_of(error)})"


def mistake(error: Exception) -> OrcaError:
    """The error that ended a turn. An exception that is no OrcaError is reported to the event loop, too."""
    if isinstance(error, OrcaError):
        return error
    report = {"message": "a turn broke for a mistake in Orca", "exception": error}
    asyncio.get_running_loop().call_exception_handler(report)
    return Mistake(what=type(error).__name__, where=_place_of(error))


def of_a_port(error: Exception, who: str) -> OrcaError:
    """The failure of an embedder or a reranker, which may raise what it likes. What it promised not to raise is logged
    by its kind and place: its message may hold what a user wrote in private."""
    if isinstance(error, OrcaError):
        return error
    told = Mistake(what=type(error).__name__, where=_place_of(error))
    LOG.error("%s broke: %s (%s)", who, told.fields["what"], told.fields["where"])
    return told


def _place_of(error: Exception) -> str:
    steps = traceback.extract_tb(error.__traceback__)
    return f"{Path(steps[-1].filename).name}:{steps[-1].lineno}" if steps else "nowhere"


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
    """The event for a failed save: the answer comes all the same."""
    return Failed(
        kind="not_saved",
        message=f"not saved: {error.message}",
        hint=error.hint,
        template="not saved: {reason}",
        hint_template=error.way_out_template,
        fields={**error.fields, "reason": error.message, "reason_template": error.sentence_template},
    )
