"""Migrates any older schema to this one: numbered steps, each in one transaction, after a verified backup."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import apsw

from orca_core.domain.errors import SchemaTooNew, StoreForeign
from orca_core.storage.sqlite.engine import owners
from orca_core.storage.sqlite.engine.failures import BACKUP_FOLDER, damaged
from orca_core.unattended import LOG

APPLICATION_ID = 0x4F524341
"""`ORCA`: the application id in the header of Orca's databases."""

Step = Callable[[apsw.Connection], None]


def run_script(connection: apsw.Connection, name: str) -> None:
    """Run a file of this folder, statement by statement, to its end."""
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    for _ in connection.execute(text):
        pass


# Imported here: most starts carry out no step.


def _spine(connection: apsw.Connection) -> None:
    from orca_core.storage.sqlite.schema import legacy

    old = legacy.set_aside(connection)
    run_script(connection, "0001_spine.sql")
    if old:
        legacy.bring_over(connection, old)


def _learning(connection: apsw.Connection) -> None:
    run_script(connection, "0002_learning.sql")


def _mend(connection: apsw.Connection) -> None:
    from orca_core.storage.sqlite.schema import mending

    run_script(connection, "0003_mend.sql")
    mending.mend(connection)


def _house(connection: apsw.Connection) -> None:
    from orca_core.storage.sqlite.schema import housing

    run_script(connection, "0004_house.sql")
    housing.move_in(connection)


def _cues(connection: apsw.Connection) -> None:
    run_script(connection, "0005_cues.sql")


def _both_scripts(connection: apsw.Connection) -> None:
    """Words of Chinese texts are kept in one script; a memory is found by the day on which it was said."""
    from orca_core.storage.sqlite.schema import rewording

    rewording.reword(connection)


def _conversations(connection: apsw.Connection) -> None:
    run_script(connection, "0007_conversations.sql")


def _work(connection: apsw.Connection) -> None:
    run_script(connection, "0008_work.sql")


def _growth(connection: apsw.Connection) -> None:
    run_script(connection, "0009_growth.sql")


def _sources(connection: apsw.Connection) -> None:
    run_script(connection, "0010_sources.sql")


def _messages(connection: apsw.Connection) -> None:
    from orca_core.storage.sqlite.index import message_words

    run_script(connection, "0011_messages.sql")
    message_words.make_index(connection)


def _elsewhere(connection: apsw.Connection) -> None:
    run_script(connection, "0012_elsewhere.sql")


def _at_hand(connection: apsw.Connection) -> None:
    run_script(connection, "0013_at_hand.sql")


def _word_counts(connection: apsw.Connection) -> None:
    run_script(connection, "0014_word_counts.sql")


def _under_way(connection: apsw.Connection) -> None:
    run_script(connection, "0015_under_way.sql")


def _growing(connection: apsw.Connection) -> None:
    from orca_core.storage.sqlite.schema import growing

    run_script(connection, "0016_growing.sql")
    growing.count_tags(connection)


STEPS: tuple[Step, ...] = (
    _spine,
    _learning,
    _mend,
    _house,
    _cues,
    _both_scripts,
    _conversations,
    _work,
    _growth,
    _sources,
    _messages,
    _elsewhere,
    _at_hand,
    _word_counts,
    _under_way,
    _growing,
)
NEWEST = len(STEPS)


def version_of(connection: apsw.Connection) -> int:
    [version] = connection.execute("PRAGMA user_version").fetchone() or (0,)
    return int(version)


def check_is_ours(connection: apsw.Connection, path: Path) -> None:
    """Refuse a newer Orca's database, and any other application's, before a byte is written."""
    version = version_of(connection)
    [application] = connection.execute("PRAGMA application_id").fetchone() or (0,)
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if application not in (0, APPLICATION_ID):
        raise StoreForeign(path=path, detail="another application's database")
    if application == APPLICATION_ID and version > NEWEST:
        raise SchemaTooNew(path=path, found=version, known=NEWEST)
    if application == 0 and tables and not _is_of_the_first_orca(connection):
        raise StoreForeign(path=path, detail="a database without Orca's tables")


def _is_of_the_first_orca(connection: apsw.Connection) -> bool:
    from orca_core.storage.sqlite.schema import legacy

    return legacy.looks_like_v1(connection)


def migrate(connection: apsw.Connection, path: Path) -> None:
    """Bring the database to the newest schema. Two processes at once: the second waits, and finds it done."""
    if version_of(connection) == NEWEST:
        return
    if _has_tables(connection):
        back_up(connection, path, version_of(connection))
    make_tables(connection)


def make_tables(connection: apsw.Connection) -> None:
    """Carry out the steps that are not done yet, each in one transaction."""
    for number, step in enumerate(STEPS, start=1):
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
        if process is None or process == os.getpid() or not owners.is_running(process):
            left.unlink(missing_ok=True)


def sweep_at_start(path: Path) -> None:
    """What processes that were killed left half made of the database at `path`: copies, restored ones, documents on
    their way in. What this process makes is left to it."""
    for folder in (path.parent, path.parent / BACKUP_FOLDER):
        for kind in ("part*", "spool*"):
            for left in folder.glob(f".{glob.escape(path.name)}.*.{kind}"):
                process = _maker(left, path.name)
                if process is not None and process != os.getpid() and not owners.is_running(process):
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
