"""What backups are called, which ones go; whatever names lie beside them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.backups import MadeFor
from orca_core.rules.memory.memory_upkeep import backup_name, outlived, read_name

NOON = datetime(2026, 11, 20, 12, 0, 7, tzinfo=UTC)
OLD, OLDER, OLDEST = (backup_name("orca", NOON - timedelta(days=days)) for days in (1, 2, 3))
NEW = backup_name("orca", NOON)
UPGRADE = "orca-schema-9.db"


@pytest.mark.parametrize(
    ("at", "made_for", "number", "name"),
    [
        (NOON, MadeFor.HAND, 1, "orca-2026-11-20-120007Z.db"),
        (NOON, MadeFor.HAND, 2, "orca-2026-11-20-120007Z-2.db"),
        (NOON, MadeFor.RESTORE, 1, "orca-2026-11-20-120007Z-before-restore.db"),
        (
            NOON.astimezone(timezone(timedelta(hours=8))),
            MadeFor.RESTORE,
            3,
            "orca-2026-11-20-120007Z-before-restore-3.db",
        ),
    ],
)
def test_a_name_tells_when_it_was_made_and_what_for(at: datetime, made_for: MadeFor, number: int, name: str) -> None:
    assert backup_name("orca", at, made_for, number) == name
    assert read_name("orca", name) == (NOON, made_for)


@pytest.mark.parametrize(
    ("name", "read"),
    [
        (UPGRADE, (None, MadeFor.UPGRADE)),
        ("orca.db", None),
        ("orca-2026-11-20.db", None),
        ("orca-2026-13-40-120007Z.db", None),
        ("orca-2026-11-20-120007Z.db-wal", None),
        ("orca-2026-11-20-120007Z-mine.db", None),
        ("other-2026-11-20-120007Z.db", None),
        (".orca.db.77.part", None),
        ("", None),
    ],
)
def test_other_files_are_no_backups(name: str, read: object) -> None:
    assert read_name("orca", name) == read


@pytest.mark.parametrize(
    ("names", "keep", "gone"),
    [
        ([NEW, OLD, OLDER, OLDEST], 2, [OLDEST, OLDER]),
        ([OLDEST, NEW, OLDER, OLD], 4, []),
        ([NEW, OLD], 1, [OLD]),
        ([NEW, OLD, OLDER], 0, []),
        ([NEW, UPGRADE, "notes.db", "orca.db", OLD], 1, [OLD]),
        ([NEW, OLD.replace("Z", "Z-before-restore"), OLDER], 2, [OLDER]),
    ],
)
def test_the_newest_stay(names: list[str], keep: int, gone: list[str]) -> None:
    assert outlived("orca", names, keep, NEW) == gone


def test_the_one_just_made_stays_though_the_clock_went_back() -> None:
    assert outlived("orca", [NEW, OLD, OLDEST], 1, newest=OLDEST) == [OLD, NEW]


def test_several_of_one_second_go_in_the_order_in_which_they_were_made() -> None:
    names = [backup_name("orca", NOON, number=number) for number in (10, 2, 1, 11)]

    assert outlived("orca", names, 2, newest=names[3]) == [names[2], names[1]]


@given(st.lists(st.text(max_size=40)), st.integers(1, 5))
def test_nothing_but_backups_ever_goes(names: list[str], keep: int) -> None:
    ours = [NEW, OLD, OLDER, OLDEST]

    gone = outlived("orca", [*names, *ours], keep, NEW)

    assert set(gone) <= {OLD, OLDER, OLDEST} | {each for each in names if read_name("orca", each)}
    assert NEW not in gone
