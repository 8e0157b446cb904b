"""Writes the prompts of the memory agent: the user's own instructions, or the built-in ones, and the material."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from orca_core import prompts
from orca_core.domain.dialogues import Round
from orca_core.domain.errors import ConfigError
from orca_core.domain.learning import Batch
from orca_core.domain.messages import ChatMessage
from orca_core.rules.learning.agent import parsing, transcripts
from orca_core.rules.text.languages import Language, language_of
from orca_core.settings import ExtractSettings

MAX_OWN_PROMPT_BYTES = 100_000
"""Chosen by hand."""


class Instructions:
    """What the agent is told to do. The user's own file is read each time: it may be edited while Orca runs."""

    def __init__(self, name: str, agents_folder: Path | None) -> None:
        self._name = name
        self._own = None if agents_folder is None else agents_folder / f"{name}.md"

    def text(self, language: Language) -> str:
        """Raises ConfigError where the user's own file can't be read."""
        return self._own_text() or prompts.builtin(f"{self._name}.{language}")

    def _own_text(self) -> str:
        if self._own is None or not self._own.is_file():
            return ""
        try:
            return self._own.read_bytes()[:MAX_OWN_PROMPT_BYTES].decode("utf-8-sig").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(
                template="{path}: can't be read ({detail})",
                path=self._own,
                detail=error,
                hint="mend or remove the file",
            ) from error


class ExtractionPrompt:
    """The prompt of the first reading."""

    def __init__(self, agents_folder: Path | None, extract: ExtractSettings) -> None:
        self._instructions = Instructions("memory_extractor", agents_folder)
        self._extract = extract

    def messages(self, batch: Batch, known: Sequence[str]) -> list[ChatMessage]:
        """Raises ConfigError where the user's own prompt can't be read."""
        language = language_in(batch.rounds)
        instructions = prompts.fill(
            self._instructions.text(language),
            max_facts=self._extract.max_facts,
            max_chars=parsing.max_fact_chars(language),
            tags=json.dumps(self._extract.tags if self._extract.auto_tag else (), ensure_ascii=False),
        )
        material = prompts.fill(
            prompts.builtin(f"extraction_material.{language}"),
            known=json.dumps(list(known), ensure_ascii=False),
            dialogue=transcripts.dialogue(with_local_dates(batch.rounds)),
        )
        return [ChatMessage("system", instructions), ChatMessage("user", material)]

    def again(self, batch: Batch) -> ChatMessage:
        """The reply to an answer that could not be parsed."""
        text = prompts.render(f"extraction_again.{language_in(batch.rounds)}", problem='no object with a list "facts"')
        return ChatMessage("user", text)


def language_in(rounds: Sequence[Round]) -> Language:
    """The language that the user writes in."""
    typed = "\n".join(text for _, text in transcripts.testimony(rounds).typed)
    return language_of(typed or "\n".join(each.user for each in rounds))


def with_local_dates(rounds: Sequence[Round]) -> list[Round]:
    """The rounds with their dates in the user's own time zone."""
    return [replace(each, at=each.at.astimezone()) for each in rounds]
