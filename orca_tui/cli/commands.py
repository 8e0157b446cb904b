"""Click's classes as Orca uses them: help in the user's language, commands imported when they are called."""

# ruff: noqa: ARG002  # Click hands its methods more than these need

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from gettext import gettext as _
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, TypeVar

import click
from click.shell_completion import CompletionItem

from orca_tui.cli.runtime import Runtime
from orca_tui.cli.streams import ANY_TEXT

Function = TypeVar("Function", bound=Callable[..., Any])

JSON_OPTIONS: Mapping[str, Literal["document", "events"]] = {"as_json": "document", "as_events": "events"}
"""What `--json` prints, by the name that a command has for it."""


class Option(click.Option):
    """An option whose help is a sentence of the catalogue."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The row of the help page, translated."""
        record = super().get_help_record(ctx)
        if record is None or not self.help:
            return record
        names, text = record
        return names, _(self.help) + text.removeprefix(self.help)


class _Translated(click.Command):
    """A command or a group whose help is a sentence of the catalogue."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The help, translated."""
        for paragraph in paragraphs(self.help):
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(_(paragraph))

    def get_short_help_str(self, limit: int = 45) -> str:
        """The summary, translated and whole."""
        return in_a_list(paragraphs(self.help)[0])


class Command(_Translated):
    """A command whose help is in the catalogue, and that takes `--config`, `--profile` and `--debug` like `orca`."""

    def __init__(self, *given: Any, examples: Sequence[str] = (), **named: Any) -> None:
        super().__init__(*given, **named)
        self.examples = tuple(examples)
        """Lines as one types them; those of most commands stand in `orca_tui.cli.examples`."""

    def examples_at(self, path: str) -> tuple[str, ...]:
        """The examples of the command that is called so: `memory list`."""
        from orca_tui.cli.examples import EXAMPLES  # only help needs them

        return self.examples or EXAMPLES.get(path, ())

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The command's own parameters, then those that every command takes."""
        return [*super().get_params(ctx), *shared_options(hidden=True)]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Also notes whether JSON is wanted: guessed before the arguments are read, for they may be wrong."""
        runtime = ctx.ensure_object(Runtime)
        option_name = next((each.name for each in self.params if each.name in JSON_OPTIONS), None)
        if option_name is not None and "--json" in args:
            runtime.wants_json = JSON_OPTIONS[option_name]
        rest = super().parse_args(ctx, args)
        if option_name is not None and not ctx.params[option_name]:
            runtime.wants_json = ""
        return rest

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples, each on a line of its own that is never broken."""
        if examples := self.examples_at(ctx.command_path.partition(" ")[2]):
            with formatter.section(_("Examples")):
                formatter.write("".join(f"{'':>{formatter.current_indent}}{each}\n" for each in examples))


class LazyGroup(_Translated, click.Group):
    """Click's lazy group: it knows its commands by name, `{name: (module:attribute, summary)}`, and imports the module
    of one when it is called. Its list and its completion are made of the summaries, without importing any."""

    def __init__(self, *, commands_by_name: Mapping[str, tuple[str, str]], **attributes: object) -> None:
        super().__init__(**attributes)  # type: ignore[arg-type]  # whatever Click takes
        self.commands_by_name = commands_by_name

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order given."""
        return list(self.commands_by_name)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now."""
        if cmd_name not in self.commands_by_name:
            return None
        module, attribute = self.commands_by_name[cmd_name][0].split(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[Any]]:
        """The commands that begin so, with their summaries, without importing any; or options."""
        if incomplete[:1] == "-":
            return click.Command.shell_complete(self, ctx, incomplete)
        return [
            CompletionItem(name, help=in_a_list(summary))
            for name, (_where, summary) in self.commands_by_name.items()
            if name.startswith(incomplete)
        ]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands with their summaries, without importing any."""
        with formatter.section(_("Commands")):
            formatter.write_dl(
                [(name, in_a_list(summary)) for name, (_where, summary) in self.commands_by_name.items()]
            )


class ActingGroup(LazyGroup, Command):
    """A group that does something by itself where none of its commands is named."""


def command(name: str | None = None, *, examples: Sequence[str] = ()) -> Callable[[Callable[..., None]], Command]:
    """Make a function an Orca command; `examples` are lines as one types them, which its help shows."""
    return click.command(name, cls=Command, examples=examples)


def option(*declarations: str, **attributes: Any) -> Callable[[Function], Function]:
    """Give a command an option whose help is a sentence of the catalogue."""
    return click.option(*declarations, cls=Option, **attributes)


as_json_option = option("--json", "as_json", is_flag=True, help="Print one JSON document.")


def paragraphs(text: str | None) -> list[str]:
    """The paragraphs of a help text, each a sentence of the catalogue; the first is the summary."""
    return [" ".join(paragraph.split()) for paragraph in inspect.cleandoc(text or "").split("\n\n") if paragraph]


def in_a_list(summary: str) -> str:
    """A summary as a list of commands shows it: translated, without its full stop."""
    return _(summary).rstrip(".。")


def shared_options(*, hidden: bool) -> list[click.Parameter]:
    """The options that count for every command, wherever they stand."""
    return [
        Option(
            ["--config"],
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Read this configuration file.",
            expose_value=False,
            hidden=hidden,
            callback=_remember("config"),
        ),
        Option(
            ["--profile"],
            type=ANY_TEXT,
            metavar="NAME",
            shell_complete=_profiles,
            help="Use the memories of this profile.",
            expose_value=False,
            hidden=hidden,
            callback=_remember("profile"),
        ),
        Option(
            ["--debug"],
            is_flag=True,
            help="Show the details of an error.",
            expose_value=False,
            hidden=hidden,
            callback=_remember("debug"),
        ),
    ]


def _profiles(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    from orca_tui.cli.completions import records  # only where tab is pressed

    return records("profile")(ctx, param, incomplete)


def _remember(attribute: str) -> Callable[[click.Context, click.Parameter, object], None]:
    def keep(ctx: click.Context, _parameter: click.Parameter, value: object) -> None:
        if value:
            setattr(ctx.ensure_object(Runtime), attribute, value)

    return keep
