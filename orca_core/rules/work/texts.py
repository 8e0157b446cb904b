"""The texts by which episodes and knowledge are found, made of their other fields."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from orca_core import words
from orca_core.model.tasks import Outcome
from orca_core.rules.text.cleaning import cut
from orca_core.rules.text.languages import language_of

MAX_CHARS = 2000
"""As much as a memory has: what is embedded and shown is bounded by it."""


def episode_text(
    *,
    trigger: str,
    target: str = "",
    steps: Sequence[str] = (),
    outcome: Outcome = Outcome.UNKNOWN,
    tags: Sequence[str] = (),
    at: datetime,
) -> str:
    """What happened, to what, how it ended and when, in the language of what made it begin; then the steps, as many as
    there is room for."""
    ended = words.text("work.outcomes", outcome.value, language_of(trigger)).format(f"{at:%Y-%m-%d}")
    return _joined([target, trigger, ended, " ".join(f"#{tag}" for tag in tags), "; ".join(steps)])


def knowledge_text(*, topic: str, content: str, key_points: Sequence[str] = (), target: str = "") -> str:
    """What it is about, its points, then all of it."""
    return _joined([target if target != topic else "", topic, "; ".join(key_points), content])


def _joined(parts: Sequence[str]) -> str:
    return cut(" · ".join(part for part in parts if part), MAX_CHARS)
