"""Tell from its text alone whether a turn asks for what is remembered, and whether it is technical."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from msgspec import Struct

from orca_core import words
from orca_core.rules.text import typed_spans
from orca_core.rules.text.cleaning import one_line
from orca_core.rules.text.spelling import simplified

MASK = typed_spans.MASK


def own_words(text: str) -> str:
    """The text in one script and width, with a mask for each letter that is quoted or code: places in it stay."""
    return typed_spans.mask_all_quoted(simplified(text.translate(_narrow())))


def without_opening(clause: str) -> str:
    """A clause of one's own words without what only opens it: "btw, ", "请问"."""
    return _opening().sub("", clause) or clause


@cache
def _opening() -> re.Pattern[str]:
    return re.compile(
        rf"^\W*(?:(?:{words.choices('recall.opening')})(?:[\s,，:：!！]+|(?<=[\u4e00-\u9fff])))*", re.IGNORECASE
    )


@cache
def _narrow() -> Mapping[int, str]:
    """Letters and figures of full width, and the apostrophe that is set for one."""
    wide = (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))
    return {each: chr(each - 0xFEE0) for each in wide} | {0x2019: "'", 0x3000: " "}


EDGE_CHARS = 400
"""Of a long text only its beginning and its end are read: a question stands at one of them. It bounds the time."""


class RecallQuestion(Struct, frozen=True):
    """A question about the user. Without a topic it asks for all that is known; an open one for all of its topic. One
    that is `named` says that it asks what is remembered; any other may ask for something else."""

    topic: bool
    open: bool = False
    named: bool = False


