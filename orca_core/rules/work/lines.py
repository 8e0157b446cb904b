"""What of an episode or of knowledge is put before the model: one line, which bounds what it costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from orca_core import words
from orca_core.model.episodes import Episode
from orca_core.model.knowledge import Knowledge
from orca_core.rules.text import tokens
from orca_core.rules.text.cleaning import ELLIPSIS
from orca_core.rules.text.fitting import fitted
from orca_core.rules.text.languages import language_of

EPISODE_TOKENS = 60
KNOWLEDGE_TOKENS = 120
"""No line costs more."""
TRIGGER_SHARE = 0.5
"""As much of an episode's line its trigger takes where both it and what was done are long. Chosen by hand."""


def episode_line(episode: Episode) -> str:
    """How it ended, what it was about, what was done, when. Of many steps the last ones: they are what it came to."""
    trigger = _on_one_line(episode.trigger_summary)
    done = _said(episode.steps) or _said([episode.outcome_summary])
    language = language_of(" ".join((trigger, *done)))
    outcome = words.text("work.told", episode.outcome.value, language)
    date = f"{episode.created_at:%Y-%m-%d}"

    def line_of(trigger: str, steps: str) -> str:
        said = f"{trigger} → {steps}" if steps else trigger
        return f"{outcome.format(said)} ({date})"

    # Most fit as they are, and a turn makes a line of each that it finds: a line is tried before it is cut to size.
    whole = line_of(trigger, _steps_of(done, language) if done else "")
    if tokens.estimate(whole) <= EPISODE_TOKENS:
        return whole

    def line(trigger: str, room: int) -> str:
        return line_of(trigger, _steps(done, language, room - tokens.estimate(trigger)))

    room = EPISODE_TOKENS - tokens.estimate(line("", 0))
    steps = _steps(done, language, room)
    made = line(fitted(trigger, max(int(room * TRIGGER_SHARE), room - tokens.estimate(steps))), room)
    while tokens.estimate(made) > EPISODE_TOKENS:  # what stands side by side may count as more than each by itself
        room -= 1
        made = line(fitted(trigger, max(int(room * TRIGGER_SHARE), room - tokens.estimate(steps))), room)
    return made


def knowledge_line(knowledge: Knowledge) -> str:
    """What it is about, and its points, in their order; where it has none, what it says."""
    topic = fitted(_on_one_line(knowledge.topic), KNOWLEDGE_TOKENS // 2)
    points = _said(knowledge.key_points) or _said([knowledge.content])
    if not points:
        return topic
    language = language_of(" ".join((topic, *points)))
    return fitted(_with(topic, "point", language, _steps_of(points, language)), KNOWLEDGE_TOKENS)


def _steps(done: Sequence[str], language: str, room: int) -> str:
    """As many of the last steps as there is room for; the last one by itself is cut."""
    for first in range(len(done)):
        shown = [ELLIPSIS, *done[first:]] if first else done
        said = _steps_of(shown, language)
        if tokens.estimate(said) <= room:
            return said
    return fitted(done[-1], room) if done else ""


def _steps_of(steps: Sequence[str], language: str) -> str:
    return reduce(lambda before, step: _with(before, "step", language, step), steps)


def _with(before: str, join: str, language: str, behind: str) -> str:
    return before + words.text("work.joins", join, language).format(behind)


def _said(texts: Iterable[str]) -> list[str]:
    return [line for text in texts if (line := _on_one_line(text))]


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
