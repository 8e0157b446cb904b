"""Make the tokens of the memory index: what a text is indexed by, and what a question looks for.

Every token is one word to a tokenizer that keeps letters, digits and `_` (FTS5's unicode61 with tokenchars '_'):
`C++` is `c_plus_plus`, `C#` `c_sharp`, `.NET` `dot_net`, `node.js` `node_js`, `3.11` `3_11`, `a@b.com` `a_b_com`.
Chinese is indexed by single characters and pairs, dates as in `rules.text.dates`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from orca_core import words
from orca_core.rules.text.dates import take_dates, tokens_of_day
from orca_core.rules.text.spelling import simplified

if TYPE_CHECKING:
    from snowballstemmer.english_stemmer import EnglishStemmer


_ALPHANUMERIC = re.compile(r"[A-Za-z]+|[0-9]+")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_VERSION = re.compile(r"v?([0-9]+(?:\.[0-9]+)+)")
_SEPARATORS = re.compile(r"[^A-Za-z0-9_+#]+")
_PATH_SEPARATORS = re.compile(r"[/\\:@]+")
# They bound what a key or an encoded blob adds to the index. Chosen by hand.
_LONGEST_TOKEN = 64
_LONGEST_STEMMED_WORD = 40


@lru_cache(maxsize=20_000)
def identifier_tokens(identifier: str) -> tuple[str, ...]:
    """The tokens of a run of ASCII letters, digits and the marks that join them: `src/getUser.ts`, `C++`, `v3.11`."""
    if identifier.isalpha() and (identifier.islower() or identifier.istitle() or len(identifier) < 3):
        return _word_tokens(identifier.lower())
    version = _VERSION.fullmatch(identifier)
    if version is not None:
        return _version_tokens(version[1])
    tokens: list[str] = []
    segments = [segment for segment in _PATH_SEPARATORS.split(identifier) if segment]
    if len(segments) > 1:
        tokens.append(_whole(identifier))
    for segment in segments:
        tokens.extend(_segment_tokens(segment))
    return tuple(dict.fromkeys(token for token in tokens if token and len(token) <= _LONGEST_TOKEN))


def _segment_tokens(segment: str) -> list[str]:
    whole = _whole(segment)
    parts = [part for part in _SEPARATORS.sub("_", segment).replace("+", "").replace("#", "").split("_") if part]
    if len(parts) == 1 and parts[0].lower() == whole:
        return _part_tokens(parts[0])
    tokens = [whole, *(stem(name) for name in _with_alias(whole)[1:])]
    # C++ and C# are not the letter C.
    if len(parts) == 1 and len(parts[0]) == 1:
        return tokens
    for part in parts:
        tokens.extend(_part_tokens(part))
    return tokens


def _part_tokens(part: str) -> list[str]:
    """A word without separators: whole, then its humps and its letters apart from its digits."""
    lowered = part.lower()
    tokens = list(_word_tokens(lowered))
    if lowered in words.word_set("search.with_humps"):
        return tokens
    for letters_or_digits in _ALPHANUMERIC.findall(part):
        humps = [letters_or_digits] if letters_or_digits.isdigit() else _HUMP.findall(letters_or_digits)
        if humps != [part]:
            for hump in humps:
                if len(hump) > 1:
                    tokens.extend(_word_tokens(hump.lower()))
    return tokens


def _version_tokens(version: str) -> tuple[str, ...]:
    """`3.11.4` is found by `3.11` too, but not by a bare 3 or 11."""
    numbers = version.split(".")
    return tuple("_".join(numbers[:count]) for count in range(len(numbers), 1, -1))


def _whole(identifier: str) -> str:
    spelled = identifier.replace("+", "_plus").replace("#", "_sharp")
    if spelled.startswith("."):
        spelled = f"dot_{spelled[1:]}"
    return _SEPARATORS.sub("_", spelled).strip("_").lower()


def _word_tokens(lowered: str) -> tuple[str, ...]:
    return tuple(stem(token) for token in _with_alias(lowered))


def _with_alias(lowered: str) -> tuple[str, ...]:
    alias = _aliases().get(lowered)
    return (lowered,) if alias is None else (lowered, alias)


@cache
def _aliases() -> Mapping[str, str]:
    return dict(words.spellings("search.aliases"))


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The stem of a lower-case English word; anything else as it is."""
    if len(word) < 3 or len(word) > _LONGEST_STEMMED_WORD or not (word.isascii() and word.isalpha()):
        return word
    return str(_english_stemmer().stemWord(word))


@cache
def _english_stemmer() -> EnglishStemmer:
    # Costs 14 ms, and most commands never search.
    from snowballstemmer.english_stemmer import EnglishStemmer

    return EnglishStemmer()


EDGE_CHARS = 4_000
"""Of a long text only its beginning and its end are looked for: what is asked stands at one of them, and a log or a
file between them would cost a look-up for each of its words. Chosen by hand."""
STATEMENT_WEIGHT = 0.5
"""What a statement counts beside a question, in a text of several sentences.

From a recipe that was measured on LoCoMo, MemoryBank and MemDaily, whose licences keep them out of here;
`benchmarks/recall_on_technical_turns.py` has single sentences and does not tell 0.25 from 1."""
INNER_CHARACTER_WEIGHT = 0.3
"""What a single Chinese character counts that a pair of the question holds already.

The same benchmark comes out the same from 0 to 0.3; at 0.6 one turn loses its memory and one more gets a wrong one."""

