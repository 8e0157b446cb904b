"""A person's own memories as a set: each is asked for by what was typed in the round that it came from.

That is no question that anybody asked, and it holds the words that the memory was made of: what it finds is the most
that can be hoped for. So each round is asked a second time without the quotes of its memories, where anything is left,
and a memory that was said word for word is not asked for at all: any search finds a text by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from orca_core.evaluation.values import Corpus, Question
from orca_core.model.memories import Memory, State
from orca_core.model.sessions import Round
from orca_core.model.views import MemoryQuery, MemorySort, StatusCriteria
from orca_core.operations.memories import MemoryStore
from orca_core.operations.sessions import SessionStore
from orca_core.rules.learning.typed_sources import with_typed_quote
from orca_core.rules.text.spelling import folded, folded_with_places, language_of
from orca_core.rules.text.typed_spans import typed_text

NAME = "own"
WHOLE, REST = "round", "without_quote"
"""The categories: all that was typed in the round, and what is left of it without the quotes."""
BY_HAND, ROUND_GONE, WORD_FOR_WORD = "by_hand", "round_gone", "word_for_word"
"""Why a memory is not asked for."""
LEAST_REST_BYTES = 10
"""The letters that are left of a round have to be so many bytes, as of a text for which recall looks at all
(`memory.inject.min_query_length`)."""

RoundKey = tuple[str, int]


def own_corpus(memories: Iterable[Memory], rounds: Mapping[RoundKey, Round]) -> Corpus:
    """The questions about these live memories. A round that several came from asks for all of them at once."""
    left_out: Counter[str] = Counter()
    of_round: dict[RoundKey, list[Memory]] = {}
    for memory in memories:
        there = [rounds[key] for key in keys_of(memory) if key in rounds]
        quoted = with_typed_quote(memory, there)
        source = _source(quoted, there)
        if not memory.origin.rounds:
            left_out[BY_HAND] += 1
        elif source is None:
            left_out[ROUND_GONE] += 1
        elif folded(memory.content) in folded(typed_text(source.spans)):
            left_out[WORD_FOR_WORD] += 1
        else:
            of_round.setdefault((source.session_id, source.number), []).append(quoted)
    questions = [each for key, found in of_round.items() for each in _questions(rounds[key], found)]
    return Corpus(NAME, (), tuple(questions), left_out)


def keys_of(memory: Memory) -> list[RoundKey]:
    """The rounds that a memory came from."""
    session = memory.origin.session_id
    return [] if session is None else [(session, number) for number in memory.origin.rounds]


def _source(memory: Memory, rounds: Sequence[Round]) -> Round | None:
    """The round that holds its quote, else the last one that it came from; None where nothing was typed there."""
    typed = [each for each in rounds if typed_text(each.spans).strip()]
    quote = memory.origin.quote
    holding = [each for each in typed if quote and folded(quote) in folded(typed_text(each.spans))]
    return next(iter(holding or reversed(typed)), None)


def _questions(source: Round, memories: Sequence[Memory]) -> list[Question]:
    text = typed_text(source.spans)
    rest = text
    for memory in memories:
        rest = without(rest, memory.origin.quote or "")
    relevant = tuple(str(memory.id) for memory in memories)
    name = f"{source.session_id}/{source.number}"
    asked = [Question(name, NAME, text, WHOLE, language_of(text), relevant)]
    if rest != text and len("".join(filter(str.isalnum, rest)).encode()) >= LEAST_REST_BYTES:
        asked.append(Question(f"{name}/rest", NAME, rest, REST, language_of(rest), relevant))
    return asked


def without(text: str, quote: str) -> str:
    """A text without the places where a quote stands, however it is spelled there."""
    wanted = folded(quote)
    while wanted:
        letters, places = folded_with_places(text)
        at = letters.find(wanted)
        if at < 0:
            break
        text = f"{text[: places[at]]} {text[places[at + len(wanted) - 1] + 1 :]}"
    return text


class OwnMemories:
    """The live memories of a scope, with the rounds that they came from."""

    def __init__(self, memories: MemoryStore, dialogues: SessionStore) -> None:
        self._memories = memories
        self._dialogues = dialogues

    async def corpus(self) -> Corpus:
        """The questions, and what is not asked for."""
        live = MemoryQuery(StatusCriteria((State.LIVE,)), sort=MemorySort.ID)
        memories = (await self._memories.page(live)).memories
        there = {session.id for session in await self._dialogues.sessions()}
        wanted = {key for memory in memories for key in keys_of(memory)}
        rounds: dict[RoundKey, Round] = {}
        for session in sorted({session for session, _number in wanted} & there):
            for each in await self._dialogues.rounds(session):
                if (session, each.number) in wanted:
                    rounds[session, each.number] = each
        return own_corpus(memories, rounds)
