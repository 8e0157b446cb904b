"""Questions about the one who asks: what Orca knows of them, in Chinese and English.

Some name the remembering ("你还记得…", "remind me which…"); plain ones ("我用什么编辑器？", "where do I live?") must ask
for what is so or was, not for advice, though both say "I" and "my"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from orca_core.rules.asking import recall_phrases
from orca_core.rules.asking.recall_phrases import RecallPhrases

EDGE_CHARS = 400
"""Of a long text only its beginning and its end are read: a question stands at one of them."""


@dataclass(frozen=True, slots=True)
class RecallQuestion:
    """A question about the user; without a topic it asks for all that is known."""

    topic: bool


_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`", re.DOTALL)
_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_SENTENCE = re.compile(r"(?:[^。！？!?；;.\n]|\.(?!\s))+[。！？!?；;.]*")
_CLAUSE_END = re.compile(r"[，,：:、—]+\s*")
_FILLERS = re.compile(
    r"(?:(?:那么|那|所以|对了|嗯|请问|话说|顺便问一?下?|你好|嘿|喂|哎|到底"
    r"|(?:hey|hi|hello|ok|okay|so|and|but|well|wait|now|also|btw|by the way|orca|quick question|just curious)\b)[ ,，]*){0,3}",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"[?？]$|[吗么嘛]$|来着$|[了过]没有?$|什么|怎么|啥|哪|谁|几|多少|是不是|有没有|记不记得|知不知道"
    r"|^(?:(?:do|don't|can|could|would|did|have|will|please|remind|tell|what|which|who|where|when|how)\b)",
    re.IGNORECASE,
)
_HAN = re.compile("[\u4e00-\u9fff]")


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
    phrases = recall_phrases.chinese() if _HAN.search(sentence) else recall_phrases.english()
    is_question = _ASKS.search(sentence) is not None
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


def _names_remembering(text: str, phrases: RecallPhrases) -> bool:
    return phrases.remembering.match(text) is not None and phrases.idiom.search(text) is None


def _clauses(sentence: str) -> Iterator[tuple[str, str]]:
    """Each clause without its opening words: the sentence from there on, and the clause alone."""
    bare = sentence.rstrip("。！？!?；;.~～ ")
    starts = [0, *(comma.end() for comma in _CLAUSE_END.finditer(bare))]
    ends = [*(comma.start() for comma in _CLAUSE_END.finditer(bare)), len(bare)]
    for start, end in zip(starts, ends, strict=True):
        opened = _FILLERS.match(bare, start)
        begin = opened.end() if opened else start
        if begin < len(bare):
            yield bare[begin:], bare[begin:end]
