"""Reads a set that measures retrieval: a line of JSON each document and each question, checked whole."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from orca_core.evaluation.values import Corpus, Document, Question
from orca_core.model.errors import InvalidInput
from orca_core.rules.text.cleaning import MEMORY_LIMITS, clean_memory
from orca_core.rules.text.dates import dates_in

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
