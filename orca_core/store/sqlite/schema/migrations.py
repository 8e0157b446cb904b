"""Makes the tables, and brings an older schema to this one: numbered steps, each in one transaction, after a verified
backup."""

from __future__ import annotations

import glob
import json
import os
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path

import apsw

from orca_core.model.errors import SchemaTooNew, SchemaTooOld, StoreForeign
from orca_core.owned_tasks import LOG
from orca_core.store.sqlite import deleted_rows
from orca_core.store.sqlite.engine import processes
from orca_core.store.sqlite.engine.connection import load_vectors
from orca_core.store.sqlite.engine.failures import BACKUP_FOLDER, damaged
from orca_core.store.sqlite.engine.meta import meta
from orca_core.store.sqlite.index import index_tables

APPLICATION_ID = 0x4F524341
"""`ORCA`: the application id in the header of Orca's databases."""

FIRST = 17
"""The number of `schema.sql`: further steps are numbered on from it (docs/decisions/0043)."""
LAST_BEFORE = 16
"""The last schema before it, made by sixteen steps: the same tables, so that only the number is another."""
UPGRADED_BY = "schema-16"
"""The tagged commit that brings what is older to LAST_BEFORE."""

Step = Callable[[apsw.Connection], None]


def _schema(connection: apsw.Connection) -> None:
    """Make all tables, filled from the first Orca's where these are there."""
    if version_of(connection) == LAST_BEFORE:
        return
    from orca_core.store.sqlite.index import message_index  # most starts make no tables
    from orca_core.store.sqlite.schema import first_orca

    old = first_orca.set_aside(connection)
    for _ in connection.execute(files(__package__).joinpath("schema.sql").read_text(encoding="utf-8")):
        pass
    message_index.note_rules(connection)
    if old:
        first_orca.bring_over(connection, old)


def _one_feedback(connection: apsw.Connection) -> None:
    """What acts let live, or held, is a run of acts about its candidate: there is no other reading of one any more."""
    runs = "kind = 'contrast' AND json_extract(result, '$.contrast') IS NOT NULL"
    for key, lives in (("stored", 1), ("candidates", 0)):
        named = f"json_set(result, '$.{key}', json_array(json_extract(result, '$.contrast.memory')))"
        decided = f"{runs} AND json_extract(result, '$.contrast.lives') = {lives}"
        connection.execute(f"UPDATE extraction_runs SET result = json_remove({named}, '$.contrast') WHERE {decided}")
    connection.execute("UPDATE extraction_runs SET kind = 'actions' WHERE kind = 'contrast'")


_REASONS = (("weak_evidence", "unread"), ("conditional", "unread"), ("second_reader", "not_said"))
"""Why something waited by the rules of words and by the second reader, and what the verifier makes of it."""


def _reasons_of_the_verifier(connection: apsw.Connection) -> None:
    """Say why records wait as today's rules do, also in their history (docs/decisions/0050)."""
    for old, new in _REASONS:
        for table in ("long_term_memories", "episodes", "knowledge", "guides"):
            for before, after in ((old, new), (f"expired: {old}", f"expired: {new}")):
                connection.execute(f"UPDATE {table} SET held_because = ? WHERE held_because = ?", (after, before))
        for side in ("before", "after"):
            connection.execute(
                f"UPDATE memory_history SET {side} = json_set({side}, '$.held_because', ?1)"
                f" WHERE {side} LIKE '%\"held_because\"%' AND json_extract({side}, '$.held_because') = ?2",
                (new, old),
            )


def _tool_support(connection: apsw.Connection) -> None:
    """Room for which models' servers take tools."""
    connection.execute(
        "CREATE TABLE tool_support (endpoint TEXT NOT NULL, model TEXT NOT NULL, takes INTEGER NOT NULL,"
        " at TEXT NOT NULL, PRIMARY KEY (endpoint, model)) STRICT, WITHOUT ROWID"
    )


_CUES = ("cues", "cues_by")
"""Fields of memories by which they were found once."""


