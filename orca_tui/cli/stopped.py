"""What is said of an import, an undo or a redo that a signal ended: whether it was done before that."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from gettext import gettext as _

from orca_core.model.errors import StorageError
from orca_core.model.import_export import IMPORT
from orca_core.model.operations import Operation
from orca_tui.cli.runtime import OpenOrca, Runtime
from orca_tui.signals import Signalled
from orca_tui.words.history_words import half_done_line

LATEST = 5
"""Among so many operations it is looked for: another Orca may have written meanwhile."""
TURNED_BACK_BY = {"undo": "redo", "redo": "undo"}

IsOurs = Callable[[Operation], bool]
"""Whether an operation is the stopped command's: it came since, or was half done before."""


def nothing_came() -> str:
    """What is said as long as no import is done."""
    return _("stopped: nothing was brought in")


def nothing_was_taken_back() -> str:
    """What is said as long as no undo or redo has begun."""
    return _("stopped: nothing was taken back")


def import_words(latest: Sequence[Operation], is_ours: IsOurs) -> str:
    """Say what became of an import."""
    came = next((each for each in latest if is_ours(each) and each.header.action == IMPORT), None)
    if came is None:
        return nothing_came()
    return _("stopped, but all was brought in: orca memory undo {operation} takes it back").format(operation=came.id)


def undo_words(latest: Sequence[Operation], is_ours: IsOurs) -> str:
    """Say what became of an undo or a redo; an earlier one that is under way goes first."""
    own = [each for each in latest if each.header.action in TURNED_BACK_BY]
    found = next((each for each in own if each.under_way is not None or is_ours(each)), None)
    if found is None:
        return nothing_was_taken_back()
    fields = {"operation": found.id, "command": f"orca memory {TURNED_BACK_BY[found.header.action]} {found.id}"}
    if found.under_way is None:
        return _("stopped, but all was taken back: {command} turns [{operation}] round").format(**fields)
    words = _("stopped at {percent} %: [{operation}] goes on in the app or by orca upkeep; {command} turns it round")
    return words.format(percent=found.under_way.percent, **fields)


def warn_of_half_done(runtime: Runtime, orca: OpenOrca) -> None:
    """Say before a list what of it an undo or redo has not come to yet that a killed process began."""
    for operation in orca.run(orca.engine.history.waiting()):
        runtime.output.warn(half_done_line(operation))


@contextmanager
def told_if_stopped(
    runtime: Runtime, orca: OpenOrca, words: Callable[[Sequence[Operation], IsOurs], str]
) -> Iterator[None]:
    """Where a signal ends what is done within, say at the end of the process what became of it."""
    before = orca.run(orca.engine.reached()) or 0
    half_done = {each.id for each in orca.run(orca.engine.history.waiting())}
    try:
        yield
        runtime.if_stopped = ""
    except (KeyboardInterrupt, Signalled):
        runtime.if_stopped = _told(orca, lambda each: each.id > before or each.id in half_done, words)
        raise


def _told(orca: OpenOrca, is_ours: IsOurs, words: Callable[[Sequence[Operation], IsOurs], str]) -> str:
    try:
        latest = orca.run(orca.engine.history.activity(LATEST))
    except StorageError:
        return _("stopped: orca activity shows what was done")
    return words([operation for operation, _changes in latest], is_ours)
