"""Whether a text is technical, by rules, in Chinese and English: the signs that make it so, as people are shown them.

Most technical words are everyday words too, so a word counts by itself, only beside certain others, or in pairs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from orca_core.rules.asking.code_shapes import code_shapes
from orca_core.rules.text import technical_words as words
from orca_core.rules.text.cleaning import one_line

MAX_SIGNS = 5
MAX_SIGN_CHARS = 24
EDGE_CHARS = 10_000
"""Of a long text only its beginning and its end are read: a question stands at one of them."""

_Sign = tuple[int, str]
"""Where a sign stands in the text, and the sign."""

_LATIN_WORD = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z][A-Za-z0-9]*(?:[-.][A-Za-z0-9]+)*(?![A-Za-z0-9_]|://)")
_LEANING_TOGETHER = 2


def technical_signs(text: str, extra: Sequence[str] = ()) -> tuple[str, ...]:
    """The signs that make a text technical, in the order found, a handful at most; none: it is not."""
    read = _edges(text)
    signs: dict[str, str] = {}
    for _, sign in sorted(_signs(read, extra)):
        shown = one_line(sign.strip(), MAX_SIGN_CHARS)
        if shown:
            signs.setdefault(shown.lower(), shown)
        if len(signs) == MAX_SIGNS:
            break
    return tuple(signs.values())


def _edges(text: str) -> str:
    if len(text) <= 2 * EDGE_CHARS:
        return text
    return f"{text[:EDGE_CHARS]}\n{text[-EDGE_CHARS:]}"


def _signs(text: str, extra: Sequence[str]) -> Iterator[_Sign]:
    yield from _configured(text, extra)
    yield from _first_of_each(code_shapes(), text)
    yield from _first_of_each(_names_in_use(), text)
    yield from _words(text)


def _first_of_each(patterns: Iterable[re.Pattern[str]], text: str) -> Iterator[_Sign]:
    for pattern in patterns:
        if match := pattern.search(text):
            yield match.start(), match[0]


def _configured(text: str, keywords: Sequence[str]) -> Iterator[_Sign]:
    """Words of the configuration: Latin ones as whole words, others anywhere."""
    for keyword in filter(None, (each.strip() for each in keywords)):
        before = r"(?<![A-Za-z0-9_])" if keyword[0].isascii() and keyword[0].isalnum() else ""
        behind = r"(?![A-Za-z0-9_])" if keyword[-1].isascii() and keyword[-1].isalnum() else ""
        if match := re.search(f"{before}{re.escape(keyword)}{behind}", text, re.IGNORECASE):
            yield match.start(), keyword


def _words(text: str) -> Iterator[_Sign]:
    """Words that are technical by themselves, then those that only are in company."""
    lowered = text.lower()
    leaning: dict[str, _Sign] = {}
    for match in _LATIN_WORD.finditer(text):
        word = match[0].lower()
        singular = word.removesuffix("s")
        if word in words.WORDS or singular in words.WORDS or _is_technical_here(word, lowered):
            yield match.start(), match[0]
        elif singular in words.LEANING or match[0] in words.NAMES:
            leaning.setdefault(singular, (match.start(), match[0]))
    for phrase in words.PHRASES:
        if (position := lowered.find(phrase)) >= 0:
            yield position, phrase
    yield from _chinese_words(text, words.CHINESE)
    leaning.update((sign, (position, sign)) for position, sign in _chinese_words(text, words.CHINESE_LEANING))
    if len(leaning) >= _LEANING_TOGETHER:
        yield from leaning.values()


def _chinese_words(text: str, known: Iterable[str]) -> Iterator[_Sign]:
    if text.isascii():
        return
    for misreading in words.MISREADINGS:
        text = text.replace(misreading, " " * len(misreading))
    for word in known:
        if (position := text.find(word)) >= 0:
            yield position, word


def _is_technical_here(word: str, lowered: str) -> bool:
    things = words.OTHERWISE.get(word) or words.OTHERWISE.get(word.removesuffix("s"))
    return things is not None and not _speaks_of(things).search(lowered)


@cache
def _speaks_of(things: str) -> re.Pattern[str]:
    latin = "|".join(thing for thing in things.split() if thing.isascii())
    chinese = "".join(f"|{thing}" for thing in things.split() if not thing.isascii())
    return re.compile(rf"\b(?:{latin})s?\b{chinese}", re.ASCII)


@cache
def _names_in_use() -> tuple[re.Pattern[str], ...]:
    """Names of tools that are everyday words too, where they can only mean the tool."""
    names = "|".join(sorted(words.NAMES - {"Go"}))
    behind = "|".join(sorted(words.BEHIND_NAMES))
    languages = "Go|Rust|Swift|Ruby|Dart|Scala|Elixir|Perl|Lua|React|Flask|Celery|Svelte|Angular"
    patterns = (
        rf"\b(?:(?i:{names})|Go|C|R) (?i:{behind})\b",
        rf"\b(?:{names}|Go|iOS|Node)[ -]?\d+(?:\.\d+)*\b",
        rf"\b(?:in|with|using|uses?|learn(?:ing)?|written in|rewrite \w+ in|port \w+ to) (?:{languages})\b(?! [A-Z])",
        r"\b(?:in|using|written in|program in|code in) [CR]\b(?![-+#']| (?:major|minor|sharp|flat))",
        # Between Chinese words a Latin name is a name, whatever it means in English.
        rf"(?<![A-Za-z ])(?<!Taylor )(?i:{names}|golang)(?![A-Za-z'])(?=[ \t]?[\u4e00-\u9fff])",
        rf"(?<=[\u4e00-\u9fff])[ \t]?(?i:{names})(?![A-Za-z'])(?![ \t][A-Za-z])",
        r"(?:用|学|写|跟|和|与|、|成)[ \t]?(?i:go|r|c)(?![A-Za-z0-9'+#])",
        r"(?<![A-Za-z0-9'])(?i:go|r|c)[ \t]?(?:语言|代码|程序|项目|服务|写的)|\bGo 的",
    )
    return tuple(re.compile(pattern, re.ASCII) for pattern in patterns)
