"""A guide of a tool in a line, in two lines and in full, with the figures of its tool. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from gettext import gettext as _

from msgspec import Struct
from rich.segment import Segment
from textual.content import Content

from orca_core.model.memories import Status
from orca_core.model.operations import Change
from orca_core.model.records import plain_ref
from orca_core.model.tools import GUIDES, Guide, ToolFigures
from orca_tui.app.records.history import history_content
from orca_tui.app.records.row import bar, bar_width, record_row
from orca_tui.app.widgets.literal import literal
from orca_tui.app.widgets.rows import RowStyles
from orca_tui.app.work.details import Row, source_words, standing, table, two_lines, use_words, versions
from orca_tui.app.work.rows import share
from orca_tui.language import counted, listed
from orca_tui.marks import Marks
from orca_tui.text_rules import one_line
from orca_tui.times import ago
from orca_tui.words.memory_words import reason_phrase, status_word
from orca_tui.words.tool_words import figures_lines

SHOWN_CHARS = 300


class GuideRow(Struct, frozen=True):
    """A guide with its status and the figures of its tool."""

    guide: Guide
    status: Status
    figures: ToolFigures

    @property
    def record(self) -> Guide:
        """The guide, as a list of any kind calls it."""
        return self.guide


def guide_row(
    view: GuideRow, width: int, marks: Marks, styles: RowStyles, *, is_marked: bool, change: str
) -> list[Segment]:
    """Of which tool it is and what it says, and how often its calls succeed."""
    guide, rate = view.guide, view.figures.success_rate
    tail = f" {change or f'{share(rate) if view.figures.calls else marks.dot:>4}'}"
    tail += f" {bar(rate, cells, marks)}" if (cells := bar_width(width)) else ""
    name, text = str(plain_ref(GUIDES.ref(guide))), f"{guide.target}: {one_line(guide.text, SHOWN_CHARS)}"
    return record_row(
        guide, view.status, name, text, tail, width, marks, styles, is_marked=is_marked, is_changed=bool(change)
    )


def guide_glance(view: GuideRow, now: datetime, marks: Marks) -> Content:
    """The guide under the cursor, in two lines."""
    guide, [calls, *rest] = view.guide, figures_lines(view.figures)
    words = [guide.target, calls, _("version {number}").format(number=guide.version)]
    words += [ago(guide.updated_at, now), reason_phrase(guide.held_because or "")]
    return two_lines(words, listed(rest) or one_line(guide.text, SHOWN_CHARS), marks)


def guide_content(view: GuideRow, history: Sequence[Change], now: datetime, marks: Marks) -> Content:
    """All of a guide: the text, the figures of its tool, what it said before."""
    guide, [calls, *rest] = view.guide, figures_lines(view.figures)
    rows: list[Row] = [
        (_("status"), standing(status_word(view.status), guide.held_because, is_pinned=guide.pinned)),
        (_("version"), str(guide.version)),
        (_("use"), use_words(guide.access_count, guide.last_accessed, now)),
        (_("from"), source_words("", guide.origin, marks)),
        (_("calls"), calls),
    ]
    lines = [literal(guide.target, "bold"), Content(""), literal(guide.text), Content(""), *table(rows)]
    lines += [literal(f"  {line}") for line in rest]
    lines += [*versions(history, "text"), Content(""), literal(_("history"), "bold")]
    return Content("\n").join([*lines, history_content(history, marks)])


def no_guides(is_filtered: bool, to_review: int) -> str:
    """What an empty list of guides says."""
    if is_filtered:
        return _("nothing matches")
    if to_review:
        return counted(
            "No guide yet, but {count} waits for you: f5", "No guide yet, but {count} wait for you: f5", to_review
        )
    return _("No guide yet. What calls of a tool teach comes to stand here, once there are enough of them.")
