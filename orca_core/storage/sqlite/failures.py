"""What SQLite says, in Orca's words."""

from __future__ import annotations

from pathlib import Path

import apsw

from orca_core.domain.errors import (
    StorageError,
    StoreBusy,
    StoreDamaged,
    StoreForeign,
    StoreFull,
    StoreReadOnly,
)


def translate(error: apsw.Error, path: Path) -> StorageError:
    """The StorageError that says what went wrong with the database at `path`."""
    detail = str(error)
    match error:
        case apsw.BusyError() | apsw.LockedError():
            return StoreBusy(path=path)
        case apsw.FullError():
            return StoreFull(path=path)
        case apsw.ReadOnlyError() | apsw.CantOpenError() | apsw.PermissionsError():
            return StoreReadOnly(path=path)
        case apsw.NotADBError():
            return StoreForeign(path=path, detail=detail)
        case apsw.CorruptError() | apsw.IOError():
            return StoreDamaged(path=path, detail=detail)
    return StorageError(path=path, detail=detail)
