"""The pieces of a user's text and where they came from. Only what was typed can teach Orca anything by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from orca_core.model.llm import Source, Span

MIN_PASTED_CHARS = 20
"""A shorter run that was also pasted may as well have been typed. Chosen by hand."""

_BLANKS = re.compile(r"\s+")


def join(spans: Sequence[Span]) -> str:
    """The whole text."""
    return "".join(span.text for span in spans)


def typed_text(spans: Sequence[Span]) -> str:
    """What was typed, and nothing else."""
    return "".join(span.text for span in spans if span.source is Source.TYPED)


def has_untrusted(spans: Sequence[Span]) -> bool:
    """Whether anything stands in it that was not typed."""
    return any(span.source is not Source.TYPED and span.text.strip() for span in spans)


def normalise(spans: Sequence[Span]) -> tuple[Span, ...]:
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
    return normalise([*spans, Span(text[typed_from:])])


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
