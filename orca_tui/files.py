"""Files that are written where the user says: private, whole or not there, and nothing in their way is lost."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from orca_core.model.errors import InvalidInput, OrcaError

PRIVATE = 0o600
OLD_S = 3600.0
"""What nobody holds and nobody wrote to for so long was left behind. Chosen by hand."""
NAMED_BYTES = 100
"""So much of its name an unfinished file has: together with the rest less than any file system allows."""
_UNFINISHED = re.compile(r"\..*\.[0-9a-f]{8}\.orca-part")


@contextmanager
def new_file(path: Path, *, force: bool) -> Iterator[TextIO]:
    """Text for a file that gets its name when all of it is on the disk. Raises InvalidInput where something of that
    name may not be written over."""
    check_may_be_written(path, force=force)
    sweep(path.parent)
    begins = path.name.encode(errors="ignore")[:NAMED_BYTES].decode(errors="ignore")
    unfinished = path.with_name(f".{begins}.{os.urandom(4).hex()}.orca-part")
    try:
        try:
            number = os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW, PRIVATE)
            with open(number, "w", encoding="utf-8", newline="\n") as file:  # noqa: PTH123  # a file that is open
                with suppress(OSError):  # a file system without locks: there nothing is swept either
                    _hold(number)
                yield file
                file.flush()
                os.fsync(number)
            check_may_be_written(path, force=force)
            _give_name(unfinished, path, force=force)
        finally:
            unfinished.unlink(missing_ok=True)
    except OSError as failure:
        raise _not_written(path, failure) from failure


def sweep(folder: Path) -> None:
    """Delete what was not finished there by an Orca that is gone: old, and held by nobody."""
    try:
        unfinished = [each for each in folder.iterdir() if _UNFINISHED.fullmatch(each.name)]
    except OSError:
        return  # whoever writes there says so
    for each in unfinished:
        with suppress(OSError):  # it is another's, or gone, or held
            _delete_if_left(each)


def _delete_if_left(path: Path) -> None:
    number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        _hold(number)
        found = os.fstat(number)
        if stat.S_ISREG(found.st_mode) and found.st_uid == os.getuid() and time.time() - found.st_mtime > OLD_S:
            path.unlink()
    finally:
        os.close(number)


def _hold(number: int) -> None:
    """Until it is closed nobody else holds this file. Raises BlockingIOError where another does."""
    fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)


def private_folder(path: Path) -> Path:
    """A folder for files, made where there is none. Raises InvalidInput."""
    try:
        path.mkdir(mode=0o700, exist_ok=True)
    except FileExistsError as failure:
        raise InvalidInput(template="{path} is no folder", hint="name another path", path=str(path)) from failure
    except (OSError, ValueError) as failure:
        raise _not_written(path, failure) from failure
    return path


def check_may_be_written(path: Path, *, force: bool) -> None:
    """Raises InvalidInput where something of that name may not be written over."""
    try:
        found = path.lstat().st_mode
    except FileNotFoundError:
        return
    except (OSError, ValueError) as failure:  # a path with a NUL is a ValueError
        raise _not_written(path, failure) from failure
    if stat.S_ISLNK(found):
        raise InvalidInput(
            template="{path} is a symbolic link, and is not followed", hint="name the file itself", path=str(path)
        )
    if not stat.S_ISREG(found):
        raise InvalidInput(template="{path} is no plain file", hint="name another path", path=str(path))
    if not force:
        raise InvalidInput(template="{path} is there already", hint="--force writes over it", path=str(path))


def _give_name(unfinished: Path, path: Path, *, force: bool) -> None:
    """One that came meanwhile is not written over."""
    if force:
        unfinished.replace(path)
    else:
        try:
            path.hardlink_to(unfinished)
        except FileExistsError:
            check_may_be_written(path, force=False)
            raise
        except OSError as failure:
            if failure.errno not in (errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS):
                raise
            unfinished.rename(path)  # this file system has no hard links
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _not_written(path: Path, failure: OSError | ValueError) -> OrcaError:
    detail = getattr(failure, "strerror", None) or str(failure)
    is_no_room = getattr(failure, "errno", None) in (errno.ENOSPC, errno.EDQUOT, errno.EIO)
    return (OrcaError if is_no_room else InvalidInput)(
        template="{path} can't be written: {detail}", path=str(path), detail=detail
    )
