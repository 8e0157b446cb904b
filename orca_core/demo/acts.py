"""What acts show to the demo's agent: how a liked or disliked answer is made, and what a query states."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from orca_core.domain.growth.reading import ActReading
from orca_core.rules.text.languages import Language, language_of

SHORT_CHARS = 200
LONG_CHARS = 800
"""An answer below, or above, is what was liked or disliked for its length."""
MIN_STEPS = 2

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


def queries_in(material: str) -> list[tuple[int, str]] | None:
    """The queries that are read for what they tell of the user, by the places of their acts; None where the material
    is of another kind."""
    asked = _asked_in(material)
    if asked is None or asked["reading"] != ActReading.USER_INFO:
        return None
    return [(act["action"], str(act.get("query", ""))) for act in asked["acts"]]


def answers_to(material: str) -> str | None:
    """The answer to a request to read acts, as the memory agent's JSON; None where the material is of another kind."""
    asked = _asked_in(material)
    if asked is None:
        return None
    return json.dumps({"preferences": list(_preferences(asked["acts"]))}, ensure_ascii=False)


def _asked_in(material: str) -> dict[str, Any] | None:
    try:
        asked = json.loads(material)
    except ValueError:
        return None
    return asked if isinstance(asked, dict) and {"reading", "known", "acts"} <= asked.keys() else None


def confirms(material: str) -> str | None:
    """The answer to a second reading of what acts show: what these rules see in the act that is named; None where the
    material is of another kind."""
    try:
        asked = json.loads(material)
    except ValueError:
        return None
    if not isinstance(asked, dict) or not {"acts", "claims"} <= asked.keys():
        return None
    seen = {(each["action"], each["content"]) for each in _preferences(asked["acts"])}
    answers = [
        {"claim": each["claim"], "why": "", "says_so": (each["action"], each["says"]) in seen}
        for each in asked["claims"]
    ]
    return json.dumps({"answers": answers}, ensure_ascii=False)


def contrasts(material: str) -> str | None:
    """The answer to a reading of a statement against the latest acts: whether the shape that it names is there; None
    where the material is of another kind."""
    try:
        asked = json.loads(material)
    except ValueError:
        return None
    if not isinstance(asked, dict) or asked.keys() != {"statement", "acts"}:
        return None
    named = _named_in(str(asked["statement"]))
    answers = [{"act": each["act"], "why": "", "shows": _shown_by(each, named)} for each in asked["acts"]]
    return json.dumps({"acts": answers}, ensure_ascii=False)


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
