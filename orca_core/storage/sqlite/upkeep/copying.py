"""Copies a database, for who wants to try something out: the original is only read."""

from __future__ import annotations

import os
from pathlib import Path

import apsw

from orca_core.storage.sqlite.engine.connection import BUSY_TIMEOUT_MS
from orca_core.storage.sqlite.engine.failures import translate, translate_os
from orca_core.storage.sqlite.engine.opening import prepared
from orca_core.storage.sqlite.schema.migrations import check_is_ours


def copy_database(path: Path, into: Path) -> None:
    """A whole copy as of one moment, for its owner alone. Raises StorageError."""
    prepared(path, must_exist=True, check=check_is_ours, fill=None)
    try:
        os.close(os.open(into, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        connection.set_busy_timeout(BUSY_TIMEOUT_MS)
        try:
            connection.execute("VACUUM INTO ?", (str(into),)).fetchall()
        finally:
            connection.close()
    except apsw.Error as error:
        raise translate(error, path) from error
    except OSError as error:
        raise translate_os(error, into) from error