def _no_cues(connection: apsw.Connection) -> None:
    """Drop the cues of memories, their index, and what history and runs tell of them."""
    without = ", ".join(f"'$.{field}'" for field in _CUES)
    connection.execute(
        f"UPDATE memory_history SET before = json_remove(before, {without}), after = json_remove(after, {without})"
        " WHERE kind = 'memory'"
    )
    changed_nothing = "before = '{}' AND after = '{}'"
    rows = connection.execute(f"SELECT DISTINCT operation FROM memory_history WHERE {changed_nothing}")
    emptied = json.dumps([number for (number,) in rows])
    connection.execute(f"DELETE FROM memory_history WHERE {changed_nothing}")
    done_of_nothing = (
        "SELECT value FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM memory_history h WHERE h.operation = value)"
    )
    for link in ("undoes", "undone_by"):
        connection.execute(f"UPDATE operations SET {link} = NULL WHERE {link} IN ({done_of_nothing})", (emptied,))
    connection.execute(f"DELETE FROM operations WHERE id IN ({done_of_nothing})", (emptied,))
    connection.execute("UPDATE operations SET actor = 'extraction' WHERE actor = 'cues'")
    connection.execute(
        "UPDATE extraction_runs SET result = json_set(result, '$.dropped', json((SELECT json_group_array(json(d.value))"
        " FROM json_each(result, '$.dropped') d WHERE d.value ->> 'reason' NOT LIKE 'cue\\_%' ESCAPE '\\')))"
        " WHERE result LIKE '%\"cue\\_%' ESCAPE '\\'"
    )
    for table in ("vectors", "vector_changes", "word_counts"):  # in this order: a vector that goes is a change
        connection.execute(f"DELETE FROM {table} WHERE kind = 'cue'")
    connection.execute("DELETE FROM meta WHERE key IN ('vector_index vec_memory_cues', 'word_counts cue')")
    index_tables.forget_vector_table(connection, "vec_memory_cues")
    connection.execute("DROP TABLE cue_vocabulary")
    index_tables.forget_word_table(connection, "cue_text")
    connection.execute("DROP TABLE memory_cues")
    connection.execute("DROP INDEX memories_without_cues")
    for field in _CUES:
        connection.execute(f"ALTER TABLE long_term_memories DROP COLUMN {field}")
    if connection.execute("SELECT 1 FROM long_term_memories LIMIT 1").fetchone():
        deleted_rows.note(connection)


def _names_of_the_verifier(connection: apsw.Connection) -> None:
    """Name the verifier's part of what runs tell, and of their exchanges, as the verifier's."""
    refused = "coalesce(json_extract(result, '$.second_reading.doubted'), 0)"
    renamed = (
        f"json_remove(json_set(result, '$.second_reading.refused', {refused}), '$.second_reading.doubted')",
        "json_remove(json_set(result, '$.verification', json_extract(result, '$.second_reading')), '$.second_reading')",
    )
    for told in renamed:
        connection.execute(
            f"UPDATE extraction_runs SET result = {told} WHERE json_type(result, '$.second_reading') = 'object'"
        )
    connection.execute(
        "UPDATE subagent_messages SET role = 'verification ' || substr(role, length('second_reading ') + 1)"
        " WHERE substr(role, 1, length('second_reading ')) = 'second_reading '"
    )


def _counts_of_words(connection: apsw.Connection) -> None:
    """Count the words of each kind that is not counted whole: from now on each is counted as it is indexed."""
    from orca_core.store.sqlite.index import word_index

    for tables in index_tables.BUILT_IN_TABLES.indexed:
        kind = tables.kind.name
        if meta(connection, f"word_counts {kind}") == "all":
            continue
        connection.execute("DELETE FROM word_counts WHERE kind = ?", (kind,))
        with suppress(*index_tables.BROKEN):  # made anew it is counted anew
            connection.execute(f"INSERT INTO word_counts SELECT ?, term, doc FROM {tables.vocabulary}", (kind,))
            rows = connection.execute(
                f"SELECT m.scope FROM {tables.rows} m JOIN {tables.words}_docsize d ON d.id = m.id"
            )
            marks = Counter(word_index.tag(str(scope)) for (scope,) in rows)
            connection.executemany(
                "INSERT OR REPLACE INTO word_counts VALUES (?, ?, ?)", [(kind, *each) for each in marks.items()]
            )
    connection.execute("DELETE FROM meta WHERE key LIKE 'word_counts %'")


