"""What was said, newest last. It follows the end until someone scrolls up."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _

from textual.containers import VerticalScroll
from textual.widgets import Static

from orca_core.domain.dialogues import Round, RoundState
from orca_tui.app.keymap import TRANSCRIPT, bindings
from orca_tui.app.messages import ReachedTop, TranscriptAction
from orca_tui.app.plain import plain
from orca_tui.app.widgets.message_view import RoundView

KEPT_LIVE = 2
"""So many rounds stay widgets of their own Markdown."""
SHOWN_AT_FIRST = 40
ENDINGS = {
    RoundState.INTERRUPTED: "— stopped",
    RoundState.FAILED: "— failed",
}


class Transcript(VerticalScroll):
    """The rounds of one chat."""

    BINDINGS = bindings(TRANSCRIPT)

    def __init__(self) -> None:
        super().__init__(id="transcript")
        self._rounds: list[RoundView] = []
        self._earlier: list[Round] = []

    def on_mount(self) -> None:
        self.anchor()

    @property
    def last(self) -> RoundView | None:
        return self._rounds[-1] if self._rounds else None

    @property
    def rounds(self) -> list[RoundView]:
        return list(self._rounds)

    async def clear(self, welcome: str = "") -> None:
        self._rounds.clear()
        self._earlier.clear()
        await self.remove_children()
        if welcome:
            await self.mount(Static(plain(welcome), classes="welcome"))

    async def show(self, rounds: Sequence[Round], welcome: str) -> None:
        """A chat as it stands in the store; of a long one its end, the rest when it is asked for."""
        await self.clear("" if rounds else welcome)
        self._earlier = list(rounds[:-SHOWN_AT_FIRST])
        views = [_view(each) for each in rounds[-SHOWN_AT_FIRST:]]
        self._rounds = views
        if self._earlier:
            await self.mount(Static(plain(self._more_line()), classes="earlier"))
        await self.mount_all(views)
        self.anchor()

    async def show_earlier(self) -> None:
        """Some more of what was said before."""
        if not self._earlier:
            return
        views = [_view(each) for each in self._earlier[-SHOWN_AT_FIRST:]]
        self._earlier = self._earlier[:-SHOWN_AT_FIRST]
        await self.mount_all(views, before=self._rounds[0])
        self._rounds = [*views, *self._rounds]
        line = self.query_one(".earlier", Static)
        if self._earlier:
            line.update(plain(self._more_line()))
        else:
            await line.remove()

    async def begin(self, number: int, question: str) -> RoundView:
        """A question was sent: its answer will come here."""
        await self.query(".welcome").remove()
        view = RoundView(number, question)
        self._rounds.append(view)
        await self.mount(view)
        for old in self._rounds[: -KEPT_LIVE - 1]:
            await old.freeze()
        self.anchor()
        return view

    async def drop(self, number: int) -> None:
        """A round that another attempt takes the place of."""
        for view in [each for each in self._rounds if each.number >= number]:
            self._rounds.remove(view)
            await view.remove()

    async def say(self, text: str, classes: str) -> None:
        """A line that is no round: an error where the answer would be, or a note."""
        await self.mount(Static(plain(text), classes=classes))

    def action_move(self, step: int) -> None:
        """To the next message, or the one before."""
        if not self._rounds:
            return
        if step < 0 and self._focused is self._rounds[0]:
            self.post_message(ReachedTop())
            return
        place = self._rounds.index(self._focused) if self._focused in self._rounds else len(self._rounds) - step
        view = self._rounds[max(0, min(place + step, len(self._rounds) - 1))]
        view.focus()
        view.scroll_visible(animate=False)

    def action_follow(self) -> None:
        self.anchor()
        self.scroll_end(animate=False)

    def action_copy(self) -> None:
        self._act("copy")

    def action_copy_code(self) -> None:
        self._act("copy_code")

    def action_regenerate(self) -> None:
        self._act("regenerate")

    def action_edit(self) -> None:
        self._act("edit")

    def action_why(self) -> None:
        self._act("why")

    def action_editor(self) -> None:
        self._act("editor")

    def action_reasoning(self) -> None:
        view = self._focused or self.last
        if view is not None and view.reasoning:
            view.toggle_reasoning()

    @property
    def _focused(self) -> RoundView | None:
        focused = self.screen.focused
        return focused if isinstance(focused, RoundView) else None

    def _act(self, action: str) -> None:
        view = self._focused or self.last
        if view is not None:
            self.post_message(TranscriptAction(action, view.number, view.answer or view.question))

    def _more_line(self) -> str:
        return _("{count} earlier rounds: k at the top shows more").format(count=len(self._earlier))


def _view(each: Round) -> RoundView:
    ending = ENDINGS.get(each.state, "")
    return RoundView(each.number, each.user, answer=each.assistant or " ", note=_(ending) if ending else "")
