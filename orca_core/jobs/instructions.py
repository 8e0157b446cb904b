"""The instructions of the memory agent, the user's own or the built-in ones; and rounds as it is shown them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from orca_core import prompts
from orca_core.config.own_prompts import own_path, own_text
from orca_core.model.sessions import Round
from orca_core.rules.learning.agent import transcripts
from orca_core.rules.text.languages import Language, language_of


class Instructions:
    """What the agent is told to do. The user's own file is looked for each time: it may be edited while Orca runs."""

    def __init__(self, name: str, agents_folder: Path | None) -> None:
        self._name = name
        self._folder = agents_folder

    def text(self, language: Language) -> str:
        """Raises ConfigError where the user's own file can't be read."""
        path = None if self._folder is None else own_path(self._folder, self._name, language)
        return (own_text(path) if path is not None else "") or prompts.builtin(f"{self._name}.{language}")


def language_in(rounds: Sequence[Round]) -> Language:
    """The language that the user writes in."""
    typed = "\n".join(text for _, text in transcripts.testimony(rounds).typed)
    return language_of(typed or "\n".join(each.user for each in rounds))


def with_local_dates(rounds: Sequence[Round]) -> list[Round]:
    """The rounds with their dates in the user's own time zone."""
    return [replace(each, at=each.at.astimezone()) for each in rounds]
