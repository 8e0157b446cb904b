"""One database file, opened, migrated and seen through its ports in one scope."""

from __future__ import annotations

from pathlib import Path

from orca_core.domain.errors import StorageError, StoreOutOfReach, StoreRefused
from orca_core.domain.stores import Stores
from orca_core.storage.out_of_reach import stores_out_of_reach
from orca_core.storage.sqlite.engine.database import Database
from orca_core.storage.sqlite.engine.leadership import FileLeadership
from orca_core.storage.sqlite.index.search import SQLiteSearch
from orca_core.storage.sqlite.index.vectors import SQLiteVectors
from orca_core.storage.sqlite.learning.queue import SQLiteLearning
from orca_core.storage.sqlite.learning.runs import SQLiteRunRecord
from orca_core.storage.sqlite.learning.summaries import SQLiteSummaries
from orca_core.storage.sqlite.memories.history import SQLiteHistory
from orca_core.storage.sqlite.memories.long_term import SQLiteMemories
from orca_core.storage.sqlite.schema.migrations import check_is_ours, make_tables, migrate
from orca_core.storage.sqlite.talk.context_limits import SQLiteContextLimits
from orca_core.storage.sqlite.talk.dialogues import SQLiteDialogues
from orca_core.storage.sqlite.talk.receipts import SQLiteReceipts
from orca_core.storage.sqlite.talk.sessions import SQLiteSessions
from orca_core.storage.sqlite.upkeep.housekeeping import SQLiteHousekeeping


async def open_stores_or_none(path: Path, *, scope: str, must_exist: bool, vector_index: bool = True) -> Stores:
    """The same, but a database that can not be opened costs the memory, not the chat: stores that hold nothing and say
    why at every write. One that is not Orca's, is newer, or was named and is missing is refused all the same."""
    try:
        return await open_stores(path, scope=scope, must_exist=must_exist, vector_index=vector_index)
    except StoreRefused:
        raise
    except StorageError as error:
        reason = StoreOutOfReach(template=error.sentence_template, hint=error.way_out_template, **error.fields)
        return stores_out_of_reach(reason)


async def open_stores(path: Path, *, scope: str, must_exist: bool, vector_index: bool = True) -> Stores:
    """The database at `path`; rounds that a crash left streaming are marked. Raises StorageError."""
    database = await Database.open(path, must_exist=must_exist, check=check_is_ours, fill=make_tables)
    try:
        await database.raw(lambda connection: migrate(connection, path))
        housekeeping = SQLiteHousekeeping(database, scope)
        await housekeeping.recover()
    except BaseException:
        await database.aclose()
        raise
    return Stores(
        dialogues=SQLiteDialogues(database, scope),
        sessions=SQLiteSessions(database, scope),
        memories=SQLiteMemories(database, scope),
        history=SQLiteHistory(database, scope),
        search=SQLiteSearch(database, scope, vector_index=vector_index),
        vectors=SQLiteVectors(database, scope, vector_index=vector_index),
        receipts=SQLiteReceipts(database, scope),
        context_limits=SQLiteContextLimits(database),
        learning=SQLiteLearning(database, scope),
        runs=SQLiteRunRecord(database, scope),
        summaries=SQLiteSummaries(database, scope),
        leadership=FileLeadership(path, scope),
        housekeeping=housekeeping,
    )
