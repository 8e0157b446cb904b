"""Make the material that the memory agent reads for episodes, and read its answer: tolerantly, validated strictly."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from orca_core.model.episodes import Episode, EpisodeReading, ProposedEpisode
from orca_core.model.learning import DroppedFact
from orca_core.model.sessions import Round
from orca_core.model.tasks import Outcome
from orca_core.rules.learning import transcripts
from orca_core.rules.learning.model_json import CutObject, DroppedItemError, items_under, last_items
from orca_core.rules.learning.transcripts import round_line
from orca_core.rules.text.cleaning import clean_statement, cut_text

MAX_EPISODES = 3
MAX_TRIGGER_CHARS = 120
MAX_TARGET_CHARS = 60
MAX_STEP_CHARS = 120
MAX_STEPS = 12
MAX_TAGS = 6
MAX_TAG_CHARS = 40
MAX_QUOTE_CHARS = 500
"""They bound what an episode takes of a list and of a prompt; LIFE names the first and the steps' length."""
MIN_TRIGGER_CHARS = 3
MAX_DROPPED = 20
SHOWN_CHARS = 120

_NUMBER = re.compile(r"e?([0-9]{1,18})")


def read_episodes(answer: str) -> EpisodeReading | None:
    """The episodes of an answer; None where nothing in it can be read as such."""
    proposed = last_items(answer, lambda value: items_under(value, "episodes", lambda item: "trigger" in item))
    if proposed is None:
        return None
    episodes: list[ProposedEpisode] = []
    dropped: list[DroppedFact] = []
    for item in proposed:
        try:
            episode, left_out = _episode(item)
            if any((episode.trigger, episode.target) == (other.trigger, other.target) for other in episodes):
                raise DroppedItemError("repeated")
            if len(episodes) == MAX_EPISODES:
                raise DroppedItemError("over_limit")
        except DroppedItemError as error:
            dropped.append(DroppedFact(_shown(item), str(error)))
        else:
            episodes.append(episode)
            dropped += left_out
    return EpisodeReading(tuple(episodes), tuple(dropped[:MAX_DROPPED]))


def _episode(item: Any) -> tuple[ProposedEpisode, list[DroppedFact]]:
    """With the steps that it can't have. Raises DroppedItemError with the first rule that it breaks."""
    if isinstance(item, CutObject):
        raise DroppedItemError("cut")
    if not isinstance(item, dict):
        raise DroppedItemError("not_an_object")
    trigger, target = _text(item.get("trigger")), _text(item.get("target"))
    if len(trigger) < MIN_TRIGGER_CHARS:
        raise DroppedItemError("too_short")
    if len(trigger) > MAX_TRIGGER_CHARS or len(target) > MAX_TARGET_CHARS:
        raise DroppedItemError("too_long")
    outcome = _text(item.get("outcome")).lower() or Outcome.UNKNOWN.value
    if outcome not in list(Outcome):
        raise DroppedItemError("unknown_outcome")
    steps, left_out = _steps(item.get("steps"))
    return (
        ProposedEpisode(
            trigger=trigger,
            target=target,
            steps=steps,
            outcome=Outcome(outcome),
            outcome_quote=cut_text(_text(item.get("outcome_quote")), MAX_QUOTE_CHARS),
            tags=_tags(item.get("tags")),
            continues=_continues(item.get("continues")),
        ),
        left_out,
    )


def _steps(value: Any) -> tuple[tuple[str, ...], list[DroppedFact]]:
    steps: list[str] = []
    left_out: list[DroppedFact] = []
    for each in _listed(value):
        step = _text(each)
        if not step or step in steps:
            continue
        if len(step) > MAX_STEP_CHARS:
            left_out.append(DroppedFact(cut_text(step, SHOWN_CHARS), "too_long"))
        elif len(steps) == MAX_STEPS:
            left_out.append(DroppedFact(step, "over_limit"))
        else:
            steps.append(step)
    return tuple(steps), left_out


def _tags(value: Any) -> tuple[str, ...]:
    tags = [_text(each).removeprefix("#") for each in _listed(value)]
    return tuple(dict.fromkeys(tag for tag in tags if 0 < len(tag) <= MAX_TAG_CHARS))[:MAX_TAGS]


def _continues(value: Any) -> int | None:
    """The number in `e3`, `3` or 3."""
    number = str(int(value)) if isinstance(value, float) and value.is_integer() else _text(value).lower()
    found = _NUMBER.fullmatch(number)
    return int(found[1]) if found else None


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if isinstance(value, str) else []


def _text(value: Any) -> str:
    return clean_statement(value) if isinstance(value, str) else ""


def _shown(item: Any) -> str:
    said = item.get("trigger") if isinstance(item, dict) else item
    return cut_text(_text(said) or "…", SHOWN_CHARS)


MAX_BATCH_CHARS = 16_000
MAX_USER_CHARS = 800
MAX_ASSISTANT_CHARS = 400
"""They bound what one reading costs. Chosen by hand: a session of 15 long rounds is read at once."""


def how_many_fit(rounds: Sequence[Round]) -> int:
    """Tell how many of the oldest rounds one reading takes: at least one, if there is any."""
    return transcripts.how_many_fit(rounds, _line, MAX_BATCH_CHARS)


def dialogue(rounds: Sequence[Round]) -> str:
    """The rounds as a JSON array, a line each: no text in it can pretend to be another speaker."""
    return transcripts.dialogue(rounds, _line)


def earlier(episodes: Sequence[Episode]) -> str:
    """Return what was noted of the session before, as JSON."""
    rows = [
        {
            "id": f"e{each.id}",
            "trigger": each.trigger_summary,
            "target": each.target,
            "steps": list(each.steps),
            "outcome": each.outcome.value,
        }
        for each in episodes
    ]
    return json.dumps(rows, ensure_ascii=False)


def _line(each: Round) -> str:
    return round_line(each, "%Y-%m-%d", MAX_USER_CHARS, MAX_ASSISTANT_CHARS)
