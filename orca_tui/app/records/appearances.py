"""Shows where a record was put before the model: the same for every kind. Changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _

from textual.content import Content

from orca_core.model.recall import Appearance
from orca_core.model.records import Ref
from orca_tui.app.bridge import Bridge
from orca_tui.app.stage import Stage
from orca_tui.app.widgets.dialogs import MoreToRead, TextView
from orca_tui.app.widgets.literal import literal
from orca_tui.marks import Marks
from orca_tui.words.memory_words import appearance_parts, appearances_title, no_appearance

WHY_KEY = "w"
MUTED = "$foreground-muted"


class Appearances:
    """A view of its own, from a list by its key, or from a record that is shown in full."""

    def __init__(self, stage: Stage, bridge: Bridge, marks: Marks) -> None:
        self._stage = stage
        self._bridge = bridge
        self._marks = marks

    def show(self, ref: Ref) -> None:
        def opened(appearances: Sequence[Appearance]) -> None:
            self._stage.push(TextView(appearances_title(ref), appearances_content(appearances, self._marks)))

        self._stage.ask(lambda: self._bridge.engine.sessions.appearances(ref), opened, group="look memory")

    def to_read(self, ref: Ref) -> MoreToRead:
        """The same, one key away from a text."""
        return MoreToRead(WHY_KEY, _("why"), lambda: self.show(ref))


def appearances_content(appearances: Sequence[Appearance], marks: Marks) -> Content:
    """When a record was put before the model, why, and what came of it."""
    if not appearances:
        return literal(no_appearance(), MUTED)
    return Content("\n").join(_line(each, marks) for each in appearances)


def _line(each: Appearance, marks: Marks) -> Content:
    when, words, where = appearance_parts(each, marks)
    return literal(f"{when}  ", MUTED) + literal(words) + literal(f"  {where}", MUTED)
