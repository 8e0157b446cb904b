"""The candidates that wait, a line each: their marks, and the one that is looked at."""

from __future__ import annotations

from collections.abc import Callable
from gettext import gettext as _

from rich.segment import Segment

from orca_core.model.memories import Waits
from orca_core.model.records import plain_ref
from orca_tui.app.records.triage import Triage, chat_of, program_of
from orca_tui.app.widgets.line_list import LineList
from orca_tui.app.widgets.rows import fitted
from orca_tui.marks import Marks
from orca_tui.text_rules import one_line
from orca_tui.words.memory_words import PROGRAM_WORDS
from orca_tui.words.work_words import KIND_WORDS

CELLS_WITH_PLACE = 60
"""From so many cells on, a row also says where its candidate came from."""
PLACE_CELLS = 18


class InboxList(LineList):
    """Rows of the triage; `looked_at` is called when the cursor has moved."""

    def __init__(self, marks: Marks, looked_at: Callable[[], None]) -> None:
        super().__init__(id="inbox-list")
        self.triage = Triage()
        self._marks = marks
        self._looked_at = looked_at

    @property
    def current(self) -> Waits | None:
        return self.triage.shown[self.cursor] if self.cursor < len(self.triage.shown) else None

    def draw(self, at: int) -> None:
        """The triage changed: the cursor stands on this row now."""
        self.set_count(len(self.triage.shown))
        self.cursor = max(0, min(at, self.count - 1))
        self.show_cursor()

    def row(self, number: int, width: int) -> list[Segment]:
        waits, styles = self.triage.shown[number], self.styles_of_rows
        is_marked = self.triage.is_marked(waits)
        head = f"{self._marks.marked if is_marked else ' '}{self._marks.candidate} {plain_ref(waits.ref):>5} "
        place = place_words(waits) if width >= CELLS_WITH_PLACE else ""
        tail = f"  {fitted(place, PLACE_CELLS, self._marks)}" if place else ""
        return [
            Segment(head, styles.accent if is_marked else styles.muted),
            Segment(fitted(waits.text, width - len(head) - (PLACE_CELLS + 2 if tail else 0), self._marks), styles.text),
            Segment(tail, styles.muted),
        ]

    def empty_row(self) -> str:
        return _("nothing matches") if self.triage.is_narrowed else ""

    def moved(self, before: int) -> None:
        super().moved(before)
        self._looked_at()


def place_words(waits: Waits) -> str:
    """Where it came from: a chat elsewhere, else its program; of another kind than memories what it is."""
    if words := KIND_WORDS.get(waits.ref.kind):
        return _(words)
    return chat_of(waits) or _(PROGRAM_WORDS.get(program_of(waits), program_of(waits)) or " ").strip()


def narrowing_words(triage: Triage) -> list[str]:
    """How many are marked of all that wait, and what narrows those that are shown."""
    narrowing, marked, words = triage.narrowing, len(triage.marked), list[str]()
    if marked:
        of_all = _("{count} of {all} marked").format(count=marked, all=triage.count)
        hidden = " " + _("({count} out of sight)").format(count=triage.hidden) if triage.hidden else ""
        words.append(of_all + hidden)
    elif triage.is_narrowed:
        words.append(_("{count} in all").format(count=triage.count))
    kinds = {kind.name: text for kind, text in KIND_WORDS.items()}
    if narrowing.type:
        words.append(_(kinds[narrowing.type]) if narrowing.type in kinds else narrowing.type)
    if narrowing.program:
        words.append(_(PROGRAM_WORDS.get(narrowing.program, narrowing.program)))
    return [*words, one_line(narrowing.chat, PLACE_CELLS * 2)] if narrowing.chat else words
