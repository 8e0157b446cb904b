"""An error that should not be: one line for the user, the details where they can be found, no secrets in them."""

from __future__ import annotations

import os
import re
import traceback
from collections.abc import Mapping
from gettext import gettext as _
from pathlib import Path

from orca_tui.cli.runtime import Runtime

REPORT_NAME = "crash.log"

_SECRET = re.compile(r"(?i)(bearer\s+|sk-|api[_-]?key\W{1,4})[^\s\"',;]{4,}")


def report(runtime: Runtime, error: Exception) -> str:
    """Say in one line that something broke, and return it; with `--debug` show where, otherwise keep it in a file of
    the home."""
    name = type(error).__name__
    if runtime.debug:
        said = _("something broke that should not: {error}").format(error=name)
        runtime.output.fail(said)
        show_details(runtime, error)
        return said
    try:
        path = _written(_home(runtime.environ), error)
    except (OSError, RuntimeError):  # of a full disk, or a home that is none
        where = _("run it again with --debug for the details")
    else:
        where = _("the details are in {path}").format(path=path)
    said = _("something broke that should not: {error} — {where}").format(error=name, where=where)
    runtime.output.fail(said)
    return said


def show_details(runtime: Runtime, error: Exception) -> None:
    """With `--debug`, where an error came from; never the values of variables."""
    if runtime.debug:
        runtime.output.note(details(error))


def details(error: Exception) -> str:
    """The traceback, without local variables and without what looks like a key."""
    return _SECRET.sub(r"\1…", "".join(traceback.format_exception(error)))


def _home(environ: Mapping[str, str]) -> Path:
    return Path(environ.get("ORCA_HOME") or "~/.orca").expanduser()


def _written(home: Path, error: Exception) -> Path:
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = home / REPORT_NAME
    with os.fdopen(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC | os.O_NOFOLLOW, 0o600), "w") as file:
        file.write(details(error))
    return path
