"""Words that are indexed after their records, because there are many."""

from __future__ import annotations

from collections.abc import Callable

import apsw

from orca_core.domain.stores.rows import Slice
from orca_core.storage.sqlite.engine.scope import Scope
from orca_core.storage.sqlite.index import words
from orca_core.storage.sqlite.index.tables import IndexTables
from orca_core.storage.sqlite.memories import gone


async def words_filled(scope: Scope, tables: IndexTables, tell: Callable[[int], None] | None = None) -> None:
    """Index what waits to be, in slices; the same records are found by their words meanwhile as far as they are in."""
    done = 0

    def fill(connection: apsw.Connection, slice_: Slice) -> bool | None:
        nonlocal done
        count = words.fill_slice(connection, tables, slice_.most, gone.IS_GONE)
        done += count
        if tell is not None:
            tell(done)
        return None if count else True

    await scope.in_slices(fill)
