"""`orca config prompts`: what Orca says to a model, and the user's own words in its place."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _
from pathlib import Path

import click

from orca_core.model.errors import InvalidInput
from orca_core.model.llm import PromptText
from orca_core.serialize.reports import prompt_json
from orca_tui import core
from orca_tui.cli.commands import LazyGroup, as_json_option, command, option
from orca_tui.cli.completions import prompt_names
from orca_tui.cli.output import Column
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.files import new_file
from orca_tui.language import spoken
from orca_tui.words.prompt_words import prompt_about, prompt_problem, prompt_source

HERE = "orca_tui.cli.prompts"

COMMANDS = {
    "list": (f"{HERE}:list_prompts", "List every prompt, what it is for, and whose text is used."),
    "show": (f"{HERE}:show", "Print a prompt as it is used."),
    "copy": (f"{HERE}:copy", "Write the built-in text into the home, to be changed there."),
    "edit": (f"{HERE}:edit", "Change a prompt in your editor."),
}

name_argument = click.argument("name", metavar="NAME", shell_complete=prompt_names)
language_option = option("--language", metavar="LANGUAGE", help="Of this language, such as en or zh.")


@click.group(cls=LazyGroup, commands_by_name=COMMANDS, invoke_without_command=True)
@as_json_option
@click.pass_context
def prompts(ctx: click.Context, *, as_json: bool) -> None:
    """List, read and replace what Orca says to a model.

    Without a command it lists them. Your own text in the home counts: agents/NAME.LANGUAGE.md, else agents/NAME.md for
    every language. Those that are fixed are forms, which rules read again."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_prompts, as_json=as_json)


@command("list", examples=("orca config prompts", "orca config prompts list --json"))
@as_json_option
@pass_runtime
def list_prompts(runtime: Runtime, *, as_json: bool) -> None:
    """List every prompt, what it is for, and whose text is used."""
    loaded = runtime.load()
    found = core.prompts_in(loaded.home)
    if as_json:
        runtime.output.json({"prompts": [_json(each) for each in found]})
        return
    rows = [(each.name, each.language, prompt_source(each), prompt_about(each.name)) for each in found]
    columns = (Column(_("prompt")), Column(_("language")), Column(_("text")), Column(_("for"), takes_rest=True))
    runtime.output.table(columns, rows)
    runtime.output.note(
        _("your own: {folder}/NAME.LANGUAGE.md, else NAME.md; orca config prompts copy NAME begins one").format(
            folder=loaded.home / core.AGENTS_FOLDER
        )
    )
    _warn(runtime, found)


@command(examples=("orca config prompts show memory_extractor", "orca config prompts show summarizer --language zh"))
@name_argument
@language_option
@as_json_option
@pass_runtime
def show(runtime: Runtime, *, name: str, language: str | None, as_json: bool) -> None:
    """Print a prompt as it is used.

    What stands in braces is filled in when it is sent."""
    prompt = _prompt(runtime, name, language)
    if as_json:
        runtime.output.json(_json(prompt, with_text=True))
        return
    if prompt.failure is not None:
        raise prompt.failure
    runtime.output.line(prompt.text)
    _warn(runtime, [prompt])


@command(examples=("orca config prompts copy summarizer", "orca config prompts copy summarizer --language zh --force"))
@name_argument
@language_option
@option("--force", is_flag=True, help="Write over a file that is there.")
@as_json_option
@pass_runtime
def copy(runtime: Runtime, *, name: str, language: str | None, force: bool, as_json: bool) -> None:
    """Write the built-in text into the home, to be changed there.

    Without --language in each language of it: agents/NAME.LANGUAGE.md."""
    home = runtime.load().home
    written = []
    for each in core.prompt_languages(name) if language is None else [language]:
        path, text = core.own_prompt(home, name, each)
        _write(path, text, force=force)
        written.append(str(path))
    if as_json:
        runtime.output.json({"written": written})
    else:
        runtime.output.line("\n".join(written))


@command()
@name_argument
@language_option
@as_json_option
@pass_runtime
def edit(runtime: Runtime, *, name: str, language: str | None, as_json: bool) -> None:
    """Change a prompt in your editor.

    Where it has no text of your own yet, the built-in one is copied first. Without --language it is that of the
    interface."""
    if not runtime.has_terminal:
        raise InvalidInput(
            template="there is no terminal for an editor", hint="orca config prompts copy NAME writes the file"
        )
    prompt = _prompt(runtime, name, language)
    path = prompt.path
    if path is None:
        path, text = core.own_prompt(runtime.load().home, name, prompt.language)
        _write(path, text, force=False)
    click.edit(filename=str(path), env={"LANGUAGE": runtime.environ.get("LANGUAGE", "")})
    edited = _prompt(runtime, name, prompt.language)
    if as_json:
        runtime.output.json(_json(edited))
        return
    runtime.output.line(str(path))
    _warn(runtime, [edited])


def _prompt(runtime: Runtime, name: str, language: str | None) -> PromptText:
    home = runtime.load().home
    known = core.prompt_languages(name)
    return core.prompt_in(home, name, language or (spoken() if spoken() in known else known[0]))


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
