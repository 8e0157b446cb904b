"""Read requests to remember or to forget something out of typed text, and find the memories that a request to forget
means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from msgspec import Struct

from orca_core import words
from orca_core.model.llm import Source, Span
from orca_core.model.memories import MemoryType
from orca_core.rules.requests.recall_triggers import MASK, own_words
from orca_core.rules.text import memory_wording, typed_spans
from orca_core.rules.text.cleaning import MEMORY_LIMITS, clean_memory
from orca_core.rules.text.numerals import has_grouped_digits, in_figures
from orca_core.rules.text.search_terms import content_words, index_terms
from orca_core.rules.text.spelling import simplified
from orca_core.rules.text.typed_spans import merge_spans

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


class ClauseStart(Struct, frozen=True):
    """A line from where a clause begins, without its opening words: as it was typed, and as patterns read it, of the
    same length. `sentence` ends where its sentence does; `goes_on` where what follows was not typed."""

    text: str
    plain: str
    sentence: int
    goes_on: bool


def request_clauses(spans: Sequence[Span], mentions: re.Pattern[str]) -> Iterator[ClauseStart]:
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


def _in_line(message: str, plain: str, start: int, line_end: int, aside: int) -> Iterator[ClauseStart]:
    for piece in typed_spans.sentences(plain[start:line_end]):
        begin, last = start + piece.start, start + piece.end
        ends = [*_CLAUSE_END.finditer(plain, begin, last)]
        for following in [*(each.end() for each in ends), last]:
            if begin >= aside or _goes_on(plain, begin):
                break
            yield _place(message, plain, begin, last, line_end)
            if words.pattern("remember.not_meant").search(plain, begin, following):
                break
            begin = following


def _place(message: str, plain: str, begin: int, sentence_end: int, line_end: int) -> ClauseStart:
    opening = _opening().match(plain, begin, line_end)
    begin = opening.end() if opening else begin
    gap = message.find(MASK, begin, line_end)
    end = gap if gap >= 0 else line_end
    return ClauseStart(message[begin:end], plain[begin:end], max(0, min(sentence_end, end) - begin), goes_on=gap >= 0)


def _goes_on(plain: str, begin: int) -> bool:
    """Tell whether a clause goes on that was not typed, or a text that was led on to."""
    return plain[max(0, begin - _NEAR) : begin].rstrip(_BETWEEN).endswith(_LEADS_ON)


def _typed(spans: Sequence[Span]) -> str:
    """The typed text, with a mask for each piece that was not typed, and its line ends."""
    return "".join(span.text if span.source is Source.TYPED else _gap(span.text) for span in merge_spans(spans))


def _gap(text: str) -> str:
    before = "\n" if text.startswith(("\n", "\r")) else ""
    behind = "\n" if text.endswith(("\n", "\r")) else ""
    return before + MASK + behind


@cache
def _opening() -> re.Pattern[str]:
    opening = words.choices("remember.opening")
    return re.compile(rf"[\s\-*•]*(?:(?:{opening})(?:[ \t]*[，,：:！!][ \t]*|[ \t]+)){{0,3}}", re.IGNORECASE)


SECRET = "secret"
"""The reason for which nothing is remembered that was asked for in passing."""
ACCOUNT_NUMBER = "account_number"


def remember_request(spans: Sequence[Span]) -> str | None:
    """Return what is to be remembered at once: said in typed text, at the start of a clause, and no question."""
    found = map(_asked_to_remember, request_clauses(spans, words.pattern("remember.mentions_remembering")))
    return next(filter(None, found), None)


def remembered_type(text: str) -> MemoryType:
    """Return what kind of memory a text is, by how it is said."""
    said = simplified(text)
    for kind, wording in memory_wording.memory_types():
        if wording.search(said):
            return kind
    return MemoryType.FACT


def sensitive_reason(text: str) -> str | None:
    """Tell why a text may not become a live memory by itself: it holds a `url` (or an e-mail address), a `secret` or an
    `account_number` (a telephone number too), in the digits of whatever script."""
    said = simplified(in_figures(text))
    shapes = memory_wording.sensitive_shapes()
    return next((reason for reason, shape in shapes if shape.search(said) or _is_shaped_so(reason, said)), None)


def _is_shaped_so(reason: str, said: str) -> bool:
    return reason == ACCOUNT_NUMBER and has_grouped_digits(said)


def _asked_to_remember(place: ClauseStart) -> str | None:
    is_command = words.pattern("remember.command").match(place.plain)
    whole_line = is_command or words.pattern("remember.to_the_end_of_the_line").match(place.plain)
    request = whole_line or words.pattern("remember.to_the_end_of_the_sentence").match(place.plain)
    if request is None:
        return None
    limit = len(place.plain) if whole_line else place.sentence
    end = _end_of_statements(place.plain, request.end(), limit)
    if place.goes_on and end == len(place.text):
        return None
    content = _courtesy().sub("", clean_memory(place.text[request.end() : end]).strip(EDGES)).strip(EDGES)
    shortest, longest = MEMORY_LIMITS
    if not shortest <= len(content) <= longest or words.pattern("remember.only_points").fullmatch(content):
        return None
    if not is_command and sensitive_reason(content) == SECRET:
        return None
    return _without_full_stop(content)


def _end_of_statements(plain: str, start: int, limit: int) -> int:
    """Where the statements end that begin here: before the first sentence that asks."""
    end = start
    for piece in typed_spans.sentences(plain[start:limit]):
        sentence = plain[start + piece.start : start + piece.end].strip()
        if words.pattern("remember.asks").search(_courtesy().sub("", sentence)):
            break
        end = start + piece.end
        if _courtesy().search(sentence):
            break
    return end


def _without_full_stop(content: str) -> str:
    """One sentence loses its full stop; several keep theirs."""
    bare = content.rstrip("。.！!")
    return bare if len(list(typed_spans.sentences(content))) == 1 and len(bare) >= MEMORY_LIMITS[0] else content


@cache
def _courtesy() -> re.Pattern[str]:
    """Return what may stand behind a request, to the end of the text."""
    return re.compile(rf"[，,。 ]*(?:{words.choices('remember.courtesy')})[\s?？。.!！~]*$", re.IGNORECASE)


_MARKS = "。！!？?；;…. "


def forget_request(spans: Sequence[Span]) -> str | None:
    """Return what is to be forgotten, in the user's words without particles: the text to search memories for."""
    found = map(_asked_to_forget, request_clauses(spans, words.pattern("remember.mentions_forgetting")))
    return next(filter(None, found), None)


