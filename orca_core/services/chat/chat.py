"""One turn: save the question, recall, ask the model, record, maintain; as a stream of events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import aclosing
from functools import partial
from typing import TypeVar

from orca_core.jobs.worker import Worker
from orca_core.model.errors import OrcaError, StorageError
from orca_core.model.events import Done, Event, Failed, Remembered, WeightMoved
from orca_core.model.llm import ChatModel
from orca_core.model.sessions import TurnRequest
from orca_core.services.chat.asking import Asking
from orca_core.services.chat.look_ups import LookUps
from orca_core.services.chat.opening import TurnOpening, forget_proposal
from orca_core.services.chat.prompting import Prompting, TurnPrompt
from orca_core.services.chat.recall import Recall, RecallRequest
from orca_core.services.chat.recording import RoundRecording
from orca_core.services.chat.turn import Turn
from orca_core.services.shared.degradation import Levels, failed, mistake
from orca_core.services.shared.event_stream import Stream
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
        opening: TurnOpening,
        prompting: Prompting,
        asking: Asking,
        lookups: LookUps,
        recall: Recall,
        search: MemorySearch,
        recording: RoundRecording,
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
        self._lookups = lookups
        self._recall = recall
        self._search = search
        self._recording = recording
        self._saves = saves
        self._worker = worker
        self._levels = levels
        self._views = views
        self._stream = stream
        self._memory = memory
        self._running: set[Turn] = set()
        self._is_closed = False

    async def turn(self, request: TurnRequest, stop: asyncio.Event | None = None) -> AsyncIterator[Event]:
        """The events of one turn, `Done` last, whatever is deleted, replaced or broken meanwhile. Setting `stop` ends
        the answer; what came is kept.

        Raises InvalidInput, NotFound or ConfigError before the first event, where the request can not be carried out.
        """
        model = self._model()
        keeps_memory = request.use_memory and self._memory.enabled
        turn = await self._opening.open(request, model, stop or asyncio.Event(), keeps_memory=keeps_memory)
        self._running.add(turn)
        try:
            # Close the inner stream before the turn ends, not later by garbage collection.
            if not self._is_closed:
                async with aclosing(self._events(turn)) as events:
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

    def _publish(self, turn: Turn, event: Event) -> Event:
        """Send the event to the common stream, too, unless the turn is private; returns the event."""
        if not turn.is_private:
            self._stream.tell(event, turn.session_id)
        return event

    async def _events(self, turn: Turn) -> AsyncGenerator[Event, None]:
        """All events but the last. Any failure becomes an event, and ends them."""
        try:
            async for event in self._before_the_answer(turn):
                yield event
            draft = await self._prompting.draft(turn)
            request = await self._recall_request(turn, draft)
            prompt = draft.with_memory(await self._recall.recall(request))
            injected = turn.inject(prompt.injection)
            if announcement := await self._levels.announcement():
                yield announcement
            yield injected
            async with aclosing(self._asking.events(turn, prompt, request)) as events:
                async for event in events:
                    yield event
            if turn.is_whole and not turn.is_private:
                async for event in self._record(turn):
                    yield event
            if announcement := await self._levels.announcement():  # a look-up may be the first to search
                yield announcement
        except Exception as error:  # noqa: BLE001  # every turn that began ends in `done`; a mistake becomes an event and is logged
            turn.error = mistake(error)
            yield failed(turn.error)

    async def _ending(self, turn: Turn) -> AsyncIterator[Event]:
        """Save a round that was cut, with what came of it, and yield the last events."""
        if (written := turn.end()) is not None and (failure := await self._unwritten(turn, written)):
            yield failure
        yield Done(turn.session_id, turn.number)

    async def _before_the_answer(self, turn: Turn) -> AsyncIterator[Event]:
        if announcement := await self._levels.announcement():
            yield announcement
        if turn.unsaved is not None and (complaint := turn.complain(turn.unsaved)):
            yield complaint
        elif turn.unread is not None:
            yield failed(turn.unread)
        for event in self._start_events(turn):
            yield event
        if turn.keeps_memory and (proposal := await forget_proposal(turn.spans, self._search, self._levels)):
            yield proposal

    def _start_events(self, turn: Turn) -> Iterator[Event]:
        """The events of saving the question, once, as soon as its outcome is known."""
        started = turn.unreported_start()
        if started is None:
            return
        for move, memory in started.taken_back:
            yield WeightMoved(move.ref, move.before, move.after, self._views.status_of(memory), is_taken_back=True)
        if added := started.remembered:
            yield Remembered(added.memory, added.outcome.value, self._views.status_of(added.memory))

    async def _recall_request(self, turn: Turn, draft: TurnPrompt) -> RecallRequest:
        uses_memory = turn.keeps_memory
        return RecallRequest(
            text=turn.question,
            session_id=turn.session_id,
            first_round=turn.is_first_round,
            visible_rounds=draft.visible_rounds,
            prompt_tokens=draft.tokens,
            use_memory=uses_memory,
            remembered=turn.remembered,
            is_private=turn.is_private,
            may_look=uses_memory and not turn.is_private and await self._lookups.may_be_called(turn.model),
        )

    async def _unwritten(self, turn: Turn, written: Write[T]) -> Failed | None:
        """Wait for a write, at most a turn's patience. Returns why it is not done, unless that was reported before."""
        try:
            await written.outcome(self._saves.patience_s)
        except StorageError as error:
            return turn.complain(error)
        except OrcaError as error:
            return failed(error)
        return None

    async def _record(self, turn: Turn) -> AsyncIterator[Event]:
        judged = await self._recording.judge(turn)
        written = turn.record(
            partial(self._recording.record, turn, judged), lambda: self._worker.round_done(turn.session_id)
        )
        if failure := await self._unwritten(turn, written):
            yield failure
        for event in self._start_events(turn):
            yield event
        if written.is_written:
            for event in self._recording.events(judged, written.result()):
                yield event
