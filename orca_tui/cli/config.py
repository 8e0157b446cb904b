"""`orca config path | init | check`: the configuration file."""

from __future__ import annotations

from gettext import gettext as _

import click

from orca_tui import core
from orca_tui.cli.commands import LazyGroup, command
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.language import explained

HERE = "orca_tui.cli.config"

COMMANDS = {
    "path": (f"{HERE}:path", "Print where the configuration file is, or would be."),
    "init": (f"{HERE}:init", "Write a commented configuration file to begin with."),
    "check": (f"{HERE}:check", "Check the configuration and say what it amounts to."),
}


@click.group(cls=LazyGroup, commands_by_name=COMMANDS)
def config() -> None:
    """Find, write or check the configuration."""


@command()
@pass_runtime
def path(runtime: Runtime) -> None:
    """Print where the configuration file is, or would be."""
    runtime.output.line(str(core.config_path(runtime.environ, runtime.config)))


@command()
@pass_runtime
def init(runtime: Runtime) -> None:
    """Write a commented configuration file to begin with.

    One that exists is left as it is."""
    written = core.write_example(core.config_path(runtime.environ, runtime.config))
    runtime.output.line(str(written))
    runtime.output.note(_("every setting in it is explained; orca config check reads it"))


@command()
@pass_runtime
def check(runtime: Runtime) -> None:
    """Check the configuration and say what it amounts to."""
    loaded = runtime.load()
    settings = loaded.settings
    rows = [
        (_("file"), str(loaded.path) if loaded.path else _("none: every setting has its default")),
        (_("home"), str(loaded.home)),
        (_("chat"), settings.provider or _("the built-in demo")),
        (_("embedding"), settings.embedding.provider),
        (_("profile"), runtime.profile or settings.profile),
    ]
    runtime.output.line("\n".join(f"{name}: {value}" for name, value in rows))
    if (failure := core.unusable(loaded)) is not None:
        runtime.output.warn(explained(failure))
