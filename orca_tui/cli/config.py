"""`orca config path | init | prompts | check`: the configuration file, and what lies beside it."""

from __future__ import annotations

from gettext import gettext as _

import click

from orca_tui import core
from orca_tui.cli.commands import LazyGroup, as_json_option, command
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.language import explained, translated

HERE = "orca_tui.cli.config"

COMMANDS = {
    "path": (f"{HERE}:path", "Print where the configuration file is, or would be."),
    "init": (f"{HERE}:init", "Write a commented configuration file to begin with."),
    "prompts": ("orca_tui.cli.prompts:prompts", "List, read and replace what Orca says to a model."),
    "check": (f"{HERE}:check", "Check the configuration and say what it amounts to."),
}


@click.group(cls=LazyGroup, commands_by_name=COMMANDS)
def config() -> None:
    """Find, write or check the configuration."""


@command()
@as_json_option
@pass_runtime
def path(runtime: Runtime, as_json: bool) -> None:
    """Print where the configuration file is, or would be."""
    found = core.config_path(runtime.environ, runtime.config)
    if as_json:
        runtime.output.json({"path": str(found), "exists": found.is_file()})
    else:
        runtime.output.line(str(found))


@command()
@as_json_option
@pass_runtime
def init(runtime: Runtime, as_json: bool) -> None:
    """Write a commented configuration file to begin with.

    One that exists is left as it is."""
    written = core.write_example(core.config_path(runtime.environ, runtime.config))
    if as_json:
        runtime.output.json({"path": str(written), "exists": True})
        return
    runtime.output.line(str(written))
    runtime.output.note(_("every setting in it is explained; orca config check reads it"))


@command()
@as_json_option
@pass_runtime
def check(runtime: Runtime, as_json: bool) -> None:
    """Check the configuration and say what it amounts to."""
    loaded = runtime.load()
    settings = loaded.settings
    failure = core.unusable(loaded)
    if as_json:
        told = {
            "path": str(loaded.path) if loaded.path else None,
            "home": str(loaded.home),
            "chat": settings.provider or None,
            "embedding": settings.embedding.provider,
            "profile": runtime.profile or settings.profile,
            "warnings": [translated(each.template, each.fields) for each in loaded.warnings],
            "unusable": None if failure is None else explained(failure),
        }
        runtime.output.json(told)
        return
    rows = [
        (_("file"), str(loaded.path) if loaded.path else _("none: every setting has its default")),
        (_("home"), str(loaded.home)),
        (_("chat"), settings.provider or _("the built-in demo")),
        (_("embedding"), settings.embedding.provider),
        (_("profile"), runtime.profile or settings.profile),
    ]
    runtime.output.line("\n".join(f"{name}: {value}" for name, value in rows))
    if failure is not None:
        runtime.output.warn(explained(failure))
