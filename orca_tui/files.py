"""Files that are written where the user says: private, whole or not there, and nothing in their way is lost."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from orca_core.domain.errors import InvalidInput, OrcaError

PRIVATE = 0o600


@contextmanager
def new_file(path: Path, *, force: bool) -> Iterator[TextIO]:
    """Text for a file that gets its name when all of it is on the disk. Raises InvalidInput where something of that
    name may not be written over."""
    _check_may_be_written(path, force=force)
    unfinished = path.with_name(f".{path.name[:100]}.{os.urandom(4).hex()}.part")
    try:
        try:
            number = os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW, PRIVATE)
            with open(number, "w", encoding="utf-8", newline="\n") as file:  # noqa: PTH123  # a file that is open
                yield file
                file.flush()
                os.fsync(number)
            _check_may_be_written(path, force=force)
            _give_name(unfinished, path, force=force)
        finally:
            unfinished.unlink(missing_ok=True)
    except OSError as failure:
        raise _not_written(path, failure) from failure


def _check_may_be_written(path: Path, *, force: bool) -> None:
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
            _check_may_be_written(path, force=False)
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
