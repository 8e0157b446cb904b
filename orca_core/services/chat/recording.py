"""Records rounds: which memories an answer used, one write for all of it; also what a client's user and
assistant said."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Set

from msgspec.structs import replace

from orca_core.jobs.worker import Worker
from orca_core.model.errors import InvalidInput, NotFound, StorageError
from orca_core.model.events import Archived, Event, Referenced, WeightMoved
from orca_core.model.llm import Clock, Embedder, Finish, Span
from orca_core.model.memories import Use
from orca_core.model.recall import Injection, Level, Receipt, References
from orca_core.model.record_types import Ref
from orca_core.model.sessions import (
    Round,
    RoundOutcome,
    RoundRecord,
    RoundStart,
    RoundState,
    StartedRound,
    checked_session_id,
)
from orca_core.model.views import Role
from orca_core.operations.sessions import SessionStore
from orca_core.operations.stores import Search
from orca_core.rules.memory.causes import cause_of_error, cause_of_finish
from orca_core.rules.memory.round_summaries import summarise_round
from orca_core.rules.retrieval import used_memories
from orca_core.rules.retrieval.match_evidence import check_vectors
from orca_core.rules.retrieval.ranking import PERHAPS
from orca_core.rules.retrieval.used_memories import CitableRecord, signs_of_memory, without_the_user
from orca_core.rules.text import cleaning
from orca_core.services.chat.opening import memory_to_write, title_of
from orca_core.services.chat.turn import Turn
from orca_core.services.shared.degradation import Levels, of_a_port
from orca_core.settings import MemorySettings, Settings


class AnswerMeanings:
    """Embeds what a turn said, on this machine, and keeps nothing of it."""

    def __init__(self, embedder: Callable[[], Embedder], levels: Levels, timeout_s: float) -> None:
        self._embedder = embedder
        self._levels = levels
        self._timeout_s = timeout_s

    async def nearness(self, question: str, answer: str, memories: Mapping[Ref, str]) -> Mapping[Ref, float]:
        """How near the answer is to each memory; empty where no embedder of meaning is at hand, or it is too slow."""
        if not memories or not answer.strip() or not self._levels.may_embed:
            return {}
        try:
            embedder = self._embedder()
            if not used_memories.can_tell_meaning(embedder.model):
                return {}
            async with asyncio.timeout(self._timeout_s):
                texts = [question, answer, *memories.values()]
                vectors = await embedder.uncached.embed(texts)
                asked, said, *known = check_vectors(vectors, len(texts), embedder.model, embedder.dimensions)
        except TimeoutError:
            return {}
        except Exception as error:  # noqa: BLE001  # an embedder that breaks costs its vectors, not the turn's end
            self._levels.embedding_failed(cause_of_error(of_a_port(error, "the embedder")))
            return {}
        return {
            ref: used_memories.answer_nearness(vector, said, asked) for ref, vector in zip(memories, known, strict=True)
        }


class RoundRecording:
    """Judges which memories were used, builds the record of a round and writes it."""

    def __init__(
        self,
        dialogues: SessionStore,
        search: Search,
        meanings: AnswerMeanings,
        levels: Levels,
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._dialogues = dialogues
        self._search = search
        self._meanings = meanings
        self._levels = levels
        self._clock = clock
        self._settings = settings

    async def judge(self, turn: Turn) -> References:
        """Which injected records the answer used, and which it cites of those that the model looked up, of which the
        others are nothing. Unknown where the database can't tell how rare their words are, for the answer is recorded
        all the same."""
        cited = {citation.ref for citation in turn.citations}
        asked_for = tuple(item.ref for item in turn.injection.looked_up if item.ref in cited)
        judged = await self._judge_injected(turn, cited)
        return replace(judged, used=(*judged.used, *asked_for))

    async def _judge_injected(self, turn: Turn, cited: Set[Ref]) -> References:
        injected = [
            CitableRecord(item.ref, item.content, item.type, is_near=item.reason != PERHAPS)
            for item in turn.injection.injected
            if item.type is not None
        ]
        if not injected:
            return References()
        signs = sorted(frozenset().union(*(signs_of_memory(each.content) for each in injected)))
        try:
            statistics = await self._search.at_once(lambda snapshot: snapshot.words.statistics(signs))
        except StorageError:
            self._levels.long_term_failed()
            return References(unknown=tuple(each.ref for each in injected))
        rarities = used_memories.rarities_of(statistics)
        question, answer = turn.question, turn.text
        stated = {
            each.ref: without_the_user(each.content)
            for each in injected
            if each.type in used_memories.STATED_TYPES and each.ref not in cited
        }
        nearness = await self._meanings.nearness(question, answer, stated)
        return used_memories.judge_references(injected, answer, question, cited, rarities, nearness)

    async def record(self, turn: Turn, judged: References, started: StartedRound) -> RoundOutcome:
        """Write all of the round in one transaction."""
        given = self._record(started, turn.spans, turn.text, turn.injection, judged, keeps_memory=turn.keeps_memory)
        whole = replace(
            given,
            reasoning=turn.reasoning,
            citations=turn.citations,
            finish=turn.finish,
            usage=turn.usage,
            model=turn.model.model,
            estimated_prompt_tokens=turn.estimated_prompt_tokens,
            cause=cause_of_finish(turn.finish, turn.note),
        )
        return await self._dialogues.finish_round(whole)

    async def record_given(self, asked: Round, answer: str, level: Level, *, keeps_memory: bool) -> None:
        """Write a round with an answer that Orca did not ask for: a client tells what its own assistant said."""
        started = StartedRound(asked.id, asked.session_id, asked.number, asked.attempt)
        given = self._record(
            started, asked.spans, answer, Injection(level, ()), References(), keeps_memory=keeps_memory
        )
        await self._dialogues.finish_round(given)

    def events(self, judged: References, outcome: RoundOutcome) -> Iterator[Event]:
        """The events of what the record changed."""
        yield Referenced(judged)
        for move in outcome.moved:
            assert move.status is not None  # only receipts of former times lack it
            yield WeightMoved(move.ref, move.before, move.after, move.status)
        for memory_id in outcome.archived:
            yield Archived(memory_id)

    def _record(
        self,
        started: StartedRound,
        said: tuple[Span, ...],
        answer: str,
        injection: Injection,
        judged: References,
        *,
        keeps_memory: bool,
    ) -> RoundRecord:
        memory = self._settings.memory
        summarises = keeps_memory and memory.short_term.max_items > 0
        return RoundRecord(
            round_id=started.id,
            answer=answer,
            reasoning="",
            citations=(),
            finish=Finish.STOP,
            usage=None,
            model="",
            at=self._clock.now(),
            estimated_prompt_tokens=0,
            short_term=summarise_round(said, answer, memory.short_term.compression_threshold) if summarises else None,
            short_term_max_items=memory.short_term.max_items,
            to_buffer=keeps_memory and self._settings.memory_agent.enabled and memory.long_term.enabled,
            receipt=Receipt(started.session_id, started.number, injection, judged),
            core_threshold=memory.long_term.core_threshold,
            uses=_uses(judged),
            cause=cause_of_finish(Finish.STOP, ""),
        )


def _uses(judged: References) -> dict[Ref, Use]:
    uses = dict.fromkeys(judged.used, Use.USED)
    uses |= dict.fromkeys(judged.unused, Use.UNUSED)
    return uses | dict.fromkeys(judged.unknown, Use.UNKNOWN)


class ClientMessages:
    """A user's message begins a round, the assistant's next one ends it."""

    def __init__(
        self,
        dialogues: SessionStore,
        recording: RoundRecording,
        worker: Worker,
        levels: Levels,
        changed: Callable[[], None],
        clock: Clock,
        memory: MemorySettings,
    ) -> None:
        self._dialogues = dialogues
        self._recording = recording
        self._worker = worker
        self._levels = levels
        self._changed = changed
        self._clock = clock
        self._memory = memory

    async def save(self, session_id: str, role: str, text: str) -> int:
        """The number of the round that it belongs to. The session is made where there is none of that name; a round
        that still waits for an answer when the next one begins is kept as interrupted. Raises InvalidInput."""
        checked_session_id(session_id)
        said = cleaning.clean_message(text)
        if not said.strip():
            raise InvalidInput(template="there is nothing to save")
        if role not in {each.value for each in Role}:
            known = ", ".join(each.value for each in Role)
            raise InvalidInput(template="no such role: {role}", hint="there are {known}", role=role, known=known)
        latest = await self._latest(session_id)
        waits = latest if latest is not None and latest.state is RoundState.STREAMING else None
        number = await (self._ask if Role(role) is Role.USER else self._answer)(session_id, said, waits)
        self._changed()
        return number

    async def _latest(self, session_id: str) -> Round | None:
        try:
            await self._dialogues.session(session_id)
        except NotFound:  # the first message makes it
            return None
        rounds = await self._dialogues.rounds(session_id, last=1)
        return rounds[-1] if rounds else None

    async def _ask(self, session_id: str, said: str, waits: Round | None) -> int:
        if waits is not None:
            await self._dialogues.end_round(waits.id, "interrupted", "", "", None)
        spans = (Span(said),)
        start = RoundStart(
            session_id=session_id,
            title=title_of(spans),
            spans=spans,
            at=self._clock.now(),
            remember=memory_to_write(spans, session_id) if self._memory.enabled else None,
        )
        started = await self._dialogues.begin_round(start)
        return started.number

    async def _answer(self, session_id: str, said: str, waits: Round | None) -> int:
        if waits is None:
            raise InvalidInput(
                template="no message of the user waits for an answer in {session}",
                hint="save what the user said first",
                session=session_id,
            )
        level, _ = await self._levels.current()
        await self._recording.record_given(waits, said, level, keeps_memory=self._memory.enabled)
        self._worker.round_done(session_id)
        return waits.number
