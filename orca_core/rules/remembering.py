"""What the user asks, in so many words, to be remembered or forgotten.

Only typed text counts, only where a sentence or line begins, and never inside quotation marks or code: what a pasted
page, a quoted friend or an example says is not the user's wish."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from orca_core.domain.messages import Source, Span
from orca_core.rules import remember_phrases
from orca_core.rules.cleaning import MEMORY_LIMITS, clean_memory
from orca_core.rules.memory_types import remembered_type as remembered_type
from orca_core.rules.spans import normalise

_QUOTED = re.compile(
    r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`|“[^“”]*”|「[^「」]*」|『[^『』]*』|\"[^\"\n]*\"|^[ \t]*>[^\n]*",
    re.DOTALL | re.MULTILINE,
)
_MASK = "\ufffc"
_SENTENCE_END = re.compile(r"[。！？!?；;…]+|\.+(?=\s|\Z)")
_CLAUSE_START = re.compile(r"\A|(?<=\n)|(?<=[。！？!?；;…])|(?<=\.)(?=[ \t])")
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
_ASKS = re.compile(r"[?？]|[吗嘛]$|(?<![什怎那这多要])么$|^(?:怎么|如何|为什么)|(?:怎么|如何)[^，,]{0,6}$")
_ONLY_POINTS = re.compile(
    r"(?:我们?的|咱们?的)[^，,是叫为有在用住喜不]{1,6}|(?:my|our)(?: \w+){1,2}|我?(?:刚才|之前|上面|刚刚)?说的(?:话|这些)?"
    r"|what i (?:said|told you)|this|that|it|这个|那个|这些",
    re.IGNORECASE,
)
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
        end = _SENTENCE_END.search(clause.masked)
        sentence = clause.masked[: end.start() if end else None].rstrip()
        if end and set(end[0]) & set("?？"):
            continue
        for request in remember_phrases.requests_to_forget():
            if (match := request.match(sentence)) is None:
                continue
            start, stop = next(match.span(group) for group in match.groupdict() if match[group] is not None)
            what = _without_particles(clause.text[start:stop])
            if MEMORY_LIMITS[0] <= len(what) and not remember_phrases.nothing_to_forget().fullmatch(what):
                return what
    return None


def _asked_to_remember(clause: _Clause) -> str | None:
    if match := remember_phrases.to_the_end_of_the_line().match(clause.masked):
        end = _end_of_statements(clause.masked, match.end())
    elif match := remember_phrases.to_the_end_of_the_sentence().match(clause.masked):
        stop = _SENTENCE_END.search(clause.masked, match.end())
        end = stop.end() if stop else len(clause.masked)
    else:
        return None
    if clause.goes_on and end == len(clause.text):
        return None
    content = _COURTESY.sub("", clean_memory(clause.text[match.end() : end])).strip(_EDGES)
    content = _without_full_stop(content)
    is_askable = _ASKS.search(content) is None and _ONLY_POINTS.fullmatch(content) is None
    return content if is_askable and MEMORY_LIMITS[0] <= len(content) <= MEMORY_LIMITS[1] else None