def _asked_to_forget(place: ClauseStart) -> str | None:
    sentence = place.plain[: place.sentence]
    if _is_question(sentence) or words.pattern("remember.instead").search(sentence):
        return None
    for pattern in words.patterns("remember.to_be_forgotten"):
        if match := pattern.fullmatch(sentence.rstrip(_MARKS)):
            what = without_particles(clean_memory(place.text[slice(*match.span("what"))]))
            if len(what) >= MEMORY_LIMITS[0] and not words.pattern("remember.nothing_to_forget").fullmatch(what):
                return what
    return None


def _is_question(sentence: str) -> bool:
    """Tell whether it asks, other than for the favour itself."""
    asks, favour = (words.pattern(f"remember.{each}").search(sentence) for each in ("asks", "favour"))
    return asks is not None and favour is None


def without_particles(what: str) -> str:
    """The words for a thing alone: "the bit about my job please" is "my job"."""
    before = ""
    while what != before:
        before = what = what.strip(EDGES)
        for around in _around():
            if match := around.search(simplified(what)):
                what = (what[: match.start()] + what[match.end() :]).strip(EDGES)
    return what


@cache
def _around() -> tuple[re.Pattern[str], ...]:
    leading, trailing = words.choices("remember.leading"), words.choices("remember.particles")
    return re.compile(rf"^(?:{leading})", re.IGNORECASE), re.compile(rf"(?:{trailing})$", re.IGNORECASE)


MIN_FIT = 0.5
"""So much of what is to be forgotten must stand in a memory. Chosen by hand: of two words one."""
BESIDE_THE_BEST = 0.8
"""So near the best fit another memory must be to be meant too. Chosen by hand."""


class ForgetCandidate(Struct, frozen=True):
    """A live memory that a search found; `is_near` where its meaning alone is near."""

    id: int
    content: str
    is_near: bool = False


def meant_to_be_forgotten(wanted: str, found: Sequence[ForgetCandidate]) -> list[int]:
    """The memories that hold most of the words for what is to be forgotten, in the order in which they were found; else
    the one whose meaning is nearest. Which of them go is for the user to say."""
    words_wanted = content_words(wanted)
    fits = {each.id: _fit(words_wanted, each.content) for each in found}
    best = max(fits.values(), default=0.0)
    named = [each.id for each in found if fits[each.id] >= max(MIN_FIT, BESIDE_THE_BEST * best)]
    return named or [each.id for each in found if each.is_near][:1]


def _fit(wanted: frozenset[str], content: str) -> float:
    return len(wanted.intersection(index_terms(content))) / len(wanted) if wanted else 0.0
