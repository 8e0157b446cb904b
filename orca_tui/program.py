"""One run of Orca: arguments in, an exit status out. 0 done, 1 failed, 2 wrong use, 128 + n ended by signal n."""

from __future__ import annotations

import errno
import gc
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from gettext import gettext as _
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NoReturn

from msgspec.structs import replace

from orca_core.model.errors import (
    ConfigError,
    InvalidInput,
    Mistake,
    NotFound,
    OrcaError,
    StorageError,
    without_middle,
)
from orca_tui.cli import COMPLETION_VARIABLE
from orca_tui.cli.output import accept_any_input, accept_any_text
from orca_tui.cli.runtime import Runtime
from orca_tui.exit_on_signal import EXIT_BY_SIGNAL
from orca_tui.language import language_of, sentence_and_way_out, speak
from orca_tui.signals import Signalled

if TYPE_CHECKING:
    from orca_core.config.config_file import LoadedSettings
    from orca_core.model.diagnosis import Diagnosis
    from orca_core.orca import Orca

# A list of ten thousand memories is no garbage: the default threshold would look through it a hundred times.
GARBAGE_AFTER_OBJECTS = 100_000

FAILED = 1
WRONG_USE = 2
STOPPED = "stopped"
"""The kind of the error that a program reads where a signal ended the command."""


def run_process() -> NoReturn:
    """Run Orca with the arguments of this process, and end it."""
    gc.set_threshold(GARBAGE_AFTER_OBJECTS)
    gc.enable()
    _replace_closed_streams()
    accept_any_input(sys.stdin)
    accept_any_text(sys.stdout)
    accept_any_text(sys.stderr)
    status = run(sys.argv[1:])
    if _let_go_of_a_terminal_that_is_gone():
        status = EXIT_BY_SIGNAL + signal.SIGHUP  # whether its signal or the failure of a write came first
    if status > EXIT_BY_SIGNAL:
        os._exit(status)  # what was open is closed; what was cut off is not waited for, nor complained of
    sys.exit(status)


def run(arguments: Sequence[str]) -> int:
    """Carry out one command and say what went wrong; its exit status."""
    runtime = Runtime(open_app=_open_app, open_story=_open_story)
    speak(language_of(runtime.environ))
    try:
        return _status(runtime, arguments)
    except KeyboardInterrupt:
        if runtime.has_terminal:
            runtime.output.note("")
        _say_what_stopped(runtime)
        return EXIT_BY_SIGNAL + signal.SIGINT
    except Signalled as ended:
        _say_what_stopped(runtime)
        return ended.exit_status
    except BrokenPipeError:
        _let_go_of_stdout()
        return EXIT_BY_SIGNAL + signal.SIGPIPE
    except OSError as error:
        if error.errno != errno.EIO:
            raise
        return EXIT_BY_SIGNAL + signal.SIGHUP  # what went wrong can't be said: the terminal is gone


def _say_what_stopped(runtime: Runtime) -> None:
    if runtime.if_stopped:
        with suppress(OSError):  # the terminal may be gone, too
            runtime.output.fail(runtime.if_stopped)
    runtime.fail_in_json(STOPPED, runtime.if_stopped or _("stopped"))


def _status(runtime: Runtime, arguments: Sequence[str]) -> int:
    try:
        return _carry_out(runtime, arguments)
    except OrcaError as error:
        runtime.output.fail(error)
        runtime.fail_in_json(error.kind, *sentence_and_way_out(error))
        _crash().show_details(runtime, error)
        return WRONG_USE if isinstance(error, ConfigError | InvalidInput | NotFound) else FAILED
    except BrokenPipeError:
        raise
    except OSError as error:
        said = without_middle(": ".join(str(part) for part in (error.filename, error.strerror or error) if part))
        runtime.fail_in_json(StorageError.kind, said)
        _let_go_of_stdout()
        runtime.output.fail(said)
        _crash().show_details(runtime, error)
        return FAILED
    except Exception as error:  # noqa: BLE001  # the entry point: whatever it is, it is said in one line
        said = _crash().report(runtime, error)
        runtime.fail_in_json(Mistake.kind, said)
        return FAILED


def _carry_out(runtime: Runtime, arguments: Sequence[str]) -> int:
    if runtime.environ.get(COMPLETION_VARIABLE):
        from orca_tui.cli.root import complete

        return complete(runtime.environ)
    if not arguments:
        return runtime.start_app()
    from orca_tui.cli.root import call

    return call(runtime, arguments)


def _open_app(runtime: Runtime) -> int:
    """The app, on Orca of the configuration. Only who opens it pays for it."""
    gc.disable()  # until it has started: see running.py
    loaded = runtime.load()
    from orca_tui.app.app import run_app
    from orca_tui.app.bridge import Doors, Place

    # What they import comes behind the first frame.

    async def open_orca(loaded: LoadedSettings) -> Orca:
        from orca_core.open import open_orca

        return await open_orca(loaded, environ=runtime.environ, profile=runtime.profile, will_talk=True)

    async def try_model(loaded: LoadedSettings) -> None:
        from orca_core.endpoints import try_model

        await try_model(loaded, runtime.environ)

    async def list_models(loaded: LoadedSettings, name: str, key: str) -> list[str]:
        from orca_core.endpoints import list_models

        return await list_models(loaded, runtime.environ, name, key)

    async def diagnose(loaded: LoadedSettings, /, *, asks_network: bool, mends: bool, is_dry: bool) -> Diagnosis:
        from orca_core.diagnosis import diagnose

        return await diagnose(loaded, runtime.environ, asks_network=asks_network, mends=mends, is_dry=is_dry)

    doors = Doors(
        open_orca=open_orca,
        try_model=try_model,
        list_models=list_models,
        diagnose=diagnose,
        begins_at=None if runtime.begins_at is None else Place(*runtime.begins_at),
    )
    if runtime.begins_new:
        ui = replace(loaded.settings.ui, start="new")
        loaded = replace(loaded, settings=replace(loaded.settings, ui=ui))
    return run_app(loaded, runtime.output.marks, doors)


def _open_story(runtime: Runtime, screenshot: Path | None, size: tuple[int, int]) -> int:
    """The app on a story of its own; with `screenshot` it is drawn there, and no terminal is needed."""
    loaded = runtime.load()
    from orca_tui.app.story import play

    return play(loaded, runtime.output.marks, screenshot=screenshot, size=size)


def _crash() -> ModuleType:
    from orca_tui.cli import crash  # a command that works does not pay for it

    return crash


def _replace_closed_streams() -> None:
    """Python has None for a stream that was closed before it started (`orca <&-`)."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  # open to the end


def _let_go_of_stdout() -> None:
    """Keep the interpreter from complaining, at its end, that nobody reads stdout."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _let_go_of_a_terminal_that_is_gone() -> bool:
    """Whether it is. What was meant for it can't be written any more, and Python would end with a status of its own."""
    is_gone = False
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as error:
            is_gone = is_gone or error.errno == errno.EIO
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return is_gone
