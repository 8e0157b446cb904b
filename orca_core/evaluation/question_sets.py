"""Read the sets that retrieval is measured with: a folder's documents and questions, a line of JSON each; or a person's
own memories, each asked for by what was typed in the round that it came from.

The latter is no question that anybody asked, and it holds the words that the memory was made of: what it finds is the
most that can be hoped for. So each round is asked a second time without the quotes of its memories, where anything is
left, and a memory that was said word for word is not asked for at all: any search finds a text by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Protocol, TypeVar

import msgspec
from msgspec import Meta, Struct, field

from orca_core.model.errors import InvalidInput
from orca_core.model.memories import Memory, State
from orca_core.model.sessions import Round
from orca_core.model.views import MemoryQuery, MemorySort, StatusCriteria
from orca_core.operations.memories import MemoryStore
from orca_core.operations.sessions import SessionStore
from orca_core.rules.learning.typed_sources import with_typed_quote
from orca_core.rules.text.cleaning import MEMORY_LIMITS, clean_memory
from orca_core.rules.text.dates import dates_in
from orca_core.rules.text.spelling import folded, folded_with_places, language_of
from orca_core.rules.text.typed_spans import typed_text

DOCUMENTS, QUESTIONS = "corpus.jsonl", "queries.jsonl"
LEFT_OUT = frozenset({"adversarial"})
"""Categories whose questions have no answer in their documents, so that nothing that is found is right."""
UNNAMED_SPEAKERS = frozenset({"", "exchange", "用户"})
"""Speakers who are no name: their texts hold who speaks, or it is the user."""

_Said = Annotated[str, Meta(pattern=r"\S")]


class Document(Struct, frozen=True):
    """A text that is to be found, as a line of a set gives it. Texts may repeat, ids do not."""

    id: _Said
    conversation: _Said
    text: _Said
    session: str | None = None
    date: str | None = None
    speaker: str | None = None

    @property
    def kept_text(self) -> str:
        """The text with who speaks in front of it, where that is a name which the text does not hold."""
        speaker = self.speaker or ""
        return self.text if speaker in UNNAMED_SPEAKERS or speaker in self.text else f"{speaker}: {self.text}"


class SetQuestion(Struct, frozen=True):
    """What is asked of the documents of one conversation, and the ids of those that answer it."""

    id: _Said
    conversation: _Said
    text: _Said
    relevant: Annotated[tuple[str, ...], Meta(min_length=1)]
    category: str = "all"
    language: str = field(name="lang", default="all")


class QuestionSet(Struct, frozen=True):
    """Documents and questions about them; `left_out` counts what is not asked for, by the reason."""

    name: str
    documents: tuple[Document, ...]
    questions: tuple[SetQuestion, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)


def read_sets(folder: Path) -> list[QuestionSet]:
    """The set of a folder, else those of its folders. Raises InvalidInput with the place of what is wrong."""
    if (folder / DOCUMENTS).is_file():
        return [_read_set(folder)]
    sets = [_read_set(each.parent) for each in sorted(folder.glob(f"*/{DOCUMENTS}"))]
    if not sets:
        raise InvalidInput(
            template="{path}: there is no {documents} here, nor in a folder of it",
            hint="a set is a folder with {documents} and {questions}; docs/evaluation.md describes them",
            path=str(folder),
            documents=DOCUMENTS,
            questions=QUESTIONS,
        )
    return sets


def _read_set(folder: Path) -> QuestionSet:
    documents = _read_lines(folder / DOCUMENTS, Document)
    questions = _read_lines(folder / QUESTIONS, SetQuestion)
    for number, each in documents.items():
        if len(clean_memory(each.kept_text)) < MEMORY_LIMITS[0]:
            raise _wrong(folder / DOCUMENTS, number, "nothing that can be kept is left of the text")
    there = {(each.conversation, each.id) for each in documents.values()}
    for number, asked in questions.items():
        for relevant in asked.relevant:
            if (asked.conversation, relevant) not in there:
                raise _wrong(folder / QUESTIONS, number, f"the conversation has no document {relevant}")
    kept = tuple(each for each in questions.values() if each.category not in LEFT_OUT)
    if not kept:
        raise InvalidInput(template="{path}: no question is asked here", path=str(folder / QUESTIONS))
    left_out = Counter(each.category for each in questions.values() if each.category in LEFT_OUT)
    return QuestionSet(folder.resolve().name, tuple(documents.values()), kept, left_out)


class _WithId(Protocol):
    @property
    def id(self) -> str: ...


L = TypeVar("L", bound=_WithId)


def _read_lines(path: Path, line: type[L]) -> dict[int, L]:
    """The lines of a file that hold something, by their numbers. Raises InvalidInput."""
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        detail = error.strerror or str(error)
        raise InvalidInput(template="{path}: can't be read ({detail})", path=str(path), detail=detail) from error
    except UnicodeDecodeError as error:
        raise InvalidInput(template="{path}: this is no UTF-8 text", path=str(path)) from error
    found: dict[int, L] = {}
    ids: set[str] = set()
    for number, written in enumerate(text.split("\n"), 1):  # a text may hold any other character that ends a line
        if not written.strip():
            continue
        try:
            found[number] = msgspec.json.decode(written, type=line)
        except msgspec.DecodeError as error:
            raise _wrong(path, number, str(error)) from error
        if found[number].id in ids:
            raise _wrong(path, number, f"the id {found[number].id} stands here a second time")
        ids.add(found[number].id)
    return found


def _wrong(path: Path, number: int, detail: str) -> InvalidInput:
    return InvalidInput(template="{path}: line {line}: {detail}", path=str(path), line=number, detail=detail)


def days_of(documents: Sequence[Document], now: datetime) -> list[datetime]:
    """When each document was said: on its day, else on that of the one before, else now; in their order."""
    when, at = [], now
    for place, document in enumerate(documents):
        at = day_of(document.date or "") or at
        when.append(at + timedelta(milliseconds=place))
    return when


def day_of(date: str) -> datetime | None:
    """The day of a date in any spelling that Orca reads, at noon, so that it is the same day in every time zone; None
    where there is none."""
    for found in dates_in(date):
        if found.year is not None:
            try:
                return datetime(found.year, found.month, found.day or 1, 12, tzinfo=UTC)
            except ValueError:  # the 30th of February
                return None
    return None


OWN = "own"
WHOLE, REST = "round", "without_quote"
"""The categories: all that was typed in the round, and what is left of it without the quotes."""
BY_HAND, ROUND_GONE, WORD_FOR_WORD = "by_hand", "round_gone", "word_for_word"
"""Why a memory is not asked for."""
LEAST_REST_BYTES = 10
"""The letters that are left of a round have to be so many bytes, as of a text for which recall looks at all
(`memory.inject.min_query_length`)."""

RoundKey = tuple[str, int]


async def read_own_memories(memories: MemoryStore, sessions: SessionStore) -> QuestionSet:
    """The questions about the live memories of a scope, and what is not asked for."""
    live = (await memories.page(MemoryQuery(StatusCriteria((State.LIVE,)), sort=MemorySort.ID))).records
    there = {session.id for session in await sessions.sessions()}
    wanted = {key for memory in live for key in _rounds_of(memory)}
    rounds: dict[RoundKey, Round] = {}
    for session in sorted({session for session, _number in wanted} & there):
        found = await sessions.rounds(session)
        rounds |= {(session, each.number): each for each in found if (session, each.number) in wanted}
    return own_set(live, rounds)


def own_set(memories: Iterable[Memory], rounds: Mapping[RoundKey, Round]) -> QuestionSet:
    """The questions about these live memories. A round that several came from asks for all of them at once."""
    left_out: Counter[str] = Counter()
    of_round: dict[RoundKey, list[Memory]] = {}
    for memory in memories:
        there = [rounds[key] for key in _rounds_of(memory) if key in rounds]
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
    questions = [each for key, found in of_round.items() for each in _questions_of(rounds[key], found)]
    return QuestionSet(OWN, (), tuple(questions), left_out)


def _rounds_of(memory: Memory) -> list[RoundKey]:
    session = memory.origin.session_id
    return [] if session is None else [(session, number) for number in memory.origin.rounds]


def _source(memory: Memory, rounds: Sequence[Round]) -> Round | None:
    """The round that holds its quote, else the last one that it came from; None where nothing was typed there."""
    typed = [each for each in rounds if typed_text(each.spans).strip()]
    quote = memory.origin.quote
    holding = [each for each in typed if quote and folded(quote) in folded(typed_text(each.spans))]
    return next(iter(holding or reversed(typed)), None)


def _questions_of(source: Round, memories: Sequence[Memory]) -> list[SetQuestion]:
    text = typed_text(source.spans)
    rest = text
    for memory in memories:
        rest = without_quote(rest, memory.origin.quote or "")
    relevant = tuple(str(memory.id) for memory in memories)
    name = f"{source.session_id}/{source.number}"
    asked = [SetQuestion(name, OWN, text, relevant, WHOLE, language_of(text))]
    if rest != text and len("".join(filter(str.isalnum, rest)).encode()) >= LEAST_REST_BYTES:
        asked.append(SetQuestion(f"{name}/rest", OWN, rest, relevant, REST, language_of(rest)))
    return asked


def without_quote(text: str, quote: str) -> str:
    """A text without the places where a quote stands, however it is spelled there."""
    wanted = folded(quote)
    while wanted:
        letters, places = folded_with_places(text)
        at = letters.find(wanted)
        if at < 0:
            break
        text = f"{text[: places[at]]} {text[places[at + len(wanted) - 1] + 1 :]}"
    return text
