"""What a person says of themselves in chats that were held elsewhere: sentences that are plainly so, word for word."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from fakes.growth import grows_linearly
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.errors import InvalidInput
from orca_core.model.import_export import (
    ForeignChat,
    ForeignFormat,
    ForeignGap,
    ForeignMemory,
    ForeignMessage,
    ForeignText,
    LeftOut,
    Offered,
    Unread,
)
from orca_core.model.memories import MemoryType
from orca_core.rules.memory import import_records
from orca_core.rules.memory.import_records import Folding
from orca_core.rules.memory.import_statements import PROSE_CHARS, Listed, dated, listed_in, offers, statements_of
from orca_core.rules.text.relative_dates import ageing_words


def chat_of(*messages: str) -> ForeignChat:
    return ForeignChat(ForeignFormat.CHATGPT, "Chat", "[0]", tuple(ForeignMessage(each, "") for each in messages))


def stated(*messages: str) -> list[str]:
    return [said for said, _message in statements_of(chat_of(*messages))]


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("I live in Rome and work as a nurse. Any pasta place?", ["I live in Rome and work as a nurse"]),
        ("I'm a backend developer, mostly Go. How do I profile?", ["I'm a backend developer, mostly Go"]),
        ("I have two kids. Ideas for a rainy day?", ["I have two kids"]),
        ("Hi! I run every morning before work", ["I run every morning before work"]),
        ("I prefer short answers without emojis", ["I prefer short answers without emojis"]),
        ("I don't drink coffee. I'm from Porto.", ["I don't drink coffee", "I'm from Porto"]),
        ("Docker broke again.\n\nI use podman at home.", ["I use podman at home"]),
        ("btw, I’m allergic to bees", ["btw, I’m allergic to bees"]),
        ("我是一名护士，对花生过敏。", ["我是一名护士，对花生过敏"]),
        ("我女儿叫米娅", ["我女儿叫米娅"]),
        ("以后都用中文回答。", ["以后都用中文回答"]),
        ("我用 vim。I live in Chengdu.", ["我用 vim", "I live in Chengdu"]),
    ],
)
def test_a_plain_statement_is_found(message: str, found: list[str]) -> None:
    assert stated(message) == found


@pytest.mark.parametrize(
    "message",
    [
        # of another
        "My friend lives in Rome. He uses vim.",
        # quoted, code, a log, a text at hand
        "> I live in Rome",
        "2024-03-05 10:12: I live in Rome",
        "Tone of my letter?\nI live in Rome and work as a nurse.",
        "下面这段话翻译成英文\n我住在成都，对花生过敏。",
        # asked, supposed, another time
        "我住在成都还是重庆？",
        "如果我住在成都，房租多少",
        # of the moment, of nothing that lasts
        "I get an error. I tried everything. I have a question.",
        "I like this one. I use this function to sort. I love it!",
        "我刚才试了",
        # too long to have been typed
        "x" * 700 + " I live in Rome.",
        "\x1b[2J\u202e\ud800",
    ],
)
def test_what_is_no_plain_statement_is_left(message: str) -> None:
    assert stated(message) == []


@pytest.mark.parametrize("opening", ["Let's role-play: you are a doctor, I am a patient.", "你扮演医生，我是病人"])
def test_behind_the_opening_of_a_play_nothing_is_stated(opening: str) -> None:
    assert stated("I work in Bonn.", opening, "I live in Rome.") == ["I work in Bonn"]


def test_no_message_takes_long() -> None:
    assert grows_linearly(stated, ["I live ", "我住", "\n\n", "my ", ". ", "“", "`", "I am a "], 4_000)


@pytest.mark.parametrize(
    ("line", "said", "said_on"),
    [
        ("Likes tea", "Likes tea", None),
        ("  * Likes tea", "Likes tea", None),
        ("12. Likes tea", "Likes tea", None),
        ("(3) Likes tea", "Likes tea", None),
        ("**Name:** Alex", "Name: Alex", None),
        ("1. [2025-05-02]. The user likes ice", "The user likes ice", date(2025, 5, 2)),
        ("[May 3, 2023] - Likes tea", "Likes tea", date(2023, 5, 3)),
        ("2024-05-01: Likes tea", "Likes tea", date(2024, 5, 1)),
        ("[unknown] - Likes tea", "Likes tea", None),
        ("[stated] Likes tea", "[stated] Likes tea", None),
        ("[tea](http://example.org) is good", "[tea](http://example.org) is good", None),
        ("3 children", "3 children", None),
    ],
)
def test_a_line_is_a_memory_without_its_marks(line: str, said: str, said_on: date | None) -> None:
    assert list(listed_in(line)) == [Listed(said, 1, said_on)]


def test_headings_rules_and_fences_are_no_memories() -> None:
    text = (
        "# About me\n\nHere is what I know:\n```\nLikes tea\n```\n---\n**Work context**\n\nTests compilers.\n"
        "| a | b |\n|---|---|\n"
    )

    assert [(each.text, each.heading) for each in listed_in(text)] == [
        ("Likes tea", "Here is what I know"),
        ("Tests compilers.", "Work context"),
        ("| a | b |", "Work context"),
    ]


def test_what_is_set_in_below_a_bullet_belongs_to_it() -> None:
    assert [each.text for each in listed_in("- Likes tea,\n  but no sugar\n- Has a cat\n\n  Alone")] == [
        "Likes tea, but no sugar",
        "Has a cat",
        "Alone",
    ]


def test_a_long_paragraph_of_prose_is_cut_at_its_sentences_and_a_line_of_a_list_is_not() -> None:
    paragraph = " ".join(f"Alex has looked after whale number {number} since the spring." for number in range(12))

    pieces = [each.text for each in listed_in(paragraph, is_prose=True)]

    assert " ".join(pieces) == paragraph
    assert len(pieces) > 1
    assert all(len(piece) <= PROSE_CHARS for piece in pieces)
    assert [each.text for each in listed_in(paragraph)] == [paragraph]


@given(st.text(st.sampled_from("ab -*#[]2024-05-01\n:`|_.x "), max_size=200))
def test_whatever_stands_in_a_text_its_letters_stay_in_order(text: str) -> None:
    found = list(listed_in(text))

    assert [each.line for each in found] == sorted(each.line for each in found)
    assert all(each.text == each.text.strip() and each.text for each in found)


@pytest.mark.parametrize("line", ["- " * 500_000, "#" * 1_000_000, "**" * 500_000, "[" * 1_000_000, "|--" * 300_000])
def test_a_line_of_a_million_marks_takes_no_time(line: str) -> None:
    assert len(list(listed_in(line, is_prose=False))) <= 1


SAID_ON = date(2024, 3, 5)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Likes tea", "Likes tea"),
        ("Runs at the weekend", "Runs at the weekend"),
        ("Met Ann on 2024-01-02, yesterday", "Met Ann on 2024-01-02, yesterday"),
        ("Flies the day after tomorrow", "Flies the day after tomorrow (2024-03-07)"),
        ("Moved 3 days ago", "Moved 3 days ago (2024-03-02)"),
        ("Moved a few days ago.", "Moved a few days ago (said on 2024-03-05)"),
        ("Moved two weeks ago", "Moved two weeks ago (said on 2024-03-05)"),
        ("Starts next week, and sees Ann tomorrow", "Starts next week, and sees Ann tomorrow (said on 2024-03-05)"),
        ("Tomorrow is the exam. Tomorrow!", "Tomorrow (2024-03-06) is the exam. Tomorrow!"),
        ("大后天面试", "大后天（2024-03-08）面试"),
        ("上周搬到成都", "上周搬到成都（2024-03-05 说的）"),
        ("後天考試", "後天考試（2024-03-05 说的）"),
    ],
)
def test_the_days_are_written_out(text: str, read: str) -> None:
    assert dated(text, SAID_ON) == read
    assert not ageing_words(read)


def test_without_a_day_nobody_knows_which_is_meant() -> None:
    assert dated("Has an interview tomorrow", None) is None
    assert dated("Likes tea", None) == "Likes tea"


MEM0 = ForeignFormat.MEM0
AT = datetime(2024, 3, 5, 12, tzinfo=UTC)


def offered(text: str, **fields: object) -> Offered:
    [found] = offers(ForeignMemory(MEM0, text, "results[0]", **fields))  # type: ignore[arg-type]  # named by the caller
    assert isinstance(found, Offered)
    return found


def left(text: str) -> LeftOut:
    [found] = offers(ForeignMemory(MEM0, text, "results[0]"))
    assert isinstance(found, LeftOut)
    return found


def test_a_memory_is_cleaned_and_waits_because_it_was_imported() -> None:
    found = offered("Likes\u202e \x1b[31mtea\n", said_at=AT, tags=("food", "food", "\x07", "x" * 99), key="k", chat="C")

    assert (found.content, found.held_because, found.said_at, found.chat) == ("Likes [31mtea", "imported", AT, "C")
    assert found.tags == ("food", "x" * 40)
    assert found.type is MemoryType.PREFERENCE


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("The password is hunter22", "secret"),
        ("Blog: https://example.org/me", "url"),
        ("Has an interview tomorrow", "undated"),
        ("Likes tea", "imported"),
    ],
)
def test_why_it_waits(text: str, held: str) -> None:
    assert offered(text).held_because == held


def test_a_day_that_it_counts_is_written_out() -> None:
    assert offered("Has an interview tomorrow", said_at=AT).content == "Has an interview tomorrow (2024-03-06)"


def test_too_short_and_too_long_are_left_out() -> None:
    assert left(" \u200b").why is Unread.TOO_SHORT
    assert left("x" * 2001).why is Unread.TOO_LONG
    assert left("x" * 10_000_000) == LeftOut("results[0]", Unread.TOO_LONG, "x" * 79 + "…")
    assert offered("x" * 2000).content == "x" * 2000


def test_lines_tell_their_number_their_day_and_their_heading() -> None:
    text = ForeignText(ForeignFormat.LINES, "# Food\n\n- [2024-05-01] - Likes tea\n- Has two cats\n", "")

    first, second = offers(text)

    assert isinstance(first, Offered)
    assert isinstance(second, Offered)
    assert (first.place, first.chat, first.said_at) == ("line 3", "Food", datetime(2024, 5, 1, 12, tzinfo=UTC))
    assert (second.place, second.said_at) == ("line 4", None)


def test_custom_instructions_are_instructions() -> None:
    text = ForeignText(ForeignFormat.CHATGPT, "Short sentences", "[0]", AT, "Chat", instructs=True)

    [found] = offers(text)

    assert isinstance(found, Offered)
    assert (found.type, found.place, found.chat) == (MemoryType.INSTRUCTION, "[0], line 1", "Chat")


def test_a_chat_gives_what_is_said_in_it_or_says_that_it_gives_nothing() -> None:
    def chat(*texts: str) -> ForeignChat:
        messages = tuple(ForeignMessage(each, "[0].x", AT) for each in texts)
        return ForeignChat(ForeignFormat.CHATGPT, "Moving", "[0]", messages)

    [found] = offers(chat("I live in Rome.", "Why?"))
    assert isinstance(found, Offered)
    assert (found.content, found.quote, found.chat, found.place) == (
        "I live in Rome",
        "I live in Rome",
        "Moving",
        "[0].x",
    )
    assert list(offers(chat("Why?"))) == [LeftOut("[0]", Unread.NO_STATEMENT, "Moving")]


def test_a_gap_is_told() -> None:
    assert list(offers(ForeignGap(MEM0, "results[3]", Unread.PUT_AWAY))) == [LeftOut("results[3]", Unread.PUT_AWAY)]


def test_the_same_words_are_folded_and_the_latest_time_counts() -> None:
    folded = Folding()
    later = datetime(2025, 1, 1, tzinfo=UTC)

    first = folded.take(offered("Likes tea", said_at=AT))
    assert folded.take(offered("likes tea!", said_at=later, chat="Later")) is first
    folded.take(offered("Likes coffee"))

    assert [(each.offered.content, each.count) for each in folded.folded] == [("Likes tea", 2), ("Likes coffee", 1)]
    assert (first.offered.said_at, first.offered.chat, first.places) == (later, "Later", ["results[0]"])


def test_more_than_anybody_decides_of_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_records, "MOST", 2)
    folded = Folding()
    for text in ("Likes tea", "Likes coffee"):
        folded.take(offered(text))

    with pytest.raises(InvalidInput, match="more than 2 memories"):
        folded.take(offered("Likes milk"))
