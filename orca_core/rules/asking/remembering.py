"""What the user asks, in so many words, to be remembered or forgotten.

Only typed text counts, only where a sentence or line begins, and never inside quotation marks or code: what a pasted
page, a quoted friend or an example says is not the user's wish."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from orca_core import words
from orca_core.domain.memories import MemoryType
from orca_core.domain.messages import Source, Span
from orca_core.rules.text import memory_wording
from orca_core.rules.text.cleaning import MEMORY_LIMITS, clean_memory
from orca_core.rules.text.spans import normalise

_QUOTED = re.compile(
    r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`|“[^“”]*”|「[^「」]*」|『[^『』]*』|\"[^\"\n]*\"|^[ \t]*>[^\n]*",
    re.DOTALL | re.MULTILINE,
)
_MASK = "\ufffc"
_UP_TO_A_COMMA = re.compile(r"[^，,]+")
_CLAUSE_CHARS = 2 * MEMORY_LIMITS[1]
"""More of a line is not read for one request: what it asks for would be too long for a memory."""
_EDGES = " ，,：:、;；-–—"


@dataclass(frozen=True, slots=True)
class _Clause:
    """The rest of a line, from where a clause begins.

    `masked` has the same length, with every quoted letter masked. `goes_on` is true where the line continues in text
    that was not typed."""

    text: str
    masked: str
    goes_on: bool


@dataclass(frozen=True, slots=True)
class _Around:
    """Patterns of what stands around a request and is no part of it."""

    sentence_end: re.Pattern[str]
    line_or_sentence_end: re.Pattern[str]
    opening: re.Pattern[str]
    courtesy: re.Pattern[str]
    only_points: re.Pattern[str]
    particles: re.Pattern[str]


@cache
def _around() -> _Around:
    # "Dr. Heron", "J. Smith" and "e.g. nuts" end no sentence.
    before = "".join(rf"(?<!\b{re.escape(each)})" for each in words.words("remember.abbreviations"))
    sentence_end = rf"[。！？!?；;…]+|{before}(?<!\b[A-Z])\.+(?=\s|\Z)"
    opening, courtesy = words.choices("remember.opening"), words.choices("remember.courtesy")
    return _Around(
        sentence_end=re.compile(sentence_end),
        line_or_sentence_end=re.compile(rf"\n|{sentence_end}"),
        opening=re.compile(
            rf"[ \t]*(?:[-*•][ \t]+)?(?:(?:{opening})(?:[ \t]*[，,：:！!][ \t]*|[ \t]+)){{0,3}}", re.IGNORECASE
        ),
        courtesy=re.compile(rf"[，,。 ]*(?:{courtesy})[\s?？。.!！~]*$", re.IGNORECASE),
        only_points=re.compile(words.choices("remember.only_points"), re.IGNORECASE),
        particles=re.compile(rf"(?:{words.choices('remember.particles')})+$", re.IGNORECASE),
    )


def remember_request(spans: Sequence[Span]) -> str | None:
    """What is to be remembered at once: said in typed text, at the start of a clause, and no question."""
    for clause in _typed_clauses(spans):
        if (content := _asked_to_remember(clause)) is not None:
            return content
    return None


def forget_request(spans: Sequence[Span]) -> str | None:
    """What is to be forgotten, in the user's words: the text to search memories for."""
    for clause in _typed_clauses(spans):
        stop = _around().sentence_end.search(clause.masked)
        is_question = stop is not None and not {"?", "？"}.isdisjoint(stop[0])
        if not is_question and (what := _asked_to_forget(clause, stop.start() if stop else len(clause.masked))):
            return what
    return None


def remembered_type(text: str) -> MemoryType:
    """What kind of memory a text is, by how it is said."""
    for kind, wording in memory_wording.types():
        if wording.search(text):
            return kind
    return MemoryType.FACT


