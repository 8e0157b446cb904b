"""The pieces of a user's text and where they came from. Only what was typed can teach Orca anything by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from orca_core.domain.messages import Source, Span

MIN_PASTED_CHARS = 20
"""A shorter run that was also pasted may as well have been typed."""


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
    merged: list[Span] = []
    for span in spans:
        if not span.text:
            continue
        if merged and merged[-1].source is span.source:
            merged[-1] = Span(merged[-1].text + span.text, span.source)
        else:
            merged.append(span)
    return tuple(merged)


def mark_pasted(text: str, pasted: Sequence[str]) -> tuple[Span, ...]:
    """The text in spans: runs of twenty characters and more that stand in a paste are `pasted`, the rest `typed`.

    Blanks and line ends are folded before comparing, for they change on the way through a clipboard.
    """
    folded, origin = _fold(text)
    is_pasted = bytearray(len(text))
    known = [_fold(each)[0] for each in pasted]
    for start, end in _runs(folded, [each for each in known if len(each) >= MIN_PASTED_CHARS]):
        is_pasted[origin[start] : origin[end - 1] + 1] = b"\x01" * (origin[end - 1] + 1 - origin[start])
    sources = (Source.PASTED if flag else Source.TYPED for flag in is_pasted)
    return _grouped(text, sources)


def _fold(text: str) -> tuple[str, list[int]]:
    """The text without blanks, and for each character that is left where it stood."""
    kept = [(character, index) for index, character in enumerate(text) if not character.isspace()]
    return "".join(character for character, _ in kept), [index for _, index in kept]


def _runs(folded: str, known: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where a run of the text, as long as it can be, stands in one of the pastes too."""
    starts: dict[str, list[tuple[str, int]]] = {}
    for each in known:
        for index in range(len(each) - MIN_PASTED_CHARS + 1):
            places = starts.setdefault(each[index : index + MIN_PASTED_CHARS], [])
            if len(places) < 8:
                places.append((each, index))
    position = 0
    while position <= len(folded) - MIN_PASTED_CHARS:
        places = starts.get(folded[position : position + MIN_PASTED_CHARS], [])
        if not places:
            position += 1
            continue
        end = max(_common_end(folded, position, each, index) for each, index in places)
        yield position, end
        position = end


def _common_end(folded: str, position: int, paste: str, index: int) -> int:
    length = MIN_PASTED_CHARS
    most = min(len(folded) - position, len(paste) - index)
    while length < most and folded[position + length] == paste[index + length]:
        length += 1
    return position + length


def _grouped(text: str, sources: Iterator[Source]) -> tuple[Span, ...]:
    spans: list[Span] = []
    start = 0
    current: Source | None = None
    for index, source in enumerate(sources):
        if source is not current:
            if current is not None:
                spans.append(Span(text[start:index], current))
            start, current = index, source
    if current is not None:
        spans.append(Span(text[start:], current))
    return tuple(spans)
