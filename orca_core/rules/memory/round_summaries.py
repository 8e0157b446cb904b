"""The short-term summary of a round: what the user asked, and how the answer begins. By rules, without a model."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from orca_core import words
from orca_core.model.llm import Source, Span
from orca_core.model.memories import NewShortTerm
from orca_core.rules.text.cleaning import ELLIPSIS, clean_memory, cut_text
from orca_core.rules.text.search_terms import content_words, index_terms
from orca_core.rules.text.spelling import Language, language_of

ANSWER_CHARS = 100
"""How much of an answer's beginning is kept. Chosen by hand."""

CODE_MARKER = "[code]"
"""Stands where a body of code stood."""

_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_LONG_URL = re.compile(r"(https?://[^\s/?#]+)[/?#][!-~]{24,}")
_SENTENCE_END = re.compile(r"(?<=[。！？；])|(?<=[.!?;])\s|\n")
_LATIN_WORD = re.compile(r"[A-Za-z0-9_'’]{2}")
_CHARS_READ = 20_000  # bounds the time that a long message takes
_INDEXED_CHARS = 4_000  # bounds what one round adds to the index
_FEWEST_CHARS_OF_A_CUT_SENTENCE = 24
_SHORTEST_SENTENCE_CHARS = 10  # one shorter gains nothing by that; chosen by hand: no benchmark measures a summary


class _Piece(Struct, frozen=True):
    """A typed sentence, or the mark of what was not typed."""

    text: str
    is_marker: bool = False


def summarise_round(spans: Sequence[Span], answer: str, threshold: int) -> NewShortTerm:
    """The summary of a round: the typed text, marks for all other text, and the first 100 characters of the answer.

    Above `threshold` characters only the most important sentences stay. `question` is the summary without the answer.
    """
    typed = "".join(span.text for span in spans if span.source is Source.TYPED)
    language = language_of(typed if typed.strip() else answer)
    asked_label, answer_label = _labels(language)
    pieces = (s.text if s.source is Source.TYPED else _marker(s.source, len(s.text), language).text for s in spans)
    question = clean_memory(" ".join(pieces))
    beginning = cut_text(_clean_beginning(answer), ANSWER_CHARS)
    room = threshold - len(asked_label) - len(answer_label)
    if len(question) + len(beginning) > room:
        beginning = _cut_at_word(_clean_beginning(_CODE.sub(CODE_MARKER, answer[:_CHARS_READ])), ANSWER_CHARS)
        # A long answer leaves at least half of the room to the question.
        question = _compressed(_sentences(spans, language), max(room - len(beginning), room // 2))
        beginning = _cut_at_word(beginning, room - len(question))
    trusted = all(span.source is Source.TYPED for span in spans)
    indexed = f"{typed[:_INDEXED_CHARS]}\n{beginning}" if trusted else typed[:_INDEXED_CHARS]
    return NewShortTerm(
        content=f"{asked_label}{question}{answer_label}{beginning}",
        question=f"{asked_label}{question}",
        trusted=trusted,
        tokens=tuple(dict.fromkeys(index_terms(indexed))),
    )


def compress(text: str, room: int) -> str:
    """The sentences of a text that carry most, in their order, in at most `room` characters."""
    return _compressed(_sentences((Span(text),), language_of(text)), room)


def _sentences(spans: Sequence[Span], language: Language) -> list[_Piece]:
    pieces: list[_Piece] = []
    for span in spans:
        if span.source is not Source.TYPED:
            pieces.append(_marker(span.source, len(span.text), language))
            continue
        prose = _CODE.sub(f" {CODE_MARKER} ", span.text[:_CHARS_READ])
        prose = _LONG_URL.sub(rf"\1/{ELLIPSIS}", prose)
        cleaned = (clean_memory(sentence) for sentence in _SENTENCE_END.split(prose))
        pieces.extend(_Piece(sentence) for sentence in cleaned if sentence)
    return pieces


def _marker(source: Source, characters: int, language: Language) -> _Piece:
    return _Piece(words.text("summary.marks", source.value, language).format(characters), is_marker=True)


def _labels(language: Language) -> tuple[str, str]:
    """Return what stands before the question and before the answer."""
    asked, answered = (
        words.text("summary.labels", each, language).removesuffix("{}") for each in ("asked", "answered")
    )
    return asked, f"\n{answered}"


def _compressed(pieces: Sequence[_Piece], room: int) -> str:
    """The pieces that carry most, in their order, in at most `room` characters: marks, then rare words."""
    carried = [content_words(piece.text) for piece in pieces]
    frequencies = Counter(word for sentence in carried for word in sentence)

    def importance(index: int) -> tuple[bool, float]:
        rarity = sum(1 / frequencies[word] for word in carried[index])
        return pieces[index].is_marker, rarity / math.sqrt(len(pieces[index].text) + _SHORTEST_SENTENCE_CHARS)

    kept: dict[int, str] = {}
    left = room
    for index in sorted(range(len(pieces)), key=importance, reverse=True):
        text = pieces[index].text
        if len(text) > left and not pieces[index].is_marker and (left >= _FEWEST_CHARS_OF_A_CUT_SENTENCE or not kept):
            text = _cut_at_word(text, left)
        if text and len(text) <= left:
            kept[index] = text
            left -= len(text) + 1  # one for the blank that joins it to its neighbour
    return _joined([kept[index] for index in sorted(kept)])


def _cut_at_word(text: str, limit: int) -> str:
    """At most `limit` characters, with … in the place of what was cut off, without half a word."""
    if len(text) <= limit:
        return text
    if limit < 1:
        return ""
    end = len(cut_text(text, limit - 1))
    word_start = end
    while 0 < word_start < len(text) and _LATIN_WORD.fullmatch(text[word_start - 1 : word_start + 1]):
        word_start -= 1
    # A word that is half of the text is no word: a key, an encoded blob.
    return text[: word_start if word_start > limit // 2 else end].rstrip() + ELLIPSIS


def _joined(sentences: Sequence[str]) -> str:
    joined = ""
    for sentence in sentences:
        needs_blank = joined and not joined.endswith(("。", "！", "？", "；"))
        joined += f" {sentence}" if needs_blank else sentence
    return joined


def _clean_beginning(text: str) -> str:
    """The cleaned beginning of a text, long enough for its first 100 characters."""
    return clean_memory(text[: 8 * ANSWER_CHARS])
