"""What retrieval is measured with: a set in a folder, a line of JSON each document and each question, checked whole; or
a person's own memories, each asked for by what was typed in the round that it came from.

The latter is no question that anybody asked, and it holds the words that the memory was made of: what it finds is the
most that can be hoped for. So each round is asked a second time without the quotes of its memories, where anything is
left, and a memory that was said word for word is not asked for at all: any search finds a text by itself."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec import Struct

from orca_core.evaluation.scoring import Corpus, Document, Question
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


def corpus(name: str, documents: tuple[str, str], questions: tuple[str, str]) -> Corpus:
    """A set from its two files, each as its path and its text. Raises InvalidInput with the place of what is wrong."""
    read = tuple(_documents(*documents))
    conversation_of = {each.id: each.conversation for each in read}
    asked = tuple(_questions(*questions, conversation_of))
    kept = tuple(each for each in asked if each.category not in LEFT_OUT)
    left_out = Counter(each.category for each in asked if each.category in LEFT_OUT)
    return Corpus(name, read, kept, left_out)


def _documents(path: str, text: str) -> Iterator[Document]:
    sessions: Counter[tuple[str, str]] = Counter()
    for line in _lines(path, text):
        conversation, session = line.text("conversation"), line.text("session", "")
        sessions[conversation, session] += 1
        said = spoken_text(line.text("text"), line.text("speaker", ""))
        if len(clean_memory(said)) < MEMORY_LIMITS[0]:
            raise line.wrong(template="{path}: line {line}: nothing that can be kept is left of the text")
        order, at = sessions[conversation, session], day_of(line.text("date", ""))
        yield Document(line.id, conversation, session or None, order, said, at)


def _questions(path: str, text: str, conversation_of: Mapping[str, str]) -> Iterator[Question]:
    known = set(conversation_of.values())
    for line in _lines(path, text):
        conversation = line.text("conversation")
        if conversation not in known:
            raise line.wrong(template="{path}: line {line}: no document is of the conversation {id}", id=conversation)
        relevant = tuple(dict.fromkeys(line.ids("relevant")))
        for each in relevant:
            if conversation_of.get(each) != conversation:
                raise line.wrong(template="{path}: line {line}: the conversation has no document {id}", id=each)
        category, language = line.text("category", "all"), line.text("lang", "all")
        yield Question(line.id, conversation, line.text("text"), category, language, relevant)


def spoken_text(text: str, speaker: str) -> str:
    """A document as it is kept: who speaks in front of it, where that is a name which the text does not hold."""
    return text if speaker in UNNAMED_SPEAKERS or speaker in text else f"{speaker}: {text}"


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


class _Line(Struct, frozen=True):
    """The values of one line, checked as they are taken."""

    path: str
    number: int
    row: Mapping[str, Any]

    @property
    def id(self) -> str:
        return self.text("id")

    def text(self, key: str, otherwise: str | None = None) -> str:
        """A text; without `otherwise` one that says something. Raises InvalidInput."""
        value = self.row.get(key)
        if value is None and otherwise is not None:
            return otherwise
        if not isinstance(value, str) or (otherwise is None and not value.strip()):
            raise self.wrong(template="{path}: line {line}: {key} has to be a text", key=key)
        return value

    def ids(self, key: str) -> list[str]:
        """A list of texts that is not empty. Raises InvalidInput."""
        value = self.row.get(key)
        if not isinstance(value, list) or not value or not all(isinstance(each, str) for each in value):
            raise self.wrong(template="{path}: line {line}: {key} has to be a list of ids", key=key)
        return value

    def wrong(self, *, template: str, **fields: str) -> InvalidInput:
        return InvalidInput(template=template, path=self.path, line=self.number, **fields)


def _lines(path: str, text: str) -> Iterator[_Line]:
    """The lines that hold something, each with an id of its own. A text may hold any other character that ends a
    line. Raises InvalidInput."""
    seen: set[str] = set()
    for number, written in enumerate(text.split("\n"), 1):
        if not written.strip():
            continue
        try:
            row = json.loads(written)
        except ValueError:
            row = None
        line = _Line(path, number, row if isinstance(row, dict) else {})
        if not isinstance(row, dict):
            raise line.wrong(template="{path}: line {line}: no JSON object")
        if line.id in seen:
            raise line.wrong(template="{path}: line {line}: the id {id} stands here a second time", id=line.id)
        seen.add(line.id)
        yield line


def dated(documents: Sequence[Document], now: datetime) -> list[datetime]:
    """When each document was said: on its day, else on that of the one before, else now; in their order."""
    when, at = [], now
    for place, document in enumerate(documents):
        at = document.at or at
        when.append(at + timedelta(milliseconds=place))
    return when


def sets_in(folder: Path) -> list[Corpus]:
    """The set of a folder, else those of its folders. Raises InvalidInput."""
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


def _read_set(folder: Path) -> Corpus:
    documents, questions = folder / DOCUMENTS, folder / QUESTIONS
    read = corpus(folder.resolve().name, (str(documents), _text_of(documents)), (str(questions), _text_of(questions)))
    if not read.questions:
        raise InvalidInput(template="{path}: no question is asked here", path=str(questions))
    return read


def _text_of(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except OSError as error:
        detail = error.strerror or str(error)
        raise InvalidInput(template="{path}: can't be read ({detail})", path=str(path), detail=detail) from error
    except UnicodeDecodeError as error:
        raise InvalidInput(template="{path}: this is no UTF-8 text", path=str(path)) from error


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
    questions = [each for key, found in of_round.items() for each in _questions_of(rounds[key], found)]
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


def _questions_of(source: Round, memories: Sequence[Memory]) -> list[Question]:
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


async def own_questions(memories: MemoryStore, sessions: SessionStore) -> Corpus:
    """The questions about the live memories of a scope, and what is not asked for."""
    live = (await memories.page(MemoryQuery(StatusCriteria((State.LIVE,)), sort=MemorySort.ID))).records
    there = {session.id for session in await sessions.sessions()}
    wanted = {key for memory in live for key in keys_of(memory)}
    rounds: dict[RoundKey, Round] = {}
    for session in sorted({session for session, _number in wanted} & there):
        found = await sessions.rounds(session)
        rounds |= {(session, each.number): each for each in found if (session, each.number) in wanted}
    return own_corpus(live, rounds)
