"""What was said, newest last. It follows the end until someone scrolls up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.containers import VerticalScroll
from textual.widgets import Static

from orca_core.model.feedback import ActionType
from orca_tui.app.keymap import Key, bindings
from orca_tui.app.talk.messages import EndSeen, ReachedTop, TranscriptAction
from orca_tui.app.talk.round_view import RoundView
from orca_tui.app.talk.shown_round import ShownRound
from orca_tui.app.widgets.growing import LaidOutOnce
from orca_tui.app.widgets.literal import literal
from orca_tui.language import N_, counted
from orca_tui.marks import Marks

KEPT_LIVE = 2
"""How many rounds keep Markdown widgets. Chosen by hand; benchmarks/app_speed.py measures the app."""
KEPT_SHOWN = 40
"""Beyond so many, the oldest rounds leave the screen; `ReachedTop` loads them again. Chosen by hand."""

TRANSCRIPT = (
    Key("transcript.next", "j", "move(1)", N_("next message")),
    Key("transcript.previous", "k", "move(-1)", N_("message before")),
    Key("transcript.memories", "enter", "act('memories')", N_("its memories"), is_shown=True),
    Key("transcript.copy", "y", "act('copy')", N_("copy message"), is_shown=True),
    Key("transcript.copy_code", "c", "act('copy_code')", N_("copy next code block"), is_shown=True),
    Key("transcript.regenerate", "r", "act('regenerate')", N_("answer again"), is_shown=True),
    Key("transcript.edit", "e", "act('edit')", N_("edit and resend"), is_shown=True),
    Key("transcript.like", "+", "act('like')", N_("like"), is_shown=True),
    Key("transcript.dislike", "-", "act('dislike')", N_("dislike"), is_shown=True),
    Key("transcript.why", "w", "act('why')", N_("why"), is_shown=True),
    Key("transcript.reasoning", "t", "reasoning", N_("show thinking")),
    Key("transcript.editor", "o", "act('editor')", N_("edit in $EDITOR")),
    Key("transcript.end", "end", "follow", N_("follow the end")),
)


class Transcript(VerticalScroll, LaidOutOnce):
    """The latest rounds of one chat; those before them are asked for with `ReachedTop`."""

    BINDINGS = bindings(TRANSCRIPT)

    def __init__(self, marks: Marks) -> None:
        super().__init__(id="transcript")
        self._marks = marks
        self._views: list[RoundView] = []
        self._is_at_end = True

    def on_mount(self) -> None:
        self.anchor()

    @property
    def views(self) -> list[RoundView]:
        return list(self._views)

    @property
    def last(self) -> RoundView | None:
        return self._views[-1] if self._views else None

    @property
    def chosen(self) -> ShownRound | None:
        """The round with the focus, else the last."""
        view = self._focused or self.last
        return None if view is None else view.said

    @property
    def is_at_end(self) -> bool:
        """Whether what comes is seen."""
        return self._is_at_end

    def view_of(self, number: int) -> RoundView | None:
        return next((view for view in self._views if view.said.number == number), None)

    async def clear(self, welcome: str = "") -> None:
        self._views.clear()
        await self.remove_children()
        if welcome:
            await self.mount(Static(literal(welcome), classes="welcome"))

    async def show(self, rounds: Sequence[ShownRound], earlier: int, welcome: str) -> None:
        """The end of a chat; so many earlier rounds wait to be asked for."""
        await self.clear("" if rounds else welcome)
        self._views = [RoundView(said, self._marks) for said in rounds]
        await self.mount_all(self._views)
        await self._tell_earlier(earlier)
        self.anchor()

    async def add_earlier(self, rounds: Sequence[ShownRound], earlier: int) -> None:
        """Some more of what was said before; what is read stays where it is."""
        if not rounds or not self._views:
            return
        top = self._views[0]
        views = [RoundView(said, self._marks) for said in rounds]
        await self.mount_all(views, before=top)
        self._views = [*views, *self._views]
        await self._tell_earlier(earlier)
        self.call_after_refresh(top.scroll_visible, animate=False, top=True)

    async def insert(self, rounds: Sequence[ShownRound], before: RoundView) -> None:
        """What was said elsewhere before a round that stands here."""
        if before not in self._views:
            return
        at = self._views.index(before)
        views = [RoundView(said, self._marks) for said in rounds]
        self._views[at:at] = views
        await self.mount_all(views, before=before)

    async def begin(self, said: ShownRound) -> RoundView:
        """A question was sent: its answer will come here."""
        await self.query(".welcome, .notice").remove()
        view = RoundView(said, self._marks)
        if self.last is not None:
            self.last.forget_usage()
        self._views.append(view)
        await self.mount(view)
        for old in self._views[: -KEPT_LIVE - 1]:
            await old.freeze()
        self.anchor()
        return view

    async def shed(self, earlier: int) -> list[ShownRound]:
        """Remove the oldest rounds beyond the limit, and return them."""
        gone = self._views[:-KEPT_SHOWN] if self._is_at_end else []
        if gone:
            self._views = self._views[len(gone) :]
            for view in gone:
                await view.remove()
            await self._tell_earlier(earlier + len(gone))
        return [view.said for view in gone]

    async def drop(self, number: int) -> None:
        """A round that another attempt takes the place of."""
        for view in [each for each in self._views if each.said.number >= number]:
            self._views.remove(view)
            await view.remove()

    async def say(self, text: str, classes: str) -> None:
        """A line that belongs to no round."""
        await self.mount(Static(literal(text), classes=classes))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if (is_at_end := self.max_scroll_y - new_value < 1) != self._is_at_end:
            self._is_at_end = is_at_end
            self.post_message(EndSeen(is_at_end))
        if new_value < 1 <= old_value:
            self.post_message(ReachedTop())

    def action_move(self, step: int) -> None:
        """To the next message, or the one before."""
        if not self._views:
            return
        if step < 0 and self._focused is self._views[0]:
            self.post_message(ReachedTop())
            return
        place = self._views.index(self._focused) if self._focused in self._views else len(self._views) - step
        self.look_at(self._views[max(0, min(place + step, len(self._views) - 1))])

    def judge(self, opinions: Mapping[int, ActionType]) -> None:
        """What the user thinks of the answers that are shown."""
        for view in self._views:
            view.judge(opinions.get(view.said.number))

    def look_at(self, view: RoundView) -> None:
        """Put a round on the screen, and the keys on it."""
        view.focus(scroll_visible=False)
        view.scroll_visible(animate=False)

    def action_follow(self) -> None:
        self.anchor()
        self.scroll_end(animate=False)

    def action_act(self, action: str) -> None:
        """Something is to be done about the round with the focus, else about the last."""
        if (said := self.chosen) is not None:
            self.post_message(TranscriptAction(action, said))

    def action_reasoning(self) -> None:
        view = self._focused or self.last
        if view is not None:
            view.toggle_reasoning()

    @property
    def _focused(self) -> RoundView | None:
        focused = self.screen.focused
        return focused if isinstance(focused, RoundView) else None

    async def _tell_earlier(self, count: int) -> None:
        await self.query(".earlier").remove()
        if count:
            words = counted(
                "{count} earlier round: k at the top shows more",
                "{count} earlier rounds: k at the top shows more",
                count,
            )
            await self.mount(Static(literal(words), classes="earlier"), before=0)
