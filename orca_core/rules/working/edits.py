"""What a hand writes into an episode: checked fields, with the text that follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from orca_core.domain.errors import InvalidInput
from orca_core.domain.memories import Fields
from orca_core.domain.records import Values
from orca_core.domain.work.episodes import EPISODES, Episode
from orca_core.domain.work.records import ChangeOne
from orca_core.domain.work.tasks import Outcome
from orca_core.rules.keeping.curation import checked_tags
from orca_core.rules.text.cleaning import clean_memory
from orca_core.rules.working.texts import episode_text

MAX_TEXT_CHARS = 2000
MAX_TARGET_CHARS = 200
MAX_STEPS = 500
"""As much as a task may have, which becomes an episode."""


def edit(
    *,
    trigger: str | None = None,
    target: str | None = None,
    steps: Sequence[str] | None = None,
    outcome: str | None = None,
    outcome_summary: str | None = None,
    tags: Sequence[str] | None = None,
) -> ChangeOne[Episode]:
    """The checked changes. Raises InvalidInput."""
    changes: dict[str, Any] = {}
    if trigger is not None:
        changes["trigger_summary"] = _text("trigger", trigger, most=MAX_TEXT_CHARS, may_be_empty=False)
    if target is not None:
        changes["target"] = target_of(target)
    if steps is not None:
        changes["steps"] = _steps(steps)
    if outcome is not None:
        changes["outcome"] = outcome_of(outcome).value
    if outcome_summary is not None:
        changes["outcome_summary"] = _text("outcome summary", outcome_summary, most=MAX_TEXT_CHARS)
    if tags is not None:
        changes["tags"] = list(checked_tags(tags))
    if not changes:
        raise InvalidInput(template="nothing to change", hint="name at least one field")
    return lambda episode: with_text(episode, changes)


def with_text(episode: Episode, changes: Values) -> Fields:
    """The changes, with the text that an episode is found by then."""
    return {**changes, "text": text_of(EPISODES.changed(episode, changes))}


def made_anew(episode: Episode) -> Episode:
    """The episode with the text that follows from its fields."""
    return replace(episode, text=text_of(episode))


def text_of(episode: Episode) -> str:
    """What an episode is found by."""
    return episode_text(
        trigger=episode.trigger_summary,
        target=episode.target,
        steps=episode.steps,
        outcome=episode.outcome,
        tags=episode.tags,
        at=episode.created_at,
    )


def target_of(name: str) -> str:
    """The name of what was worked on, cleaned. Raises InvalidInput where it is too long."""
    return _text("target", name, most=MAX_TARGET_CHARS)


def outcome_of(word: str) -> Outcome:
    """An outcome by its name. Raises InvalidInput, naming them all."""
    try:
        return Outcome(word.strip().lower())
    except ValueError:
        known = ", ".join(Outcome)
        raise InvalidInput(
            template="no such outcome: {found}", hint="one of {known}", found=word, known=known
        ) from None


def _steps(steps: Sequence[str]) -> list[str]:
    cleaned = [_text("step", step, most=MAX_TEXT_CHARS, may_be_empty=False) for step in steps]
    if len(cleaned) > MAX_STEPS:
        raise InvalidInput(template="{found} steps, at most {most}", found=len(cleaned), most=MAX_STEPS)
    return cleaned


def _text(name: str, given: str, *, most: int, may_be_empty: bool = True) -> str:
    cleaned = clean_memory(given)
    if not cleaned and not may_be_empty:
        raise InvalidInput(template="the {name} is empty", hint="say it in a few words", name=name)
    if len(cleaned) > most:
        raise InvalidInput(
            template="{name}: {found} characters, at most {most}",
            hint="shorten it",
            name=name,
            found=len(cleaned),
            most=most,
        )
    return cleaned
