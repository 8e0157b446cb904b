"""Prompts in JSON."""

from __future__ import annotations

from orca_core.domain.prompts import PromptText
from orca_core.wire.values import Json


def prompt_json(prompt: PromptText, about: str, problem: str, *, with_text: bool = False) -> Json:
    """One prompt in one language; `about` and `problem` are sentences for people."""
    told = {
        "name": prompt.name,
        "language": prompt.language,
        "about": about,
        "source": "own" if prompt.is_own else "builtin",
        "replaceable": prompt.is_replaceable,
        "path": None if prompt.path is None else str(prompt.path),
        "placeholders": list(prompt.placeholders),
        "lacking": list(prompt.lacking),
        "problem": problem or None,
    }
    return {**told, "text": prompt.text} if with_text else told
