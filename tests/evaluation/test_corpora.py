"""Sets that measure retrieval, read and checked."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from orca_core.evaluation.question_sets import corpus, dated, day_of, spoken_text
from orca_core.evaluation.scoring import Corpus
from orca_core.model.errors import InvalidInput

DOCUMENT = {"id": "d1", "conversation": "c", "session": "s", "date": "2023-05-08", "speaker": "Ann", "text": "I ski."}
QUESTION = {
    "id": "q1",
    "conversation": "c",
    "text": "Who skis?",
    "category": "simple",
    "lang": "en",
    "relevant": ["d1"],
}


def read(documents: list[Any], questions: list[Any]) -> Corpus:
    files = ["\n".join(map(json.dumps, rows)) + "\n" for rows in (documents, questions)]
    return corpus("small", ("corpus.jsonl", files[0]), ("queries.jsonl", files[1]))


def test_a_document_knows_its_place_in_its_session_and_what_nothing_answers_is_left_out() -> None:
    others = [
        {**DOCUMENT, "id": "d2"},
        {**DOCUMENT, "id": "d3", "session": "t"},
        {**DOCUMENT, "id": "d4", "session": ""},
    ]

    found = read([DOCUMENT, *others], [QUESTION, {**QUESTION, "id": "q2", "category": "adversarial"}])

    assert [(each.session, each.round) for each in found.documents] == [("s", 1), ("s", 2), ("t", 1), (None, 1)]
    assert found.documents[0].text == "Ann: I ski."
    assert ([each.id for each in found.questions], found.left_out) == (["q1"], {"adversarial": 1})


@pytest.mark.parametrize(
    ("documents", "questions", "message"),
    [
        ([["d1"]], [], "corpus.jsonl: line 1: no JSON object"),
        ([DOCUMENT, {**DOCUMENT, "text": "else"}], [], "corpus.jsonl: line 2: the id d1 stands here a second time"),
        ([{**DOCUMENT, "text": " "}], [], "corpus.jsonl: line 1: text has to be a text"),
        ([{**DOCUMENT, "date": 20230508}], [], "corpus.jsonl: line 1: date has to be a text"),
        ([DOCUMENT], [{**QUESTION, "conversation": "d"}], "queries.jsonl: line 1: no document is of the conversation d"),
        ([DOCUMENT], [QUESTION, {**QUESTION, "id": "q2", "relevant": ["d9"]}], "queries.jsonl: line 2: the conversation has no document d9"),
        ([DOCUMENT, {**DOCUMENT, "id": "d2", "speaker": "", "text": "\0\1"}], [], "corpus.jsonl: line 2: nothing that can be kept is left of the text"),
        ([DOCUMENT], [{**QUESTION, "relevant": []}], "queries.jsonl: line 1: relevant has to be a list of ids"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line(documents: list[Any], questions: list[Any], message: str) -> None:
    with pytest.raises(InvalidInput) as told:
        read(documents, questions)

    assert str(told.value) == message


def test_a_line_that_is_cut_is_told_and_a_line_separator_in_a_text_ends_no_line() -> None:
    whole = json.dumps({**DOCUMENT, "text": "one\u2028two"}, ensure_ascii=False)

    with pytest.raises(InvalidInput, match="line 3: no JSON object"):
        corpus("small", ("corpus.jsonl", f"{whole}\n\n{whole[:-9]}"), ("queries.jsonl", ""))


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
    assert spoken_text(text, speaker) == expected


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
    rows = [
        {**DOCUMENT, "id": f"d{place}", "date": date} for place, date in enumerate(["", "2023-05-08", "", "2023-05-09"])
    ]

    when = dated(read(rows, [{**QUESTION, "relevant": ["d0"]}]).documents, now)

    assert [each.date().isoformat() for each in when] == ["2026-11-20", "2023-05-08", "2023-05-08", "2023-05-09"]
    assert when[1] < when[2]