CJK = r"\u3040-\u30ff\u3105-\u312f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
_LONGEST_IDENTIFIER = 128  # bounds the time that one run of letters takes
_APOSTROPHE = re.compile(r"(?<=[A-Za-z])['’](s\b)?", re.IGNORECASE)
_THOUSANDS = re.compile(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")
_ACCENTED = re.compile("[\u00c0-\u024f]")
_SENTENCE_END = re.compile(r"(?<=[。！？!?；;\n])|(?<=\.)\s")


class QueryTerms(Struct, frozen=True):
    """What a question looks for: its tokens, each once, and what each counts."""

    tokens: tuple[str, ...]
    weights: dict[str, float]


def index_terms(text: str, created_at: datetime | None = None) -> tuple[str, ...]:
    """The tokens that a text is found by, with repetitions; `created_at` is when it was said or happened."""
    rest, dates = take_dates(_folded(text))
    tokens = [*_all_words(rest), *dates]
    if created_at is not None:
        tokens.extend(tokens_of_day(created_at.date()))
    return tuple(tokens)


def query_terms(text: str) -> QueryTerms:
    """Return what a question looks for: its words without those of asking, or all of them where nothing else is
    left."""
    folded = _folded(_edges(text))
    sentences = [sentence for sentence in _SENTENCE_END.split(folded) if sentence and not sentence.isspace()]
    question = words.pattern("search.question")
    weights: dict[str, float] = {}
    for position, sentence in enumerate(sentences, start=1):
        is_asked = position == len(sentences) or question.search(sentence) is not None
        for token, weight in _sentence_weights(sentence):
            weights[token] = max(weights.get(token, 0.0), weight if is_asked else STATEMENT_WEIGHT * weight)
    if not weights:
        weights = dict.fromkeys(_all_words(folded), 1.0)
    return QueryTerms(tuple(weights), weights)


def _edges(text: str) -> str:
    return text if len(text) <= 2 * EDGE_CHARS else f"{text[:EDGE_CHARS]}\n{text[-EDGE_CHARS:]}"


def content_words(text: str) -> frozenset[str]:
    """The words that carry what a text says: no stop words and no dates; Chinese in pairs, single characters
    only where they stand alone between stop words."""
    stop_words = _stop_words()
    carrying: set[str] = set()
    for kind, piece in _pieces(take_dates(_folded(text))[0]):
        if kind == "cjk":
            for run in _runs_between_stops(piece):
                carrying.update(_pairs(run) or run)
        else:
            carrying.update(token for token in _piece_tokens(kind, piece) if token not in stop_words)
    return frozenset(carrying)


def _sentence_weights(sentence: str) -> Iterator[tuple[str, float]]:
    stop_words = _stop_words()
    rest, dates = take_dates(words.pattern("search.asking").sub(" ", sentence))
    for token in dates:
        yield token, 1.0
    for kind, piece in _pieces(rest):
        if kind == "cjk":
            yield from _cjk_weights(piece)
        elif piece.lower() not in stop_words:
            for token in _piece_tokens(kind, piece):
                if token not in stop_words:
                    yield token, 1.0


def _cjk_weights(run: str) -> Iterator[tuple[str, float]]:
    for between in _runs_between_stops(run):
        pairs = _pairs(between)
        for pair in pairs:
            yield pair, 1.0
        for character in between:
            yield character, INNER_CHARACTER_WEIGHT if pairs else 1.0


def _all_words(folded: str) -> Iterator[str]:
    for kind, piece in _pieces(folded):
        if kind == "cjk":
            yield from piece
            yield from _pairs(piece)
        else:
            yield from _piece_tokens(kind, piece)


def _piece_tokens(kind: str, piece: str) -> tuple[str, ...]:
    return identifier_tokens(piece[:_LONGEST_IDENTIFIER]) if kind == "latin" else (piece.lower(),)


def _pieces(folded: str) -> Iterator[tuple[str, str]]:
    for match in _piece_pattern().finditer(folded):
        yield match.lastgroup or "other", match[0]


def _pairs(run: str) -> list[str]:
    return [run[start : start + 2] for start in range(len(run) - 1)]


def _runs_between_stops(run: str) -> list[str]:
    weak = words.word_set("search.weak_characters")
    return [between for between in _stops().split(run) if between and between not in weak]


@cache
def _stop_words() -> frozenset[str]:
    return words.word_set("search.stop", *words.of_whole_words())


@cache
def _stops() -> re.Pattern[str]:
    """Return what a run without blanks is cut at."""
    cut_at = "|".join(words.words("search.stop", *words.of_runs()))
    return re.compile(f"(?:{cut_at}|[{''.join(words.words('search.stop_characters'))}])+")


def _folded(text: str) -> str:
    """Full-width forms, ligatures, scripts, accents, apostrophes and thousands separators folded away."""
    folded = text
    if not text.isascii():
        folded = simplified(unicodedata.normalize("NFKC", text))
        if _ACCENTED.search(folded):
            folded = _ACCENTED.sub(lambda match: unicodedata.normalize("NFKD", match[0])[0], folded)
    if "'" in folded or "’" in folded:
        folded = _APOSTROPHE.sub(lambda match: " " if match[1] else "", folded)
    return _THOUSANDS.sub("", folded) if "," in folded else folded


@cache
def _piece_pattern() -> re.Pattern[str]:
    return re.compile(
        rf"(?P<cjk>[{CJK}]+)"
        r"|(?P<latin>(?:(?<![A-Za-z0-9_])\.(?=[A-Z]))?[A-Za-z0-9_]+(?:[-./:@\\+#][A-Za-z0-9_]+)*(?:\+\+|\#)?)"
        rf"|(?P<other>[^\W\d_{CJK}A-Za-z]+)"
    )
