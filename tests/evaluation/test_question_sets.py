"""Sets that measure retrieval, read and checked; one's own memories as questions: what is asked, and what would only be
self-deception."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fakes.memories import memory

from orca_core.evaluation.question_sets import Document, QuestionSet, day_of, days_of, own_set, read_sets, without_quote
from orca_core.model.errors import InvalidInput
from orca_core.model.llm import Source, Span
from orca_core.model.memories import Memory, Origin, OriginKind
from orca_core.model.sessions import Round, RoundState

DOCUMENT = {"id": "d1", "conversation": "c", "session": "s", "date": "2023-05-08", "speaker": "Ann", "text": "I ski."}
QUESTION = {
    "id": "q1",
    "conversation": "c",
    "text": "Who skis?",
    "category": "simple",
    "lang": "en",
    "relevant": ["d1"],
}


def read(folder: Path, documents: list[Any], questions: list[Any]) -> QuestionSet:
    for name, rows in (("corpus.jsonl", documents), ("queries.jsonl", questions)):
        (folder / name).write_text("\n".join(map(json.dumps, rows)) + "\n", "utf-8")
    [found] = read_sets(folder)
    return found


def test_what_nothing_answers_is_left_out(tmp_path: Path) -> None:
    found = read(tmp_path, [DOCUMENT], [QUESTION, {**QUESTION, "id": "q2", "category": "adversarial"}])

    assert found.documents[0].kept_text == "Ann: I ski."
    assert ([each.id for each in found.questions], found.left_out) == (["q1"], {"adversarial": 1})


@pytest.mark.parametrize(
    ("documents", "questions", "message"),
    [
        ([["d1"]], [QUESTION], "corpus.jsonl: line 1: Expected `object`"),
        ([DOCUMENT, {**DOCUMENT, "text": "else"}], [QUESTION], "corpus.jsonl: line 2: the id d1 stands here a second time"),
        ([{**DOCUMENT, "text": " "}], [QUESTION], r"corpus.jsonl: line 1: .* at `\$.text`"),
        ([{**DOCUMENT, "date": 20230508}], [QUESTION], r"corpus.jsonl: line 1: .* at `\$.date`"),
        ([DOCUMENT], [{**QUESTION, "conversation": "d"}], "queries.jsonl: line 1: the conversation has no document d1"),
        ([DOCUMENT], [QUESTION, {**QUESTION, "id": "q2", "relevant": ["d9"]}], "queries.jsonl: line 2: the conversation has no document d9"),
        ([DOCUMENT, {**DOCUMENT, "id": "d2", "speaker": "", "text": "\0\1"}], [QUESTION], "corpus.jsonl: line 2: nothing that can be kept"),
        ([DOCUMENT], [{**QUESTION, "relevant": []}], r"queries.jsonl: line 1: .* at `\$.relevant`"),
        ([DOCUMENT], [], "queries.jsonl: no question is asked here"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line(
    tmp_path: Path, documents: list[Any], questions: list[Any], message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        read(tmp_path, documents, questions)


def test_a_line_that_is_cut_is_told_and_a_line_separator_in_a_text_ends_no_line(tmp_path: Path) -> None:
    whole = json.dumps({**DOCUMENT, "text": "one\u2028two"}, ensure_ascii=False)
    (tmp_path / "corpus.jsonl").write_text(f"{whole}\n\n{whole[:-9]}", "utf-8")

    with pytest.raises(InvalidInput, match="line 3: Input data was truncated"):
        read_sets(tmp_path)


@pytest.mark.parametrize(
    ("text", "speaker", "expected"),
    [
        ("I ski.", "Ann", "Ann: I ski."),
        ("Ann skis.", "Ann", "Ann skis."),
        ("User: hello", "exchange", "User: hello"),
        ("I ski.", "", "I ski."),
    ],
)
def test_a_speaker_stands_in_front_where_the_text_does_not_name_them(text: str, speaker: str, expected: str) -> None:
    assert Document("d1", "c", text, speaker=speaker).kept_text == expected


@pytest.mark.parametrize(
    ("date", "day"),
    [
        ("1:56 pm on 8 May, 2023", (2023, 5, 8)),
        ("2024年04月06日", (2024, 4, 6)),
        ("2023-04-27T10:00:00Z", (2023, 4, 27)),
        ("May 2023", (2023, 5, 1)),
        ("30 February 2023", None),
    ],
)
def test_a_day_is_read_in_several_spellings(date: str, day: tuple[int, int, int] | None) -> None:
    assert day_of(date) == (None if day is None else datetime(*day, 12, tzinfo=UTC))


def test_without_a_day_a_document_has_that_of_the_one_before() -> None:
    now = datetime(2026, 11, 20, tzinfo=UTC)
    documents = [Document("d", "c", "I ski.", date=date) for date in (None, "2023-05-08", "", "2023-05-09")]

    when = days_of(documents, now)

    assert [each.date().isoformat() for each in when] == ["2026-11-20", "2023-05-08", "2023-05-08", "2023-05-09"]
    assert when[1] < when[2]


AT = datetime(2026, 11, 20, tzinfo=UTC)


def said(number: int, *spans: Span) -> Round:
    return Round(number, "s", number, 1, "".join(span.text for span in spans), spans, "ok", RoundState.DONE, AT)


def learnt(number: int, content: str, *rounds: int, quote: str | None = None) -> Memory:
    return memory(id=number, content=content, origin=Origin(OriginKind.EXTRACTION, "s", rounds, quote))


EDITOR = said(1, Span("By the way, I use neovim for Python. How do I mock a clock?"))
ROUNDS = {("s", 1): EDITOR}


def test_a_round_asks_for_all_that_came_from_it_whole_and_without_the_quotes() -> None:
    first = learnt(3, "User uses neovim", 1, quote="I use neovim for Python")
    second = learnt(4, "User mocks clocks", 1)

    found = own_set([first, second], ROUNDS)

    assert [(each.category, each.text, each.relevant) for each in found.questions] == [
        ("round", EDITOR.user, ("3", "4")),
        ("without_quote", "By the way,  . How do I mock a clock?", ("3", "4")),
    ]
    assert found.left_out == {}


def test_what_is_not_asked_for_is_counted_with_its_reason() -> None:
    by_hand = memory(id=1, content="I prefer tea")
    gone = learnt(2, "User lives in Oslo", 7)
    word_for_word = learnt(3, "I use NEOVIM for Python", 1)

    found = own_set([by_hand, gone, word_for_word], ROUNDS)

    assert found.questions == ()
    assert found.left_out == {"by_hand": 1, "round_gone": 1, "word_for_word": 1}


def test_nothing_that_was_pasted_is_asked() -> None:
    mixed = said(1, Span("I use neovim. "), Span("Traceback: boom", Source.PASTED))

    [question] = own_set([learnt(1, "User's editor is neovim", 1)], {("s", 1): mixed}).questions

    assert question.text == "I use neovim. "


def test_of_several_rounds_the_one_that_holds_the_quote_asks() -> None:
    rounds = {("s", 1): EDITOR, ("s", 2): said(2, Span("Thanks, and what about asyncio?"))}

    found = own_set(
        [learnt(1, "User uses neovim", 1, 2, quote="i use  neovim"), learnt(2, "User likes asyncio", 1, 2)], rounds
    )

    asked = {each.text: each.relevant for each in found.questions if each.category == "round"}
    assert asked == {EDITOR.user: ("1",), "Thanks, and what about asyncio?": ("2",)}


@pytest.mark.parametrize(
    ("text", "quote", "left"),
    [("I use Neovim daily", "i use neovim", "  daily"), ("我 住在\n成都，你呢", "我住在成都", " ，你呢"), ("aXa", "a", " X "), ("x", "", "x"), ("x", "y", "x")],
)  # fmt: skip
def test_a_quote_is_taken_out_however_it_is_spelled(text: str, quote: str, left: str) -> None:
    assert without_quote(text, quote) == left
