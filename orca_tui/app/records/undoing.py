"""Taking changes back, and bringing back what was taken back."""

from __future__ import annotations

from gettext import gettext as _

from orca_core.model.operations import Undone
from orca_tui.app.bridge import Bridge
from orca_tui.app.stage import Stage
from orca_tui.words.history_words import undone_words


class Undoing:
    """Undo and redo, said in a sentence."""

    def __init__(self, stage: Stage, bridge: Bridge) -> None:
        self.deletion_is_last = False
        """What came before a deletion is not taken back in its place."""
        self._stage = stage
        self._bridge = bridge

    def undo(self, operation: int | None = None) -> None:
        """Take back an operation, else the latest."""
        if operation is None and self.deletion_is_last:
            self.deletion_is_last = False
            self._stage.note(_("a deletion can't be taken back; again takes back what came before it"))
            return
        self._stage.ask(lambda: self._bridge.engine.history.undo(operation), self._undone)

    def redo(self) -> None:
        self._stage.ask(self._bridge.engine.history.redo, self._undone)

    def _undone(self, undone: Undone) -> None:
        self._stage.note(undone_words(undone))
        self._stage.changed(anew=True)
