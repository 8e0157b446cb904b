"""A statement as it is compared, whatever its letters: what says the same in them is the same."""

from __future__ import annotations

import re
import unicodedata

from orca_core.rules.text.same_words import in_one_spelling

_BETWEEN_DIGITS = re.compile(r"(?<=\d)[./:\-](?=\d)")
_KEPT = frozenset("#%&@")
"""Punctuation to Unicode, and no mere phrasing: C#, 5 %, R&D."""
_JOINT = "\ue000"  # of nobody's use: stands for what joins two numbers while punctuation goes
_SHAPES = frozenset(map(chr, range(0xFE00, 0xFE10)))
"""They say how a sign is drawn."""
_MINUS = re.compile(r"(?<![\w\-])[-\u2212](?=\d)")


def statement(text: str) -> str:
    """A text without what does not tell: case, width, script, blanks, punctuation, spelling. Signs that tell one thing
    from another stay: C++ is not C#, nor 3.5 the number 35."""
    plain = in_one_spelling(unicodedata.normalize("NFKC", text))
    return letters_of(plain) or plain.casefold().strip()


def letters_of(spelled: str) -> str:
    """What tells of a text that is in one spelling; empty where nothing does."""
    plain = _BETWEEN_DIGITS.sub(_JOINT, _MINUS.sub("−", spelled.casefold()))
    return "".join(each for each in plain if _tells(each)).replace(_JOINT, ".")


def _tells(character: str) -> bool:
    """Whether a character may tell one statement from another: letters, figures, signs."""
    if character in _KEPT or character == _JOINT:
        return True
    category = unicodedata.category(character)
    return (category[0] in "LMN" or category in ("Sm", "Sc", "So")) and character not in _SHAPES
