"""A record's columns, rows, history, name and times follow from its Struct, and from nothing else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from orca_core.model.memories import MEMORIES, ArchivedBecause, Memory, MemoryType, Origin, OriginKind, State
from orca_core.model.record_types import (
    MEMORY,
    SUMMARY,
    Changeable,
    Kind,
    Kinds,
    RecordType,
    Ref,
    StoredAs,
    parse_timestamp,
    timestamp,
)

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


class Colour(StrEnum):
    RED = "red"


class Place(Struct, frozen=True):
    town: str
    zip: Annotated[int | None, StoredAs("code")] = None


class Thing(Struct, frozen=True):
    id: int
    name: Changeable[str]
    home: Place
    colour: Annotated[Changeable[Colour | None], StoredAs("paint")] = None
    sizes: Changeable[tuple[int, ...]] = ()
    away: Place = Place("nowhere")
    is_old: Changeable[bool] = False
    at: datetime | None = None


THINGS = RecordType(Kind("thing", "t"), Thing, "things", text="name", unmade=None)


def test_columns_stand_in_the_order_of_the_fields() -> None:
    assert THINGS.names == (
        "id", "name", "home_town", "home_code", "paint", "sizes", "away_town", "away_code", "is_old", "at",
    )  # fmt: skip
    assert THINGS.changeable == ("name", "paint", "sizes", "is_old")


def test_a_record_is_named_by_its_kind_and_number() -> None:
    thing = Thing(7, "lamp", Place("Kyoto"))
    assert THINGS.ref(thing) == Ref(Kind("thing", "t"), 7)
    assert str(THINGS.ref(thing)) == "t7"
    assert THINGS.text(thing) == "lamp"


def test_a_row_holds_what_columns_can_hold() -> None:
    thing = Thing(7, "lamp", Place("Kyoto", 600), Colour.RED, (1, 2), is_old=True, at=AT)
    assert THINGS.to_row(thing) == {
        "id": 7, "name": "lamp", "home_town": "Kyoto", "home_code": 600, "paint": "red", "sizes": "[1,2]",
        "away_town": "nowhere", "away_code": None, "is_old": 1, "at": "2026-11-21T09:30:00.000000Z",
    }  # fmt: skip


texts = st.text(max_size=12)
moments = st.datetimes(timezones=st.just(UTC), min_value=datetime(1000, 1, 1))  # noqa: DTZ001  # Hypothesis adds the zone
memories = st.builds(
    Memory,
    id=st.integers(0, 2**62),
    uid=texts,
    content=texts,
    type=st.sampled_from(MemoryType),
    tags=st.lists(texts, max_size=3).map(tuple),
    confidence=st.floats(0, 1),
    weight=st.floats(0, 10),
    state=st.sampled_from(State),
    created_at=moments,
    updated_at=moments,
    origin=st.builds(
        Origin,
        st.sampled_from(OriginKind),
        st.none() | texts,
        st.lists(st.integers(1, 9), max_size=3).map(tuple),
        st.none() | texts,
        st.none() | texts,
    ),
    held_because=st.none() | texts,
    archived_because=st.none() | st.sampled_from(ArchivedBecause),
    pinned=st.booleans(),
    access_count=st.integers(0, 9),
    used=st.integers(0, 9),
    seen=st.integers(0, 9),
    last_accessed=st.none() | moments,
    superseded_by=st.none() | st.integers(1, 9),
    would_replace=st.none() | st.integers(1, 9),
)


@given(memories)
def test_a_memory_comes_back_from_its_row_as_it_went(memory: Memory) -> None:
    assert MEMORIES.from_row(list(MEMORIES.to_row(memory).values())) == memory


@given(memories, memories)
def test_history_can_make_any_memory_into_any_other(one: Memory, other: Memory) -> None:
    """All that may change does, and nothing else."""
    changed = MEMORIES.changed(one, MEMORIES.changeable_fields(other))
    assert MEMORIES.changeable_fields(changed) == MEMORIES.changeable_fields(other)
    kept = [name for name in MEMORIES.names if name not in MEMORIES.changeable]
    assert MEMORIES.plain(changed, kept) == MEMORIES.plain(one, kept)


def test_times_of_any_zone_are_stored_in_one() -> None:
    east = Thing(1, "bell", Place("Kyoto"), at=AT.astimezone(timezone(timedelta(hours=9))))
    assert THINGS.to_row(east)["at"] == "2026-11-21T09:30:00.000000Z"


@pytest.mark.parametrize("annotation", [dict[str, int], set[str], tuple[Any, ...], complex])
def test_a_field_that_no_column_can_hold_is_refused_when_its_rows_are_asked_for(annotation: Any) -> None:
    class Odd(Struct, frozen=True):
        id: int
        odd: annotation  # type: ignore[valid-type]

    Odd.__annotations__["odd"] = annotation
    odds = RecordType(Kind("odd", "o"), Odd, "odds", text="odd", unmade=None)
    with pytest.raises(TypeError, match="no column holds"):
        _ = odds.columns


NOTE = Kind("note", "n")


def test_a_reference_is_read_as_the_kind_that_wrote_it() -> None:
    kinds = Kinds((MEMORY, SUMMARY, NOTE))

    assert [kinds.ref(each) for each in (7, "m7", "s41", "n1")] == [
        Ref(MEMORY, 7), Ref(MEMORY, 7), Ref(SUMMARY, 41), Ref(NOTE, 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "other", [Kind("dish", "m"), Kind("memory", "d"), *(Kind("dish", each) for each in ("", "M", "m2", "1", "]", "食"))]
)
def test_kinds_that_could_be_taken_for_each_other_are_refused(other: Kind) -> None:
    with pytest.raises(ValueError, match="kind"):
        Kinds((MEMORY, SUMMARY, other))


TIMES = (
    datetime(1, 1, 1, tzinfo=UTC),
    datetime(999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
    datetime(2026, 11, 20, 21, 55, 10, tzinfo=timezone(timedelta(hours=8))),
    datetime(2026, 11, 20, 21, 55, 10, 123_456, tzinfo=UTC),
    datetime.max.replace(tzinfo=UTC),
)


@pytest.mark.parametrize("at", TIMES, ids=str)
def test_a_time_is_read_as_it_was_written(at: datetime) -> None:
    assert parse_timestamp(timestamp(at)) == at


def test_times_sort_as_text() -> None:
    assert sorted(map(timestamp, TIMES)) == [timestamp(at) for at in TIMES]
    assert timestamp(TIMES[3]) == "2026-11-20T21:55:10.123456Z"
