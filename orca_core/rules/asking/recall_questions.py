"""Questions about the one who asks: what Orca knows of them.

Some name the remembering ("你还记得…", "remind me which…"). Plain ones ("我用什么编辑器？", "where do I live?") must
ask for what is so or was, not for advice, though both say "I" and "my"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from orca_core import words

EDGE_CHARS = 400
"""Of a long text only its beginning and its end are read: a question stands at one of them. It bounds the time."""


@dataclass(frozen=True, slots=True)
class RecallQuestion:
    """A question about the user. Without a topic it asks for all that is known."""

    topic: bool


_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`", re.DOTALL)
_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_SENTENCE = re.compile(r"(?:[^。！？!?；;.\n]|\.(?!\s))+[。！？!?；;.]*")
_CLAUSE_END = re.compile(r"[，,：:、—]+\s*")
_HAN = re.compile("[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class _Phrases:
    """How such questions are worded. `everything`, `remembering` and `plain` are matched from a clause's start."""

    everything: re.Pattern[str]
    """The whole clause asks for all that is known, or who the user is."""
    remembering: re.Pattern[str]
    """The clause names the remembering, and something of the user's."""
    idiom: re.Pattern[str]
    """It does so only in passing: "do you know what I mean"."""
    plain: re.Pattern[str]
    """The whole clause asks for what is so, or was, in the user's life."""
    advice: re.Pattern[str]
    """It asks what to do, or about code. A plain question with such words is no recall question."""


@cache
def _phrases(*where: str) -> _Phrases:
    """The phrases of some languages."""
    return _Phrases(
        everything=words.pattern("recall.everything", *where),
        remembering=words.pattern("recall.remembering", *where),
        idiom=words.pattern("recall.idiom", *where),
        plain=words.pattern("recall.plain", *where),
        advice=words.pattern("recall.advice", *where),
    )


@cache
def _fillers() -> re.Pattern[str]:
    return re.compile(rf"(?:(?:{words.choices('recall.fillers')})[ ,，]*){{0,3}}", re.IGNORECASE)


def recall_question(text: str) -> RecallQuestion | None:
    """Whether a text asks what is known of the user: any of its sentences, code and quoted lines left out."""
    prose = _QUOTED_LINE.sub("", _CODE.sub(" ", text))
    if len(prose) > 2 * EDGE_CHARS:
        prose = f"{prose[:EDGE_CHARS]}\n{prose[-EDGE_CHARS:]}"
    for match in _SENTENCE.finditer(prose):
        sentence = " ".join(match[0].replace("’", "'").split())
        if (question := _asked_in(sentence)) is not None:
            return question
    return None


def _asked_in(sentence: str) -> RecallQuestion | None:
    phrases = _phrases(*(words.of_runs() if _HAN.search(sentence) else words.of_whole_words()))
    is_question = words.pattern("recall.asks").search(sentence) is not None
    is_marked, is_statement = sentence[-1:] in ("?", "？"), sentence[-1:] in ("。", "！")
    is_advice = phrases.advice.search(sentence) is not None
    for rest, clause in _clauses(sentence):
        if phrases.everything.fullmatch(rest) or phrases.everything.fullmatch(clause):
            return RecallQuestion(topic=False)
        if is_question and _names_remembering(rest, phrases):
            return RecallQuestion(topic=True)
        may_be_plain = not is_advice and (rest == clause or is_marked) and not is_statement
        if may_be_plain and (phrases.plain.fullmatch(rest) or phrases.plain.fullmatch(clause)):
            return RecallQuestion(topic=True)
    return None


def _names_remembering(text: str, phrases: _Phrases) -> bool:
    return phrases.remembering.match(text) is not None and phrases.idiom.search(text) is None


def _clauses(sentence: str) -> Iterator[tuple[str, str]]:
    """Each clause without its opening words, as a pair: the sentence from the clause on, and the clause alone."""
    bare = sentence.rstrip("。！？!?；;.~～ ")
    starts = [0, *(comma.end() for comma in _CLAUSE_END.finditer(bare))]
    ends = [*(comma.start() for comma in _CLAUSE_END.finditer(bare)), len(bare)]
    for start, end in zip(starts, ends, strict=True):
        opened = _fillers().match(bare, start)
        begin = opened.end() if opened else start
        if begin < len(bare):
            yield bare[begin:], bare[begin:end]
