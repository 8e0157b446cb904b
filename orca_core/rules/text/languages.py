"""Which language a text is written in, of those that have a folder of words. Code, paths and addresses say nothing
about it."""

from __future__ import annotations

import re
from functools import cache

from orca_core import words

Language = str
"""A language, by the name of its folder in `orca_core/words`: "en", "zh"."""

_NO_LANGUAGE = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|https?://[!-~]+|(?<!\S)(?:~|\.\.?)/\S+"
    r"|(?<![A-Za-z0-9_.-])[A-Za-z0-9_.-]*[/\\][A-Za-z0-9_./\\-]+",
    re.DOTALL,
)
# "My favourite city is 东京" has two words of English grammar to two Chinese characters; a text whose grammar is
# Chinese ("docker 里的 postgres 连不上") has hardly any, however many names it is made of. The cases of
# tests/rules/text/test_languages.py bound it: they hold from 1 to 6.
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
