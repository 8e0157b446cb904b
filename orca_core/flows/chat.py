"""One turn, whole: save the question, recall, ask the model, record, maintain; told as a stream of events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

from orca_core.domain.dialogues import TurnRequest
from orca_core.domain.errors import ContextTooLong, ModelError, OrcaError, StorageError
from orca_core.domain.events import Done, Event, ForgetProposed, Injected, Remembered, Reply, WeightMoved
from orca_core.domain.messages import Finish
from orca_core.domain.ports import ChatModel, Clock
from orca_core.domain.stores import DialogueStore
from orca_core.flows.answer import Answer
from orca_core.flows.background import Background
from orca_core.flows.drafts import Draft, Prompt
from orca_core.flows.failures import failed, not_saved
from orca_core.flows.lazy import Lazy
from orca_core.flows.learner import Learner
from orca_core.flows.levels import Levels
from orca_core.flows.maintain import Answered, Maintain
from orca_core.flows.opening import OpenedTurn, Opening
from orca_core.flows.prompting import Prompting
from orca_core.flows.recall import Recall, RecallRequest
from orca_core.flows.running import RunningTurn
from orca_core.flows.search import MemorySearch
from orca_core.rules import remembering, spans, status
from orca_core.settings import MemorySettings
from orca_core.tasks import carried_through

MAX_FORGET_PROPOSALS = 5


class Chat:
    """The flow of a turn. It holds no state between turns."""

    def __init__(
        self,
        *,
        model: Lazy[ChatModel],
        opening: Opening,
        prompting: Prompting,
        recall: Recall,
        search: MemorySearch,
        maintain: Maintain,
        dialogues: DialogueStore,
        background: Background,
        learner: Learner,
        levels: Levels,
        clock: Clock,
        memory: MemorySettings,
    ) -> None:
        self._model = model
        self._opening = opening
        self._prompting = prompting
        self._recall = recall
        self._search = search
        self._maintain = maintain
        self._dialogues = dialogues
        self._background = background
        self._learner = learner
        self._levels = levels
        self._clock = clock
        self._memory = memory

    async def turn(self, request: TurnRequest, stop: asyncio.Event | None = None) -> AsyncIterator[Event]:
        """The events of one turn, `Done` last. Setting `stop` ends the answer; what came is kept.

        Raises InvalidInput, NotFound or ConfigError before the first event, where the request can not be carried out.
        """
        model = self._model.get()
        keeps_memory = request.use_memory and self._memory.enabled
        opened = await self._opening.open(request, keeps_memory=keeps_memory)
        turn = RunningTurn(opened, model, self._dialogues)
        try:
            async for event in self._events(turn, request, stop or asyncio.Event(), keeps_memory):
                yield event
        finally:
            if not turn.is_settled:
                await carried_through(turn.end())
            self._background.wake()

    async def _events(
        self, turn: RunningTurn, request: TurnRequest, stop: asyncio.Event, keeps_memory: bool
    ) -> AsyncIterator[Event]:
        opened = turn.opened
        if announcement := await self._levels.announcement():
            yield announcement
        for event in self._opening_events(opened):
            yield event
        if keeps_memory and (proposal := await self._forget_proposal(opened)):
            yield proposal
        try:
            question = spans.join(opened.spans)
            draft = await self._prompting.draft(
                turn.model, opened.session_id, opened.history, question, request.system_prompt
            )
        except OrcaError as error:
            turn.error = error
            yield failed(error)
            if failure := await turn.end():
                yield failure
            yield Done(opened.session_id, opened.number)
            return
        prompt = await self._prompt(opened, draft, question, request, keeps_memory)
        turn.injection = prompt.injection
        if announcement := await self._levels.announcement():
            yield announcement
        yield Injected(turn.injection)
        async for event in self._answer(turn, prompt, stop):
            yield event
        if turn.answer is not None and turn.error is None and turn.answer.finish is not Finish.INTERRUPTED:
            async for event in self._record(turn, keeps_memory):
                yield event
        yield Done(opened.session_id, opened.number)

    def _opening_events(self, opened: OpenedTurn) -> Iterator[Event]:
        if opened.failure is not None:
            yield not_saved(opened.failure)
        if opened.started is None:
            return
        for move, memory in opened.started.taken_back:
            moved_status = status.status_of(memory, self._memory.long_term.core_threshold)
            yield WeightMoved(move.id, move.before, move.after, moved_status)
        if added := opened.started.remembered:
            yield Remembered(added.memory, added.outcome.value)

    async def _prompt(
        self, opened: OpenedTurn, draft: Draft, question: str, request: TurnRequest, use_memory: bool
    ) -> Prompt:
        recalled = await self._recall.recall(
            RecallRequest(
                text=question,
                session_id=opened.session_id,
                first_round=opened.is_first_round,
                visible_rounds=draft.visible_rounds,
                prompt_tokens=draft.tokens,
                use_memory=use_memory,
                remembered=opened.remembered,
                is_private=request.is_private,
            )
        )
        return self._prompting.whole(draft, recalled)

    async def _forget_proposal(self, opened: OpenedTurn) -> ForgetProposed | None:
        wanted = remembering.forget_request(opened.spans)
        if wanted is None:
            return None
        try:
            found = await self._search.find(wanted, MAX_FORGET_PROPOSALS, cached=False)
        except StorageError:
            self._levels.long_term_failed()
            return ForgetProposed(())
        return ForgetProposed(tuple(hit.memory.id for hit in found.hits))

    async def _answer(self, turn: RunningTurn, prompt: Prompt, stop: asyncio.Event) -> AsyncIterator[Event]:
        """Stream the answer; a prompt that was too long is sent again, smaller, as long as that is possible."""
        started_s = self._clock.monotonic()
        sent: Prompt | None = prompt
        while sent is not None:
            turn.answer = answer = self._new_answer(turn, sent, stop)
            try:
                async for event in answer.events():
                    yield event
                break
            except ContextTooLong as error:
                sent = await self._smaller(turn, sent, error)
            except ModelError as error:
                turn.error = error
                break
            if sent is not None:
                yield Injected(turn.injection)
        if answer.text or turn.error is None:
            seconds = self._clock.monotonic() - started_s
            yield Reply(answer.text, answer.citations, answer.finish, answer.usage, seconds, answer.note)
        if turn.error is not None:
            yield failed(turn.error)
        was_cut = turn.error is not None or answer.finish is Finish.INTERRUPTED
        if was_cut and (failure := await turn.end()):
            yield failure

    async def _smaller(self, turn: RunningTurn, refused: Prompt, error: ContextTooLong) -> Prompt | None:
        """What is sent after a refusal; None where nothing more can be tried, with the turn's error."""
        try:
            smaller = await self._prompting.smaller(turn.model, refused, error)
        except OrcaError as final:
            turn.error = final
            return None
        if turn.answer is not None and turn.answer.text:
            turn.error = error
            return None
        turn.injection = smaller.injection
        return smaller

    def _new_answer(self, turn: RunningTurn, sent: Prompt, stop: asyncio.Event) -> Answer:
        known = {int(item.ref) for item in turn.injection.injected if item.kind == "long"}
        return Answer(
            turn.model,
            sent.request,
            known_ids=known,
            stop=stop,
            clock=self._clock,
            save=turn.save_partial,
        )

    async def _record(self, turn: RunningTurn, keeps_memory: bool) -> AsyncIterator[Event]:
        if turn.opened.started is None or turn.answer is None:
            return
        answered = Answered(
            round=turn.opened.started,
            spans=turn.opened.spans,
            injection=turn.injection,
            answer=turn.answer,
            model=turn.model.model,
            moves_weights=not turn.model.is_demo,
            keeps_memory=keeps_memory,
        )
        try:
            judged = await self._maintain.judge(answered)
            turn.is_settled = True  # from here on the record is finished, whoever still listens
            outcome = await carried_through(self._maintain.record(answered, judged))
        except StorageError as error:
            turn.is_settled = True
            yield not_saved(error)
            return
        self._learner.round_done(turn.opened.session_id)
        for event in self._maintain.events(judged, outcome):
            yield event
