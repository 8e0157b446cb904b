"""What a record out of a file says of why it waits: an older Orca's reasons are today's."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from orca_core.model.import_export import ForeignFormat, Offered, Packed, PackedChange
from orca_core.model.memories import MemoryType
from orca_core.model.record_types import EPISODE, GUIDE, KNOWLEDGE, MEMORY, Kind
from orca_core.rules.memory.import_records import Folding, checked

AT = datetime(2026, 11, 20, 12, tzinfo=UTC)
REASONS = [
    ("weak_evidence", "unread"),
    ("conditional", "unread"),
    ("second_reader", "not_said"),
    ("expired: weak_evidence", "expired: unread"),
    ("expired: second_reader", "expired: not_said"),
    ("expired", "expired"),
    ("expired: kept_by_hand: 1", "expired: kept_by_hand: 1"),
    ("kept_by_hand: 1", "kept_by_hand: 1"),
    ("never", "never"),
    ("a reason of a newer Orca", "a reason of a newer Orca"),
    (None, None),
]


@pytest.mark.parametrize("kind", [MEMORY, EPISODE, KNOWLEDGE, GUIDE], ids=lambda kind: kind.name)
@pytest.mark.parametrize(("old", "today"), REASONS)
def test_a_reason_is_called_as_it_is_today_also_in_the_history(kind: Kind, old: str | None, today: str | None) -> None:
    change = PackedChange(1, {"held_because": old}, {"held_because": old})
    record = checked(Packed(kind, {"uid": "u", "held_because": old}, (change,)), AT)

    assert record.fields["held_because"] == today
    assert record.history == (PackedChange(1, {"held_because": today}, {"held_because": today}),)


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
