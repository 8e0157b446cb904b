"""The demo's guides of tools: what a tool takes, and how it failed, by the calls alone. Its verifier knows its own
sentences, and no others."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from orca_core import words
from orca_core.rules.text.spelling import language_of

MAX_NAMES = 6
_NAMES, _ERRORS = r"[\w ,.-]{1,400}?", r"[^\n]{1,400}?"
_GIVEN = {"works": _NAMES, "works_so": _NAMES, "fails": _NAMES, "fails_so": _NAMES, "errors": _ERRORS}
"""What may stand in each sentence."""
ERROR_WORDS = 4
"""Less than what counts as repeating an answer."""


def answers_to(material: str) -> str | None:
    """The answer to a request for a guide, as the memory agent's JSON; None where the material is of another kind."""
    try:
        asked = json.loads(material)
    except ValueError:
        return None
    if not isinstance(asked, dict) or asked.keys() != {"tool", "known", "figures", "calls"}:
        return None
    return json.dumps({"guide": " ".join(_sentences(asked["calls"]))}, ensure_ascii=False)


def confirms(material: str) -> str | None:
    """The answer to a verification of a guide: true of what the demo writes; None where the material is of another
    kind."""
    try:
        asked = json.loads(material)
    except ValueError:
        return None
    if not isinstance(asked, dict) or asked.keys() != {"tool", "parameters", "inputs", "facts", "known"}:
        return None
    says = " ".join(each["says"] for each in asked["facts"])
    is_own = _own().fullmatch(says) is not None
    why = "usage" if is_own else "not of the demo's own sentences"
    answers = [{"fact": each["fact"], "words": "", "why": why, "says_so": is_own} for each in asked["facts"]]
    return json.dumps({"answers": answers}, ensure_ascii=False)


@cache
def _own() -> re.Pattern[str]:
    """A guide of the demo's own sentences, whatever its tool is given and how it fails."""
    shapes = [
        re.escape(words.text("demo.guides", label, language)).replace(re.escape("{}"), given)
        for language in words.languages()
        for label, given in _GIVEN.items()
    ]
    return re.compile(rf"(?:(?:{'|'.join(shapes)})\s*)+")


def _sentences(calls: list[dict[str, Any]]) -> Iterator[str]:
    language = language_of("\n".join(f"{each['input']}\n{each['output']}" for each in calls))
    for label, succeeded in (("works", True), ("fails", False)):
        given = [each for each in calls if each["success"] is succeeded]
        if given:
            names = list(dict.fromkeys(name for each in given for name in _parameters(each["input"])))[:MAX_NAMES]
            yield words.text("demo.guides", label if names else f"{label}_so", language).format(
                ", ".join(names) or len(given)
            )
    failed = [each["output"] for each in calls if not each["success"]]
    errors = dict.fromkeys(" ".join(each.split(":")[0].split()[:ERROR_WORDS]) for each in failed if each)
    if errors:
        yield words.text("demo.guides", "errors", language).format("; ".join(list(errors)[:3]))


def _parameters(given: str) -> list[str]:
    try:
        read = json.loads(given)
    except ValueError:
        return []
    return [str(each) for each in read] if isinstance(read, dict) else []
