"""One turn: save the question, recall, ask the model, record, maintain; as a stream of events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import aclosing
from functools import partial
from typing import TypeVar

from orca_core.jobs.worker import Worker
from orca_core.model.errors import OrcaError, StorageError
from orca_core.model.events import Done, Event, Failed, Injected, Remembered, WeightMoved
from orca_core.model.llm import ChatModel
from orca_core.model.sessions import RoundOutcome, TurnRequest
from orca_core.rules.text import spans
from orca_core.services.chat.asking import Asking, Tools
from orca_core.services.chat.opening import OpenedTurn, Opening, RunningTurn, forget_proposal
from orca_core.services.chat.prompting import Draft, Prompting
from orca_core.services.chat.recall import Recall, RecallRequest
from orca_core.services.chat.recording import Answered, Recording
from orca_core.services.shared.event_stream import Stream
from orca_core.services.shared.failures import failed, mistake
from orca_core.services.shared.levels import Levels
from orca_core.services.shared.saving import Saves, Write
from orca_core.services.shared.search import MemorySearch
from orca_core.services.shared.views import Views
from orca_core.settings import MemorySettings

T = TypeVar("T")


class Chat:
    """The flow of a turn. It holds no state between turns."""

    def __init__(
        self,
        *,
        model: Callable[[], ChatModel],
        opening: Opening,
        prompting: Prompting,
        asking: Asking,
        tools: Tools,
        recall: Recall,
        search: MemorySearch,
        recording: Recording,
        saves: Saves,
        worker: Worker,
        levels: Levels,
        views: Views,
        stream: Stream,
        memory: MemorySettings,
    ) -> None:
        self._model = model
        self._opening = opening
        self._prompting = prompting
        self._asking = asking
        self._tools = tools
        self._recall = recall
        self._search = search
        self._recording = recording
        self._saves = saves
        self._worker = worker
        self._levels = levels
        self._views = views
        self._stream = stream
        self._memory = memory
        self._running: set[RunningTurn] = set()
        self._is_closed = False

    async def turn(self, request: TurnRequest, stop: asyncio.Event | None = None) -> AsyncIterator[Event]:
        """The events of one turn, `Done` last, whatever is deleted, replaced or broken meanwhile. Setting `stop` ends
        the answer; what came is kept.

        Raises InvalidInput, NotFound or ConfigError before the first event, where the request can not be carried out.
        """
        model = self._model()
        keeps_memory = request.use_memory and self._memory.enabled
        opened = await self._opening.open(request, keeps_memory=keeps_memory)
        turn = RunningTurn(opened, model, self._saves, stop or asyncio.Event())
        self._running.add(turn)
        try:
            # Close the inner stream before the turn ends, not later by garbage collection.
            if not self._is_closed:
                async with aclosing(self._events(turn, request, keeps_memory)) as events:
                    async for event in events:
                        yield self._publish(turn, event)
            async for event in self._ending(turn):
                yield self._publish(turn, event)
        finally:
            self._running.discard(turn)
            if (written := turn.end()) is not None:  # the listener left early
                await self._unwritten(turn, written)
            self._worker.wake_upkeep()

    async def aclose(self) -> None:
        """Stop all turns, and queue the save of what came of each. A listener that goes on reading gets the last
        events."""
        self._is_closed = True
        for turn in self._running:
            turn.stop.set()
            turn.end()
        await self._opening.aclose()

    def _publish(self, turn: RunningTurn, event: Event) -> Event:
        """Send the event to the common stream, too, unless the turn is private; returns the event."""
        if not turn.opened.is_private:
            self._stream.tell(event, turn.opened.session_id)
        return event

    async def _events(self, turn: RunningTurn, request: TurnRequest, keeps_memory: bool) -> AsyncGenerator[Event, None]:
        """All events but the last. Any failure becomes an event, and ends them."""
        try:
            async for event in self._before_the_answer(turn, keeps_memory):
                yield event
            draft = await self._draft(turn, request)
            may_look = keeps_memory and not turn.opened.is_private and await self._tools.may_be_called(turn.model)
            recall = _recall_request(turn.opened, draft, keeps_memory, may_look)
            prompt = self._prompting.whole(draft, await self._recall.recall(recall))
            turn.injection = prompt.injection
            if announcement := await self._levels.announcement():
                yield announcement
            yield Injected(turn.injection)
            async with aclosing(self._asking.events(turn, prompt, recall)) as events:
                async for event in events:
                    yield event
            if turn.is_whole:
                async for event in self._record(turn, keeps_memory):
                    yield event
            if announcement := await self._levels.announcement():  # a look-up may be the first to search
                yield announcement
        except Exception as error:  # noqa: BLE001  # every turn that began ends in `done`; a mistake becomes an event and is logged
            turn.error = mistake(error)
            yield failed(turn.error)

    async def _ending(self, turn: RunningTurn) -> AsyncIterator[Event]:
        """Save a round that was cut, with what came of it, and yield the last events."""
        if (written := turn.end()) is not None and (failure := await self._unwritten(turn, written)):
            yield failure
        yield Done(turn.opened.session_id, turn.opened.number)

    async def _before_the_answer(self, turn: RunningTurn, keeps_memory: bool) -> AsyncIterator[Event]:
        opened = turn.opened
        if announcement := await self._levels.announcement():
            yield announcement
        if opened.unsaved is not None and (complaint := turn.complain(opened.unsaved)):
            yield complaint
        elif opened.unread is not None:
            yield failed(opened.unread)
        for event in self._opening_events(turn):
            yield event
        if keeps_memory and (proposal := await forget_proposal(opened, self._search, self._levels)):
            yield proposal

    def _opening_events(self, turn: RunningTurn) -> Iterator[Event]:
        """The events of saving the question, once, as soon as its outcome is known."""
        started = turn.unreported_start()
        if started is None:
            return
        for move, memory in started.taken_back:
            yield WeightMoved(move.ref, move.before, move.after, self._views.status_of(memory))
        if added := started.remembered:
            yield Remembered(added.memory, added.outcome.value, self._views.status_of(added.memory))

    async def _draft(self, turn: RunningTurn, request: TurnRequest) -> Draft:
        opened = turn.opened
        question = spans.join(opened.spans)
        return await self._prompting.draft(
            turn.model, opened.session_id, opened.history, question, request.system_prompt
        )

    async def _unwritten(self, turn: RunningTurn, written: Write[T]) -> Failed | None:
        """Wait for a write, at most a turn's patience. Returns why it is not done, unless that was reported before."""
        try:
            await written.outcome(self._saves.patience_s)
        except StorageError as error:
            return turn.complain(error)
        except OrcaError as error:
            return failed(error)
        return None

    async def _record(self, turn: RunningTurn, keeps_memory: bool) -> AsyncIterator[Event]:
        running, answer = turn.opened.round, turn.answer
        if running is None or answer is None:
            return
        answered = Answered(
            spans=turn.opened.spans,
            injection=turn.injection,
            answer=answer,
            model=turn.model.model,
            keeps_memory=keeps_memory,
        )
        judged = await self._recording.judge(answered)

        def recorded(_outcome: RoundOutcome) -> None:
            turn.was_written()
            self._worker.round_done(turn.opened.session_id)

        record = partial(self._recording.record, answered, judged)
        written = running.finish(answer.text, answer.reasoning, record, recorded)
        if failure := await self._unwritten(turn, written):
            yield failure
        for event in self._opening_events(turn):
            yield event
        if written.is_written:
            for event in self._recording.events(judged, written.result()):
                yield event


def _recall_request(opened: OpenedTurn, draft: Draft, use_memory: bool, may_look: bool) -> RecallRequest:
    return RecallRequest(
        text=spans.join(opened.spans),
        session_id=opened.session_id,
        first_round=opened.is_first_round,
        visible_rounds=draft.visible_rounds,
        prompt_tokens=draft.tokens,
        use_memory=use_memory,
        remembered=opened.remembered,
        is_private=opened.is_private,
        may_look=may_look,
    )
