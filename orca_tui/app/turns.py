"""The talk: sending, queueing, what comes back, and what is drawn of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from gettext import gettext as _

from orca_core.domain.dialogues import Round, RoundState, TurnRequest
from orca_core.domain.errors import OrcaError
from orca_core.domain.events import Delta, Done, Event, Failed, Injected, Queued, Reasoning, Reply
from orca_core.domain.messages import Finish, Span
from orca_core.domain.recall import Level
from orca_tui.app.bridge import Bridge
from orca_tui.app.messages import Submitted
from orca_tui.app.receipts import TurnView, receipt_content
from orca_tui.app.widgets.message_view import RoundView
from orca_tui.app.widgets.transcript import Transcript
from orca_tui.language import sentence_and_way_out, translated
from orca_tui.marks import Marks
from orca_tui.phrases import FINISH_WORDS


class Turns:
    """The turns of the chat at hand. `told` hears of every change that others draw."""

    def __init__(self, bridge: Bridge, transcript: Transcript, marks: Marks, told: Callable[[], None]) -> None:
        self.view = TurnView()
        self.session_id: str | None = None
        self.title = ""
        self.is_private = False
        self.system_prompt: str | None = None
        self.level = Level.FULL
        self.last_failed: tuple[Span, ...] | None = None
        self._bridge = bridge
        self._transcript = transcript
        self._marks = marks
        self._told = told
        self._queue: deque[Submitted] = deque()
        self._round: RoundView | None = None
        self._was_cut = False
        self._wants_new = False
        self._private: list[Round] = []

    @property
    def queued(self) -> int:
        return len(self._queue)

    async def submit(self, sent: Submitted) -> None:
        """Send now, or when the answer at hand is done."""
        if self._bridge.is_answering or not self._bridge.is_ready:
            self._queue.append(sent)
            self._told()
            return
        await self._send(sent.text, sent.spans)

    def unqueue(self) -> Submitted | None:
        """Take the latest waiting message back, to be edited."""
        return self._queue.pop() if self._queue else None

    async def again(self, number: int, text: str | None = None) -> None:
        """Another attempt at the last round: the same question, or another one."""
        old = next((view for view in self._transcript.rounds if view.number == number), None)
        if old is None or self._bridge.is_answering:
            return
        question = old.question if text is None else text
        await self._transcript.drop(number)
        await self._send(question, (Span(question),), replaces=number)

    async def send_next(self) -> None:
        """What waited is sent when the turn before it is over."""
        if self._queue and not self._bridge.is_answering and self._bridge.is_ready:
            sent = self._queue.popleft()
            await self._send(sent.text, sent.spans)

    async def take(self, event: Event) -> None:
        """Draw what an event says."""
        self.view.take(event)
        match event:
            case Delta(text):
                await self._piece(text)
            case Reasoning(text):
                if self._round is not None:
                    self._round.think(text)
            case Reply():
                await self._reply(event)
            case Failed():
                await self._failed(event)
            case Queued(detail):
                await self._transcript.say(_("waiting for the model: {detail}").format(detail=detail), "note")
            case Injected(injection):
                self.level = injection.level
                self._told()
            case Done(session_id, number):
                self._done(session_id, number)
            case _:
                self._told()

    async def refused(self, error: OrcaError) -> None:
        """The turn did not begin."""
        sentence, way_out = sentence_and_way_out(error)
        await self._transcript.say(f"{sentence} — {way_out}" if way_out else sentence, "error")

    def begin_new(self) -> None:
        """The next message begins another chat."""
        self.session_id, self.title, self._wants_new = None, "", True
        self.view = TurnView()

    async def show(self, session_id: str, title: str, rounds: tuple[Round, ...], welcome: str) -> None:
        """Go on in a chat that is there already."""
        self.session_id, self.title, self._wants_new = session_id, title, False
        self.view = TurnView()
        await self._transcript.show(rounds, welcome)

    def go_private(self, is_private: bool) -> None:
        """From here on nothing is kept; or everything again, in a new chat."""
        self.is_private = is_private
        self._private.clear()
        self.begin_new()

    def _keep_private(self, number: int) -> None:
        """What was said in private lives here alone, as long as the chat does."""
        view = self._round
        if view is not None and view.answer:
            spans = (Span(view.question),)
            now = datetime.now(UTC)
            self._private.append(
                Round(0, "private", number, 1, view.question, spans, view.answer, RoundState.DONE, now)
            )

    async def _send(self, text: str, spans: tuple[Span, ...], replaces: int | None = None) -> None:
        last = self._transcript.last
        number = replaces if replaces is not None else (last.number + 1 if last is not None else 1)
        self.view = TurnView()
        self._was_cut = False
        self.last_failed = None
        self._round = await self._transcript.begin(number, text)
        request = TurnRequest(
            spans=spans,
            session_id=self.session_id,
            new_session=self._wants_new and self.session_id is None,
            replaces=replaces,
            system_prompt=self.system_prompt,
            is_private=self.is_private,
            private_history=tuple(self._private) if self.is_private else (),
        )
        self._bridge.send(request)
        self._told()

    async def _piece(self, text: str) -> None:
        if self._round is not None:
            await self._round.add(text)

    async def _reply(self, reply: Reply) -> None:
        if self._round is None:
            return
        self._was_cut = reply.finish is Finish.INTERRUPTED
        await self._round.finish(reply.text, reply.citations)
        words = _("— stopped") if self._was_cut else translated(FINISH_WORDS.get(reply.finish, ""), {})
        if said := " ".join(part for part in (words, reply.note) if part):
            await self._transcript.say(said, "note")

    async def _failed(self, event: Failed) -> None:
        sentence, way_out = sentence_and_way_out(event)
        if event.kind != "not_saved":
            self._was_cut = True
        await self._transcript.say(f"{sentence} — {way_out}" if way_out else sentence, "error")

    def _done(self, session_id: str, number: int) -> None:
        if self.is_private:
            self._keep_private(number)
        else:
            self.session_id = session_id
        self._wants_new = False
        if self._round is not None:
            self._round.number = number
            self._round.receive(receipt_content(self.view, self._marks, was_cut=self._was_cut))
        self._told()
