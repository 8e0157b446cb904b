"""Running the app to its end: signals answered, drawn where it is seen, its log kept."""

from __future__ import annotations

import gc
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from orca_tui.app.app import OrcaApp
from orca_tui.app.bridge import Doors
from orca_tui.app.terminal.hanging_up import hang_up_calls
from orca_tui.configuration import LoadedSettings
from orca_tui.log import log_kept
from orca_tui.marks import Marks
from orca_tui.signals import signals_go_to

GARBAGE_AFTER_OBJECTS = 10_000


def run_app(loaded: LoadedSettings, marks: Marks, doors: Doors) -> int:
    """Run the app to its end; its exit status. Raises what it crashed of, with the terminal whole again."""
    return run_to_its_end(OrcaApp(loaded, marks, doors))


@contextmanager
def _drawing_where_it_is_seen() -> Iterator[None]:
    """Textual draws on stderr. Where that is a file (`orca 2>log`), or closed, it draws on stdout's terminal."""
    before = sys.__stderr__
    if before is None or before.closed or not before.isatty():
        sys.__stderr__ = sys.__stdout__  # type: ignore[misc]  # it is declared final
    try:
        yield
    finally:
        sys.__stderr__ = before  # type: ignore[misc]  # as above


def _begin_to_collect_garbage() -> None:
    """What a start makes stays to the end: it is not looked through again and again."""
    gc.freeze()
    gc.set_threshold(GARBAGE_AFTER_OBJECTS)
    gc.enable()


def run_to_its_end(app: OrcaApp) -> int:
    """Run an app that was made, and answer signals meanwhile; its exit status. Raises what it crashed of."""
    app.bridge.when_started = _begin_to_collect_garbage
    with (
        signals_go_to(app.end_by),
        hang_up_calls(partial(app.end_by, signal.SIGHUP)),
        _drawing_where_it_is_seen(),
        log_kept(app.bridge.loaded.home),
    ):
        app.run()
    if app.crash is not None:
        raise app.crash
    return app.return_code or 0
