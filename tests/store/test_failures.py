"""What SQLite's codes come to: damage is said of a file only, not of a disk that is full or fails."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import apsw
import pytest

from orca_core.model.errors import DiskFailed, StorageError, StoreBusy, StoreDamaged, StoreFull, StoreReadOnly
from orca_core.store.sqlite.engine.failures import translate, translate_os

PATH = Path("/somewhere/orca.db")
WRITES = ("WRITE", "FSYNC", "DIR_FSYNC", "TRUNCATE", "SHMSIZE", "SHMMAP", "SHMOPEN", "MMAP", "READ", "LOCK")


def raised(name: str) -> apsw.Error:
    return apsw.exception_for(apsw.mapping_extended_result_codes[f"SQLITE_{name}"])


def no_room(_path: Path) -> int:
    return 0


def plenty(_path: Path) -> int:
    return 1 << 40


@pytest.mark.parametrize("name", [*(f"IOERR_{each}" for each in WRITES), "CANTOPEN_FULLPATH"])
def test_without_room_a_failure_is_a_full_disk(name: str) -> None:
    assert type(translate(raised(name), PATH, no_room)) is StoreFull


@pytest.mark.parametrize("name", [f"IOERR_{each}" for each in WRITES])
def test_with_room_it_is_the_disk_that_fails_and_not_the_file(name: str) -> None:
    assert type(translate(raised(name), PATH, plenty)) is DiskFailed


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("IOERR_CORRUPTFS", StoreDamaged),
        ("IOERR_DATA", StoreDamaged),
        ("IOERR_SHORT_READ", StoreDamaged),
        ("CORRUPT_INDEX", StoreDamaged),
        ("BUSY_SNAPSHOT", StoreBusy),
        ("READONLY_DIRECTORY", StoreReadOnly),
        ("CANTOPEN_ISDIR", StoreReadOnly),
    ],
)
@pytest.mark.parametrize("room", [plenty])
def test_other_codes_keep_their_meaning(name: str, kind: type[StorageError], room) -> None:
    assert type(translate(raised(name), PATH, room)) is kind


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.ENOSPC, StoreFull),
        (errno.EDQUOT, StoreFull),
        (errno.EROFS, StoreReadOnly),
        (errno.EACCES, StoreReadOnly),
        (errno.EIO, DiskFailed),
    ],
)
def test_what_the_system_says_has_the_same_sentences(number: int, kind: type[StorageError]) -> None:
    assert type(translate_os(OSError(number, os.strerror(number)), PATH)) is kind
