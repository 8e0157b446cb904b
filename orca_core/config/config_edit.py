"""Writing the configuration: the commented example to begin with, and changes that leave comments as they are."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from orca_core.config.config_file import in_file, parse_settings, text_of
from orca_core.model.errors import ConfigError

EXAMPLE_NAME = "config.toml.example"


def example_text() -> str:
    """The commented example, as it stands beside the README too."""
    return files("orca_core").joinpath(EXAMPLE_NAME).read_text(encoding="utf-8")


def write_example(path: Path) -> Path:
    """Write the example where there is no file yet, readable by its owner alone. Raises ConfigError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError as error:
        raise ConfigError(
            template="{path} is there already", hint="edit it, or move it away first", path=path
        ) from error
    except OSError as error:
        raise ConfigError(template="{path} can not be written: {detail}", path=path, detail=error.strerror) from error
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(example_text())
    return path


Changes = Mapping[str | tuple[str, ...], Any]
"""Keys such as `deepseek.model`, or as a path where a name may hold a dot, and what they are to be."""


def changed_config(path: Path, changes: Changes) -> str:
    """The file with these keys set, its comments and order kept; nothing is written. Raises ConfigError where it, or
    what would become of it, can not be read."""
    import tomlkit

    text = _text_of(path) if path.exists() else example_text()
    parse_settings(text)
    document = tomlkit.parse(text)
    for key, value in changes.items():
        *sections, name = key.split(".") if isinstance(key, str) else key
        at: Any = document
        for section in sections:
            if section not in at:
                at[section] = tomlkit.table()
            at = at[section]
        at[name] = value
    changed = tomlkit.dumps(document)
    parse_settings(changed)
    return changed


def change_config(path: Path, changes: Changes) -> None:
    """Set these keys in the file. Raises ConfigError, and leaves it as it was."""
    changed = changed_config(path, changes)
    try:
        _replace(path.resolve(), changed)  # a link stays one
    except OSError as error:
        raise ConfigError(template="{path} can not be written: {detail}", path=path, detail=error.strerror) from error


def _text_of(path: Path) -> str:
    try:
        return text_of(path)
    except ConfigError as error:
        raise in_file(error, path) from error


def _replace(path: Path, text: str) -> None:
    """All of it or nothing: written beside, flushed to the disk, then put in place."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
