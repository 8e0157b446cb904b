"""Records a turn: which memories the answer used, one write for all of it, and the events of that."""

from __future__ import annotations

from collections.abc import Iterator, Set
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.errors import StorageError
from orca_core.model.events import Archived, Event, Referenced, WeightMoved
from orca_core.model.llm import Clock, Finish, Span, Usage
from orca_core.model.memories import Fields, NewShortTerm, Use
from orca_core.model.recall import Citation, Injection, Receipt, References
from orca_core.model.records import Ref
from orca_core.model.sessions import RoundOutcome, RoundRecord, StartedRound
from orca_core.rules.memory import causes, weights
from orca_core.rules.memory.compression import summarise_round
from orca_core.rules.retrieval.choosing.ranking import PERHAPS
from orca_core.rules.retrieval.use import references
from orca_core.rules.retrieval.use.references import Citable
from orca_core.rules.retrieval.use.signs import signs_of_memory, without_the_user
from orca_core.rules.text import spans
from orca_core.services.chat.answer import Answer
from orca_core.services.chat.meanings import Meanings
from orca_core.services.shared.levels import Levels
from orca_core.settings import Settings
from orca_core.store.protocols import DialogueStore
from orca_core.store.protocols.index import SearchIndex


class GivenAnswer(Struct, frozen=True):
    """An answer that Orca did not ask for: a client tells what its own assistant said."""

    text: str
    reasoning: str = ""
    citations: tuple[Citation, ...] = ()
    finish: Finish = Finish.STOP
    usage: Usage | None = None
    note: str = ""
    estimated_prompt_tokens: int = 0


class Answered(Struct, frozen=True):
    """A finished turn, before it is recorded. `keeps_memory` is False at level 4."""

    spans: tuple[Span, ...]
    injection: Injection
    answer: Answer | GivenAnswer
    model: str
    keeps_memory: bool


class Recording:
    """Judges which memories were used, builds the record of a round and writes it."""

    def __init__(
        self,
        dialogues: DialogueStore,
        search: SearchIndex,
        meanings: Meanings,
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

    async def judge(self, turn: Answered) -> References:
        """Which injected records the answer used, and which it cites of those that the model looked up, of which the
        others are nothing. Unknown where the database can't tell how rare their words are, for the answer is recorded
        all the same."""
        cited = {citation.ref for citation in turn.answer.citations}
        asked_for = tuple(item.ref for item in turn.injection.looked_up if item.ref in cited)
        judged = await self._judge_injected(turn, cited)
        return replace(judged, used=(*judged.used, *asked_for))

    async def _judge_injected(self, turn: Answered, cited: Set[Ref]) -> References:
        injected = [
            Citable(item.ref, item.content, item.type, is_near=item.reason != PERHAPS)
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
        rarities = references.rarities_of(statistics)
        question, answer = spans.join(turn.spans), turn.answer.text
        stated = {
            each.ref: without_the_user(each.content)
            for each in injected
            if each.type in references.STATED_TYPES and each.ref not in cited
        }
        nearness = await self._meanings.nearness(question, answer, stated)
        return references.judge(injected, answer, question, cited, rarities, nearness)

    async def record(self, turn: Answered, judged: References, started: StartedRound) -> RoundOutcome:
        """Write all of the round in one transaction."""
        return await self._dialogues.finish_round(self._record(turn, judged, started), self._evolve())

    def events(self, judged: References, outcome: RoundOutcome) -> Iterator[Event]:
        """The events of what the record changed."""
        yield Referenced(judged)
        for move in outcome.moved:
            assert move.status is not None  # only receipts of former times lack it
            yield WeightMoved(move.ref, move.before, move.after, move.status)
        for memory_id in outcome.archived:
            yield Archived(memory_id)

    def _record(self, turn: Answered, judged: References, started: StartedRound) -> RoundRecord:
        answer = turn.answer
        return RoundRecord(
            round_id=started.id,
            answer=answer.text,
            reasoning=answer.reasoning,
            citations=answer.citations,
            finish=answer.finish,
            usage=answer.usage,
            model=turn.model,
            at=self._clock.now(),
            estimated_prompt_tokens=answer.estimated_prompt_tokens,
            short_term=self._short_term(turn),
            short_term_max_items=self._settings.memory.short_term.max_items,
            to_buffer=turn.keeps_memory
            and self._settings.memory_agent.enabled
            and self._settings.memory.long_term.enabled,
            receipt=Receipt(started.session_id, started.number, turn.injection, judged),
            core_threshold=self._settings.memory.long_term.core_threshold,
            uses=_uses(judged),
            cause=causes.of_finish(answer.finish, answer.note),
        )

    def _short_term(self, turn: Answered) -> NewShortTerm | None:
        if not turn.keeps_memory or self._settings.memory.short_term.max_items == 0:
            return None
        return summarise_round(turn.spans, turn.answer.text, self._settings.memory.short_term.compression_threshold)

    def _evolve(self) -> partial[Fields]:
        memory = self._settings.memory
        return partial(weights.evolve, weights=memory.weights, long_term=memory.long_term)


def _uses(judged: References) -> dict[Ref, Use]:
    uses = dict.fromkeys(judged.used, Use.USED)
    uses |= dict.fromkeys(judged.unused, Use.UNUSED)
    return uses | dict.fromkeys(judged.unknown, Use.UNKNOWN)
