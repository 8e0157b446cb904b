"""Answers of commands as they are frozen: laid out to be read, and without what no two runs share."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

WIDTH = 120

OF_THE_MACHINE: tuple[tuple[str, str], ...] = (
    (r'(?<=")[0-9a-f]{32}(?=[/"])', "UID"),
    (r"(?<=\d{6}-)[a-z0-9]{5}\b", "NEW"),  # of a session that was begun
    (r'("(?:bytes|schema|p50_ms|p95_ms)": )[\d.]+', r'\1"N"'),
    (r"(?<=127\.0\.0\.1:)\d+(?=/v1)", "PORT"),
    (r"\b\d+ MB free", "N MB free"),
    (r"\b\d+(\.\d+)? MB\b", "N MB"),
    (r"schema \d+", "schema N"),
)
"""What depends on the machine, the day or chance; the clock stands still, so times and durations do not."""


def shown(text: str, places: Mapping[str, str]) -> str:
    """A text without what no two runs share; `places` are paths, with what stands for each."""
    for path, name in places.items():
        text = text.replace(path, name)
    for pattern, instead in OF_THE_MACHINE:
        text = re.sub(pattern, instead, text)
    return text


def laid_out(text: str) -> str:
    """One JSON document in lines; what is none, or would not be the same to the letter, as it is."""
    try:
        document = json.loads(text)
    except ValueError:
        return text
    if json.dumps(document, ensure_ascii=False) + "\n" != text:
        return text
    return "\n".join(_lines(document, "", "", "")) + "\n"


def _lines(value: Any, indent: str, before: str, after: str) -> list[str]:
    """A value in one line where it fits, else its members within brackets, as many a line as fit."""
    line = f"{indent}{before}{json.dumps(value, ensure_ascii=False)}{after}"
    if len(line) <= WIDTH or not isinstance(value, dict | list) or not value:
        return [line]
    is_object = isinstance(value, dict)
    names = [f"{json.dumps(name, ensure_ascii=False)}: " for name in value] if is_object else [""] * len(value)
    inner: list[str] = []
    is_open = False
    for place, (name, each) in enumerate(zip(names, value.values() if is_object else value, strict=True), start=1):
        told = _lines(each, f"{indent}  ", name, "," if place < len(value) else "")
        fits = len(told) == 1 and not isinstance(each, dict)
        if is_open and fits and len(inner[-1]) + 1 + len(told[0].lstrip()) <= WIDTH:
            inner[-1] += " " + told[0].lstrip()
        else:
            inner += told
        is_open = fits
    opening, closing = "{}" if is_object else "[]"
    return [f"{indent}{before}{opening}", *inner, f"{indent}{closing}{after}"]
