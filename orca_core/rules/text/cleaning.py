"""Clean text: messages as they were said, memories as they are stored, lines for a terminal, values of JSON. Invisible
characters that could fool a reader or a terminal are removed here."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from orca_core.model.errors import InvalidInput
from orca_core.model.invisible_characters import IGNORABLE

TITLE_CHARS = 40
"""How much of a session's first question is its name. Chosen by hand."""
MEMORY_LIMITS = (2, 2000)
"""The fewest and the most characters of a memory: the most bounds what one takes of a prompt. Chosen by hand."""

ELLIPSIS = "…"

_NO_CHARACTER = re.compile("[\ud800-\udbff][\udc00-\udfff]|[\x00\ud800-\udfff]")

_EMOJI = (
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a\u231b\u2328\u23cf\u23e9-\u23fa\u24c2\u25aa-\u27bf"
    "\u2934\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_SHOWN_EMOJI = f"{_EMOJI}[\ufe0e\ufe0f]?[\U0001f3fb-\U0001f3ff]?"
_EMOJI_SEQUENCE = f"{_SHOWN_EMOJI}(?:\u200d{_SHOWN_EMOJI})*|[0-9#*]\ufe0f\u20e3"

# What Unicode says is not shown (bidi controls, fillers, selectors, tags), and the marks of annotations.
_UNSEEN = IGNORABLE + "\ufff9-\ufffb"
_CONTROLS_BUT_BLANKS = "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"
_CONTROLS_BUT_NEWLINE_AND_TAB = "\x00-\x08\x0b-\x1f\x7f-\x9f"

_NOT_IN_MEMORIES = re.compile(f"({_EMOJI_SEQUENCE})|[{_CONTROLS_BUT_BLANKS}{_UNSEEN}]+")
_NOT_IN_TERMINALS = re.compile(f"({_EMOJI_SEQUENCE})|[{_CONTROLS_BUT_NEWLINE_AND_TAB}{_UNSEEN}]+")
_MAYBE_NOT_IN_MEMORIES = re.compile(f"[{_CONTROLS_BUT_BLANKS}{_UNSEEN}]")
_MAYBE_NOT_IN_TERMINALS = re.compile(f"[{_CONTROLS_BUT_NEWLINE_AND_TAB}{_UNSEEN}\u2028\u2029]")
_TURNED_ROUND = re.compile("[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
_LINE_SEPARATORS = {0x2028: "\n", 0x2029: "\n"}


def clean_message(text: str) -> str:
    """A message as it can be stored: NUL and lone surrogates become U+FFFD, surrogate pairs one character."""
    return _NO_CHARACTER.sub(_as_character, text)


def clean_memory(text: str) -> str:
    """A memory as it is stored: composed, on one line, without anything that a reader can not see."""
    cleaned = clean_message(text)
    if _MAYBE_NOT_IN_MEMORIES.search(cleaned):
        cleaned = _NOT_IN_MEMORIES.sub(_only_emoji, cleaned)
    if not cleaned.isascii():
        cleaned = unicodedata.normalize("NFC", cleaned)
    folded = " ".join(cleaned.split())
    return text if folded == text else folded


def has_hidden(text: str) -> bool:
    """Tell whether something stands in it that no reader sees: zero-width letters, bidi controls, tags."""
    return any(match[1] is None for match in _NOT_IN_MEMORIES.finditer(text))


def is_turned_round(text: str) -> bool:
    """Tell whether bidi controls or tags stand in it: what a reader sees of it is not what a model reads."""
    return _TURNED_ROUND.search(text) is not None


def with_hidden_shown(text: str) -> str:
    """The text with the number of each character that no reader sees: `⟨U+200B⟩`."""
    return _NOT_IN_MEMORIES.sub(
        lambda match: match[1] or "".join(f"⟨U+{ord(character):04X}⟩" for character in match[0]), text
    )


SHOWN_HIDDEN = re.compile(r"⟨U\+[0-9A-F]{4,6}⟩")
"""How `with_hidden_shown` writes a character."""


def clean_statement(text: str) -> str:
    """A memory as a model or an agent words it: nothing in it may stand for what was no character, as a person's own
    bytes may."""
    return clean_memory(clean_message(text).replace("\ufffd", ""))


def check_memory_length(text: str) -> None:
    """Raises InvalidInput where a cleaned memory is too short or too long."""
    minimum, maximum = MEMORY_LIMITS
    if not minimum <= len(text) <= maximum:
        raise InvalidInput(
            template="a memory has {minimum} to {maximum} characters, this one has {found}",
            hint="shorten it, or make several memories of it" if len(text) > maximum else "say more",
            minimum=minimum,
            maximum=maximum,
            found=len(text),
        )


def check_length(text: str, what: str, most: int) -> None:
    """Raises InvalidInput where a field's text is too long."""
    if len(text) > most:
        raise InvalidInput(
            template="{what}: {found} characters, at most {most}",
            hint="shorten it",
            what=what,
            found=len(text),
            most=most,
        )


def for_terminal(text: str) -> str:
    """Return what a terminal may draw: newline and tab stay, every other control, bidi, tag and zero-width character
    goes."""
    cleaned = clean_message(text)
    if not _MAYBE_NOT_IN_TERMINALS.search(cleaned):
        return cleaned
    return _NOT_IN_TERMINALS.sub(_only_emoji, cleaned.translate(_LINE_SEPARATORS))


def one_line(text: str, width_chars: int) -> str:
    """A text for a list: on one line, at most `width_chars` characters, with … where something was cut off."""
    # A long text is cut before it is cleaned: twenty times the width leaves room for all that cleaning takes out.
    beginning = text[: 20 * width_chars + 200]
    line = " ".join(for_terminal(beginning).split())
    if len(line) <= width_chars and len(beginning) == len(text):
        return line
    return cut_text(line, width_chars - 1).rstrip() + ELLIPSIS if width_chars > 0 else ""


def title_of(text: str) -> str:
    """A session's name of a text."""
    return one_line(text, TITLE_CHARS)


def cut_text(text: str, limit: int) -> str:
    """The longest beginning of at most `limit` characters that splits nothing that people see as one character.

    A single such character that is longer than the limit (a letter under hundreds of accents) is split all the same.
    """
    if len(text) <= limit:
        return text
    limit = max(limit, 0)
    end = limit
    while end > 0 and is_inside_character(text, end):
        end -= 1
    return text[: end or limit]


def is_inside_character(text: str, index: int) -> bool:
    """Tell whether a cut before `index` would split what people see as one character: an accent, an emoji, a flag."""
    if not 0 < index < len(text) or text[index].isascii():
        return False
    following = text[index]
    if unicodedata.category(following).startswith("M") or "\U0001f3fb" <= following <= "\U0001f3ff":
        return True
    if "\u200d" in (following, text[index - 1]):
        return True
    if not _is_half_flag(following):
        return False
    start = index
    while start > 0 and _is_half_flag(text[start - 1]):
        start -= 1
    return (index - start) % 2 == 1


def _is_half_flag(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _as_character(match: re.Match[str]) -> str:
    found = match[0]
    if len(found) == 2:
        return found.encode("utf-16", "surrogatepass").decode("utf-16")
    return "\ufffd"


def _only_emoji(match: re.Match[str]) -> str:
    return match[1] or ""


MAX_DEPTH = 50
"""How deep values may stand in each other: it bounds what reads them. Chosen by hand."""
_LARGEST_INTEGER = 2**63 - 1
_MOST_BITS_AS_DECIMAL = 10_000  # Python writes no longer number in decimal


def plain_object(given: Mapping[str, Any]) -> dict[str, Any]:
    """Raises InvalidInput where it is no JSON."""
    cleaned = _plain(given, 0)
    if not isinstance(cleaned, dict):
        raise _no_json(type(given).__name__)
    return cleaned


def _plain(value: Any, depth: int) -> Any:
    """A JSON value whose texts are cleaned. A number that other programs could not read is text."""
    if depth > MAX_DEPTH:
        raise _no_json("values stand too deep in each other")
    if isinstance(value, str):
        return _text(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) <= _LARGEST_INTEGER else _digits(value)
    if isinstance(value, float):
        if value - value != 0:
            raise _no_json(repr(value))
        return value
    if isinstance(value, Mapping):
        return {
            _text(name) if isinstance(name, str) else _text(_name(name)): _plain(each, depth + 1)
            for name, each in value.items()
        }
    if isinstance(value, list | tuple):
        return [_plain(each, depth + 1) for each in value]
    raise _no_json(type(value).__name__)


def _text(given: str) -> str:
    # Most texts need no cleaning, and this is how they are told.
    return given if given.isascii() and given.isprintable() else for_terminal(given)


def _name(given: Any) -> str:
    if isinstance(given, str):
        return given
    if given is None or isinstance(given, float | bool):
        return str(given)
    if isinstance(given, int):
        return _digits(given)
    raise _no_json(type(given).__name__)


def _digits(value: int) -> str:
    return str(value) if value.bit_length() < _MOST_BITS_AS_DECIMAL else hex(value)


def _no_json(found: str) -> InvalidInput:
    return InvalidInput(
        template="this is no JSON: {found}", hint="texts, numbers, true, false, null, lists and objects", found=found
    )
