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
NOON = timedelta(hours=12)
"""A day is kept at noon, so that it is the same day in every time zone."""


def corpus(name: str, documents: tuple[str, str], questions: tuple[str, str]) -> Corpus:
    """A set from its two files, each as its path and its text. Raises InvalidInput with the place of what is wrong."""
    read = tuple(_documents(*documents))
    conversation_of = {each.id: each.conversation for each in read}
    asked = tuple(_questions(*questions, conversation_of))
    kept = tuple(each for each in asked if each.category not in LEFT_OUT)
    left_out = Counter(each.category for each in asked if each.category in LEFT_OUT)
    return Corpus(name, read, kept, left_out)


def _documents(path: str, text: str) -> Iterator[Document]:
    seen: set[str] = set()
    sessions: Counter[tuple[str, str]] = Counter()
    for line, row in _rows(path, text):
        values = _Values(path, line, row)
        identity, conversation = values.text("id"), values.text("conversation")
        values.once(identity, seen)
        session = values.text("session", "")
        sessions[conversation, session] += 1
        order = sessions[conversation, session]
        said = spoken_text(values.text("text"), values.text("speaker", ""))
        if len(clean_memory(said)) < MEMORY_LIMITS[0]:
            raise InvalidInput(
                template="{path}: line {line}: nothing that can be kept is left of the text", path=path, line=line
            )
        at = day_of(values.text("date", ""))
        yield Document(identity, conversation, session or None, order, said, at)


def _questions(path: str, text: str, conversation_of: Mapping[str, str]) -> Iterator[Question]:
    known = set(conversation_of.values())
    seen: set[str] = set()
    for line, row in _rows(path, text):
        values = _Values(path, line, row)
        conversation = values.text("conversation")
        if conversation not in known:
            raise InvalidInput(
                template="{path}: line {line}: no document is of the conversation {id}",
                path=path,
                line=line,
                id=conversation,
            )
        question = Question(
            id=values.once(values.text("id"), seen),
            conversation=conversation,
            text=values.text("text"),
            category=values.text("category", "all"),
            language=values.text("lang", "all"),
            relevant=tuple(dict.fromkeys(values.texts("relevant"))),
        )
        for each in question.relevant:
            if conversation_of.get(each) != conversation:
                raise InvalidInput(
                    template="{path}: line {line}: the conversation has no document {id}", path=path, line=line, id=each
                )
        yield question


def spoken_text(text: str, speaker: str) -> str:
    """A document as it is kept: who speaks in front of it, where that is a name which the text does not hold."""
    return text if speaker in UNNAMED_SPEAKERS or speaker in text else f"{speaker}: {text}"


def day_of(date: str) -> datetime | None:
    """The day of a date in any spelling that Orca reads; None where there is none."""
    for found in dates_in(date):
        if found.year is not None:
            try:
                return datetime(found.year, found.month, found.day or 1, tzinfo=UTC) + NOON
            except ValueError:  # the 30th of February
                return None
    return None


class _Values:
    """The values of one line, checked as they are taken."""

    def __init__(self, path: str, line: int, row: Mapping[str, Any]) -> None:
        self._path = path
        self._line = line
        self._row = row

    def text(self, key: str, otherwise: str | None = None) -> str:
        """A text; without `otherwise` one that says something."""
        value = self._row.get(key)
        if value is None and otherwise is not None:
            return otherwise
        if not isinstance(value, str) or (otherwise is None and not value.strip()):
            raise InvalidInput(template="{path}: line {line}: {key} has to be a text", **self._place(key))
        return value

    def texts(self, key: str) -> list[str]:
        """A list of texts that is not empty."""
        value = self._row.get(key)
        if not isinstance(value, list) or not value or not all(isinstance(each, str) for each in value):
            raise InvalidInput(template="{path}: line {line}: {key} has to be a list of ids", **self._place(key))
        return value

    def once(self, identity: str, seen: set[str]) -> str:
        """An id that no line before has."""
        if identity in seen:
            template = "{path}: line {line}: the id {id} stands here a second time"
            raise InvalidInput(template=template, path=self._path, line=self._line, id=identity)
        seen.add(identity)
        return identity

    def _place(self, key: str) -> dict[str, Any]:
        return {"path": self._path, "line": self._line, "key": key}


def _rows(path: str, text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The lines that hold something, by their numbers. A text may hold any other character that ends a line."""
    for line, written in enumerate(text.split("\n"), 1):
        if written.strip():
            try:
                row = json.loads(written)
            except ValueError:
                row = None
            if not isinstance(row, dict):
                raise InvalidInput(template="{path}: line {line}: no JSON object", path=path, line=line)
            yield line, row


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
