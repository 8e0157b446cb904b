"""The demo's reading of ended chats: a trouble that was told, what was done about it, and how it ended, by rules over
the demo's own sentences; its verifier knows what it noted so."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from orca_core import prompts, words
from orca_core.rules.text.cleaning import clean_memory, cut
from orca_core.rules.text.spelling import simplified
from orca_core.rules.work.episode_extraction import MAX_STEP_CHARS, MAX_TARGET_CHARS, MAX_TRIGGER_CHARS

MAX_STEPS = 5
"""So many steps the demo notes. Chosen by hand."""
NOTHING = json.dumps({"episodes": []})

_HEADS = tuple(prompts.builtin(f"episode_material.{language}").partition("\n")[0] for language in ("en", "zh"))
_ROUNDS = re.compile(r'^\[\{"round".*\]\s*\Z', re.DOTALL | re.MULTILINE)
_PLACEHOLDER = re.compile(r"\[(?:pasted|piped|file) [\d,]+ characters\]")
_PART = re.compile(r"[^,.;!?，。；！？\n]+(?:[.][^\s,.;!?]+)*[?？]?")
_NAME = re.compile(r"[A-Za-z][\w.+-]*")


def answers_to(material: str) -> str | None:
    """The answer to who asks for episodes; None where something else is asked."""
    if not material.startswith(_HEADS):
        return None
    found = _ROUNDS.search(material)
    rounds = [_parts(row) for row in (json.loads(found[0]) if found else [])]
    episode = _episode([each for each in rounds if each], json.loads(material.splitlines()[1]))
    return NOTHING if episode is None else json.dumps({"episodes": [episode]}, ensure_ascii=False)


def confirms(material: str) -> str | None:
    """The answer to a verification of episodes: true of what stands in a statement of the user's; None where the
    material is of another kind."""
    try:
        asked = json.loads(material)
    except ValueError:
        return None
    if not isinstance(asked, dict) or asked.keys() != {"messages", "facts", "known"}:
        return None
    noted = [(each["fact"], _noted().fullmatch(str(each["says"]))) for each in asked["facts"]]
    if not all(found for _, found in noted):
        return None
    told = [part for each in asked["messages"] for part in _parts({"user": each["typed"]})]
    return json.dumps({"answers": [_answer(fact, found, told) for fact, found in noted if found]}, ensure_ascii=False)


def _answer(fact: object, noted: re.Match[str], told: Sequence[str]) -> Mapping[str, object]:
    is_said = noted["said"] in told
    said, why = (noted["said"], "stated") if is_said else ("", "no words that say it")
    return {"fact": fact, "words": said, "why": why, "says_so": is_said, "known": None}


@cache
def _noted() -> re.Pattern[str]:
    """A statement about an episode, in any language; `said` is what was noted."""
    shapes = []
    for language in words.languages():
        on = re.escape(words.text("work.noted", "on", language)).replace(re.escape("{}"), ".*?")
        point = words.text("work.joins", "point", language).format("")
        ends = [words.text("work.noted", key, language).format(point) for key in ("success", "partial", "failed")]
        leads = [words.text("work.noted", key, language).format("") for key in ("work", "step", "target")]
        shapes.append(f"{on} (?:{'|'.join(map(re.escape, (*leads, *ends)))})")
    return re.compile(f"(?:{'|'.join(shapes)})(?P<said>.*)")


def _parts(row: Mapping[str, Any]) -> list[str]:
    """What a user says, part by part, without questions."""
    text = _PLACEHOLDER.sub("\n", str(row.get("user", "")))
    parts = [clean_memory(match[0]) for match in _PART.finditer(text)]
    return [each for each in parts if each and not _says("question", each)]


def _episode(rounds: Sequence[Sequence[str]], known: Sequence[str]) -> dict[str, Any] | None:
    """The first trouble that is told; None where none is, or nothing was done about it."""
    for place, parts in enumerate(rounds):
        trouble = next((part for part in parts if _says("trouble", part)), None)
        if trouble is None:
            continue
        later = [part for each in rounds[place + 1 :] for part in each]
        outcome, quote = _ending(later)
        done = [cut(part, MAX_STEP_CHARS) for part in later if _says("did", part) and part != quote]
        if not done:
            return None
        trigger = cut(trouble, MAX_TRIGGER_CHARS)
        return {
            "trigger": trigger,
            "target": _target(trigger, known),
            "steps": list(dict.fromkeys(done))[:MAX_STEPS],
            "outcome": outcome,
            "outcome_quote": quote,
            "tags": [],
        }
    return None


def _ending(parts: Sequence[str]) -> tuple[str, str]:
    """What the last part that says so says of the end."""
    for part in reversed(parts):
        if _says("trouble", part):
            return "failed", part
        if _says("works", part):
            return "success", part
    return "unknown", ""


def _says(table: str, part: str) -> bool:
    return words.pattern(f"demo.{table}").search(simplified(part)) is not None


def _target(trigger: str, known: Sequence[str]) -> str:
    """A known target that is named, else the first name of a tool."""
    small = trigger.lower()
    for name in known:
        if name.lower() in small:
            return name
    tools = words.word_set("technical.words")
    named = next((name for name in _NAME.findall(trigger) if name.lower() in tools), "")
    return cut(named, MAX_TARGET_CHARS)
