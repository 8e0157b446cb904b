"""Questions about the one who asks: what Orca knows of them.

Some name the remembering ("你还记得…", "remind me which…"). Any other question that names me, my, our is one too,
unless it asks what will, may or should be, or about something at hand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from orca_core import words
from orca_core.rules.clauses import splitting
from orca_core.rules.clauses.clause import Clause, Frame, Mood, Subject, Time
from orca_core.rules.clauses.reading import read_clauses
from orca_core.rules.clauses.wording import without_opening
from orca_core.rules.text.scripts import simplified

EDGE_CHARS = 400
"""Of a long text only its beginning and its end are read: a question stands at one of them. It bounds the time."""


class RecallQuestion(Struct, frozen=True):
    """A question about the user. Without a topic it asks for all that is known; an open one for all of its topic."""

    topic: bool
    open: bool = False


_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`", re.DOTALL)
_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_MARKS = "。！？!?；;.~～ "
_ASKED_OF_ORCA = (Frame.NONE, Frame.POSSIBLE, Frame.JOKE)


class _Asked(Struct, frozen=True):
    """A clause of a sentence, as it is compared with wordings: blanks and marks evened out, its opening words gone."""

    clause: Clause
    text: str
    rest: str
    """The sentence from the clause on."""
    whole: str
    """The clause with its opening words: 对吗 is more than one."""
    full: str
    """The sentence from the clause on, with its opening words."""

    @property
    def asks(self) -> bool:
        """Whether it asks, or asks to be told."""
        return self.clause.mood is Mood.ASKED or (self.clause.mood is Mood.ORDERED and _has("to_be_told", self.text))

    @property
    def is_of_the_user(self) -> bool:
        """Whether it names the user, and asks or tells what is or was so, of no text at hand."""
        named = words.pattern("recall.not_about_me").sub(" ", self.text)
        return (
            _has("about_me", named)
            and not _has("advice", named)
            and not _has("at_hand", named)
            and (not _has("how", named) or _has("habit", named))
            and (not _has("why", named) or _has("decided", named))
        )


def recall_question(text: str) -> RecallQuestion | None:
    """Whether a text asks what is known of the user: any of its sentences, code and quoted lines left out."""
    for sentence in _sentences(text, _NEEDED):
        if (question := _asked_in(sentence)) is not None:
            return question
    return None


def asks_of_past_work(text: str) -> bool:
    """Whether a text asks how something was dealt with before, or whether it was there before: by the user, or by
    nobody that it names ("上次 502 怎么解决的")."""
    return any(_is_of_past_work(sentence) for sentence in _sentences(text, ("past_work",)))


_NEEDED = ("about_me", "everything", "open", "open_of_mine", "remembering")


def _sentences(text: str, needed: Sequence[str]) -> Iterator[list[_Asked]]:
    """Its sentences, read; none where it holds none of the wordings of which one is needed: reading takes long."""
    prose = simplified(_QUOTED_LINE.sub("", _CODE.sub(" ", text)).replace("’", "'"))
    if len(prose) > 2 * EDGE_CHARS:
        prose = f"{prose[:EDGE_CHARS]}\n{prose[-EDGE_CHARS:]}"
    if not any(_has(each, _evened(prose)) for each in needed):
        return
    for _, sentence in groupby(read_clauses(prose), lambda clause: clause.sentence):
        yield list(_read(prose, tuple(sentence)))


def _is_of_past_work(sentence: Sequence[_Asked]) -> bool:
    if not all(each.clause.frame in _ASKED_OF_ORCA for each in sentence) or not any(each.asks for each in sentence):
        return False
    return _has("past_work", sentence[0].full) and not _has("work_of_others", sentence[0].full)


def _read(prose: str, clauses: Sequence[Clause]) -> Iterator[_Asked]:
    end = clauses[-1].end
    masked = splitting.masked(prose)
    for clause in clauses:
        whole, rest = _evened(clause.text), _evened(masked[clause.start : end])
        yield _Asked(clause, without_opening(whole), without_opening(rest), whole, rest)


def _evened(text: str) -> str:
    return " ".join(text.rstrip(_MARKS).split())


def _asked_in(sentence: Sequence[_Asked]) -> RecallQuestion | None:
    may_be_default = not any(each.clause.mood is Mood.SUPPOSED for each in sentence)
    for index, each in enumerate(sentence):
        if each.clause.frame not in (*_ASKED_OF_ORCA, Frame.REPORTED):
            continue
        if _asks_for_everything(each):
            return RecallQuestion(topic=False)
        if _is_open(each):
            return RecallQuestion(topic=True, open=True)
        if _names_remembering(each) and any(later.asks for later in sentence[index:]):
            return RecallQuestion(topic=True)
        is_default = may_be_default and each.clause.frame is not Frame.REPORTED and each.clause.mood is Mood.ASKED
        if is_default and (_asks_of_the_user(each) or (index and _asks_of_what_was_told(each, sentence[index - 1]))):
            return RecallQuestion(topic=True)
    return None


def _asks_for_everything(asked: _Asked) -> bool:
    everything = words.pattern("recall.everything")
    return everything.fullmatch(asked.rest) is not None or everything.fullmatch(asked.text) is not None


def _is_open(asked: _Asked) -> bool:
    """ "What do you know about our servers?" · 我们的部署流程你都记得什么"""
    return _has("open", asked.rest) or _has("open_of_mine", asked.rest)


def _names_remembering(asked: _Asked) -> bool:
    return words.pattern("recall.remembering").match(asked.rest) is not None and not _has("idiom", asked.rest)


def _asks_of_the_user(asked: _Asked) -> bool:
    """When a plan is to happen was told; whether it will is a guess."""
    is_guess = asked.clause.time is Time.PLANNED and not _has("particular", asked.text)
    return asked.is_of_the_user and not is_guess and not _has("to_orca", asked.text)


def _asks_of_what_was_told(asked: _Asked, told: _Asked) -> bool:
    """ "I don't like comedies, right?" · 我看过一部电影，它的名字是？"""
    if told.clause.mood is not Mood.STATED or told.clause.subject not in (Subject.USER, Subject.THEIRS):
        return False
    is_asked = any(words.pattern(f"recall.{each}").fullmatch(asked.whole) for each in ("confirms", "names_it"))
    return is_asked and told.is_of_the_user


def _has(wording: str, text: str) -> bool:
    return words.pattern(f"recall.{wording}").search(text) is not None
