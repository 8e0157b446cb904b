"""JSON that is derived from values."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from fakes.shapes import PARTS

from orca_core.model.learning import DroppedFact
from orca_core.model.memories import Status
from orca_core.model.recall import Level, References
from orca_core.model.records import EPISODE, Ref, memory_ref
from orca_core.model.sessions import Session
from orca_core.serialize.values import name_of, names_of, pick, plain

NOON = datetime(2026, 5, 4, 12, 0, 0, 250_999, UTC)
SESSION = Session("s", "", NOON, 2)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, None),
        ("a", "a"),
        (True, True),
        (0.1 + 0.2, 0.1 + 0.2),
        (Status.ACTIVE, "active"),
        (Level.FULL, 1),
        (Path("a/b"), "a/b"),
        (NOON, "2026-05-04T12:00:00.250Z"),
        (datetime(2026, 5, 4, 20, 0, tzinfo=timezone(timedelta(hours=8))), "2026-05-04T12:00:00.000Z"),
        (memory_ref(7), 7),
        (Ref(EPISODE, 3), "e3"),
        ((1, ("a", None)), [1, ["a", None]]),
        ({"at": NOON, "to": {"ref": memory_ref(1)}}, {"at": "2026-05-04T12:00:00.250Z", "to": {"ref": 1}}),
        ([DroppedFact("x", "short")], [{"content": "x", "reason": "short"}]),
        (References((memory_ref(7),), (), (Ref(EPISODE, 1),)), {"used": [7], "unused": [], "unknown": ["e1"]}),
        (PARTS, {"vector": 0.5, "text": 0.25, "weight": 0.05, "recency": 0.0125}),
        (SESSION, {"id": "s", "title": "", "created_at": "2026-05-04T12:00:00.250Z", "rounds": 2}),
    ],
)
def test_a_value_is_told_by_its_fields(value: Any, told: Any) -> None:
    found = plain(value)

    assert found == told
    assert type(found) is type(told)
    assert not isinstance(told, dict) or list(found) == list(told)


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ("rounds id", {"rounds": 2, "id": "s"}),
        ("id:session", {"session": "s"}),
        ("title title:name?", {"title": "", "name": None}),
        ("rounds?", {"rounds": 2}),
    ],
)
def test_attributes_are_picked_in_the_order_of_their_names(names: str, told: dict[str, Any]) -> None:
    picked = pick(SESSION, names)

    assert list(picked.items()) == list(told.items())


def test_what_is_no_attribute_is_a_mistake() -> None:
    with pytest.raises(AttributeError):
        pick(SESSION, "rounds length")


def test_records_are_named_as_lists_name_them() -> None:
    assert (name_of(EPISODE, 3), name_of(EPISODE, None)) == ("e3", None)
    assert names_of(EPISODE, (3, 4)) == ["e3", "e4"]
