"""Where a message may ask Orca to remember or to forget: in clauses that were typed, of the user's own, and meant.

What a pasted page, a quoted friend, a play, a text to translate or an example says is not the user's wish."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import takewhile

from msgspec import Struct

from orca_core import words
from orca_core.domain.messages import Source, Span
from orca_core.rules.clauses.clause import Clause, Frame, Mood, Subject, Time
from orca_core.rules.clauses.reading import read_clauses
from orca_core.rules.clauses.splitting import MASK, all_masked
from orca_core.rules.text.cleaning import MEMORY_LIMITS
from orca_core.rules.text.scripts import simplified
from orca_core.rules.text.spans import normalise

MAX_CHARS = 2 * MEMORY_LIMITS[1]
"""More of a line is not read for one request: what it asks for would be too long for a memory."""
EDGES = " ，,：:、;；-–—"

_MEANT = (Frame.NONE, Frame.POSSIBLE, Frame.JOKE)
_GOES_ON = tuple(f":：(（{MASK}")
"""Behind one of these a clause goes on, and begins nothing."""


class Place(Struct, frozen=True):
    """The rest of a line, from where a clause begins without its opening words.

    `masked` has the same length, in one script, with every quoted letter masked. `goes_on` is true where the line
    continues in text that was not typed. `sentence` are the clauses from this one to the end of its sentence."""

    text: str
    masked: str
    goes_on: bool
    sentence: tuple[Clause, ...]
    start: int
    """Where `text` begins in the message."""
    follows_a_plan: bool
    """Whether it may go on with what the user means to do themselves: "I'm going to move on, forget my ex"."""

    @property
    def clause_end(self) -> int:
        """Where its clause ends in `text`."""
        return max(0, min(self.sentence[0].end - self.start, len(self.text)))


def places(spans: Sequence[Span], mentions: re.Pattern[str]) -> Iterator[Place]:
    """Where a request may begin, in a message that mentions what it would be about."""
    message = _typed(spans)
    masked = all_masked(simplified(message))
    if mentions.search(masked) is None:
        return
    clauses = read_clauses(message)
    for index, clause in enumerate(clauses):
        end = clauses[min(index + 1, len(clauses) - 1)].end  # "for next time: remember …" is two clauses
        if mentions.search(masked, max(0, clause.start - 1), end) is None:
            continue
        if _is_meant(clauses, index) and not _goes_on(message, clause.start):
            yield _place(message, masked, clauses, index)


@cache
def sentence_end() -> re.Pattern[str]:
    # "Dr. Heron", "J. Smith" and "e.g. nuts" end no sentence.
    before = "".join(rf"(?<!\b{re.escape(each)})" for each in words.words("remember.abbreviations"))
    return re.compile(rf"[。！？!?；;…]+|{before}(?<!\b[A-Z])\.+(?=\s|\Z)")


@cache
def courtesy() -> re.Pattern[str]:
    """What may stand behind a request, to the end of the text."""
    return re.compile(rf"[，,。 ]*(?:{words.choices('remember.courtesy')})[\s?？。.!！~]*$", re.IGNORECASE)


def _typed(spans: Sequence[Span]) -> str:
    """The typed text, with a mask for each piece that was not typed, and its line ends."""
    return "".join(span.text if span.source is Source.TYPED else _gap(span.text) for span in normalise(spans))


def _gap(text: str) -> str:
    before = "\n" if text.startswith(("\n", "\r")) else ""
    behind = "\n" if text.endswith(("\n", "\r")) else ""
    return before + MASK + behind


def _is_meant(clauses: Sequence[Clause], index: int) -> bool:
    """Whether the user says it to Orca: in no frame, and under no condition."""
    is_supposed = any(each.mood is Mood.SUPPOSED for each in _before(clauses, index))
    return clauses[index].frame in _MEANT and not is_supposed


def _follows_a_plan(clauses: Sequence[Clause], index: int) -> bool:
    last = _before(clauses, index)[-1:]
    return any(each.subject is Subject.USER and each.time is Time.PLANNED for each in last)


def _before(clauses: Sequence[Clause], index: int) -> Sequence[Clause]:
    """The clauses of its sentence that stand before it."""
    start = index
    while start and clauses[start - 1].sentence == clauses[index].sentence:
        start -= 1
    return clauses[start:index]


def _goes_on(message: str, start: int) -> bool:
    return message[:start].rstrip(" \t\"'“‘-*•/").endswith(_GOES_ON)


def _place(message: str, masked: str, clauses: Sequence[Clause], index: int) -> Place:
    clause = clauses[index]
    start = clause.start - 1 if message[clause.start - 1 : clause.start] == "/" else clause.start
    opening = _opening().match(masked, start)
    begin = opening.end() if opening else start
    limit = min(begin + MAX_CHARS, len(message))
    ends = [end for end in (message.find("\n", begin, limit), message.find(MASK, begin, limit)) if end >= 0]
    end = min(ends, default=limit)
    return Place(
        text=message[begin:end],
        masked=masked[begin:end],
        goes_on=message[end : end + 1] == MASK,
        sentence=tuple(takewhile(lambda each: each.sentence == clause.sentence, clauses[index:])),
        start=begin,
        follows_a_plan=_follows_a_plan(clauses, index),
    )


@cache
def _opening() -> re.Pattern[str]:
    opening = words.choices("remember.opening")
    return re.compile(rf"(?:(?:{opening})(?:[ \t]*[，,：:！!][ \t]*|[ \t]+)){{0,3}}", re.IGNORECASE)
