"""Where a message may ask Orca to remember or to forget: where a clause begins that was typed.

What is pasted, quoted, code, told of another, under a condition, in a play, or a text at hand is passed over, and so is
what merely might be: whoever is not sure writes nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from msgspec import Struct

from orca_core import words
from orca_core.model.llm import Source, Span
from orca_core.rules.requests.prose import MASK, own_words
from orca_core.rules.text import sentences
from orca_core.rules.text.spans import normalise

EDGES = " ，,：:、;；-–—"
MAX_CHARS = 20_000
"""More of a message is not read. It bounds the time; chosen by hand."""

_CLAUSE_END = re.compile(r"[,，;；]\s*|(?<=[\u4e00-\u9fff])[ \t]+(?=[\u4e00-\u9fff])")
_COLONS = (":", "：")
_LEADS_ON = (*_COLONS, "(", "（", MASK)
"""Behind one of these goes on what is another's."""
_BETWEEN = " \t\"'“‘-*•"
_NEAR = 40
"""So far before a clause they are looked for. Chosen by hand."""


class Place(Struct, frozen=True):
    """A line from where a clause begins, without its opening words: as it was typed, and as patterns read it, of the
    same length. `sentence` ends where its sentence does; `goes_on` where what follows was not typed."""

    text: str
    plain: str
    sentence: int
    goes_on: bool


def places(spans: Sequence[Span], mentions: re.Pattern[str]) -> Iterator[Place]:
    """Where a request may begin, in a message that mentions what it would be about."""
    message = _typed(spans)[:MAX_CHARS]
    plain = own_words(message)
    if mentions.search(plain) is None or words.pattern("remember.text_at_hand").search(plain):
        return
    found = words.pattern("recall.sets_aside").search(plain)
    aside = found.start() if found else len(plain)
    start = 0
    for line in plain.splitlines(keepends=True):
        yield from _in_line(message, plain, start, start + len(line.rstrip("\r\n")), aside)
        start += len(line)
        if line.rstrip().endswith(_COLONS):
            return


def _in_line(message: str, plain: str, start: int, line_end: int, aside: int) -> Iterator[Place]:
    for piece in sentences.sentences(plain[start:line_end]):
        begin, last = start + piece.start, start + piece.end
        ends = [*_CLAUSE_END.finditer(plain, begin, last)]
        for following in [*(each.end() for each in ends), last]:
            if begin >= aside or _goes_on(plain, begin):
                break
            yield _place(message, plain, begin, last, line_end)
            if words.pattern("remember.not_meant").search(plain, begin, following):
                break
            begin = following


def _place(message: str, plain: str, begin: int, sentence_end: int, line_end: int) -> Place:
    opening = _opening().match(plain, begin, line_end)
    begin = opening.end() if opening else begin
    gap = message.find(MASK, begin, line_end)
    end = gap if gap >= 0 else line_end
    return Place(message[begin:end], plain[begin:end], max(0, min(sentence_end, end) - begin), goes_on=gap >= 0)


def _goes_on(plain: str, begin: int) -> bool:
    """Whether a clause goes on that was not typed, or a text that was led on to."""
    return plain[max(0, begin - _NEAR) : begin].rstrip(_BETWEEN).endswith(_LEADS_ON)


def _typed(spans: Sequence[Span]) -> str:
    """The typed text, with a mask for each piece that was not typed, and its line ends."""
    return "".join(span.text if span.source is Source.TYPED else _gap(span.text) for span in normalise(spans))


def _gap(text: str) -> str:
    before = "\n" if text.startswith(("\n", "\r")) else ""
    behind = "\n" if text.endswith(("\n", "\r")) else ""
    return before + MASK + behind


@cache
def _opening() -> re.Pattern[str]:
    opening = words.choices("remember.opening")
    return re.compile(rf"[\s\-*•]*(?:(?:{opening})(?:[ \t]*[，,：:！!][ \t]*|[ \t]+)){{0,3}}", re.IGNORECASE)