def is_conditional(text: str) -> bool:
    """Whether it holds only under a condition: "if the user mentions taxes, …", "每当…"."""
    return memory_wording.conditions().search(text) is not None


def sensitive_reason(text: str) -> str | None:
    """Why a text may not become a live memory by itself: it holds a `url` (or an e-mail address), a `secret` or an
    `account_number` (a telephone number too)."""
    return next((reason for reason, shape in memory_wording.sensitive_shapes() if shape.search(text)), None)


def _asked_to_remember(clause: _Clause) -> str | None:
    if match := words.pattern("remember.to_the_end_of_the_line").match(clause.masked):
        is_whole_line = True
    elif match := words.pattern("remember.to_the_end_of_the_sentence").match(clause.masked):
        is_whole_line = False
    else:
        return None
    end = _end_of_statements(clause.masked, match.end(), is_whole_line=is_whole_line)
    if clause.goes_on and end == len(clause.text):
        return None
    around = _around()
    content = around.courtesy.sub("", clean_memory(clause.text[match.end() : end]).strip(_EDGES)).strip(_EDGES)
    shortest, longest = MEMORY_LIMITS
    if not shortest <= len(content) <= longest or around.only_points.fullmatch(content):
        return None
    return _without_full_stop(content)


def _end_of_statements(masked: str, start: int, *, is_whole_line: bool) -> int:
    """Where the statements end that begin here: one sentence, or all of the line up to its first question."""
    around, asks = _around(), words.pattern("remember.asks", flags=re.NOFLAG)
    end = start
    while end < len(masked):
        stop = around.sentence_end.search(masked, end)
        sentence_end = stop.end() if stop else len(masked)
        sentence = masked[end:sentence_end].strip()
        if asks.search(around.courtesy.sub("", sentence)):
            return end
        end = sentence_end
        if not is_whole_line or around.courtesy.search(sentence):
            return end
    return end


def _asked_to_forget(clause: _Clause, end: int) -> str | None:
    sentence = clause.masked[:end].rstrip()
    nothing = words.pattern("remember.nothing_to_forget")
    for request in words.patterns("remember.to_be_forgotten"):
        if match := request.fullmatch(sentence):
            wanted = _UP_TO_A_COMMA.match(clause.text, *match.span("what"))
            what = _around().particles.sub("", clean_memory(wanted[0] if wanted else "")).strip(_EDGES)
            if len(what) >= MEMORY_LIMITS[0] and not nothing.fullmatch(what):
                return what
    return None


def _typed_clauses(spans: Sequence[Span]) -> Iterator[_Clause]:
    """The clauses of the typed spans. After a span of another origin, a clause begins only if that span ended its
    line."""
    around = _around()
    merged = normalise(spans)
    for index, span in enumerate(merged):
        if span.source is not Source.TYPED:
            continue
        masked = _QUOTED.sub(_mask, span.text)
        is_opened = index == 0 or merged[index - 1].text.endswith("\n")
        goes_on = index + 1 < len(merged) and not merged[index + 1].text.startswith(("\n", "\r"))
        starts = [end.end() for end in around.line_or_sentence_end.finditer(masked)]
        for start in [0, *starts] if is_opened else starts:
            opening = around.opening.match(masked, start)
            begin = opening.end() if opening else start
            limit = min(begin + _CLAUSE_CHARS, len(masked))
            line_end = masked.find("\n", begin, limit)
            end = line_end if line_end >= 0 else limit
            yield _Clause(span.text[begin:end], masked[begin:end], goes_on and end == len(masked))


def _mask(match: re.Match[str]) -> str:
    return "".join(character if character == "\n" else _MASK for character in match[0])


def _without_full_stop(content: str) -> str:
    """One sentence loses its full stop; several keep theirs."""
    is_one_sentence = len(_around().sentence_end.findall(content)) == 1
    return content.rstrip("。.") if is_one_sentence and len(content.rstrip("。.")) >= MEMORY_LIMITS[0] else content
