"""The turns of the chat: sends and queues messages, draws what comes back, tells what is waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from gettext import gettext as _

from msgspec import Struct
from textual.widgets import Static

from orca_core.model.errors import OrcaError
from orca_core.model.events import (
    Delta,
    Done,
    Event,
    Failed,
    Injected,
    LookedUp,
    LookingUp,
    Queued,
    Reasoning,
    Reply,
    Saved,
)
from orca_core.model.llm import Clock, Source, Span
from orca_core.model.sessions import Round, RoundState, Session, TurnRequest
from orca_tui.app.bridge import Bridge
from orca_tui.app.chat.chat_state import (
    Answered,
    Asked,
    Begun,
    ChatState,
    Ended,
    Founded,
    Happened,
    Opened,
    Question,
    Recalled,
    TakenBack,
    Waits,
    chat_after,
    turn_of,
)
from orca_tui.app.chat.prompt import Prompt
from orca_tui.app.chat.scrollback import Past
from orca_tui.app.chat.transcript import RoundView, ShownRound, Transcript
from orca_tui.app.chat.turn_pane import receipt_content, usage_phrase
from orca_tui.language import sentence_and_way_out, translated
from orca_tui.marks import Marks
from orca_tui.words.memory_words import money
from orca_tui.words.turn_words import FINISH_WORDS, looking_line, note_of

SHOWN_AFTER_S = 1
"""A shorter wait is not shown. Chosen by hand."""


class Waiting:
    """From the question to the first piece of its answer: for what memory finds, then for the model. Where the model
    looks something up, from there on to its next piece."""

    def __init__(self, clock: Clock, model: str) -> None:
        self._clock = clock
        self._model = model
        self._since = clock.monotonic()
        self._has_memories = False
        self._detail = ""
        self._looking = ""
        self.is_over = False

    def take(self, event: Event) -> None:
        """What the turn waits for after an event."""
        match event:
            case Injected():
                self._has_memories = True
                self._since = self._clock.monotonic()
            case LookingUp(query):
                self._begin(query)
            case LookedUp():
                self._begin("")
            case Queued(detail):
                self._detail = detail
            case Delta() | Reasoning() | Reply():
                self.is_over = True
            case Failed(kind) if kind != "not_saved":
                self.is_over = True

    def words(self) -> str:
        """The line as it is now; empty where there is nothing to wait for."""
        seconds = int(self._clock.monotonic() - self._since)
        if self.is_over or (not self._has_memories and seconds < SHOWN_AFTER_S):
            return ""
        if self._looking:
            whom = looking_line(self._looking)
        elif self._has_memories:
            whom = _("waiting for {model}").format(model=self._model or _("the demo"))
        else:
            whom = _("waiting for what memory finds")
        parts = [whom, f"{seconds} s" if seconds >= SHOWN_AFTER_S else "", self._detail]
        return " · ".join(part for part in parts if part)

    def _begin(self, looking: str) -> None:
        """Something else is waited for."""
        self._looking, self._detail = looking, ""
        self._since = self._clock.monotonic()
        self.is_over = False


class Turns:
    """The turns of the current chat. Events are reduced to `state`; `on_change` is called when others must redraw."""

    def __init__(self, bridge: Bridge, transcript: Transcript, marks: Marks, on_change: Callable[[], None]) -> None:
        self.state = ChatState()
        self.changing = asyncio.Lock()
        """Lock held while the chat changes: messages go to the chat that is shown."""
        self.past = Past(bridge, transcript, marks)
        self._bridge = bridge
        self._transcript = transcript
        self._marks = marks
        self._on_change = on_change
        self._round: RoundView | None = None
        self._waiting: Waiting | None = None

    def happen(self, happened: Happened) -> None:
        """Reduce an event to the next state."""
        self.state = chat_after(self.state, happened)

    @property
    def session_id(self) -> str | None:
        """The id of the current chat; None where it begins with the next message."""
        return self.state.session_id

    @property
    def is_private(self) -> bool:
        return self.state.is_private

    @property
    def is_answering(self) -> bool:
        return self.state.answering

    @property
    def queued(self) -> int:
        return len(self.state.queue)

    @property
    def _may_send(self) -> bool:
        return self._bridge.is_ready and not self.state.answering and not self.state.is_opening

    async def submit(self, sent: Question) -> None:
        """Send now, or after the current answer."""
        if not self._may_send:
            self.happen(Waits(sent))
            self._on_change()
            return
        await self._send(sent.spans)

    def unqueue(self) -> Question | None:
        """Take the latest waiting message back, to be edited."""
        if not self.state.queue:
            return None
        latest = self.state.queue[-1]
        self.happen(TakenBack(first=False))
        return latest

    async def again(self, number: int, spans: tuple[Span, ...] | None = None) -> None:
        """Another attempt at the last round: the same question, or another one."""
        old = self._transcript.view_of(number)
        if old is None or self.state.answering:
            return
        await self._transcript.drop(number)
        await self._send(spans or old.said.spans, replaces=number)

    async def send_next(self) -> None:
        """Send the message that waits first, if none is being answered."""
        if self.state.queue and self._may_send:
            first = self.state.queue[0]
            self.happen(TakenBack(first=True))
            await self._send(first.spans)

    def ended(self) -> None:
        """Note the end of the turn."""
        self.happen(Ended())

    async def take(self, event: Event) -> None:
        """Draw an event."""
        if isinstance(event, Saved):
            self._saved(event)
            return
        if self._round is None:
            return
        self.happen(event)
        if self._waiting is not None:
            self._waiting.take(event)
            self.tick()
        match event:
            case Delta(text):
                await self._round.add(text)
            case Reasoning(text, takes_back):
                if takes_back:
                    await self._round.take_back()
                await self._round.think(text)
            case Reply():
                await self._reply(self._round, event)
            case Failed():
                self._failed(self._round, event)
            case Done(session_id, number):
                await self._done(self._round, session_id, number)
            case _:
                self._on_change()

    def tick(self) -> None:
        """Show again what the answer waits for, and how long."""
        if self._round is not None and self._waiting is not None:
            self._round.wait(self._waiting.words())

    async def refused(self, error: OrcaError) -> tuple[Span, ...]:
        """Show why the turn did not begin; the question that is kept nowhere."""
        self._waiting = None
        if self._round is None:
            return ()
        self._round.end(_in_words(error), is_error=True)
        return self._round.said.spans

    def begin_new(self) -> None:
        """The next message begins another chat."""
        self._begin(is_private=self.state.is_private)

    async def show(
        self,
        session: Session,
        rounds: Sequence[Round],
        welcome: Static,
        *,
        at: int | None = None,
        below: str = "",
    ) -> None:
        """Go on in a chat that is there already, looking at its end or at one of its rounds; `below` is said there."""
        self._round = self._waiting = None
        self.happen(Opened(session.id, session.title, tuple(rounds)))
        latest = await self.past.open(session, rounds, welcome, at, below)
        if latest is not None:
            self.happen(Recalled(session.id, turn_of(latest)))
            self._on_change()
        if at is not None and (view := self._transcript.view_of(at)) is not None:
            self._transcript.call_after_refresh(self._transcript.look_at, view)

    def go_private(self, is_private: bool) -> None:
        """Begin a private chat, or end it with a new stored one."""
        self._begin(is_private=is_private)

    def _begin(self, *, is_private: bool) -> None:
        self._round = self._waiting = None
        self.happen(Begun(is_private))
        self.past.forget()

    async def _send(self, spans: tuple[Span, ...], replaces: int | None = None) -> None:
        last = self._transcript.last
        number = replaces if replaces is not None else (last.said.number + 1 if last is not None else 1)
        self.happen(Asked())
        self._round = await self._transcript.begin(ShownRound(number, spans))
        self._waiting = Waiting(self._bridge.clock, self._model)
        request = TurnRequest(
            spans=spans,
            session=self.state.session,
            replaces=replaces,
            system_prompt=self.state.system_prompt,
            is_private=self.state.is_private,
            private_history=tuple(each for each in self.state.private_rounds if each.number < number),
        )
        self._bridge.send(request)
        self._on_change()

    async def _reply(self, view: RoundView, reply: Reply) -> None:
        await view.finish(reply.text, reply.citations)
        words = f"— {_('stopped')}" if self.state.turn.was_cut else translated(FINISH_WORDS.get(reply.finish, ""), {})
        view.end(" ".join(part for part in (words, reply.note) if part))

    def _failed(self, view: RoundView, event: Failed) -> None:
        if event.kind == "not_saved":
            view.tell_unsaved(_in_words(event))
            return
        view.end(_in_words(event), is_error=True)

    def _saved(self, event: Saved) -> None:
        """Clear the note of a failed save: the round is saved now."""
        view = self._transcript.view_of(event.round)
        if view is None or self.session_id != event.session_id:
            return
        view.tell_unsaved("")
        if not view.said.ending:
            view.end(note_of(event))

    async def _done(self, view: RoundView, session_id: str, number: int) -> None:
        self._waiting = None
        view.wait("")
        if number > view.said.number and not self.is_private:
            self._catch_up(view, session_id, view.said.number)
        view.said.number = number
        if self.is_private:
            self._keep_private(view.said)
        view.receive(receipt_content(self.state.turn, self._marks), self._usage())
        await self.past.shed()
        self._on_change()

    def _catch_up(self, view: RoundView, session_id: str, first: int) -> None:
        """Show rounds that another Orca added to this chat meanwhile: the model was sent them."""

        def show(found: Sequence[ShownRound]) -> None:
            self._transcript.call_later(self._transcript.insert, found, view)

        self._bridge.ask(lambda: self.past.between(session_id, first, view.said.number), show, group="past")

    def _keep_private(self, said: ShownRound) -> None:
        """Keep a private round in memory, as long as its chat is open."""
        if said.answer:
            now = self._bridge.clock.now()
            kept = Round(0, "private", said.number, 1, said.question, said.spans, said.answer, RoundState.DONE, now)
            self.happen(Answered(kept))

    @property
    def _model(self) -> str:
        """The model that answers; empty for the demo."""
        settings = self._bridge.loaded.settings
        provider = settings.providers.get(settings.provider)
        return provider.model if provider else ""

    def _usage(self) -> str:
        """What the answer took: tokens, time, and money where its price is known."""
        turn = self.state.turn
        if turn.usage is None or not self._model:
            return ""
        price = "" if turn.cost is None else f" {self._marks.dot} {money(turn.cost.amount, turn.cost.currency)}"
        return usage_phrase(turn.usage, turn.seconds) + price


def untrusted_in(spans: Sequence[Span]) -> list[str]:
    """The pieces that were not typed; they stay untrusted when the text is edited."""
    return [span.text for span in spans if span.source is not Source.TYPED]


def _in_words(error: OrcaError | Failed) -> str:
    sentence, way_out = sentence_and_way_out(error)
    return f"{sentence} — {way_out}" if way_out else sentence


class Talk(Struct, frozen=True):
    """What is said, where it is shown, where it is written; `welcome` is what an empty chat says."""

    turns: Turns
    transcript: Transcript
    prompt: Prompt
    welcome: Callable[[], Static]

    @property
    def session_id(self) -> str | None:
        return self.turns.session_id

    @property
    def is_private(self) -> bool:
        return self.turns.is_private

    def found(self, session_id: str) -> None:
        """Give a new chat its name before its first message."""
        self.turns.happen(Founded(session_id))
