"""Words that count from a day, "tomorrow", "two weeks ago", where that day is long past."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from orca_core import words
from orca_core.rules.text.ageing import ageing_words
from orca_core.rules.text.languages import language_of
from orca_core.rules.text.relative_dates import day_meant


def dated(text: str, said_on: date | None) -> str | None:
    """The text with the days that it counts written out, so that it can be read at any time; None where nobody knows
    the day on which it was said. Where its words give no single day, that day stands behind the text."""
    ageing = _longest(ageing_words(text))
    if not ageing:
        return text
    if said_on is None:
        return None
    language = language_of(text)
    written = text
    for word in ageing:
        day = day_meant(word, said_on)
        if day is None or word not in written:
            return _with_note(text.rstrip(" .。"), "said", said_on, language)
        written = written.replace(word, _with_note(word, "day", day, language), 1)
    return written


def _with_note(text: str, label: str, day: date, language: str) -> str:
    note = words.text("relative.written_out", label, language).format(day)
    return f"{text} {note}" if note.isascii() else f"{text}{note}"


def _longest(ageing: Sequence[str]) -> list[str]:
    """Without those that are part of another: "tomorrow" of "the day after tomorrow"."""
    once = list(dict.fromkeys(ageing))
    return [word for word in once if not any(word != other and word in other for other in once)]
