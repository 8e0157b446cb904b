"""The root of the commands. It imports none of them until it is called."""

from __future__ import annotations

from gettext import gettext as _

import click

from orca_tui.cli.commands import LazyGroup, Option, shared_options
from orca_tui.cli.record_ids import ROUND
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.cli.streams import SESSION_ID

COMMANDS = {
    "chat": ("orca_tui.cli.chat:chat", "Ask something, or chat line by line."),
    "memory": ("orca_tui.cli.memory:memory", "List, search and change what Orca remembers."),
    "task": ("orca_tui.cli.task:task", "Say what is being worked on, step by step."),
    "knowledge": ("orca_tui.cli.knowledge:knowledge", "List, search and change what past work taught."),
    "tool": ("orca_tui.cli.tool:tool", "Record calls of tools, and see what they taught."),
    "action": ("orca_tui.cli.action:action", "Record what was done: liked, edited, collected; see what it supports."),
    "consolidate": ("orca_tui.cli.consolidate:consolidate", "Make knowledge of past work now."),
    "session": ("orca_tui.cli.session:session", "List, read, name, delete and export past chats."),
    "search": ("orca_tui.cli.search:search", "Search the messages of all chats."),
    "episode": ("orca_tui.cli.episode:episode", "List, search and change what was done and how it ended."),
    "extract": (
        "orca_tui.cli.extract:extract",
        "Learn now from the rounds and acts that wait.",
    ),
    "why": ("orca_tui.cli.why:why", "Show which memories a turn got, and why."),
    "context": ("orca_tui.cli.context:context", "Show all that is known for a question."),
    "config": ("orca_tui.cli.config:config", "Find, write or check the configuration."),
    "models": (
        "orca_tui.cli.models:models",
        "List the models that the configured endpoints offer; those in use are marked.",
    ),
    "activity": (
        "orca_tui.cli.activity:activity",
        "Show what was done to memories, tasks, episodes, knowledge and guides, newest first.",
    ),
    "stats": ("orca_tui.cli.memory_reading:stats", "Count what is stored."),
    "doctor": ("orca_tui.cli.doctor:doctor", "Check that everything works."),
    "upkeep": ("orca_tui.cli.upkeep:upkeep", "Look after the database now: vectors, cleaning, wiping."),
    "backup": ("orca_tui.cli.backup:backup", "Copy the database, whole and checked, while Orca runs."),
    "restore": ("orca_tui.cli.restore:restore", "Bring back what a backup holds."),
    "eval": (
        "orca_tui.cli.evaluating:evaluating",
        "Measure how well memories are found. Nothing that is stored is changed.",
    ),
    "demo": ("orca_tui.cli.demo:demo", "Open the app on a small story, in a home that is thrown away."),
    "completion": ("orca_tui.cli.completion:completion", "Print the completion script of a shell."),
}


def _show_version(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        ctx.ensure_object(Runtime).output.line(f"orca {_installed_version()}")
        ctx.exit()


def _installed_version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # slow, and rarely asked for

    try:
        return version("orca-chat")
    except PackageNotFoundError:
        return _("(run from its source, not installed)")


_VERSION = Option(
    ["--version"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    help="Show the version and exit.",
    callback=_show_version,
)

_NEW = Option(["--new"], is_flag=True, help="Open the app on a new chat.")
_SESSION = Option(["--session"], type=SESSION_ID, metavar="ID", help="Open the app on this chat.")
_ROUND = Option(["--round", "at"], type=ROUND, metavar="N", help="And look at this round of it.")


@click.group(
    cls=LazyGroup,
    commands_by_name=COMMANDS,
    params=[*shared_options(hidden=False), _NEW, _SESSION, _ROUND, _VERSION],
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.pass_context
@pass_runtime
def orca(runtime: Runtime, ctx: click.Context, *, new: bool, session: str | None, at: int | None) -> None:
    """A chat client for the terminal that remembers you, and shows how it remembers.

    Without a command it opens the chat."""
    named = "--new" if new else "--session" if session is not None else "--round" if at is not None else ""
    if named and ctx.invoked_subcommand is not None:
        raise click.UsageError(_("{option} stands behind a command, or alone").format(option=named), ctx)
    if new and session is not None:
        raise click.UsageError(_("--new and --session ID name different sessions"), ctx)
    if named == "--round":
        raise click.UsageError(_("--round needs a --session"), ctx)
    if ctx.invoked_subcommand is None:
        runtime.begins_new = new
        runtime.begins_at = None if session is None else (session, at)
        if status := runtime.start_app():
            ctx.exit(status)
