"""The root of the commands, and how a command line goes through Click. It imports no command until it is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from gettext import gettext as _
from pathlib import Path

import click
from click import shell_completion

from orca_core.model.errors import InvalidInput, without_middle
from orca_tui.cli import COMPLETION_VARIABLE
from orca_tui.cli.commands import Group, Option, command, option, shared_options
from orca_tui.cli.parameters import ROUND, SESSION_ID
from orca_tui.cli.runtime import Runtime, pass_runtime

DONE = 0
NAMES = ("orca", "orca-chat")
"""What Orca is called."""
SHELLS = ("bash", "zsh", "fish")
LEAST, MOST = (40, 10), (300, 100)


COMMANDS = {
    "chat": ("orca_tui.cli.chat:chat", "Ask something, or chat line by line."),
    "memory": ("orca_tui.cli.memory:memory", "List, search and change what Orca remembers."),
    "task": ("orca_tui.cli.task:task", "Say what is being worked on, step by step."),
    "knowledge": ("orca_tui.cli.knowledge:knowledge", "List, search and change what past work taught."),
    "tool": ("orca_tui.cli.tool:tool", "Record calls of tools, and see what they taught."),
    "action": ("orca_tui.cli.action:action", "Record what was done: liked, edited, collected; see what it supports."),
    "consolidate": ("orca_tui.cli.learning:consolidate", "Make knowledge of past work now."),
    "session": ("orca_tui.cli.session:session", "List, read, name, delete and export past chats."),
    "search": ("orca_tui.cli.search:search", "Search the messages of all chats."),
    "episode": ("orca_tui.cli.episode:episode", "List, search and change what was done and how it ended."),
    "extract": (
        "orca_tui.cli.learning:extract",
        "Learn now from the rounds and acts that wait.",
    ),
    "why": ("orca_tui.cli.search:why", "Show which memories a turn got, and why."),
    "context": ("orca_tui.cli.search:context", "Show all that is known for a question."),
    "config": ("orca_tui.cli.config:config", "Find, write or check the configuration."),
    "models": (
        "orca_tui.cli.doctor:models",
        "List the models that the configured endpoints offer; those in use are marked.",
    ),
    "activity": (
        "orca_tui.cli.learning:activity",
        "Show what was done to memories, tasks, episodes, knowledge and guides, newest first.",
    ),
    "stats": ("orca_tui.cli.memory:stats", "Count what is stored."),
    "doctor": ("orca_tui.cli.doctor:doctor", "Check that everything works."),
    "upkeep": ("orca_tui.cli.upkeep:upkeep", "Look after the database now: vectors, cleaning, wiping."),
    "backup": ("orca_tui.cli.backup:backup", "Copy the database, whole and checked, while Orca runs."),
    "restore": ("orca_tui.cli.backup:restore", "Bring back what a backup holds."),
    "eval": (
        "orca_tui.cli.evaluate:evaluate",
        "Measure how well memories are found. Nothing that is stored is changed.",
    ),
    "demo": ("orca_tui.cli.root:demo", "Open the app on a small story, in a home that is thrown away."),
    "completion": ("orca_tui.cli.root:completion", "Print the completion script of a shell."),
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
    cls=Group,
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


for _name, (_place, _summary) in COMMANDS.items():
    orca.later(_name, _place, _summary)


def call(runtime: Runtime, arguments: Sequence[str]) -> int:
    """Carry out one command; its exit status. What is wrong with the arguments is said. Raises OrcaError."""
    try:
        with orca.make_context("orca", list(arguments), obj=runtime) as context:
            orca.invoke(context)
    except click.Abort as stopped:
        raise KeyboardInterrupt from stopped
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.ClickException as error:
        sentence, way_out = _with_help(error)
        runtime.output.fail(f"{sentence} — {way_out}" if way_out else sentence)
        runtime.fail_in_json(InvalidInput.kind, sentence, way_out)
        return error.exit_code
    return DONE


def _with_help(error: click.ClickException) -> tuple[str, str]:
    """What is wrong with the arguments, and where their help is."""
    sentence = without_middle(error.format_message())
    if isinstance(error, click.UsageError) and error.ctx is not None:
        way_out = _("see {command} --help").format(command=error.ctx.command_path)
        return sentence.rstrip(".。"), way_out
    return sentence, ""


@command(prints="", examples=("orca completion zsh", "orca completion fish > orca.fish"))
@click.argument("shell", type=click.Choice(SHELLS))
def completion(runtime: Runtime, shell: str) -> None:
    """Print the completion script of a shell.

    It completes commands, options, numbers of memories, tasks, episodes, knowledge, guides, acts and sessions, and
    names of tags, profiles, backups, prompts and providers; zsh and fish show titles.

    In .bashrc, or .zshrc behind compinit: eval "$(orca completion bash)", or zsh. In config.fish: orca completion
    fish | source"""
    from orca_tui.cli.root import orca

    kind = shell_completion.get_completion_class(shell)
    assert kind is not None
    for name in NAMES:
        runtime.output.line(kind(orca, {}, name, COMPLETION_VARIABLE).source())


def complete(environ: Mapping[str, str]) -> int:
    """Print what may stand where tab was pressed. Silent whatever is wrong: nobody can read an error there."""
    from orca_tui.cli.root import orca

    with suppress(Exception):
        shell_completion.shell_complete(orca, {}, NAMES[0], COMPLETION_VARIABLE, environ[COMPLETION_VARIABLE])
    return 0


@command(prints="", examples=("orca demo", "orca demo --screenshot orca.svg --size 120 36"))
@option(
    "--screenshot", type=click.Path(path_type=Path), metavar="FILE", help="Draw the app into this SVG file instead."
)
@option("--size", nargs=2, type=int, default=(120, 36), metavar="COLUMNS LINES", help="How large the picture is.")
def demo(runtime: Runtime, screenshot: Path | None, size: tuple[int, int]) -> None:
    """Open the app on a small story, in a home that is thrown away.

    Nothing of it touches your own memories."""
    if not all(least <= value <= most for value, least, most in zip(size, LEAST, MOST, strict=True)):
        raise InvalidInput(template="a picture has 40 to 300 columns and 10 to 100 lines")
    if screenshot is None and not runtime.has_terminal:
        raise InvalidInput(template="there is no terminal to show it in", hint="orca demo --screenshot FILE draws it")
    assert runtime.open_story is not None
    if status := runtime.open_story(runtime, screenshot, size):
        raise click.exceptions.Exit(status)
