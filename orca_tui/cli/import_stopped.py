"""What is said of an import that a signal ended: whether it came in before that."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from gettext import gettext as _

from orca_core.domain.errors import StorageError
from orca_core.domain.exchange import IMPORT
from orca_tui.cli.runtime import OpenOrca, Runtime
from orca_tui.signals import Signalled

LATEST = 5
"""Among so many operations the import is looked for: another Orca may have written meanwhile."""


@contextmanager
def import_told_if_stopped(runtime: Runtime, orca: OpenOrca) -> Iterator[None]:
    """Where a signal ends what is done within, say at the end of the process what became of it."""
    before = orca.run(orca.engine.reached())
    try:
        yield
    except (KeyboardInterrupt, Signalled):
        runtime.if_stopped = _words(orca, before or 0)
        raise


def _words(orca: OpenOrca, before: int) -> str:
    try:
        latest = orca.run(orca.engine.history.activity(LATEST))
    except StorageError:
        return _("stopped: orca activity shows whether anything was brought in")
    for operation, _changes in latest:
        if operation.id > before and operation.header.action == IMPORT:
            return _("stopped, but all was brought in: orca memory undo {operation} takes it back").format(
                operation=operation.id
            )
    return _("stopped: nothing was brought in")