STEPS: tuple[Step, ...] = (
    _schema,
    _one_feedback,
    _reasons_of_the_verifier,
    _tool_support,
    _no_cues,
    _names_of_the_verifier,
    _counts_of_words,
)
"""The first makes FIRST; a further one changes the tables that the one before left, in SQL of its own."""
NEWEST = FIRST + len(STEPS) - 1


def version_of(connection: apsw.Connection) -> int:
    [version] = connection.execute("PRAGMA user_version").fetchone() or (0,)
    return int(version)


def check_is_ours(connection: apsw.Connection, path: Path) -> None:
    """Refuse a newer Orca's database, one of a schema that is upgraded no more, and any other application's, before a
    byte is written. Raises SchemaTooNew, SchemaTooOld, StoreDamaged, StoreForeign."""
    version = version_of(connection)
    [application] = connection.execute("PRAGMA application_id").fetchone() or (0,)
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if application not in (0, APPLICATION_ID):
        raise StoreForeign(path=path, detail="another application's database")
    if application == APPLICATION_ID and version > NEWEST:
        raise SchemaTooNew(path=path, found=version, known=NEWEST)
    if application == APPLICATION_ID and version < 1:
        raise damaged(path, f"its schema is number {version}")
    if application == APPLICATION_ID and version < LAST_BEFORE:
        raise SchemaTooOld(path=path, found=version, known=LAST_BEFORE, tag=UPGRADED_BY)
    if application == 0 and tables and not _is_of_the_first_orca(connection):
        raise StoreForeign(path=path, detail="a database without Orca's tables")


def _is_of_the_first_orca(connection: apsw.Connection) -> bool:
    from orca_core.store.sqlite.schema import first_orca

    return first_orca.looks_like_v1(connection)


def migrate(connection: apsw.Connection, path: Path) -> None:
    """Bring the database to the newest schema. Two processes at once: the second waits, and finds it done."""
    if version_of(connection) == NEWEST:
        return
    if _has_tables(connection):
        back_up(connection, path, version_of(connection))
    make_tables(connection)


def make_tables(connection: apsw.Connection) -> None:
    """Carry out the steps that are not done yet, each in one transaction."""
    for number, step in enumerate(STEPS, start=FIRST):
        connection.execute("BEGIN IMMEDIATE")
        try:
            if version_of(connection) < number:
                step(connection)
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}").fetchall()
                connection.execute(f"PRAGMA user_version = {number}").fetchall()
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:  # SQLite rolls back by itself where the disk is full
                connection.execute("ROLLBACK")
            raise


def back_up(connection: apsw.Connection, path: Path, version: int) -> Path:
    """Copy the database into `backups/` beside it; the copy gets its name once it is verified."""
    folder = path.parent / BACKUP_FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    unfinished = folder / f".{path.name}.{os.getpid()}.part"
    finished = folder / f"{path.stem}-schema-{version}.db"
    sweep(folder, path.name)
    os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    try:
        connection.execute("VACUUM INTO ?", (str(unfinished),)).fetchall()
        _empty_cache(unfinished)
        copy = apsw.Connection(str(unfinished), flags=apsw.SQLITE_OPEN_READONLY)
        [verdict] = copy.execute("PRAGMA integrity_check").fetchone() or ("no answer",)
        copy.close()
        if verdict != "ok":
            raise damaged(path, f"its backup does not check: {verdict}")
        with unfinished.open("rb") as written:
            os.fsync(written.fileno())
        unfinished.rename(finished)
    finally:
        sweep(folder, path.name)
    return finished


def sweep(folder: Path, name: str) -> None:
    """Copies that a crash left half made, with their journals: they hold texts that nobody looks for there. Those of
    another Orca that makes its own now are left to it."""
    for left in folder.glob(f".{glob.escape(name)}.*.part*"):
        process = _maker(left, name)
        if process is None or process == os.getpid() or not processes.is_running(process):
            left.unlink(missing_ok=True)


