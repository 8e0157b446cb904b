"""The demo's knowledge: what helped and what did not, word for word from the episodes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from orca_core import words
from orca_core.model.tasks import Outcome
from orca_core.rules.text.spelling import language_of

MAX_POINTS = 5
MAX_SENTENCES = 4
SHOWS = {Outcome.SUCCESS: "worked", Outcome.FAILED: "failed"}


def answers_to(material: str) -> str | None:
    """The answer to a request for knowledge, as the memory agent's JSON; None where the material is of another
    kind."""
    try:
        asked = json.loads(material)
    except ValueError:
        return None
    if not isinstance(asked, dict) or asked.keys() != {"target", "known", "earlier", "episodes"}:
        return None
    return json.dumps(_taught(asked["target"], [*asked["earlier"], *asked["episodes"]]), ensure_ascii=False)


def _taught(target: str, episodes: list[dict[str, Any]]) -> dict[str, Any]:
    newest_first = list(reversed(episodes))
    steps = dict.fromkeys(step for each in newest_first if each["outcome"] == Outcome.SUCCESS for step in each["steps"])
    ended_well = sum(each["outcome"] == Outcome.SUCCESS for each in episodes)
    return {
        "topic": target,
        "content": " ".join(list(dict.fromkeys(_sentences(newest_first)))[:MAX_SENTENCES]),
        "key_points": list(steps)[:MAX_POINTS],
        "confidence": round(0.5 + 0.5 * ended_well / max(1, len(episodes)), 2),
    }


def _sentences(episodes: Iterable[dict[str, Any]]) -> Iterator[str]:
    for each in episodes:
        said = each["outcome_summary"] or next(reversed(each["steps"]), "")
        label = SHOWS.get(Outcome(each["outcome"]), "happened")
        language = language_of(f"{each['trigger']} {said}")
        told = "; ".join(part.strip(" .。;；") for part in (each["trigger"], said) if part)
        yield words.text("demo.knowledge", label, language).format(told)
