"""What a memory agent's answer says that episodes teach: read tolerantly, validated strictly."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

from orca_core.model.knowledge import Taught
from orca_core.rules.learning.agent.json_reading import CutObject, values_in
from orca_core.rules.learning.agent.parsing import without_thinking
from orca_core.rules.text.cleaning import clean_statement, cut

CONFIDENCE = (0.5, 1.0)
"""No knowledge is believed less than half: what is believed so little waits for a person by other rules."""
MAX_TOPIC_CHARS = 80
MAX_CONTENT_CHARS = 1200
MAX_POINT_CHARS = 200
MAX_POINTS = 8
"""They bound what knowledge takes of a prompt and of a pane. Chosen by hand."""
READ_CHARS = 8000
"""Of a longer string no more is read: it bounds the time that a hostile one takes."""

_LIST_MARK = re.compile(r"^(?:[-*•·]|\(?\d{1,2}[.)、．](?!\d)|（\d{1,2}）)\s*")
_HEADING = re.compile(r"^#{1,6}\s+")
_SENTENCE_END = re.compile(r"[。！？；.!?;](?=\s|$|[\u3400-\u9fff])")
_WORDS = {"high": 0.9, "medium": 0.7, "low": 0.5, "高": 0.9, "中": 0.7, "低": 0.5}


class NothingTaught:
    """The agent says that the episodes have nothing in common."""


NOTHING_TAUGHT = NothingTaught()


def read_knowledge(answer: str) -> Taught | NothingTaught | None:
    """The last whole answer of the shape; None where nothing can be read as one. One that was cut off is none."""
    read = [each for found in values_in(without_thinking(answer)) for each in _shaped(found.value)]
    return _taught(read[-1]) if read else None


def _shaped(value: Any) -> Iterator[dict[str, Any]]:
    """The objects of the shape, also inside a list or under one name."""
    if isinstance(value, list):
        inner = value[:1]
    elif isinstance(value, dict) and not isinstance(value, CutObject) and "content" in value:
        yield value
        return
    else:
        inner = list(value.values())[:1] if isinstance(value, dict) else []
    for each in inner:
        if isinstance(each, dict) and not isinstance(each, CutObject) and "content" in each:
            yield each


def _taught(found: dict[str, Any]) -> Taught | NothingTaught | None:
    topic, content = found.get("topic", ""), found.get("content")
    if not all(each is None or isinstance(each, str) for each in (topic, content)):
        return None
    content = _line(content or "", MAX_CONTENT_CHARS)
    if not content:
        return NOTHING_TAUGHT
    topic = _line(topic or "", MAX_TOPIC_CHARS)
    if not topic:
        return None
    return Taught(topic, content, _points(found.get("key_points")), _confidence(found.get("confidence")))


def _points(found: Any) -> tuple[str, ...]:
    given = found.splitlines() if isinstance(found, str) else found
    lines = [_line(each, MAX_POINT_CHARS) for each in given if isinstance(each, str)] if isinstance(given, list) else []
    return tuple(dict.fromkeys(filter(None, lines)))[:MAX_POINTS]


def _line(text: str, limit: int) -> str:
    """On one line, without the marks of a list or a heading, cut behind a sentence or a word."""
    lines = [_LIST_MARK.sub("", _HEADING.sub("", each.strip())) for each in text[:READ_CHARS].splitlines()]
    line = clean_statement(" ".join(filter(None, lines)))
    if len(line) <= limit:
        return line
    kept = cut(line, limit)
    ends = [match.end() for match in _SENTENCE_END.finditer(kept)]
    if ends and ends[-1] > limit // 2:
        return kept[: ends[-1]]
    blank = kept.rfind(" ", limit // 2)
    return (kept[:blank] if blank > 0 else kept[: limit - 1]).rstrip() + "…"


def _confidence(found: Any) -> float:
    lowest, highest = CONFIDENCE
    if isinstance(found, str):
        found = _WORDS.get(found.strip().casefold(), _number(found))
    if isinstance(found, bool) or not isinstance(found, int | float) or not math.isfinite(found):
        return lowest
    given = found / 100 if 1 < found <= 100 else found
    return round(min(max(float(given), lowest), highest), 6)


def _number(written: str) -> float:
    try:
        return float(written.strip().rstrip("%")) / (100 if written.strip().endswith("%") else 1)
    except ValueError:
        return math.nan
