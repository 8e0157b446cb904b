"""Who may read the files of a home, and whether their disk has room: found out, and mended, without a database."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from shlex import quote

from msgspec import Struct

from orca_core.config.file import LoadedSettings
from orca_core.config.places import database_path
from orca_core.model.doctor import NAMED, Evidence, Finding, Repair, RepairState, Says
from orca_core.model.errors import ConfigError
from orca_core.rules.text.cleaning import one_line

FILE_MODE, FOLDER_MODE = 0o600, 0o700
OTHERS = 0o077
BESIDE = ("", "-wal", "-shm", ".learning")
"""What lies beside a database under its name."""
MOST = 5000
"""So many entries of a home are looked at. Chosen by hand."""
DEPTH = 3
COPIES = 2
"""A migration, a backup and a wipe each write a copy: room for so many is enough."""
LEAST_BYTES = 50 * 1_048_576
"""Chosen by hand."""
PATH_CHARS = 100


class Readable(Struct, frozen=True):
    """A file or folder that others may read or write, and the mode that keeps them out."""

    path: Path
    mode: int
    wanted: int


def readable_by_others(places: Iterable[Path]) -> list[Readable]:
    """Those of the files and folders that others may open. A link is passed over: what it leads to is not Orca's."""
    found = []
    for path in places:
        try:
            status = path.lstat()
        except OSError:  # it is gone, or in a folder that can't be entered: nobody reads it there
            continue
        if stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode):
            mode = stat.S_IMODE(status.st_mode)
            if mode & OTHERS:
                wanted = FOLDER_MODE if stat.S_ISDIR(status.st_mode) else FILE_MODE
                found.append(Readable(path, mode, wanted))
    return found


def private_places(loaded: LoadedSettings) -> list[Path]:
    """What only its owner is to open: the home and all in it, the database and the configuration, wherever they are.
    Where the home is the user's own folder, what Orca did not make there is left out."""
    places = [] if loaded.path is None else [loaded.path]
    try:
        database, _was_named = database_path(loaded)
        places += [database.with_name(database.name + each) for each in BESIDE]
        places += islice(_inside(database.parent / "backups"), MOST)
    except ConfigError:
        pass  # the check of the database says it
    home = loaded.home
    if home.is_dir() and not _is_shared_with_more(home):
        places += [home.resolve(), *islice(_inside(home), MOST)]
    return list(dict.fromkeys(places))


def mended_files(loaded: LoadedSettings, *, is_dry: bool) -> list[Repair]:
    """Keep others out of the files that they may open, or say of which that would be."""
    found = readable_by_others(private_places(loaded))
    if is_dry:
        return [_repair("would", each) for each in found]
    repairs = []
    for each in found:
        try:
            _change_mode(each)
        except OSError:
            repairs.append(_repair("failed", each))
        else:
            repairs.append(_repair("done", each))
    return sorted(repairs, key=lambda each: each.state)


def _repair(state: RepairState, each: Readable) -> Repair:
    detail = "{path}: {mode} to {wanted}"
    if state == "failed":
        detail = "{path} could not be changed from {mode} to {wanted}"
    path = one_line(str(each.path), PATH_CHARS)
    return Says("files").repaired(state, detail, path=path, mode=f"{each.mode:o}", wanted=f"{each.wanted:o}")


def files_check(loaded: LoadedSettings) -> Finding:
    """Whether others may read what Orca keeps."""
    say, found = Says("files"), readable_by_others(private_places(loaded))
    if not found:
        return say.ok("nobody else can read them")
    finding = say.warns("{count} can be read by others", "orca doctor --fix keeps them out", count=len(found))
    return finding.named([evidence_of(each) for each in found[:NAMED]], len(found))


def evidence_of(found: Readable) -> Evidence:
    """A file with its mode, and what keeps others out of it, where its name can be typed."""
    path = str(found.path)
    command = f"chmod {found.wanted:o} {quote(path)}" if path.isprintable() else ""
    return Evidence(text=f"{one_line(path, PATH_CHARS)} ({found.mode:o})", command=command)


def disk_check(loaded: LoadedSettings) -> Finding:
    """Whether the disk of the database has room for copies of it."""
    say = Says("disk")
    try:
        database, _was_named = database_path(loaded)
        folder = next(each for each in (database.parent, *database.parent.parents) if each.is_dir())
        free = shutil.disk_usage(folder).free
        size = sum(path.stat().st_size for path in _there(database))
    except (ConfigError, OSError) as error:
        why = (error.strerror or "") if isinstance(error, OSError) else error.message
        return say.warns("its room could not be looked at: {detail}", detail=why)
    detail = "{free} MB free; the database has {size} MB"
    fields = {"free": _megabytes(free), "size": _megabytes(size)}
    if free < LEAST_BYTES:
        return say.fails(detail, "free some space", **fields).named(_largest(database))
    if free < COPIES * size:
        fix = "free some space: a backup and a migration each write a copy of it"
        return say.warns(detail, fix, **fields).named(_largest(database))
    return say.ok(detail, **fields)


def _largest(database: Path) -> tuple[Evidence, ...]:
    """The files that take most room: of the database, and its backups."""
    sizes = []
    for path in (*_there(database), *_inside(database.parent / "backups")):
        with suppress(OSError):  # it is gone meanwhile
            if stat.S_ISREG((status := path.lstat()).st_mode):
                sizes.append((status.st_size, str(path)))
    largest = sorted(sizes, reverse=True)[:NAMED]
    return tuple(Evidence(text=f"{one_line(path, PATH_CHARS)} ({_megabytes(size)} MB)") for size, path in largest)


def _there(database: Path) -> Iterator[Path]:
    for side in BESIDE:
        path = database.with_name(database.name + side)
        if path.is_file():
            yield path


def _inside(folder: Path, depth: int = DEPTH) -> Iterator[Path]:
    """Everything in a folder, without following a link."""
    if folder.is_symlink() or not folder.is_dir():
        return
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    for each in entries:
        yield each
        if depth > 1 and each.is_dir():
            yield from _inside(each, depth - 1)


def _is_shared_with_more(home: Path) -> bool:
    """Whether more than Orca's things lie in it: the user's own folder, or one above it."""
    here, own = home.resolve(), Path.home().resolve()
    return own == here or here in own.parents


def _change_mode(found: Readable) -> None:
    """By the file itself, not its name: what has become a link meanwhile is left alone."""
    opened = os.open(found.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        os.fchmod(opened, found.wanted)
    finally:
        os.close(opened)


def _megabytes(size: int) -> str:
    return f"{size / 1_048_576:.0f}" if size >= 10 * 1_048_576 else f"{size / 1_048_576:.1f}"
