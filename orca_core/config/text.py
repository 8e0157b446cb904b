"""The text of a configuration file: of a regular file, of a size that one has, in UTF-8."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from orca_core.model.errors import ConfigError

MAX_BYTES = 1_048_576


def text_of(path: Path) -> str:
    """All of it. Raises ConfigError, without the path in front."""
    try:
        raw = _bytes_of(path)
    except FileNotFoundError as error:
        raise ConfigError(template="there is no such file", hint="orca config init writes one") from error
    except OSError as error:
        raise ConfigError(template="can not be read: {detail}", detail=error.strerror or error) from error
    if len(raw) > MAX_BYTES:
        raise ConfigError(template="is larger than {most} bytes", most=MAX_BYTES)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ConfigError(template="line {line} is not UTF-8", hint="save the file as UTF-8", line=line) from error


def _bytes_of(path: Path) -> bytes:
    """The beginning of a regular file: a pipe would be waited for, a device has no end. Raises OSError, ConfigError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise ConfigError(template="is no regular file", hint="name a file that holds the configuration")
    with os.fdopen(descriptor, "rb") as opened:
        return opened.read(MAX_BYTES + 1)


def in_file(error: ConfigError, path: Path) -> ConfigError:
    """The same error with the file in front."""
    return ConfigError(
        template=f"{{path}}: {error.sentence_template}", hint=error.way_out_template, **{**error.fields, "path": path}
    )
