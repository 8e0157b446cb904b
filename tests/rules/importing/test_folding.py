"""What is said several times in a file is one memory, which keeps what the person said of it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from orca_core.model.import_export import ForeignFormat, Offered
from orca_core.model.memories import MemoryType
from orca_core.rules.memory.import_records import Folding

EARLY, LATE = datetime(2024, 1, 1, tzinfo=UTC), datetime(2025, 1, 1, tzinfo=UTC)


def offered(uid: str, said_at: datetime | None, chat: str, quote: str | None) -> Offered:
    return Offered(
        ForeignFormat.CHATGPT, uid, "User is a nurse.", MemoryType.FACT, uid, "imported", said_at=said_at, chat=chat,
        quote=quote,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("first", "again", "expected"),
    [
        ((EARLY, "notes", None), (EARLY, "talk", "I'm a nurse"), (EARLY, "talk", "I'm a nurse")),
        ((LATE, "notes", None), (EARLY, "talk", "I'm a nurse"), (LATE, "talk", "I'm a nurse")),
        ((EARLY, "talk", "I'm a nurse"), (LATE, "notes", None), (LATE, "talk", "I'm a nurse")),
        ((None, "notes", None), (EARLY, "talk", "I'm a nurse"), (EARLY, "talk", "I'm a nurse")),
        ((EARLY, "talk", "I'm a nurse"), (LATE, "ward", "I am a nurse"), (LATE, "ward", "I am a nurse")),
        ((LATE, "ward", "I am a nurse"), (EARLY, "talk", "I'm a nurse"), (LATE, "ward", "I am a nurse")),
        ((EARLY, "notes", None), (LATE, "more notes", None), (LATE, "more notes", None)),
    ],
)
def test_of_two_the_persons_own_words_are_kept(
    first: tuple[datetime | None, str, str | None],
    again: tuple[datetime | None, str, str | None],
    expected: tuple[datetime | None, str, str | None],
) -> None:
    folding = Folding()
    folding.take(offered("a", *first))
    folded = folding.take(offered("b", *again))

    assert folded.count == 2
    assert (folded.offered.said_at, folded.offered.chat, folded.offered.quote) == expected
