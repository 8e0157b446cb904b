"""One round in the transcript: the question, the answer as it comes and as it stays, the receipt."""

from __future__ import annotations

from gettext import gettext as _

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from orca_core.model.feedback import ActionType
from orca_core.model.recall import Citation
from orca_tui.app.talk.light_markdown import light_markdown
from orca_tui.app.talk.live import Live, live_answer
from orca_tui.app.talk.shown_round import ShownRound, cited
from orca_tui.app.widgets.growing import Growing, LaidOutOnce
from orca_tui.app.widgets.literal import MAX_DRAWN_CHARS, drawn, joined, literal
from orca_tui.marks import Marks

LIVE_CHARS = 16_000
"""After so many characters a new Markdown widget is begun, for each lays out all of its text. Chosen by hand."""


class RoundView(Vertical, LaidOutOnce, can_focus=True):
    """A round. While it is answered it streams Markdown; once it is old it is one light text. Few widgets, side by
    side: each of them is laid out anew with every word that streams."""

    def __init__(self, said: ShownRound, marks: Marks) -> None:
        super().__init__(classes="round")
        self._marks = marks
        self.said = said
        self.is_done = bool(said.answer or said.ending)
        self._live: Live | None = None
        self._live_text = ""
        self._shows_reasoning = False
        self._waits = ""

    def compose(self) -> ComposeResult:
        yield Static(literal(self.said.question), classes="question")
        if self.said.answer:
            yield self._frozen()
        yield Growing(self._foot_content(), classes="foot")

    async def add(self, piece: str) -> None:
        """A piece of the answer."""
        if len(self.said.answer) > MAX_DRAWN_CHARS:
            self.said.answer += piece
            return
        self.said.answer += piece
        if self._live is None or self._is_full():
            await self._end_stream()
            self._live, self._live_text = live_answer(), ""
            await self.mount(self._live, before=self._foot)
        self._live_text += piece
        await self._live.write(drawn(piece))

    async def finish(self, text: str, citations: tuple[Citation, ...] = ()) -> None:
        """The whole answer: drawn once more from its source, so that nothing that streamed is lost."""
        self.said.answer, self.said.citations = text, citations
        self.is_done = True
        await self._end_stream()
        if self._live is not None and len(self.query(".live")) == 1:
            await self._live.draw(drawn(cited(text, citations, self._marks)))
        else:
            await self.freeze()

    async def take_back(self) -> None:
        """Take back what was drawn as the answer: it was reasoning."""
        self.said.answer = ""
        await self._end_stream()
        self._live = None
        await self.query(".live, .frozen").remove()

    async def freeze(self) -> None:
        """One light text instead of a widget for each block of the answer."""
        if not self.is_done:
            return
        await self._end_stream()
        self._live = None
        if self.said.answer and not self.query(".frozen"):
            await self.mount(self._frozen(), before=self._foot)
        await self.query(".live").remove()

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

    def _frozen(self) -> Static:
        return Static(light_markdown(cited(self.said.answer, self.said.citations, self._marks)), classes="frozen")

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

    def _is_full(self) -> bool:
        """Whether the live widget should be left, here between two paragraphs outside code."""
        long_enough = len(self._live_text) > LIVE_CHARS and self._live_text.endswith("\n\n")
        return long_enough and self._live_text.count("```") % 2 == 0

    async def _end_stream(self) -> None:
        if self._live is not None:
            await self._live.stop()
