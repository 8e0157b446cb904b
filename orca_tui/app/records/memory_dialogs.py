"""Dialogs about memories: what a merge will leave, what could be meant by forgetting."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from orca_core.model.memories import Memory
from orca_tui.app.bridge import Bridge
from orca_tui.app.stage import Stage
from orca_tui.app.widgets.dialogs import Bindings, Choice, Confirm, choice_lines
from orca_tui.app.widgets.text import literal
from orca_tui.marks import Marks
from orca_tui.words.history_words import ids_of
from orca_tui.words.memory_words import weight_figure

TAKEN_BY_THE_REST = 17
"""So many lines of the dialog are not the list."""


class MergeMemories(ModalScreen[Memory | None]):
    """The outcome is shown before it happens; up and down choose whose words stay."""

    BINDINGS: ClassVar[Bindings] = [
        ("escape,q", "dismiss(None)", ""),
        Binding("down,j", "cursor(1)", ""),
        Binding("up,k", "cursor(-1)", ""),
        ("pagedown", "read(1)", ""),
        ("pageup", "read(-1)", ""),
        ("enter,m", "merge", ""),
    ]

    def __init__(self, memories: Sequence[Memory], outcomes: Sequence[Memory], marks: Marks) -> None:
        super().__init__()
        self._memories = memories
        self._outcomes = outcomes
        self._marks = marks
        self._at = 0

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog wide"):
            yield Static(
                literal(_("Merge {count} into one").format(count=len(self._memories)), "bold"), classes="dialog-title"
            )
            yield Static("", id="choices")
            with VerticalScroll(classes="outcome", can_focus=False):
                yield Static("", id="outcome")
            hint = _("up and down choose whose words stay · enter merges · esc back")
            yield Static(literal(hint, "$foreground-muted"))

    def on_mount(self) -> None:
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def action_cursor(self, step: int) -> None:
        self._at = max(0, min(self._at + step, len(self._memories) - 1))
        self._draw()

    def action_read(self, step: int) -> None:
        """A long text is read by pages."""
        self.query_one(VerticalScroll).scroll_relative(y=step * 5, animate=False)

    def action_merge(self) -> None:
        self.dismiss(self._memories[self._at])

    def _draw(self) -> None:
        area, height = self.query_one("#choices", Static), self.app.size.height - TAKEN_BY_THE_REST
        choices = [Choice(f"#{memory.id:<4} {memory.content}", str(memory.id)) for memory in self._memories]
        area.update(choice_lines(choices, self._at, area.size.width, height, self._marks.cursor))
        outcome = outcome_content(self._memories, self._memories[self._at], self._outcomes[self._at], self._marks)
        self.query_one("#outcome", Static).update(outcome)


def outcome_content(memories: Sequence[Memory], kept: Memory, outcome: Memory, marks: Marks) -> Content:
    """What merging would make of the memories."""
    others = [memory for memory in memories if memory.id != kept.id]
    confidence = _step(f"{kept.confidence:.2f}", f"{outcome.confidence:.2f}", marks)
    figures = [
        f"{_('weight')} {_step(weight_figure(kept.weight), weight_figure(outcome.weight), marks)}",
        f"{_('seen')} {_step(str(kept.seen), str(outcome.seen), marks)}",
        f"{_('confidence')} {confidence}",
        _("pinned") if outcome.pinned else "",
        ", ".join(outcome.tags),
    ]
    ids = ids_of(others)
    gone = _("{ids}: archived, replaced by #{kept}. u takes it all back.").format(ids=ids, kept=kept.id)
    return Content("\n").join(
        [
            literal(_("It will say"), "$foreground-muted"),
            literal(outcome.content, "bold"),
            literal(f" {marks.dot} ".join(figure for figure in figures if figure)),
            Content(""),
            literal(gone),
        ]
    )


def _step(before: str, after: str, marks: Marks) -> str:
    return after if before == after else f"{before}{marks.arrow}{after}"


PROPOSALS = 5


class Forgetting:
    """Finds what is meant, and asks before anything happens."""

    def __init__(self, stage: Stage, bridge: Bridge) -> None:
        self._stage = stage
        self._bridge = bridge

    def find(self, text: str) -> None:
        """Look for what a text could mean, and offer to archive it."""

        def found(ids: list[int]) -> None:
            if ids:
                self.offer(ids)
            else:
                self._stage.note(_("nothing is remembered that this could mean"))

        self._stage.ask(lambda: self._near(text), found, group="look forget")

    def offer(self, ids: Sequence[int]) -> None:
        """The user asked to forget something: which of these is meant?"""

        def ask(memories: list[Memory]) -> None:
            detail = "\n".join(f"#{memory.id}  {memory.content}" for memory in memories)

            def answered(yes: bool | None) -> None:
                if yes:
                    archive = self._bridge.orca.memories.archive
                    self._stage.ask(lambda: archive(list(ids)), lambda _changed: self._stage.changed(anew=True))

            self._stage.push(Confirm(_("Archive these?"), detail, _("Archive")), answered)

        self._stage.ask(lambda: self._bridge.orca.memories.get(ids), ask, group="look forget")

    async def _near(self, text: str) -> list[int]:
        return [hit.memory.id for hit in (await self._bridge.orca.search.find(text, PROPOSALS)).hits]
