"""`orca config`: the configuration file, and the prompts that lie beside it."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _
from pathlib import Path

import click

from orca_core.config.config_edit import write_example
from orca_core.config.own_prompts import beginning, languages_of, prompt_in, prompts_in
from orca_core.model.errors import InvalidInput
from orca_core.model.llm import PromptText
from orca_core.serialize.reports import prompt_json
from orca_core.settings import AGENTS_FOLDER
from orca_tui.cli.commands import ActingGroup, Group, option
from orca_tui.cli.output import TableColumn
from orca_tui.cli.parameters import prompt_names
from orca_tui.cli.runtime import Runtime
from orca_tui.files import new_file
from orca_tui.language import N_, explained, spoken, translated
from orca_tui.words.prompt_words import prompt_about, prompt_problem, prompt_source

config = Group("config", help="Find, write or check the configuration.")


@config.command(examples=("orca config path",))
def path(runtime: Runtime) -> None:
    """Print where the configuration file is, or would be."""
    from orca_core.config.config_file import config_path

    found = config_path(runtime.environ, runtime.config)[0]
    if runtime.as_json:
        runtime.output.json({"path": str(found), "exists": found.is_file()})
    else:
        runtime.output.line(str(found))


@config.command(examples=("orca config init",))
def init(runtime: Runtime) -> None:
    """Write a commented configuration file to begin with.

    One that exists is left as it is."""
    from orca_core.config.config_file import config_path

    written = write_example(config_path(runtime.environ, runtime.config)[0])
    if runtime.as_json:
        runtime.output.json({"path": str(written), "exists": True})
        return
    runtime.output.line(str(written))
    runtime.output.note(_("every setting in it is explained; orca config check reads it"))


name_argument = click.argument("name", metavar="NAME", shell_complete=prompt_names)
language_option = option("--language", metavar="LANGUAGE", help="Of this language, such as en or zh.")


@click.group(cls=ActingGroup, invoke_without_command=True)
@click.pass_context
def prompts(ctx: click.Context) -> None:
    """List, read and replace what Orca says to a model.

    Without a command it lists them. Your own text in the home counts: agents/NAME.LANGUAGE.md, else agents/NAME.md for
    every language. Those that are fixed are forms, which rules read again."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_prompts)


config.add_command(prompts)


@config.command(examples=("orca config check", "orca config check --json"))
def check(runtime: Runtime) -> None:
    """Check the configuration and say what it amounts to."""
    from orca_core.open import missing_package

    loaded = runtime.load()
    settings = loaded.settings
    failure = missing_package(loaded.settings)
    if runtime.as_json:
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


@prompts.command("list", examples=("orca config prompts", "orca config prompts list --json"))
def list_prompts(runtime: Runtime) -> None:
    """List every prompt, what it is for, and whose text is used."""
    loaded = runtime.load()
    found = prompts_in(loaded.home)
    if runtime.as_json:
        runtime.output.json({"prompts": [_json(each) for each in found]})
        return
    columns = (
        TableColumn(N_("prompt"), lambda each: each.name),
        TableColumn(N_("language"), lambda each: each.language),
        TableColumn(N_("text"), prompt_source),
        TableColumn(N_("for"), lambda each: prompt_about(each.name), takes_rest=True),
    )
    runtime.output.records(columns, found)
    runtime.output.note(
        _("your own: {folder}/NAME.LANGUAGE.md, else NAME.md; orca config prompts copy NAME begins one").format(
            folder=loaded.home / AGENTS_FOLDER
        )
    )
    _warn(runtime, found)


@prompts.command(
    examples=("orca config prompts show memory_extractor", "orca config prompts show summarizer --language zh")
)
@name_argument
@language_option
def show(runtime: Runtime, *, name: str, language: str | None) -> None:
    """Print a prompt as it is used.

    What stands in braces is filled in when it is sent."""
    prompt = _prompt(runtime, name, language)
    if runtime.as_json:
        runtime.output.json(_json(prompt, with_text=True))
        return
    if prompt.failure is not None:
        raise prompt.failure
    runtime.output.line(prompt.text)
    _warn(runtime, [prompt])


@prompts.command(
    examples=("orca config prompts copy summarizer", "orca config prompts copy summarizer --language zh --force")
)
@name_argument
@language_option
@option("--force", is_flag=True, help="Write over a file that is there.")
def copy(runtime: Runtime, *, name: str, language: str | None, force: bool) -> None:
    """Write the built-in text into the home, to be changed there.

    Without --language in each language of it: agents/NAME.LANGUAGE.md."""
    home = runtime.load().home
    written = []
    for each in languages_of(name) if language is None else [language]:
        path, text = beginning(home, name, each)
        _write(path, text, force=force)
        written.append(str(path))
    if runtime.as_json:
        runtime.output.json({"written": written})
    else:
        runtime.output.line("\n".join(written))


def _prompt(runtime: Runtime, name: str, language: str | None) -> PromptText:
    home = runtime.load().home
    known = languages_of(name)
    return prompt_in(home, name, language or (spoken() if spoken() in known else known[0]))


def _write(path: Path, text: str, *, force: bool) -> None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as failure:
        raise InvalidInput(
            template="{path} can't be written: {detail}", path=str(path), detail=failure.strerror or ""
        ) from failure
    with new_file(path, force=force) as file:
        file.write(text + "\n")


def _warn(runtime: Runtime, found: Sequence[PromptText]) -> None:
    for problem in dict.fromkeys(filter(None, map(prompt_problem, found))):
        runtime.output.warn(problem)


def _json(prompt: PromptText, *, with_text: bool = False) -> object:
    return prompt_json(prompt, prompt_about(prompt.name), prompt_problem(prompt), with_text=with_text)
