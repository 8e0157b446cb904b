"""What happened to a record of any kind, as a diary. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _

from textual.content import Content

from orca_core.model.operations import Change
from orca_tui.app.widgets.literal import literal
from orca_tui.app.widgets.rows import padded
from orca_tui.marks import Marks
from orca_tui.words.history_words import ACTION_WORDS, actor_word, change_detail


def history_content(history: Sequence[Change], marks: Marks) -> Content:
    """What happened to a record, newest first, a line each."""
    return Content("\n").join(_change_line(change, marks) for change in reversed(history))


def _change_line(change: Change, marks: Marks) -> Content:
    when = change.at.astimezone().strftime("%m-%d %H:%M")
    word = _(ACTION_WORDS.get(change.action, change.action))
    head = f"{when}  {padded(actor_word(change.actor), 12)} {padded(word, 12)} "
    return literal(head, "$foreground-muted") + literal(change_detail(change, marks))
