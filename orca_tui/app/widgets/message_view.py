"""One round in the transcript: the question, the answer as it comes and as it stays, the receipt."""

from __future__ import annotations

from gettext import gettext as _

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Markdown, Static
from textual.widgets.markdown import MarkdownStream

from orca_core.domain.recall import Citation
from orca_tui.app.light_markdown import light_markdown
from orca_tui.app.plain import MAX_DRAWN_CHARS, drawn, plain

LIVE_CHARS = 16_000
"""Behind so much text a new Markdown widget is begun: each piece lays out all of its own."""
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class RoundView(Vertical, can_focus=True):
    """A round. While it is answered it streams Markdown; once it is old it is one light text."""

    def __init__(self, number: int, question: str, *, answer: str = "", note: str = "") -> None:
        super().__init__(classes="round")
        self.number = number
        self.question = question
        self.answer = answer
        self.reasoning = ""
        self.is_done = bool(answer)
        self._note = note
        self._live: Markdown | None = None
        self._live_text = ""
        self._stream: MarkdownStream | None = None
        self._shows_reasoning = False

    def compose(self) -> ComposeResult:
        yield Static(plain(self.question), classes="question")
        with Vertical(classes="answer"):
            yield Static("", classes="reasoning")
            if self.answer:
                yield Static(light_markdown(self.answer), classes="frozen")
        yield Static(plain(self._note), classes="receipt", id=f"receipt-{self.number}")

    async def add(self, piece: str) -> None:
        """A piece of the answer."""
        if len(self.answer) > MAX_DRAWN_CHARS:
            self.answer += piece
            return
        self.answer += piece
        if self._live is None or self._is_full():
            await self._begin_live()
        assert self._stream is not None
        self._live_text += piece
        await self._stream.write(drawn(piece))

    async def finish(self, text: str, citations: tuple[Citation, ...] = ()) -> None:
        """The whole answer: drawn once more from its source, so that nothing that streamed is lost."""
        self.answer = text
        self.is_done = True
        await self._end_stream()
        shown = drawn(cited(text, citations))
        pieces = self.query(".live")
        if len(pieces) == 1 and isinstance(self._live, Markdown):
            await self._live.update(shown)
            return
        await pieces.remove()
        if text:
            await self._body.mount(Static(light_markdown(shown), classes="frozen"))

    async def stop_streaming(self) -> None:
        """The answer was cut: what came stays."""
        await self.finish(self.answer)

    async def freeze(self) -> None:
        """An older round: one light text instead of a widget for each of its blocks."""
        if self._live is None or not self.is_done:
            return
        await self._end_stream()
        await self.query(".live").remove()
        self._live = None
        await self._body.mount(Static(light_markdown(self.answer), classes="frozen"))

    def think(self, piece: str) -> None:
        """A piece of what the model thinks: folded to one line until it is asked for."""
        self.reasoning += piece
        self.add_class("thinks")
        self._draw_reasoning()

    def toggle_reasoning(self) -> None:
        self._shows_reasoning = not self._shows_reasoning
        self._draw_reasoning()

    def receive(self, receipt: Content) -> None:
        """What memory did in this round."""
        self.query_one(f"#receipt-{self.number}", Static).update(receipt)

    def _draw_reasoning(self) -> None:
        words = _("thinking · {count:,} characters · t shows").format(count=len(self.reasoning))
        self.query_one(".reasoning", Static).update(plain(self.reasoning if self._shows_reasoning else words))

    @property
    def _body(self) -> Vertical:
        return self.query_one(".answer", Vertical)

    def _is_full(self) -> bool:
        """Whether the live widget should be left, here between two paragraphs outside code."""
        long_enough = len(self._live_text) > LIVE_CHARS and self._live_text.endswith("\n\n")
        return long_enough and self._live_text.count("```") % 2 == 0

    async def _begin_live(self) -> None:
        await self._end_stream()
        self._live = Markdown(classes="live", open_links=False)
        self._live_text = ""
        await self._body.mount(self._live)
        self._stream = Markdown.get_stream(self._live)

    async def _end_stream(self) -> None:
        if self._stream is not None:
            await self._stream.stop()
            self._stream = None


def cited(text: str, citations: tuple[Citation, ...]) -> str:
    """The answer with a small number where it used a memory; the receipt resolves it."""
    shown = text
    for citation in sorted(citations, key=lambda each: -each.at):
        mark = str(citation.id).translate(SUPERSCRIPTS)
        shown = shown[: citation.at] + mark + shown[citation.at :]
    return shown
