"""What every command is given: the streams, the environment, and Orca when it asks for one."""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from gettext import gettext as _
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, Literal, ParamSpec, TypeVar

from msgspec import Struct, field

from orca_core.model.errors import InvalidInput
from orca_tui.cli.output import Output
from orca_tui.language import language_of, speak, translated
from orca_tui.signals import signals_raise

if TYPE_CHECKING:
    from orca_core.config.config_file import LoadedSettings
    from orca_core.orca import Orca
    from orca_tui.cli.loop_thread import LoopThread

P = ParamSpec("P")
T = TypeVar("T")


Prints = Literal["", "document", "events"]
"""What `--json` makes a command print: one document, or one event a line."""


def stopped_words() -> str:
    """What is said where a signal ends a command that may have changed something by then."""
    return _("stopped: orca activity shows what was done")


UPKEEP_PATIENCE_S = 5.0
"""So long a command waits, once a day, for upkeep behind what it did. Chosen by hand."""


def _output_of_process() -> Output:
    return Output(sys.stdout, sys.stderr, os.environ)


class Runtime(Struct):
    """The surroundings of one command. `config`, `profile` and `debug` are the options of the same names."""

    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    output: Output = field(default_factory=_output_of_process)
    config: Path | None = None
    profile: str | None = None
    debug: bool = False
    wants_json: Prints = ""
    """What the command is to print in JSON; a failure is printed so, too."""
    begins_new: bool = False
    """Whether the app is to begin with a new chat, whatever `ui.start` says."""
    begins_at: tuple[str, int | None] | None = None
    """The session that the app is to begin with, and a round of it or its end."""
    if_stopped: str = ""
    """What is to be said where a signal ends the command now."""
    open_app: Callable[[Runtime], int] | None = None
    """Opens the app and returns its exit status; the commands do not know it."""
    open_story: Callable[[Runtime, Path | None, tuple[int, int]], int] | None = None
    """Opens the app on a small story, or draws it into a file."""

    @property
    def as_json(self) -> bool:
        """Whether the command is to print JSON."""
        return self.wants_json != ""

    @property
    def has_terminal(self) -> bool:
        """Whether someone can be asked, and sees what is shown."""
        return sys.stdin.isatty() and sys.stdout.isatty()

    def edited(self, text: str, hint: str, extension: str) -> str:
        """What a person makes of a text in an editor. Raises InvalidInput where there is no terminal."""
        import click  # as below

        if not self.has_terminal:
            raise InvalidInput(template="there is no terminal for an editor", hint=hint)
        # The editor speaks the user's language, not the one that `speak` set for this process.
        edited = click.edit(text, env={"LANGUAGE": self.environ.get("LANGUAGE", "")}, extension=extension)
        return text if edited is None else edited

    def start_app(self) -> int:
        """Open the app on this terminal; its exit status. Raises InvalidInput where there is none."""
        if not self.has_terminal:
            raise InvalidInput(
                template="there is no terminal to chat in",
                hint='ask one question with: orca chat "TEXT", or see orca --help',
            )
        assert self.open_app is not None
        return self.open_app(self)

    def fail_in_json(self, kind: str, message: str, hint: str = "") -> None:
        """What failed, for a program that asked for JSON and was given none yet."""
        if self.wants_json and (self.wants_json == "events" or not self.output.has_document):
            from orca_core.serialize.reports import error_json

            with suppress(OSError):  # nobody reads it: it was said on stderr
                self.output.json(error_json(kind, message, hint, is_event=self.wants_json == "events"))

    def load(self) -> LoadedSettings:
        """The settings, with their warnings on stderr; the interface speaks their language from then on.

        Raises ConfigError."""
        from orca_core.config.config_file import read_settings

        loaded = read_settings(self.environ, self.config)
        speak(language_of(self.environ, loaded.settings.ui.language))
        self.output.glyphs = loaded.settings.ui.glyphs
        for warning in loaded.warnings:
            self.output.warn(translated(warning.template, warning.fields))
        return loaded

    @contextmanager
    def loop(self) -> Iterator[tuple[LoadedSettings, LoopThread]]:
        """The settings, and an event loop for what needs no open Orca; what it logs is kept. Raises ConfigError."""
        from orca_tui.cli.loop_thread import LoopThread
        from orca_tui.log import log_kept

        loaded = self.load()
        with signals_raise(), log_kept(loaded.home), LoopThread() as loop:
            yield loaded, loop

    @contextmanager
    def open_orca(
        self, model: str | None = None, *, will_talk: bool = False, keeps_up: bool = False
    ) -> Iterator[OpenOrca]:
        """An open Orca, closed afterwards whatever happens; one that `will_talk` can do without its database, one
        that `keeps up` does upkeep while it is open, else it is done behind what changed something, once a day. Raises
        OrcaError."""
        from orca_core.open import open_orca

        with self.loop() as (loaded, loop):
            orca = loop.run(
                open_orca(
                    loaded,
                    environ=self.environ,
                    profile=self.profile,
                    model=model,
                    will_talk=will_talk,
                    keeps_up=keeps_up,
                )
            )
            try:
                yield OpenOrca(orca, loop, loaded)
                if not keeps_up and orca.has_changed:
                    loop.run(orca.upkeep.once_a_day(UPKEEP_PATIENCE_S))
            finally:
                loop.run(orca.aclose())


class OpenOrca(Struct, frozen=True):
    """An open Orca and the loop that it runs on."""

    orca: Orca
    loop: LoopThread
    loaded: LoadedSettings

    @property
    def home(self) -> Path:
        return self.loaded.home

    def run(self, work: Awaitable[T]) -> T:
        """The outcome of something asynchronous that the engine does; see `LoopThread.run`."""
        return self.loop.run(work)


def pass_runtime(function: Callable[Concatenate[Runtime, P], T]) -> Callable[P, T]:
    """Give a command its runtime. Who opens the app needs no Click: it is loaded for who has commands."""
    import click

    return click.make_pass_decorator(Runtime, ensure=True)(function)
