"""Which acts are read next."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from orca_core.model.feedback import Action, ActionType
from orca_core.model.learning import Due
from orca_core.rules.feedback import claim_extraction

AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def acts(type_word: str, count: int, session: str = "s", first: int = 1, minutes: float = 0) -> list[Action]:
    at = AT + timedelta(minutes=minutes)
    return [Action(first + each, "", ActionType(type_word), session, at, round=each + 1) for each in range(count)]


@pytest.mark.parametrize(
    ("waiting", "given", "reads"),
    [
        ([], {"everything": True}, None),
        (acts("LIKE", 4), {}, None),
        (acts("LIKE", 5), {}, (1, 5)),
        (acts("LIKE", 14), {}, (1, 10)),
        (acts("LIKE", 3) + acts("LIKE", 2, "t", 4), {}, None),
        (acts("LIKE", 3) + acts("EDIT_FILE", 2, first=4), {}, (1, 5)),
        (acts("LIKE", 1) + acts("COLLECT_SESSION", 5, "t", 2), {}, (2, 5)),
        (acts("LIKE", 1), {"everything": True}, (1, 1)),
        (acts("LIKE", 1), {"everything": True, "session_id": "t"}, None),
        (acts("LIKE", 1) + acts("LIKE", 1, "t", 2), {"ended": ("t",)}, (2, 1)),
        (acts("LIKE", 1, minutes=-31), {}, (1, 1)),
        (acts("LIKE", 1, minutes=-31) + acts("DISLIKE", 1, first=2), {}, None),
    ],
)
def test_what_is_read_next(waiting: list[Action], given: dict[str, object], reads: tuple[int, int] | None) -> None:
    chosen = claim_extraction.chosen(waiting, Due(AT, claim_extraction.BATCH, AT - timedelta(minutes=30), **given))  # type: ignore[arg-type]

    assert ((chosen[0].id, len(chosen)) if chosen else None) == reads
