"""Cut a user's text into pieces by their source, and what was typed into sentences; mask, letter by letter, what it
quotes of others and what is code. Only what was typed can teach Orca anything by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from orca_core import words
from orca_core.model.llm import Source, Span

MIN_PASTED_CHARS = 20
"""A shorter run that was also pasted may as well have been typed. Chosen by hand."""

_BLANKS = re.compile(r"\s+")


def join_spans(spans: Sequence[Span]) -> str:
    """The whole text."""
    return "".join(span.text for span in spans)


def typed_text(spans: Sequence[Span]) -> str:
    """Return what was typed, and nothing else."""
    return "".join(span.text for span in spans if span.source is Source.TYPED)


def merge_spans(spans: Sequence[Span]) -> tuple[Span, ...]:
    """The same text: neighbours of one source merged, empty ones gone."""
    runs: list[tuple[Source, list[str]]] = []
    for span in spans:
        if not span.text:
            continue
        if runs and runs[-1][0] is span.source:
            runs[-1][1].append(span.text)
        else:
            runs.append((span.source, [span.text]))
    return tuple(Span("".join(texts), source) for source, texts in runs)


def mark_pasted(text: str, pasted: Sequence[str]) -> tuple[Span, ...]:
    """The text in spans: every run of `MIN_PASTED_CHARS` and more that a paste holds too is `pasted`, the rest `typed`.

    A run of blanks and line ends counts as one blank on both sides: these change on the way through a clipboard.
    """
    folded, offsets = _fold(text)
    spans: list[Span] = []
    typed_from = 0
    for first, last in _pasted_runs(folded, _windows_of(pasted)):
        start, end = offsets[first], offsets[last]
        spans += (Span(text[typed_from:start]), Span(text[start:end], Source.PASTED))
        typed_from = end
    return merge_spans([*spans, Span(text[typed_from:])])


def _fold(text: str) -> tuple[str, list[int]]:
    """The text with each run of blanks as one, and where each of its characters began in the text (and where it ended,
    last)."""
    offsets: list[int] = []
    position = 0
    for blanks in _BLANKS.finditer(text):
        offsets += range(position, blanks.start() + 1)
        position = blanks.end()
    offsets += range(position, len(text) + 1)
    return _BLANKS.sub(" ", text), offsets


def _windows_of(pasted: Sequence[str]) -> set[str]:
    return {window for paste in pasted for _, window in _windows(_BLANKS.sub(" ", paste))}


def _windows(folded: str) -> Iterator[tuple[int, str]]:
    for start in range(len(folded) - MIN_PASTED_CHARS + 1):
        yield start, folded[start : start + MIN_PASTED_CHARS]


def _pasted_runs(folded: str, known: set[str]) -> Iterator[tuple[int, int]]:
    """Stretches that are covered by windows that a paste holds, each as long as it can be."""
    start = end = -1
    for position, window in _windows(folded):
        if window not in known:
            continue
        if position > end:
            if end > 0:
                yield start, end
            start = position
        end = position + MIN_PASTED_CHARS
    if end > 0:
        yield start, end


MASK = "\ufffc"
"""What stands for each letter of a quotation, and for what was not typed."""
GAP = f"\n{MASK}\n"
"""What stands between two typed pieces of a message for what was pasted there."""
LONG_QUOTATION_WORDS = 4
LONG_QUOTATION_HAN = 8
"""From here on what stands in quotation marks is a sentence, not a name.

Chosen by hand: the poisoned and honest sets of `tests/data` come out the same from 2 words to 9, and from 4 characters
to 20."""

_OPENS = r"(?:(?<!\d)|(?<=\d{4}))"  # 27" is a length, and opens nothing
_QUOTATION = re.compile(
    r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`"
    r"|“[^“”]*(?:“[^“”]*”[^“”]*){0,24}”|「[^「」]*(?:「[^「」]*」[^「」]*){0,24}」|『[^『』]*』"
    r"|„[^„“”]*[“”]|«[^«»]*»|»[^«»\n]*«|《(?=[^《》\n]{0,200}》)[^《》\n]{0,200}?[，。！？；][^《》\n]*》|＂[^＂]*＂"
    rf"|{_OPENS}”[^“”\n]*”"
    # In marks that are the same at both ends: in the shape of a quotation, on its own line, or not far away.
    rf"|{_OPENS}(?<![A-Za-z])\"(?=\S)[^\"]*(?<=\S)\"(?![A-Za-z0-9])|{_OPENS}\"[^\"\n]*\"|{_OPENS}\"[^\"]{{0,200}}\""
    r"|‘[^‘’\n]*(?:’(?=[a-z])[^‘’\n]*)*’|(?<!\w)'[^'\n]*(?:'(?=\w)[^'\n]*){0,24}'(?!\w)|^[ \t]*[>＞][^\n]*",
    re.DOTALL | re.MULTILINE,
)
_WORD = re.compile(r"[^\W_]+")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


class TextRange(NamedTuple):
    """A part of a text, by its place: `masked[start:end]`."""

    start: int
    end: int


def mask_quotations(text: str) -> str:
    """The text with what it quotes of others masked. A name in quotation marks is the user's own word."""
    return _QUOTATION.sub(lambda match: _mask(match[0]) if _is_a_sentence(match[0]) else match[0], text)


def mask_all_quoted(text: str) -> str:
    """The text with everything masked that stands in quotation marks or is code, names too."""
    return _QUOTATION.sub(lambda match: _mask(match[0]), text)


def quotations(text: str) -> list[str]:
    """Return what a text quotes of others."""
    return [match[0] for match in _QUOTATION.finditer(text) if _is_a_sentence(match[0])]


def sentences(text: str) -> Iterator[TextRange]:
    """The sentences of a masked text, each with the marks that end it."""
    start = 0
    for match in _sentence_end().finditer(text):
        if text[start : match.end()].strip():
            yield TextRange(start, match.end())
        start = match.end()
    if text[start:].strip():
        yield TextRange(start, len(text))


def weight_of(text: str) -> int:
    """Tell how much is said: a Chinese character counts one, another word two."""
    return len(_HAN.findall(text)) + 2 * len(_WORD.findall(_HAN.sub(" ", text)))


@cache
def _sentence_end() -> re.Pattern[str]:
    # "Dr. Heron", "J. Smith" and "e.g. nuts" end no sentence.
    before = "".join(rf"(?<!\b{re.escape(each)})" for each in words.words("remember.abbreviations"))
    return re.compile(rf"[。！？!?；;…\n]+[ \t]*|(?=\.){before}(?<!\b[A-Z])\.+(?=\s|\Z)[ \t]*")


def _mask(quoted: str) -> str:
    return "".join(character if character == "\n" else MASK for character in quoted)


def _is_a_sentence(quotation: str) -> bool:
    if quotation.lstrip().startswith((">", "＞", "```", "~~~")):
        return True
    han = len(_HAN.findall(quotation))
    return han >= LONG_QUOTATION_HAN or len(_WORD.findall(_HAN.sub(" ", quotation))) >= LONG_QUOTATION_WORDS
