"""The demo's reading of ended chats: a trouble that was told, what was done about it, and how it ended, by rules."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from orca_core import prompts, words
from orca_core.rules.clauses.clause import Clause
from orca_core.rules.clauses.reading import read_clauses
from orca_core.rules.learning.trust.typed import TypedRound
from orca_core.rules.text.cleaning import clean_memory, cut
from orca_core.rules.working.endings import said_to_fail, said_to_work
from orca_core.rules.working.reading import MAX_STEP_CHARS, MAX_TARGET_CHARS, MAX_TRIGGER_CHARS
from orca_core.rules.working.testimony import done_in, is_settled
from orca_core.rules.working.whose import says

MAX_STEPS = 5
"""So many steps the demo notes. Chosen by hand."""
NOTHING = json.dumps({"episodes": []})

_HEADS = tuple(prompts.builtin(f"episode_material.{language}").partition("\n")[0] for language in ("en", "zh"))
_ROUNDS = re.compile(r'^\[\{"round".*\]\s*\Z', re.DOTALL | re.MULTILINE)
_PLACEHOLDER = re.compile(r"\[(?:pasted|piped|file) [\d,]+ characters\]")
_NAME = re.compile(r"[A-Za-z][\w.+-]*")


def answers_to(material: str) -> str | None:
    """The answer to who asks for episodes; None where something else is asked."""
    if not material.startswith(_HEADS):
        return None
    found = _ROUNDS.search(material)
    rows = json.loads(found[0]) if found else []
    rounds = [_round(row) for row in rows]
    known = json.loads(material.splitlines()[1])
    episode = _episode([each for each in rounds if each.clauses], known)
    return NOTHING if episode is None else json.dumps({"episodes": [episode]}, ensure_ascii=False)


def _round(row: Mapping[str, Any]) -> TypedRound:
    text = _PLACEHOLDER.sub("\n", str(row.get("user", "")))
    return TypedRound(int(row["round"]), text, read_clauses(text))


def _episode(rounds: Sequence[TypedRound], known: Sequence[str]) -> dict[str, Any] | None:
    """The first trouble that is told; None where none is, or nothing was done about it."""
    for place, each in enumerate(rounds):
        trouble = next((clause for clause in each.clauses if is_settled(clause, each) and _is_trouble(clause)), None)
        if trouble is None:
            continue
        later = rounds[place + 1 :]
        outcome, quote = _ending(later)
        done = [
            clean_memory(clause.text)
            for after in later
            for clause in done_in(after)
            if clause.changes or says("did", clause.text)
        ]
        steps = [cut(step, MAX_STEP_CHARS) for step in dict.fromkeys(done) if step != quote][:MAX_STEPS]
        if not steps:
            return None
        trigger = cut(clean_memory(trouble.text), MAX_TRIGGER_CHARS)
        return {
            "trigger": trigger,
            "target": _target(trigger, known),
            "steps": steps,
            "outcome": outcome,
            "outcome_quote": quote,
            "tags": [],
        }
    return None


def _is_trouble(clause: Clause) -> bool:
    return said_to_fail(clause.text)


def _ending(rounds: Sequence[TypedRound]) -> tuple[str, str]:
    """What the last clause that says so says of the end."""
    for each in reversed(rounds):
        for clause in reversed(each.clauses):
            if is_settled(clause, each) and said_to_work(clause.text):
                return "success", clean_memory(clause.text)
            if is_settled(clause, each) and said_to_fail(clause.text):
                return "failed", clean_memory(clause.text)
    return "unknown", ""


def _target(trigger: str, known: Sequence[str]) -> str:
    """A known target that is named, else the first name of a tool."""
    small = trigger.lower()
    for name in known:
        if name.lower() in small:
            return name
    tools = words.word_set("technical.words")
    named = next((name for name in _NAME.findall(trigger) if name.lower() in tools), "")
    return cut(named, MAX_TARGET_CHARS)
