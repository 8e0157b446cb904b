"""One line above everything: which chat, which model, how memory fares. Parts leave by rank as the width falls."""

from __future__ import annotations

from gettext import gettext as _

from msgspec import Struct
from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget

from orca_core.model.recall import Level
from orca_tui.app.widgets.text import cut, fitted, literal
from orca_tui.language import N_
from orca_tui.marks import Marks

LEVEL_WORDS = (N_("memory full"), N_("text only"), N_("short-term only"), N_("memory off"))

TASK_CELLS = 40
"""A task that is current gets no more room than that."""


class HeaderState(Struct, frozen=True):
    """What the header tells. The title is empty where it is not known yet."""

    title: str = ""
    task: str = ""
    model: str = ""
    is_demo: bool = False
    is_private: bool = False
    level: Level = Level.FULL
    kept: int = 0
    core: int = 0
    inbox: int = 0
    parked: int = 0
    is_resting: bool = False
    embedded: str = ""
    buffered: str = ""
    tokens: str = ""


class HeaderLine(Widget):
    """Draws its state, and never lies about being a demo."""

    def __init__(self, marks: Marks) -> None:
        super().__init__(id="header")
        self._marks = marks
        self._state = HeaderState()

    def show(self, state: HeaderState) -> None:
        if state != self._state:
            self._state = state
            self.refresh()

    def render(self) -> Content:
        state, width = self._state, self.size.width
        right = [part for part in self._right_parts() if part]
        model = _("demo · no model connected") if state.is_demo else state.model
        names = self._names(f"orca  {state.title}".rstrip(), model)
        while len(right) > self._urgent and _cells(names[0], right) > width:
            right.pop()
        left = next((each for each in names if _cells(each, right) <= width), names[-1])
        tail = "   ".join(right)
        room = max(0, width - cell_len(tail) - 3)
        return literal(f" {fitted(left, room, self._marks)} ", "bold") + literal(f"{tail} ", "$foreground-muted")

    def _names(self, chat: str, model: str) -> list[str]:
        """The chat, what it works on and its model: all of it, then what of it is left as the room falls."""
        behind = f" {self._marks.dot} {model}" if model else ""
        must = behind if self._state.is_demo else ""
        if not self._state.task:
            return [f"{chat}{behind}", f"{chat}{must}"]
        task = f"{self._marks.cursor} {cut(self._state.task, TASK_CELLS)}"
        return [f"{chat}  {task}{behind}", f"{chat}  {task}{must}", f"orca  {task}{must}"]

    @property
    def _urgent(self) -> int:
        """So many parts stay whatever the width: how memory fares, and what waits for the user."""
        return 1 + bool(self._state.inbox) + bool(self._state.parked) + self._state.is_resting

    def _right_parts(self) -> list[str]:
        state, marks = self._state, self._marks
        number = int(state.level) - 1
        return [
            f"{marks.level[number]} {_(LEVEL_WORDS[number])}" + (f" · {_('private')}" if state.is_private else ""),
            _("? {count} to review").format(count=state.inbox) if state.inbox else "",
            _("! {count} parked").format(count=state.parked) if state.parked else "",
            _("learning rests until tomorrow") if state.is_resting else "",
            _("embedding {progress}").format(progress=state.embedded) if state.embedded else "",
            state.buffered,
            state.tokens,
            _("{kept} kept  {core} core").format(kept=state.kept, core=state.core) if state.kept else "",
        ]


def _cells(left: str, right: list[str]) -> int:
    return cell_len(left) + cell_len("   ".join(right)) + 3
