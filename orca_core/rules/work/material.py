"""What the memory agent reads of a session for episodes: typed text, of all other text only its length."""

from __future__ import annotations

import json
from collections.abc import Sequence

from orca_core.model.episodes import Episode
from orca_core.model.sessions import Round
from orca_core.rules.learning.agent.transcripts import shortened, user_text

MAX_BATCH_CHARS = 16_000
MAX_USER_CHARS = 800
MAX_ASSISTANT_CHARS = 400
"""They bound what one reading costs. Chosen by hand: a session of 15 long rounds is read at once."""


def how_many_fit(rounds: Sequence[Round]) -> int:
    """How many of the oldest rounds one reading takes: at least one, if there is any."""
    total = 0
    for index, each in enumerate(rounds):
        total += len(_line(each))
        if index and total > MAX_BATCH_CHARS:
            return index
    return len(rounds)


def dialogue(rounds: Sequence[Round]) -> str:
    """The rounds as a JSON array, a line each: no text in it can pretend to be another speaker."""
    return "[" + ",\n".join(map(_line, rounds)) + "]"


def earlier(episodes: Sequence[Episode]) -> str:
    """What was noted of the session before, as JSON."""
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
    row = {
        "round": each.number,
        "date": each.at.strftime("%Y-%m-%d"),
        "user": user_text(each.spans, MAX_USER_CHARS),
        "assistant": shortened(each.assistant, MAX_ASSISTANT_CHARS),
    }
    return json.dumps(row, ensure_ascii=False)
