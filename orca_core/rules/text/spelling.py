"""Bring different spellings of the same to one: width, case and script, names (`k8s`, Kubernetes), phrases, the person
who speaks; and tell in which language a text is written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache

from orca_core import words
from orca_core.model.invisible_characters import IGNORABLE


def simplified(text: str) -> str:
    """The text in the characters of the tables, letter by letter: places in it stay the same."""
    if text.isascii() or _others().isdisjoint(text):  # of most texts this is found out in a tenth of the time
        return text
    return text.translate(_characters())


@cache
def _others() -> frozenset[str]:
    return frozenset(map(chr, _characters()))


@cache
def _characters() -> Mapping[int, str]:
    return {ord(pair[0]): pair[1] for pair in words.words("language.simplified")}


_INVISIBLE = re.compile(f"[{IGNORABLE}]")
_UNPRINTED = frozenset({"Cf", "Cc"})
_APOSTROPHES = "’‘"


def folded(text: str) -> str:
    """The letters of a text."""
    return folded_with_places(text)[0]


def folded_with_places(text: str) -> tuple[str, list[int]]:
    """The letters of a text, and where in it each of them stood."""
    if text.isascii():
        places = [place for place, letter in enumerate(text) if " " < letter < "\x7f"]
        return "".join(text[place] for place in places).lower(), places
    letters: list[str] = []
    places = []
    for place, character in enumerate(text):
        for letter in unicodedata.normalize("NFKC", character).casefold():
            if not (letter.isspace() or unicodedata.category(letter) in _UNPRINTED or _INVISIBLE.match(letter)):
                letters.append("'" if letter in _APOSTROPHES else letter)
                places.append(place)
    return "".join(letters), places


def in_one_spelling(text: str) -> str:
    """A text with its names and phrases as the tables spell them, in their script."""
    text = simplified(text)
    for pattern, spelling in _spellings():
        text = pattern.sub(spelling, text)
    return text


@lru_cache(maxsize=2048)
def in_plain_words(text: str) -> str:
    """A text in one spelling, with what a person and a fact put differently in the same words."""
    plain = in_one_spelling(simplified(unicodedata.normalize("NFKC", text)))
    for pattern, becomes in _paraphrases():
        plain = pattern.sub(becomes, plain)
    return plain


@cache
def _paraphrases() -> tuple[tuple[re.Pattern[str], str], ...]:
    written = words.spellings("asserting.paraphrases")
    return tuple((re.compile(pattern, re.IGNORECASE), becomes) for pattern, becomes in written)


@cache
def _spellings() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Names first: blanks part them from what they are written together with."""
    names = [(pattern, f" {name} ") for pattern, name in words.spellings("comparing.names")]
    return tuple(
        (re.compile(pattern, re.IGNORECASE), becomes)
        for pattern, becomes in (*names, *words.spellings("comparing.spellings"))
    )


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
    """Return what tells of a text that is in one spelling; empty where nothing does."""
    plain = _BETWEEN_DIGITS.sub(_JOINT, _MINUS.sub("−", spelled.casefold()))
    return "".join(each for each in plain if _tells(each)).replace(_JOINT, ".")


def _tells(character: str) -> bool:
    """Tell whether a character may tell one statement from another: letters, figures, signs."""
    if character in _KEPT or character == _JOINT:
        return True
    category = unicodedata.category(character)
    return (category[0] in "LMN" or category in ("Sm", "Sc", "So")) and character not in _SHAPES


def in_the_third_person(text: str) -> str:
    """A text that begins with its speaker, told of the user; any other as it is."""
    plain = simplified(text)
    for pattern, becomes in _persons_told():
        if found := pattern.match(plain):
            return found.expand(becomes) + text[found.end() :]
    return text


@cache
def _persons_told() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple(
        (re.compile(each, re.IGNORECASE), becomes) for each, becomes in words.spellings("comparing.persons_told")
    )


Language = str
"""A language, by the name of its folder in `orca_core/words`: "en", "zh"."""

_NO_LANGUAGE = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|https?://[!-~]+|(?<!\S)(?:~|\.\.?)/\S+"
    r"|(?<![A-Za-z0-9_.-])[A-Za-z0-9_.-]*[/\\][A-Za-z0-9_./\\-]+",
    re.DOTALL,
)
# "My favourite city is 东京" has two words of English grammar to two Chinese characters; a text whose grammar is
# Chinese ("docker 里的 postgres 连不上") has hardly any, however many names it is made of. The cases of
# tests/rules/text/test_spelling.py bound it: they hold from 1 to 6.
_CHARACTERS_PER_GRAMMAR_WORD = 2.5
_LETTERS_READ = 20_000  # bounds the time that a pasted book takes


def language_of(text: str) -> Language:
    """The language of a text that may mix several; a text without letters is English."""
    prose = _NO_LANGUAGE.sub(" ", text[:_LETTERS_READ])
    characters, language = 0, words.ENGLISH
    for each, script in _by_script():
        if (count := len(script.findall(prose))) > characters:
            characters, language = count, each
    by_grammar = _by_grammar()
    if not characters and len(by_grammar) == 1:
        return words.ENGLISH
    counted = ((len(grammar.findall(prose)), each) for each, grammar in by_grammar)
    grammar_words, spoken = max(counted, key=lambda count: (count[0], count[1] == words.ENGLISH))
    return language if characters > _CHARACTERS_PER_GRAMMAR_WORD * grammar_words else spoken


@cache
def _by_script() -> tuple[tuple[Language, re.Pattern[str]], ...]:
    """The languages with characters of their own, and these."""
    known = [each for each in words.languages() if words.lines("language.script", each)]
    return tuple((each, words.pattern("language.script", each, flags=re.NOFLAG)) for each in known)


@cache
def _by_grammar() -> tuple[tuple[Language, re.Pattern[str]], ...]:
    """The words that only grammar needs, of each language that has some."""
    known = ((each, "|".join(words.words("language.grammar", each))) for each in words.languages())
    return tuple(
        (each, re.compile(rf"\b(?:{grammar})\b", re.IGNORECASE | re.ASCII)) for each, grammar in known if grammar
    )
