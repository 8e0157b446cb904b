"""What entries of other programs' files become."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

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
from orca_core.rules.memory.import_statements import offers

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


def test_its_name_is_the_same_whenever_it_is_read() -> None:
    assert offered("Likes tea", key="a").uid == offered("Likes coffee", key="a").uid
    assert offered("Likes tea").uid == offered(" likes  TEA. ").uid
    assert offered("Likes tea").uid != offered("Likes coffee").uid
    assert len({offered("Likes tea", key="a").uid, offered("Likes tea").uid}) == 2


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
