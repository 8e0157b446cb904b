"""Click's classes as Orca uses them: help in the user's language, commands imported when they are called."""

# ruff: noqa: ARG002  # Click hands its methods more than these need

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from gettext import gettext as _
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from orca_tui.cli.parameters import ANY_TEXT
from orca_tui.cli.runtime import Prints, Runtime, pass_runtime

Function = TypeVar("Function", bound=Callable[..., Any])


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
    """A command whose help is in the catalogue, and that takes `--config`, `--profile` and `--debug` like `orca`; and
    `--json`, unless it prints none: one document, or one event a line."""

    def __init__(self, *given: Any, examples: Sequence[str] = (), prints: Prints = "document", **named: Any) -> None:
        super().__init__(*given, **named)
        self.examples = tuple(examples)
        """Lines as one types them."""
        self.prints: Prints = prints
        if prints:
            self.params.append(_json_option(prints))

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The command's own parameters, then those that every command takes."""
        return [*super().get_params(ctx), *shared_options(hidden=True)]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Also notes whether JSON is wanted: guessed before the arguments are read, for they may be wrong."""
        if self.prints and "--json" in args:
            ctx.ensure_object(Runtime).wants_json = self.prints
        return super().parse_args(ctx, args)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples, each on a line of its own that is never broken."""
        if self.examples:
            with formatter.section(_("Examples")):
                formatter.write("".join(f"{'':>{formatter.current_indent}}{each}\n" for each in self.examples))


class Group(_Translated, click.Group):
    """Commands in the order in which they were added. Those added with `later` are known by their summary, for the list
    and for completion, and imported when they are called."""

    def __init__(self, name: str, **attributes: Any) -> None:
        self.places: dict[str, tuple[str, str] | None] = {}
        """By the name of a command: where it is, `module:attribute`, and its summary; None where it is here."""
        super().__init__(name, **attributes)

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Add one behind the others."""
        super().add_command(cmd, name)
        self.places[name or str(cmd.name)] = None

    def later(self, name: str, place: str, summary: str) -> None:
        """Add one that is imported when it is called."""
        self.places[name] = (place, summary)

    def command(  # type: ignore[override]  # Click's takes anything
        self, name: str | None = None, **attributes: Any
    ) -> Callable[[Callable[..., None]], Command]:
        """Make a function a command of this group."""

        def added(function: Callable[..., None]) -> Command:
            made = command(name, **attributes)(function)
            self.add_command(made)
            return made

        return added

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order given."""
        return list(self.places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now where it is elsewhere."""
        if (place := self.places.get(cmd_name)) is None:
            return self.commands.get(cmd_name)
        module, attribute = place[0].split(":")
        found = getattr(import_module(module), attribute)
        assert isinstance(found, click.Command)
        return found

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[Any]]:
        """The commands that begin so, with their summaries, without importing any; or options."""
        if incomplete[:1] == "-":
            return click.Command.shell_complete(self, ctx, incomplete)
        return [
            CompletionItem(name, help=summary) for name, summary in self._summaries() if name.startswith(incomplete)
        ]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands with their summaries, without importing any."""
        with formatter.section(_("Commands")):
            formatter.write_dl(list(self._summaries()))

    def _summaries(self) -> Iterator[tuple[str, str]]:
        for name, place in self.places.items():
            yield name, self.commands[name].get_short_help_str() if place is None else in_a_list(place[1])


class ActingGroup(Group, Command):
    """A group that does something by itself where none of its commands is named."""


def command(name: str | None = None, **attributes: Any) -> Callable[[Callable[..., None]], Command]:
    """Make a function an Orca command, by the attributes of `Command`. It is given the runtime, which says whether
    `--json` was given."""

    def made(function: Callable[..., None]) -> Command:
        return click.command(name, cls=Command, **attributes)(pass_runtime(function))

    return made


def option(*declarations: str, **attributes: Any) -> Callable[[Function], Function]:
    """Give a command an option whose help is a sentence of the catalogue."""
    return click.option(*declarations, cls=Option, **attributes)


def _json_option(prints: Prints) -> Option:
    def wanted(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
        ctx.ensure_object(Runtime).wants_json = prints if value else ""

    said = "Print one JSON document." if prints == "document" else "Print one event a line, as JSON."
    return Option(["--json", "as_json"], is_flag=True, help=said, expose_value=False, callback=wanted)


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
    from orca_tui.cli.parameters import records  # only where tab is pressed

    return records("profile")(ctx, param, incomplete)


def _remember(attribute: str) -> Callable[[click.Context, click.Parameter, object], None]:
    def keep(ctx: click.Context, _parameter: click.Parameter, value: object) -> None:
        if value:
            setattr(ctx.ensure_object(Runtime), attribute, value)

    return keep