def sweep_at_start(path: Path) -> None:
    """What processes that were killed left half made of the database at `path`: copies, restored ones, documents on
    their way in. What this process makes is left to it."""
    for folder in (path.parent, path.parent / BACKUP_FOLDER):
        for kind in ("part*", "spool*"):
            for left in folder.glob(f".{glob.escape(path.name)}.*.{kind}"):
                process = _maker(left, path.name)
                if process is not None and process != os.getpid() and not processes.is_running(process):
                    _unlinked(left)


def _maker(left: Path, name: str) -> int | None:
    """The process that a name of something unfinished tells."""
    process = left.name.removeprefix(f".{name}.").partition(".")[0].partition("-")[0]
    return int(process) if process.isdecimal() else None


def _unlinked(left: Path) -> None:
    try:
        left.unlink(missing_ok=True)
    except OSError as error:
        LOG.warning("%s is left of a process that ended, and can't be deleted: %s", left.name, error.strerror)


def _empty_cache(copy: Path) -> None:
    """Clear the embedding cache of a backup: it can be made anew, and older schemas cached texts in plain words,
    private ones too."""
    connection = apsw.Connection(str(copy), flags=apsw.SQLITE_OPEN_READWRITE)
    for pragma in ("PRAGMA journal_mode=MEMORY", "PRAGMA secure_delete=ON"):
        connection.execute(pragma).fetchall()
    if connection.execute("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'embedding_cache'").fetchone():
        connection.execute("DELETE FROM embedding_cache")
    connection.close()


def _has_tables(connection: apsw.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone() is not None


_OBJECTS = "SELECT type, name, sql FROM sqlite_schema"
_THAT_RUN = frozenset({"trigger", "view"})

_TOKEN = re.compile(r"""(--[^\n]*|/\*.*?\*/)|'(?:[^']|'')*'|"(?:[^"]|"")*"|\w+|[^\w\s]""", re.DOTALL)
_QUOTED_NAME = re.compile(r'"([A-Za-z_]\w*)"')

Shape = dict[tuple[str, str], tuple[str, ...]]
"""What makes each table, index, trigger and view, by its type and name, in tokens."""


def check_shape(connection: apsw.Connection, path: Path) -> None:
    """Raises what `check_is_ours` does, StoreForeign for triggers and views that are none of Orca's, StoreDamaged where
    one of its own tables is not as its version has it. Tables of further kinds may be there."""
    check_is_ours(connection, path)
    there, own = _shape(connection), _made_by(version_of(connection))
    for (kind, name), sql in there.items():
        if kind in _THAT_RUN and own.get((kind, name)) != sql:
            raise StoreForeign(path=path, detail=f"it holds a {kind} that is none of Orca's: {name[:80]}")
    for (kind, name), sql in own.items():
        if there.get((kind, name)) != sql:
            what = "is missing" if (kind, name) not in there else "is another"
            raise damaged(path, f"its {kind} {name} {what}")


def tokens_of(sql: str) -> tuple[str, ...]:
    """Cut a statement into what SQLite reads in it, without blanks, comments, and the quotes round a plain name that
    ALTER TABLE adds."""
    tokens = (found[0] for found in _TOKEN.finditer(sql) if not found[1])
    return tuple(name[1] if (name := _QUOTED_NAME.fullmatch(each)) else each for each in tokens)


def _shape(connection: apsw.Connection) -> Shape:
    rows = connection.execute(_OBJECTS)
    return {(str(kind), str(name)): tokens_of(str(sql or "")) for kind, name, sql in rows}


@cache
def _made_by(version: int) -> Shape:
    """What the steps up to a version make. The first Orca's tables, before any of them, are looked for elsewhere."""
    if not version:
        return {}
    connection = apsw.Connection(":memory:")
    try:
        load_vectors(connection)
        for step in STEPS[: max(version, FIRST) - FIRST + 1]:
            step(connection)
        return _shape(connection)
    finally:
        connection.close()
