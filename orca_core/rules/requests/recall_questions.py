"""Questions about the one who asks: what Orca knows of them.

Some name the remembering ("你还记得…", "remind me which…"). Any other question that names me, my, our is one too,
unless it makes a request, is about something at hand, or about what will, may or should be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from orca_core import words
from orca_core.rules.requests.prose import own_words, without_opening
from orca_core.rules.text import sentences

EDGE_CHARS = 400
"""Of a long text only its beginning and its end are read: a question stands at one of them. It bounds the time."""


class RecallQuestion(Struct, frozen=True):
    """A question about the user. Without a topic it asks for all that is known; an open one for all of its topic. One
    that is `named` says that it asks what is remembered; any other may ask for something else."""

    topic: bool
    open: bool = False
    named: bool = False


_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`", re.DOTALL)
_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_CLAUSE_END = re.compile(r"[,，;；:：、—]+\s*|\s+-+\s+|\s+(?=but\b|so\b)|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])")
_MARKS = "。！？!?；;.~～,，:： "
_QUESTION_MARKS = ("?", "？")


class _Clause(Struct, frozen=True):
    """A clause of a sentence without the words that only open it, the sentence from it on, and whether it asks."""

    text: str
    rest: str
    asks: bool

    @property
    def is_of_the_user(self) -> bool:
        """Whether it names the user, and asks what is or was so, of no text at hand."""
        named = words.pattern("recall.not_about_me").sub(" ", self.text)
        if not _has("about_me", named) or _has("asks_else", named):
            return False
        return not _has("how_or_why", named) or _has("habit_or_choice", named)


def recall_question(text: str) -> RecallQuestion | None:
    """Whether a text asks what is known of the user: any of its sentences, code and quotations left out."""
    prose = _prose(text)
    if not any(_has(each, prose) for each in ("about_me", "everything", "open", "open_of_mine", "remembering")):
        return None
    return next(filter(None, map(_asked_in, _sentences(prose))), None)


def asks_of_past_work(text: str) -> bool:
    """Whether a text asks how something was dealt with before, or whether it was there before: by the user, or by
    nobody that it names ("上次 502 怎么解决的")."""
    return any(
        any(each.asks or _has("to_be_told", each.text) for each in sentence)
        and _has("past_work", sentence[0].rest)
        and not _has("work_of_others", sentence[0].rest)
        for sentence in _sentences(_prose(text))
    )


def _prose(text: str) -> str:
    """The edges of what is the user's own words, in one script."""
    own = _QUOTED_LINE.sub("", _CODE.sub(" ", text))
    return own_words(own if len(own) <= 2 * EDGE_CHARS else f"{own[:EDGE_CHARS]}\n{own[-EDGE_CHARS:]}")


def _sentences(prose: str) -> Iterator[Sequence[_Clause]]:
    """The clauses of each sentence, up to one that sets a text to work on, or a play."""
    aside = words.pattern("recall.sets_aside").search(prose)
    for piece in sentences.sentences(prose[: aside.start()] if aside else prose):
        sentence = prose[piece.start : piece.end].strip()
        if clauses := list(_clauses(sentence)):
            yield clauses


def _clauses(sentence: str) -> Iterator[_Clause]:
    is_marked = sentence.rstrip("!！.~～ ").endswith(_QUESTION_MARKS)
    pieces, start = [], 0
    for end in [*_CLAUSE_END.finditer(sentence), None]:
        piece = sentence[start : end.start() if end else len(sentence)].strip(_MARKS)
        if piece:
            pieces.append((piece, " ".join(sentence[start:].rstrip(_MARKS).split())))
        start = end.end() if end else start
    for index, (piece, rest) in enumerate(pieces):
        text = without_opening(" ".join(piece.split()))
        is_last = is_marked and index == len(pieces) - 1
        yield _Clause(text, without_opening(rest), is_last or words.pattern("recall.asks").search(text) is not None)


def _asked_in(sentence: Sequence[_Clause]) -> RecallQuestion | None:
    is_supposed = any(_has("supposes", each.text) for each in sentence)
    for index, each in enumerate(sentence):
        if any(words.pattern("recall.everything").fullmatch(said) for said in (each.rest, each.text)):
            return RecallQuestion(topic=False, named=True)
        if _has("open", each.rest) or _has("open_of_mine", each.rest):
            return RecallQuestion(topic=True, open=True, named=True)
        asks_on = any(later.asks for later in sentence[index:])
        if asks_on and words.pattern("recall.remembering").match(each.rest) and not _has("idiom", each.rest):
            return RecallQuestion(topic=True, named=True)
        if is_supposed or not each.asks or _has("to_orca", each.text):
            continue
        told = sentence[index - 1] if index and words.pattern("recall.of_what_was_told").fullmatch(each.text) else each
        if told.is_of_the_user:
            return RecallQuestion(topic=True)
    return None


def _has(wording: str, text: str) -> bool:
    return words.pattern(f"recall.{wording}").search(text) is not None
