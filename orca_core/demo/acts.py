"""What acts show to the demo's agent: how a liked or disliked answer is made, and what a query states."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from orca_core.rules.text.spelling import Language, language_of

SHORT_CHARS = 200
LONG_CHARS = 800
"""An answer below, or above, is what was liked or disliked for its length."""
MIN_STEPS = 2
MIN_DAYS = 3

_NUMBERED = re.compile(r"(?m)^\s*\d{1,2}[.)、]\s*\S")
_SHAPES: Mapping[str, Callable[[str], bool]] = {
    "table": lambda text: text.count("\n|") >= MIN_STEPS,
    "code": lambda text: "```" in text,
    "steps": lambda text: len(_NUMBERED.findall(text)) >= MIN_STEPS,
    "short": lambda text: 0 < len(text) < SHORT_CHARS,
    "long": lambda text: len(text) > LONG_CHARS,
}
_TEXTS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "likes": "The user likes {}",
        "dislikes": "The user dislikes {}",
        "table": "answers with a table",
        "code": "answers with code",
        "steps": "answers in numbered steps",
        "short": "short answers",
        "long": "long answers",
    },
    "zh": {
        "likes": "用户喜欢{}",
        "dislikes": "用户不喜欢{}",
        "table": "带表格的回答",
        "code": "带代码的回答",
        "steps": "分步骤编号的回答",
        "short": "简短的回答",
        "long": "详细的长回答",
    },
}
_SHOWS = {"LIKE": "likes", "DISLIKE": "dislikes"}


def answers_to(material: str, stated_in: Callable[[str], Iterable[tuple[str, str]]]) -> str | None:
    """The answer to a request to read acts, as the memory agent's JSON; None where the material is of another kind.
    `stated_in` finds what a query states of the user, and the words that do."""
    asked = _read(material)
    if asked.keys() != {"known", "acts"}:
        return None
    stated = [
        {"action": act["action"], "content": content, "type": "fact", "quote": quote}
        for act in asked["acts"]
        for content, quote in stated_in(str(act.get("query", "")))
    ]
    return json.dumps({"preferences": [*_preferences(asked["acts"]), *stated]}, ensure_ascii=False)


def verifies(material: str) -> str | None:
    """The verifier's answer about candidates beside the latest acts: whether the shape that each names is there on
    three days, and lacking in at most half as many; None where the material is of another kind."""
    asked = _read(material)
    if asked.keys() != {"acts", "said", "facts"}:
        return None
    answers = []
    for fact in asked["facts"]:
        named = _named_in(str(fact["says"]))
        shows = [(_shown_by(each, named), each["day"]) for each in asked["acts"]]
        days = {day for how, day in shows if how == "for"}
        speak_for, against = (sum(how == each for how, _ in shows) for each in ("for", "against"))
        says_so = len(days) >= MIN_DAYS and speak_for >= 2 * against
        answers.append({"fact": fact["fact"], "words": "", "why": "", "says_so": says_so, "known": None})
    return json.dumps({"answers": answers}, ensure_ascii=False)


def _read(material: str) -> dict[str, Any]:
    try:
        asked = json.loads(material)
    except ValueError:
        return {}
    return asked if isinstance(asked, dict) else {}


def _named_in(statement: str) -> tuple[str, str] | None:
    """Whether a shape is liked, and which, where these rules have said so."""
    for texts in _TEXTS.values():
        for likes in _SHOWS.values():
            for shape in _SHAPES:
                if statement == texts[likes].format(texts[shape]):
                    return likes, shape
    return None


def _shown_by(act: Mapping[str, Any], named: tuple[str, str] | None) -> str:
    """An answer that is short has room for no other shape: that it lacks one says nothing."""
    answer = str((act.get("round") or {}).get("assistant_said", ""))
    shown = _SHOWS.get(str(act["did"]))
    if named is None or shown is None or not answer:
        return "neither"
    likes, shape = named
    if _SHAPES[shape](answer):
        return "for" if shown == likes else "against"
    lacks = likes == shown == "likes" and len(answer) >= SHORT_CHARS
    return "against" if lacks else "neither"


def _preferences(acts: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for act in acts:
        shown = _SHOWS.get(act["did"])
        round_ = act.get("round") or {}
        answer = str(round_.get("assistant_said", ""))
        shape = next((name for name, has in _SHAPES.items() if has(answer)), None)
        if shown is not None and shape is not None:
            texts = _TEXTS[language_of(str(round_.get("user", "")) or answer)]
            content = texts[shown].format(texts[shape])
            yield {"action": act["action"], "content": content, "type": "implicit", "quote": ""}
