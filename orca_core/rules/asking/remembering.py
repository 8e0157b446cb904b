"""What the user asks, in so many words, to be remembered or forgotten.

Only typed text counts, only where a sentence or line begins, and never inside quotation marks or code: what a pasted
page, a quoted friend or an example says is not the user's wish."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from orca_core.domain.memories import MemoryType
from orca_core.domain.messages import Source, Span
from orca_core.rules.asking import remember_phrases
from orca_core.rules.text import memory_wording
from orca_core.rules.text.cleaning import MEMORY_LIMITS, clean_memory
from orca_core.rules.text.spans import normalise

_QUOTED = re.compile(
    r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`|“[^“”]*”|「[^「」]*」|『[^『』]*』|\"[^\"\n]*\"|^[ \t]*>[^\n]*",
    re.DOTALL | re.MULTILINE,
)
_MASK = "\ufffc"
# "Dr. Heron", "J. Smith" and "e.g. nuts" end no sentence.
_FULL_STOP = r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bSt)(?<!\bvs)(?<!\be\.g)(?<!\bi\.e)(?<!\b[A-Z])\.+(?=\s|\Z)"
_SENTENCE_END = re.compile(rf"[。！？!?；;…]+|{_FULL_STOP}")
_LINE_OR_SENTENCE_END = re.compile(rf"\n|[。！？!?；;…]+|{_FULL_STOP}")
_OPENING = re.compile(
    r"[ \t]*(?:[-*•][ \t]+)?(?:(?:顺便(?:说|提)?(?:一?下|一句)?|另外|对了|还有|哦|嗯|好的?|那么?|所以|然后|最后|谢谢你?|你好|嘿|哎"
    r"|ok|okay|btw|by the way|also|and|but|so|oh|well|hey|hi|hello|thanks|thank you|orca|one more thing|ps|p\.s\.)"
    r"(?:[ \t]*[，,：:！!][ \t]*|[ \t]+)){0,3}",
    re.IGNORECASE,
)
_COURTESY = re.compile(
    r"[，,。 ]*(?:好吗|好么|可以吗|行吗|好不好|谢谢你?|拜托了?|(?<=[ ,])(?:ok|okay|please|thanks|thank you|will you|alright))[\s?？。.!！~]*$",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"[?？]|[吗嘛]$|(?<![什怎那这多要])么$|^(?:怎么|如何|为什么)|(?:怎么|如何)[^，,]{0,6}$|(?:什么|多少|谁|哪[里儿个]?)$"
)
_ONLY_POINTS = re.compile(
    r"(?:我们?的|咱们?的)[^，,是叫为有在用住喜不]{1,6}|(?:my|our)(?: \w+){1,2}|我?(?:刚才|之前|上面|刚刚)?说的(?:话|这些)?"
    r"|what i (?:said|told you)|this|that|it|这个|那个|这些",
    re.IGNORECASE,
)
_UP_TO_A_COMMA = re.compile(r"[^，,]+")
_PARTICLES = re.compile(r"(?:吧|了|哦|啊|掉| please| now)+$", re.IGNORECASE)
_CLAUSE_CHARS = 2 * MEMORY_LIMITS[1]
"""More of a line is not read for one request: what it asks for would be too long for a memory."""
_EDGES = " ，,：:、;；-–—"


@dataclass(frozen=True, slots=True)
class _Clause:
    """The rest of a line from where a clause begins; `masked` has the same length, with no letter of what is quoted.
    `goes_on` where the line continues in text that was not typed."""

    text: str
    masked: str
    goes_on: bool


def remember_request(spans: Sequence[Span]) -> str | None:
    """What is to be remembered at once: said in typed text, at the start of a clause, and no question."""
    for clause in _typed_clauses(spans):
        if (content := _asked_to_remember(clause)) is not None:
            return content
    return None


def forget_request(spans: Sequence[Span]) -> str | None:
    """What is to be forgotten, in the user's words, to be searched for."""
    for clause in _typed_clauses(spans):
        stop = _SENTENCE_END.search(clause.masked)
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
    if match := remember_phrases.to_the_end_of_the_line().match(clause.masked):
        is_whole_line = True
    elif match := remember_phrases.to_the_end_of_the_sentence().match(clause.masked):
        is_whole_line = False
    else:
        return None
    end = _end_of_statements(clause.masked, match.end(), is_whole_line=is_whole_line)
    if clause.goes_on and end == len(clause.text):
        return None
    content = _COURTESY.sub("", clean_memory(clause.text[match.end() : end]).strip(_EDGES)).strip(_EDGES)
    shortest, longest = MEMORY_LIMITS
    if not shortest <= len(content) <= longest or _ONLY_POINTS.fullmatch(content):
        return None
    return _without_full_stop(content)


def _end_of_statements(masked: str, start: int, *, is_whole_line: bool) -> int:
    """Where the statements end that begin here: one sentence, or all of the line up to its first question."""
    end = start
    while end < len(masked):
        stop = _SENTENCE_END.search(masked, end)
        sentence_end = stop.end() if stop else len(masked)
        sentence = masked[end:sentence_end].strip()
        if _ASKS.search(_COURTESY.sub("", sentence)):
            return end
        end = sentence_end
        if not is_whole_line or _COURTESY.search(sentence):
            return end
    return end


def _asked_to_forget(clause: _Clause, end: int) -> str | None:
    sentence = clause.masked[:end].rstrip()
    for request in remember_phrases.requests_to_forget():
        if match := request.fullmatch(sentence):
            wanted = _UP_TO_A_COMMA.match(clause.text, *match.span("what"))
            what = _PARTICLES.sub("", clean_memory(wanted[0] if wanted else "")).strip(_EDGES)
            if len(what) >= MEMORY_LIMITS[0] and not remember_phrases.nothing_to_forget().fullmatch(what):
                return what
    return None


def _typed_clauses(spans: Sequence[Span]) -> Iterator[_Clause]:
    """The clauses of what was typed. Behind text of another origin one begins only where that ended a line."""
    merged = normalise(spans)
    for index, span in enumerate(merged):
        if span.source is not Source.TYPED:
            continue
        masked = _QUOTED.sub(_mask, span.text)
        is_opened = index == 0 or merged[index - 1].text.endswith("\n")
        goes_on = index + 1 < len(merged) and not merged[index + 1].text.startswith(("\n", "\r"))
        starts = [end.end() for end in _LINE_OR_SENTENCE_END.finditer(masked)]
        for start in [0, *starts] if is_opened else starts:
            opening = _OPENING.match(masked, start)
            begin = opening.end() if opening else start
            limit = min(begin + _CLAUSE_CHARS, len(masked))
            line_end = masked.find("\n", begin, limit)
            end = line_end if line_end >= 0 else limit
            yield _Clause(span.text[begin:end], masked[begin:end], goes_on and end == len(masked))


def _mask(match: re.Match[str]) -> str:
    return "".join(character if character == "\n" else _MASK for character in match[0])


def _without_full_stop(content: str) -> str:
    """One sentence loses its full stop; several keep theirs."""
    is_one_sentence = len(_SENTENCE_END.findall(content)) == 1
    return content.rstrip("。.") if is_one_sentence and len(content.rstrip("。.")) >= MEMORY_LIMITS[0] else content
