"""The prompts that a user puts in the place of the built-in ones: `agents/NAME.LANGUAGE.md` in the home, else
`agents/NAME.md` for every language."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from orca_core import prompts
from orca_core.model.errors import ConfigError, InvalidInput
from orca_core.model.llm import PromptText
from orca_core.settings import AGENTS_FOLDER

MAX_OWN_PROMPT_BYTES = 100_000
"""Chosen by hand."""


def own_path(folder: Path, name: str, language: str) -> Path | None:
    """The file that counts for a prompt in a language; None where the built-in text does."""
    candidates = (folder / f"{name}.{language}.md", folder / f"{name}.md")
    return next((path for path in candidates if path.is_file()), None)


def own_text(path: Path) -> str:
    """What a user's file says. Raises ConfigError where it can't be read."""
    try:
        return path.read_bytes()[:MAX_OWN_PROMPT_BYTES].decode("utf-8-sig").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            template="{path}: can't be read ({detail})", path=path, detail=error, hint="mend or remove the file"
        ) from error


def prompts_in(home: Path) -> Sequence[PromptText]:
    """Every prompt in each of its languages, as it is used now: first those that can be replaced."""
    folder = home / AGENTS_FOLDER
    names = sorted(prompts.names(), key=lambda name: (name not in prompts.REPLACEABLE, _place(name), name))
    return [_prompt(folder, name, language) for name in names for language in prompts.languages(name)]


def prompt_in(home: Path, name: str, language: str) -> PromptText:
    """One prompt as it is used now. Raises InvalidInput for one that there is not."""
    if language not in languages_of(name):
        raise InvalidInput(
            template="{name} has no text in {language}",
            hint="one of {known}",
            name=name,
            language=language,
            known=", ".join(languages_of(name)),
        )
    return _prompt(home / AGENTS_FOLDER, name, language)


def languages_of(name: str) -> Sequence[str]:
    """The languages in which a prompt stands. Raises InvalidInput for one that there is not."""
    if name not in prompts.names():
        raise InvalidInput(template="there is no prompt {name}", hint="orca config prompts lists them", name=name)
    return prompts.languages(name)


def beginning(home: Path, name: str, language: str) -> tuple[Path, str]:
    """Where one's own text of a prompt in a language belongs, and the built-in one. Raises InvalidInput where none may
    take its place."""
    prompt = prompt_in(home, name, language)
    if not prompt.is_replaceable:
        raise InvalidInput(template="{name} can't be replaced", hint="orca config prompts says which can", name=name)
    return home / AGENTS_FOLDER / f"{name}.{language}.md", prompts.builtin(f"{name}.{language}")


def _prompt(folder: Path, name: str, language: str) -> PromptText:
    builtin = prompts.builtin(f"{name}.{language}")
    placeholders = prompts.placeholders(builtin)
    is_replaceable = name in prompts.REPLACEABLE
    path = own_path(folder, name, language) if is_replaceable else None
    if path is None:
        return PromptText(name, language, builtin, placeholders, is_replaceable)
    try:
        text = own_text(path)
    except ConfigError as error:
        return PromptText(name, language, "", placeholders, True, path, failure=error)
    if not text:
        return PromptText(name, language, builtin, placeholders, True)
    lacking = tuple(sorted(each for each in placeholders if f"{{{each}}}" not in text))
    return PromptText(name, language, text, placeholders, True, path, lacking)


def _place(name: str) -> int:
    return prompts.REPLACEABLE.index(name) if name in prompts.REPLACEABLE else 0
