"""What a memory agent's answer says of a tool: plain text, or JSON with a `guide`; cleaned, and cut to its length."""

from __future__ import annotations

import re
from typing import Any

from orca_core.rules.learning.agent.json_reading import CutObject, values_in
from orca_core.rules.learning.agent.parsing import without_thinking
from orca_core.rules.text.cleaning import clean_message, clean_statement, with_hidden_shown

MOST_WORDS = 200
"""Of Chinese twice as many characters (LIFE 6)."""
MAX_CHARS = 2000
"""As much as a memory has: it bounds words without end."""
READ_CHARS = 16_000
"""Of a longer answer no more is read."""
NOTHING = ""
"""The agent says that the calls teach nothing."""

_FENCE = re.compile(r"^\s*```[\w-]*\s*\n(.*?)\n?\s*```\s*$", re.DOTALL)
_LIST_MARK = re.compile(r"^(?:[-*•·]|\(?\d{1,2}[.)、．](?!\d)|（\d{1,2}）)\s*")
_HEADING = re.compile(r"^#{1,6}\s+|^\*\*([^*]+)\*\*[:：]?$")
_STARS = re.compile(r"\*\*([^*\n]+)\*\*")
_UNIT = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\s\u3400-\u9fff\uf900-\ufaff]+")
_SENTENCE_END = re.compile(r"[。！？；.!?;](?=\s|$|[\u3400-\u9fff])")


def read_guide(answer: str) -> str | None:
    """The guide; `NOTHING` where the agent has none, None where the answer can't be read as one."""
    said = without_thinking(answer[:READ_CHARS]).strip()
    found = [each for value in values_in(said) for each in _guides(value.value)]
    if found:
        return None if found[-1] is None else _cleaned(found[-1])
    if not said or said[0] in "{[":
        return None
    fenced = _FENCE.match(said)
    plain = _cleaned(fenced[1] if fenced else said)
    return None if plain.startswith(("{", "[")) else plain or None


def _guides(value: Any) -> list[str | None]:
    """What stands under `guide`; None for what is no text, or was cut off."""
    if not isinstance(value, dict) or "guide" not in value:
        return []
    guide = value["guide"]
    if isinstance(value, CutObject):
        return [None]
    if isinstance(guide, list) and all(isinstance(each, str) for each in guide):
        return ["\n".join(guide)]
    return [guide if isinstance(guide, str) else NOTHING if guide is None else None]


def _cleaned(text: str) -> str:
    """In lines, without the marks of lists and headings; what a reader can't see is shown by its number."""
    lines = [_line(each) for each in with_hidden_shown(clean_message(text).removeprefix("\ufeff")).splitlines()]
    return shortened("\n".join(filter(None, lines)))


def _line(raw: str) -> str:
    bare = _LIST_MARK.sub("", _HEADING.sub(lambda match: match[1] or "", raw.strip()))
    return clean_statement(_STARS.sub(r"\1", bare))


def shortened(text: str) -> str:
    """At most 200 words or 400 Chinese characters, cut behind a sentence where one ends in its second half."""
    room, end = float(MOST_WORDS), len(text)
    for match in _UNIT.finditer(text):
        room -= 0.5 if "\u3400" <= match[0][0] <= "\ufaff" and len(match[0]) == 1 else 1
        if room < 0 or match.end() > MAX_CHARS:
            end = match.start() if room < 0 else MAX_CHARS - 1
            break
    else:
        return text if len(text) <= MAX_CHARS else text[: MAX_CHARS - 1] + "…"
    kept = text[:end].rstrip()
    ends = [match.end() for match in _SENTENCE_END.finditer(kept)]
    return kept[: ends[-1]] if ends and ends[-1] > len(kept) // 2 else kept[: MAX_CHARS - 1] + "…"