_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`", re.DOTALL)
_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_CLAUSE_END = re.compile(r"[,，;；:：、—]+\s*|\s+-+\s+|\s+(?=but\b|so\b)|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])")
_MARKS = "。！？!?；;.~～,，:： "
_QUESTION_MARKS = ("?", "？")


class _Clause(Struct, frozen=True):
    """A clause of a sentence without the words that only open it, the sentence from it on, and whether it asks."""

    text: str
    rest: str
    asks: bool

    @property
    def is_of_the_user(self) -> bool:
        """Tell whether it names the user, and asks what is or was so, of no text at hand."""
        named = words.pattern("recall.not_about_me").sub(" ", self.text)
        if not _has("about_me", named) or _has("asks_else", named):
            return False
        return not _has("how_or_why", named) or _has("habit_or_choice", named)


def recall_question(text: str) -> RecallQuestion | None:
    """Tell whether a text asks what is known of the user: any of its sentences, code and quotations left out."""
    prose = _prose(text)
    if not any(_has(each, prose) for each in ("about_me", "everything", "open", "open_of_mine", "remembering")):
        return None
    return next(filter(None, map(_asked_in, _sentences(prose))), None)


def _prose(text: str) -> str:
    """The edges of what is the user's own words, in one script."""
    own = _QUOTED_LINE.sub("", _CODE.sub(" ", text))
    return own_words(own if len(own) <= 2 * EDGE_CHARS else f"{own[:EDGE_CHARS]}\n{own[-EDGE_CHARS:]}")


def _sentences(prose: str) -> Iterator[Sequence[_Clause]]:
    """The clauses of each sentence, up to one that sets a text to work on, or a play."""
    aside = words.pattern("recall.sets_aside").search(prose)
    for piece in typed_spans.sentences(prose[: aside.start()] if aside else prose):
        sentence = prose[piece.start : piece.end].strip()
        if clauses := list(_clauses(sentence)):
            yield clauses


def _clauses(sentence: str) -> Iterator[_Clause]:
    is_marked = sentence.rstrip("!！.~～ ").endswith(_QUESTION_MARKS)
    pieces, start = [], 0
    for end in [*_CLAUSE_END.finditer(sentence), None]:
        piece = sentence[start : end.start() if end else len(sentence)].strip(_MARKS)
        if piece:
            pieces.append((piece, " ".join(sentence[start:].rstrip(_MARKS).split())))
        start = end.end() if end else start
    for index, (piece, rest) in enumerate(pieces):
        text = without_opening(" ".join(piece.split()))
        is_last = is_marked and index == len(pieces) - 1
        yield _Clause(text, without_opening(rest), is_last or words.pattern("recall.asks").search(text) is not None)


def _asked_in(sentence: Sequence[_Clause]) -> RecallQuestion | None:
    is_supposed = any(_has("supposes", each.text) for each in sentence)
    for index, each in enumerate(sentence):
        if any(words.pattern("recall.everything").fullmatch(said) for said in (each.rest, each.text)):
            return RecallQuestion(topic=False, named=True)
        if _has("open", each.rest) or _has("open_of_mine", each.rest):
            return RecallQuestion(topic=True, open=True, named=True)
        asks_on = any(later.asks for later in sentence[index:])
        if asks_on and words.pattern("recall.remembering").match(each.rest) and not _has("idiom", each.rest):
            return RecallQuestion(topic=True, named=True)
        if is_supposed or not each.asks or _has("to_orca", each.text):
            continue
        told = sentence[index - 1] if index and words.pattern("recall.of_what_was_told").fullmatch(each.text) else each
        if told.is_of_the_user:
            return RecallQuestion(topic=True)
    return None


def _has(wording: str, text: str) -> bool:
    return words.pattern(f"recall.{wording}").search(text) is not None


MAX_SIGNS = 5
MAX_SIGN_CHARS = 24
"""They bound a line of a receipt. Chosen by hand."""
TECHNICAL_EDGE_CHARS = 10_000
"""Of a long text only its beginning and its end are read: a question stands at one of them. It bounds the time."""

_Sign = tuple[int, str]
"""Where a sign stands in the text, and the sign."""

_LATIN_WORD = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z][A-Za-z0-9]*(?:[-.][A-Za-z0-9]+)*(?![A-Za-z0-9_]|://)")
# One everyday word proves nothing. benchmarks/recall_on_technical_turns.py shows how many turns are seen as technical.
_LEANING_TOGETHER = 2


def technical_signs(text: str, extra: Sequence[str] = ()) -> tuple[str, ...]:
    """The signs that make a text technical, in the order found, at most `MAX_SIGNS`. A text without any is not
    technical."""
    written = _edges(text)
    signs: dict[str, str] = {}
    for start, sign in sorted(_signs(simplified(written), [simplified(each) for each in extra])):
        as_written = sign if sign.isascii() else written[start : start + len(sign)]
        shown = one_line(as_written.strip(), MAX_SIGN_CHARS)
        if shown:
            signs.setdefault(shown.lower(), shown)
        if len(signs) == MAX_SIGNS:
            break
    return tuple(signs.values())


def _edges(text: str) -> str:
    if len(text) <= 2 * TECHNICAL_EDGE_CHARS:
        return text
    return f"{text[:TECHNICAL_EDGE_CHARS]}\n{text[-TECHNICAL_EDGE_CHARS:]}"


def _signs(text: str, extra: Sequence[str]) -> Iterator[_Sign]:
    yield from _configured_signs(text, extra)
    yield from _first_of_each(_shapes("technical.shapes"), text)
    yield from _first_of_each(_shapes("technical.names_in_use"), text)
    yield from _words(text)


def _shapes(table: str) -> Iterable[re.Pattern[str]]:
    return words.keyed_patterns(table, flags=re.MULTILINE | re.ASCII, whole_words=False).values()


def _first_of_each(patterns: Iterable[re.Pattern[str]], text: str) -> Iterator[_Sign]:
    for pattern in patterns:
        if match := pattern.search(text):
            yield match.start(), match[0]


def _configured_signs(text: str, keywords: Sequence[str]) -> Iterator[_Sign]:
    """Words of the configuration: Latin ones as whole words, others anywhere."""
    for keyword in filter(None, (each.strip() for each in keywords)):
        before = r"(?<![A-Za-z0-9_])" if keyword[0].isascii() and keyword[0].isalnum() else ""
        behind = r"(?![A-Za-z0-9_])" if keyword[-1].isascii() and keyword[-1].isalnum() else ""
        if match := re.search(f"{before}{re.escape(keyword)}{behind}", text, re.IGNORECASE):
            yield match.start(), keyword


def _words(text: str) -> Iterator[_Sign]:
    """Words that are technical by themselves, then those that only are in company."""
    lowered = text.lower()
    technical, leaning_words, names = _signs_of_spaced_languages()
    leaning: dict[str, _Sign] = {}
    for match in _LATIN_WORD.finditer(text):
        word = match[0].lower()
        singular = word.removesuffix("s")
        if word in technical or singular in technical or _is_technical_here(word, lowered):
            yield match.start(), match[0]
        elif singular in leaning_words or match[0] in names:
            leaning.setdefault(singular, (match.start(), match[0]))
    for phrase in words.lines("technical.phrases"):
        if (position := lowered.find(phrase)) >= 0:
            yield position, phrase
    yield from _in_runs(text, "technical.words")
    leaning.update((sign, (position, sign)) for position, sign in _in_runs(text, "technical.leaning"))
    if len(leaning) >= _LEANING_TOGETHER:
        yield from leaning.values()


@cache
def _signs_of_spaced_languages() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """For languages with whole words: words that are technical by themselves, those that are so in company, names."""
    where = words.of_whole_words()
    names = words.word_set("technical.names") | words.word_set("technical.short_names")
    return words.word_set("technical.words", *where), words.word_set("technical.leaning", *where), names


def _in_runs(text: str, table: str) -> Iterator[_Sign]:
    """For languages without blanks between words: the words of a table that stand anywhere in the text."""
    if text.isascii():
        return
    for misreading in words.words("technical.misreadings"):
        text = text.replace(misreading, " " * len(misreading))
    for word in words.words(table, *words.of_runs()):
        if (position := text.find(word)) >= 0:
            yield position, word


def _is_technical_here(word: str, lowered: str) -> bool:
    otherwise = _otherwise()
    other_things = otherwise.get(word) or otherwise.get(word.removesuffix("s"))
    return other_things is not None and not other_things.search(lowered)


@cache
def _otherwise() -> Mapping[str, re.Pattern[str]]:
    """Technical words with another meaning, each with a pattern of what a text with that meaning speaks of."""
    of_words = words.keyed("technical.otherwise", *words.of_whole_words())
    of_runs = words.keyed("technical.otherwise", *words.of_runs())
    return {word: _speaks_of(things, of_runs.get(word, ())) for word, things in of_words.items()}


def _speaks_of(whole: Iterable[str], in_runs: Iterable[str]) -> re.Pattern[str]:
    whole_words = "|".join(" ".join(whole).split())
    return re.compile("|".join([rf"\b(?:{whole_words})s?\b", *" ".join(in_runs).split()]), re.ASCII)
