"""How a table file is written: sections in brackets, an idea a line, `#` for a comment. README.md shows all of it.

Knows one file's text and nothing of languages or rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum

_SECTION = re.compile(r"\[([a-z][a-z_]*)\]")
_KEY = re.compile(r"([a-z0-9][a-z0-9_]*): +(\S.*)")
_PART = re.compile(r"\{([a-z_]+(?:\.[a-z_]+)?)\}")
ANYWHERE = "~"
"""Before a wording that is not held to whole words."""
BECOMES = " -> "


class Kind(Enum):
    """How the lines of a table are read."""

    WORDS = "words, with blanks between them"
    LINES = "a line each"
    CHARACTERS = "single characters"
    WORDINGS = "wordings, with | between them"
    PATTERNS = "a pattern each"
    KEYED_WORDS = "a key, a colon, and its words"
    KEYED_PATTERNS = "a key, a colon, and a pattern"
    KEYED_TEXTS = "a key, a colon, and its text"
    SPELLINGS = "a pattern, an arrow, and what it becomes"


class TableError(ValueError):
    """A table file is not written as it must be: a mistake of whoever wrote it, never in a user's input."""


def sections(text: str, where: str) -> Mapping[str, tuple[str, ...]]:
    """The lines of each section of a file, without comments and blank lines."""
    found: dict[str, list[str]] = {}
    lines: list[str] | None = None
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if heading := _SECTION.fullmatch(line):
            if heading[1] in found:
                raise TableError(f"{where}:{number}: [{heading[1]}] stands twice")
            lines = found.setdefault(heading[1], [])
        elif lines is None:
            raise TableError(f"{where}:{number}: a line before the first [section]")
        else:
            lines.append(line)
    return {name: tuple(each) for name, each in found.items()}


def keyed(line: str, where: str) -> tuple[str, str]:
    """A line's key and what stands behind the colon."""
    match = _KEY.fullmatch(line)
    if match is None:
        raise TableError(f"{where}: no key before {line!r:.60}")
    return match[1], match[2]


def spelling(line: str, where: str) -> tuple[str, str]:
    """A line's pattern and what it becomes."""
    pattern, arrow, becomes = line.rpartition(BECOMES)
    if not arrow or not pattern.strip():
        raise TableError(f"{where}: no{BECOMES}in {line!r:.60}")
    return pattern.strip(), becomes.strip()


def with_parts(pattern: str, parts: Mapping[str, str], where: str) -> str:
    """A pattern with each `{part}` in it written out."""

    def part(match: re.Match[str]) -> str:
        if match[1] not in parts:
            raise TableError(f"{where}: no part {{{match[1]}}} for {pattern!r:.60}")
        return parts[match[1]]

    return _PART.sub(part, pattern)


def parts_in(pattern: str) -> list[str]:
    """The names of the parts that a pattern uses."""
    return _PART.findall(pattern)


def one_of(patterns: list[str] | tuple[str, ...]) -> str:
    """A pattern that any of these fits; nothing fits where there are none."""
    return "|".join(f"(?:{pattern})" for pattern in patterns) or "(?!)"


def wording(lines: tuple[str, ...], *, whole_words: bool) -> str:
    """A pattern of wordings: whole words where the language has them, but for those behind a `~`; empty for none."""
    held, free = _held_and_free(lines, whole_words)
    return "|".join([*([rf"\b(?:{'|'.join(held)})\b"] if held else []), *free])


def wordings(lines: tuple[str, ...], *, whole_words: bool) -> tuple[str, ...]:
    """The same as a pattern for each line, in the order in which they are tried."""
    held, free = _held_and_free(lines, whole_words)
    return (*(rf"\b(?:{line})\b" for line in held), *free)


def _held_and_free(lines: tuple[str, ...], whole_words: bool) -> tuple[list[str], list[str]]:
    held = [line for line in lines if whole_words and not line.startswith(ANYWHERE)]
    free = [line.removeprefix(ANYWHERE) for line in lines if not whole_words or line.startswith(ANYWHERE)]
    return held, free
