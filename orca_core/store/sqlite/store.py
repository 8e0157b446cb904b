"""One database file, opened and migrated once; scopes are views of it, each with its ports."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import apsw

from orca_core.model.errors import StorageError, StoreOutOfReach, StoreRefused
from orca_core.model.kinds import RECORD_TYPES
from orca_core.model.memories import MEMORIES
from orca_core.model.record_types import RecordType
from orca_core.operations.episodes import EpisodeStore
from orca_core.operations.exports import ExportStore
from orca_core.operations.feedback_store import FeedbackStore
from orca_core.operations.guides import ToolStore
from orca_core.operations.imports import ImportStore
from orca_core.operations.knowledge_store import KnowledgeStore
from orca_core.operations.learning_queue import LearningQueue
from orca_core.operations.memories import MemoryStore
from orca_core.operations.message_search import MessageSearch
from orca_core.operations.model_usage import ModelUsage
from orca_core.operations.record_store import RecordStore
from orca_core.operations.records import RecordTypes
from orca_core.operations.retention import RetentionStore
from orca_core.operations.sessions import SessionStore
from orca_core.operations.stores import Search, Stores
from orca_core.operations.tasks import TaskStore
from orca_core.operations.undo import HistoryStore
from orca_core.operations.vectors import VectorStore
from orca_core.settings import MemorySettings
from orca_core.store.sqlite.engine.database import Database
from orca_core.store.sqlite.engine.processes import Leaders
from orca_core.store.sqlite.engine.scope import Parts, Scope
from orca_core.store.sqlite.index import index_tables
from orca_core.store.sqlite.index.full_text import SQLiteFullText
from orca_core.store.sqlite.index.index_tables import KindTables
from orca_core.store.sqlite.index.ram_index import RamIndex
from orca_core.store.sqlite.index.vector_search import SQLiteVectors
from orca_core.store.sqlite.lists import SQLiteLists
from orca_core.store.sqlite.schema.migrations import check_is_ours, make_tables, migrate, sweep_at_start
from orca_core.store.sqlite.upkeep.maintenance import SQLiteUpkeep, recover
from orca_core.store.sqlite.wiping import wipe_all

DEFAULTS = MemorySettings()


class OpenDatabase:
    """The threads, connections and locks of one file. They live until this handle and all its scopes are closed, in
    any order: who opened it may close the handle at once and keep a scope."""

    def __init__(self, database: Database, *, vector_index: bool, types: RecordTypes, settings: MemorySettings) -> None:
        self._database = database
        self._leaders = Leaders(database.path if database.failure is None else None)
        self._ram_index = RamIndex(database.where)
        self._uses_index = vector_index
        self._types = types
        self._settings = settings
        self._tables = KindTables(types)
        self._holders = 1
        self._is_let_go = False

    def scope(self, name: str, also: tuple[str, ...] = ()) -> Stores:
        """The ports of a scope. `also` are scopes whose memories are read with its own; messages are not, and writes
        go to its own scope."""
        if self._holders == 0:
            raise StoreOutOfReach(path=self._database.path, detail="Orca has closed it")
        self._holders += 1
        scope = Scope(
            self._database,
            self._leaders,
            name,
            also,
            parts=self._parts,
            wipe=wipe_all,
            after_read=self._ram_index.bring,
            on_close=self._scope_closed,
        )
        about = (scope, self._types, self._settings)
        return Stores(
            sessions=SessionStore(*about),
            messages=MessageSearch(scope),
            memories=MemoryStore(*about, MEMORIES),
            imports=ImportStore(scope),
            exports=ExportStore(scope),
            history=HistoryStore(*about),
            search=Search(*about),
            vectors=VectorStore(scope),
            learning=LearningQueue(*about),
            tasks=TaskStore(*about),
            episodes=EpisodeStore(*about),
            knowledge=KnowledgeStore(*about),
            feedback=FeedbackStore(*about),
            tools=ToolStore(*about),
            retention=RetentionStore(*about),
            model_usage=ModelUsage(*about),
            upkeep=SQLiteUpkeep(*about, self._tables),
            records={each.kind: RecordStore(*about, each) for each in self._types if each is not MEMORIES},
            failure=self._database.failure,
        )

    async def aclose(self) -> None:
        """Close the handle; a second call does nothing."""
        if not self._is_let_go:
            self._is_let_go = True
            await self._one_less()

    def _parts(self, connection: apsw.Connection, own: str, read: tuple[str, ...]) -> Parts:
        return (
            SQLiteFullText(connection, own, read, self._tables),
            SQLiteVectors(connection, read, self._ram_index, self._tables, uses_index=self._uses_index),
            SQLiteLists(connection, own, read),
        )

    async def _scope_closed(self) -> None:
        await self._one_less()
        if self._holders:
            await self._database.finish_writes()

    async def _one_less(self) -> None:
        self._holders -= 1
        if self._holders == 0:
            self._leaders.close()
            await self._ram_index.aclose()
            await self._database.aclose()


async def open_database(
    path: Path,
    *,
    must_exist: bool,
    settings: MemorySettings = DEFAULTS,
    vector_index: bool = True,
    kinds: Sequence[RecordType[Any]] = (),
) -> OpenDatabase:
    """The database at `path`, migrated; rounds that a crash left streaming are marked. `kinds` are those beside
    the ones that every Orca knows, `settings` what its operations go by. Raises StorageError."""
    database = await Database.open(path, must_exist=must_exist, check=check_is_ours, fill=make_tables)
    handle = OpenDatabase(
        database, vector_index=vector_index, types=RecordTypes((*RECORD_TYPES, *kinds)), settings=settings
    )
    try:
        await database.raw(lambda connection: migrate(connection, path))
        await asyncio.to_thread(sweep_at_start, path)
        if kinds:
            await database.write(lambda connection: _make_tables(connection, kinds))
        await recover(database)
    except BaseException:
        await handle.aclose()
        raise
    return handle


def _make_tables(connection: apsw.Connection, kinds: Sequence[RecordType[Any]]) -> None:
    for each in kinds:
        index_tables.make_tables(connection, each)


async def open_in_place_of(
    path: Path, failure: StoreOutOfReach, settings: MemorySettings = DEFAULTS, kinds: Sequence[RecordType[Any]] = ()
) -> OpenDatabase:
    """An empty database in memory for one that can't be opened: every read finds nothing, every write raises the
    failure."""

    def fill(connection: apsw.Connection) -> None:
        make_tables(connection)
        _make_tables(connection, kinds)

    database = await Database.in_place_of(path, failure, fill)
    return OpenDatabase(database, vector_index=False, types=RecordTypes((*RECORD_TYPES, *kinds)), settings=settings)


async def open_stores(
    path: Path,
    *,
    scope: str,
    must_exist: bool,
    settings: MemorySettings = DEFAULTS,
    vector_index: bool = True,
    also: tuple[str, ...] = (),
    kinds: Sequence[RecordType[Any]] = (),
) -> Stores:
    """The only scope of a database: closing it closes the file. Raises StorageError."""
    handle = await open_database(path, must_exist=must_exist, settings=settings, vector_index=vector_index, kinds=kinds)
    stores = handle.scope(scope, also)
    await handle.aclose()
    return stores


async def open_stores_or_none(
    path: Path,
    *,
    scope: str,
    must_exist: bool,
    settings: MemorySettings = DEFAULTS,
    vector_index: bool = True,
    kinds: Sequence[RecordType[Any]] = (),
) -> Stores:
    """Like `open_stores`, but a database that can't be opened disables the memory, not the chat: its stores return
    nothing and raise at every write. A database that is not Orca's, is newer, or was named and is missing is
    refused all the same."""
    try:
        return await open_stores(
            path, scope=scope, must_exist=must_exist, settings=settings, vector_index=vector_index, kinds=kinds
        )
    except StoreRefused:
        raise
    except StorageError as error:
        reason = StoreOutOfReach(template=error.sentence_template, hint=error.way_out_template, **error.fields)
        handle = await open_in_place_of(path, reason, settings, kinds)
        stores = handle.scope(scope)
        await handle.aclose()
        return stores
