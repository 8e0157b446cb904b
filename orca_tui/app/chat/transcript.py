"""What was said, newest last: rounds with their answers and receipts. It follows the end until someone scrolls up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from gettext import gettext as _

from msgspec import Struct
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from orca_core.model.feedback import ActionType
from orca_core.model.llm import Span
from orca_core.model.recall import Citation
from orca_core.model.record_types import Ref
from orca_core.model.sessions import Round, RoundState
from orca_core.rules.text.typed_spans import join_spans
from orca_tui.app.chat.answer import Answer
from orca_tui.app.chat.welcome import Welcome
from orca_tui.app.keymap import Key, bindings
from orca_tui.app.widgets.text import MAX_DRAWN_CHARS, Growing, LaidOutOnce, joined, literal
from orca_tui.language import N_, counted
from orca_tui.marks import Marks
from orca_tui.words.turn_words import ending_of

CALM = frozenset({"stopped", "left_open"})
"""Causes that are no error."""


class ShownRound(Struct):
    """A round in the transcript. `ending` tells how it ended where it did not end well, `unsaved` why it is not saved,
    as long as it is not; a `receipt` of None was not looked up yet; `usage` are the tokens of the latest answer, and
    what they cost."""

    number: int
    spans: tuple[Span, ...]
    answer: str = ""
    citations: tuple[Citation, ...] = ()
    reasoning: str = ""
    ending: str = ""
    is_error: bool = False
    unsaved: str = ""
    receipt: Content | None = None
    usage: str = ""
    was_cut: bool = False
    opinion: ActionType | None = None
    """Whether the user likes the answer, or does not."""
    below: str = ""
    """A line between this round and what is said after it: since when the chat rested."""

    @property
    def question(self) -> str:
        return join_spans(self.spans)

    @property
    def cited(self) -> tuple[Ref, ...]:
        """What the answer names, each once, in their order."""
        return tuple(dict.fromkeys(each.ref for each in sorted(self.citations, key=lambda each: each.at)))


def shown_round_of(each: Round) -> ShownRound:
    """A round as the store has it."""
    words = ending_of(each)
    was_cut = each.state in (RoundState.INTERRUPTED, RoundState.FAILED)
    is_error = was_cut and each.cause is not None and each.cause.kind not in CALM
    return ShownRound(
        each.number,
        each.spans or (Span(each.user),),
        each.assistant,
        each.citations,
        ending=words if is_error or each.state is RoundState.DONE else f"— {words}",
        is_error=is_error,
        was_cut=was_cut,
    )


def cited(text: str, citations: tuple[Citation, ...], marks: Marks) -> str:
    """The answer with a small number where it used a memory; the receipt resolves it."""
    shown = text
    for citation in sorted(citations, key=lambda each: -each.at):
        shown = shown[: citation.at] + marks.citation(citation.ref) + shown[citation.at :]
    return shown


class RoundView(Vertical, LaidOutOnce, can_focus=True):
    """A round: its question, its answer, and below them what memory did. Few widgets, side by side: a layout walks over
    every one of them."""

    FOCUS_ON_CLICK = False  # who clicks to copy goes on writing

    def __init__(self, said: ShownRound, marks: Marks) -> None:
        super().__init__(classes="round")
        self._marks = marks
        self.said = said
        self._answer = Answer(self._cited_answer, self._marks) if said.answer else None
        self._shows_reasoning = False
        self._waits = ""

    def compose(self) -> ComposeResult:
        yield Static(literal(self.said.question), classes="question")
        if self._answer is not None:
            yield self._answer
        yield Growing(self._foot_content(), classes="foot")

    async def add(self, piece: str) -> None:
        """A piece of the answer."""
        answer = await self._answer_place()
        if len(self.said.answer) <= MAX_DRAWN_CHARS:
            answer.append(piece)
        self.said.answer += piece

    async def finish(self, text: str, citations: tuple[Citation, ...] = ()) -> None:
        """The whole answer, with marks where it names what it used."""
        self.said.answer, self.said.citations = text, citations
        (await self._answer_place()).become(self._cited_answer)

    async def take_back(self) -> None:
        """Take back what was drawn as the answer: it was reasoning."""
        self.said.answer = ""
        if self._answer is not None:
            await self._answer.remove()
            self._answer = None

    def move_wide(self, steps: int) -> bool:
        """Move the lines of the answer that are wider than it; returns whether any is."""
        return self._answer is not None and self._answer.move_wide(steps)

    async def think(self, piece: str) -> None:
        """Draw a piece of the reasoning, folded to one line until it is opened."""
        self.said.reasoning += piece
        if not self.query(".reasoning"):
            await self.mount(Growing("", classes="reasoning"), after=self.query_one(".question"))
        self._draw_reasoning()

    def toggle_reasoning(self) -> None:
        if self.said.reasoning:
            self._shows_reasoning = not self._shows_reasoning
            self._draw_reasoning()

    def wait(self, words: str) -> None:
        """Show what the answer waits for, in its place; empty removes it."""
        if words != self._waits:
            self._waits = words
            self._draw_foot()

    def end(self, words: str, *, is_error: bool = False) -> None:
        """Show how the answer ended."""
        self.said.ending, self.said.is_error, self._waits = words, is_error, ""
        self._draw_foot()

    def tell_unsaved(self, words: str) -> None:
        """Show why the round is not saved; empty removes it."""
        self.said.unsaved = words
        self._draw_foot()

    def receive(self, receipt: Content, usage: str) -> None:
        """What memory did in this round, and what the answer took."""
        self.said.receipt, self.said.usage = receipt, usage
        self._draw_foot()

    def judge(self, opinion: ActionType | None) -> None:
        """Show what the user thinks of the answer."""
        if self.said.opinion is not opinion:
            self.said.opinion = opinion
            if self.is_mounted:
                self._draw_foot()

    def forget_usage(self) -> None:
        """Note that it is not the latest round any more."""
        if self.said.usage:
            self.said.usage = ""
            self._draw_foot()

    @property
    def _cited_answer(self) -> str:
        return cited(self.said.answer, self.said.citations, self._marks)

    async def _answer_place(self) -> Answer:
        """Where the answer stands, made with its first piece."""
        if self._answer is None:
            self._answer = Answer("", self._marks)
            await self.mount(self._answer, before=self._foot)
        return self._answer

    def _foot_content(self) -> Content:
        waits = literal(self._waits, "$foreground-muted")
        ending = literal(self.said.ending, "$text-error" if self.said.is_error else "")
        unsaved = literal(self.said.unsaved, "$text-error")
        usage = literal(self.said.usage, "$foreground-muted")
        below = literal(f"\n{self.said.below}" if self.said.below else "", "$foreground-muted")
        receipt = joined([part for part in (self._opinion(), self.said.receipt) if part], "  ")
        return joined([part for part in (waits, ending, unsaved, receipt, usage, below) if part], "\n")

    def _opinion(self) -> Content:
        match self.said.opinion:
            case ActionType.LIKE:
                return literal(f"{self._marks.liked} {_('liked')}", "$text-accent")
            case ActionType.DISLIKE:
                return literal(f"{self._marks.disliked} {_('disliked')}", "$text-warning")
        return Content("")

    @property
    def _foot(self) -> Static:
        return self.query_one(".foot", Static)

    def _draw_foot(self) -> None:
        self._foot.update(self._foot_content())

    def _draw_reasoning(self) -> None:
        words = _("thinking · {count:,} characters · t shows").format(count=len(self.said.reasoning))
        text = self.said.reasoning if self._shows_reasoning else words
        self.query_one(".reasoning", Static).update(literal(text))


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
    Key("transcript.wide_left", "h", "move_wide(-1)", N_("wide lines to the left")),
    Key("transcript.wide_right", "l", "move_wide(1)", N_("wide lines to the right")),
    Key("transcript.end", "end", "follow", N_("follow the end")),
)


class ReachedTop(Message):
    """The user wants to see earlier rounds."""


@dataclass
class EndSeen(Message):
    """The end of the chat came into sight, or left it."""

    is_seen: bool


@dataclass
class TranscriptAction(Message):
    """Something is to be done with a round: why, regenerate, edit, copy …"""

    action: str
    said: ShownRound


class Transcript(VerticalScroll, LaidOutOnce):
    """The latest rounds of one chat; those before them are asked for with `ReachedTop`."""

    BINDINGS = bindings(TRANSCRIPT)
    FOCUS_ON_CLICK = False

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

    @property
    def welcome(self) -> Welcome | None:
        """What shows the first steps, where it is there."""
        return next(iter(self.query(Welcome)), None)

    async def clear(self, welcome: Static | None = None) -> None:
        self._views.clear()
        await self.remove_children()
        self.set_class(welcome is not None, "-empty")
        if welcome is not None:
            await self.mount(welcome)

    async def show(self, rounds: Sequence[ShownRound], earlier: int, welcome: Static) -> None:
        """The end of a chat; so many earlier rounds wait to be asked for."""
        await self.clear(None if rounds else welcome)
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
        self.remove_class("-empty")
        for each in self.query(".welcome, .notice"):
            if not (isinstance(each, Welcome) and each.stays):
                await each.remove()
        if (welcome := self.welcome) is not None:
            welcome.go_below()
        view = RoundView(said, self._marks)
        if self.last is not None:
            self.last.forget_usage()
        self._views.append(view)
        await self.mount(view, before=welcome)
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

    def action_move_wide(self, steps: int) -> None:
        """Move code and tables that are wider than the chat, of the round with the focus, else of the last."""
        view = self._focused or self.last
        if view is not None:
            view.move_wide(steps)

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
