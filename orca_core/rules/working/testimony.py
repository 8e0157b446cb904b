"""What the user told of their own work in some rounds: what was spoken of, what was done, and what ends it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from orca_core import words
from orca_core.domain.dialogues import Round
from orca_core.rules.clauses import splitting
from orca_core.rules.clauses.clause import Clause, Frame, Mood, Subject, Time
from orca_core.rules.learning.agent.transcripts import testimony
from orca_core.rules.learning.trust.typed import Ground, TypedRound, ground_of, wording_of_clauses
from orca_core.rules.learning.trust.wordings import Wording, together, wording_of
from orca_core.rules.text.scripts import simplified
from orca_core.rules.working import names, whose
from orca_core.rules.working.whose import says

MAX_NAMED_CHARS = 40
"""A longer quotation is a text of another's. Chosen by hand."""

_CLOCK = re.compile(r"\d{1,2}[:：]\d{2}(?!\d)")
_OWN = (Frame.NONE, Frame.POSSIBLE)


class Told(Struct, frozen=True):
    """The ground that an episode stands on: words `typed` by the user, and `foreign` ones, of others. `spoken` are
    those of what the user speaks of, `done` those of what they say was done, `undenied` without what was not.
    `answers` are the assistant's, each with its round; `acknowledged` are the rounds in which the user says that
    something proposed was done; `keys` are words that open something."""

    ground: Ground
    typed: Wording
    foreign: Wording
    spoken: Wording
    done: Wording
    undenied: Wording
    answers: tuple[tuple[int, str], ...]
    acknowledged: tuple[int, ...]
    keys: frozenset[str]

    @property
    def rounds(self) -> tuple[TypedRound, ...]:
        return self.ground.rounds


def told_in(rounds: Sequence[Round], target: str = "") -> Told:
    """All episodes of a run stand on the same rounds. A name that stands in `target` is no person's."""
    return _told(tuple(rounds), target)


@lru_cache(maxsize=8)
def _told(rounds: tuple[Round, ...], target: str) -> Told:
    said = testimony(rounds)
    ground = ground_of(said)
    ground = replace(ground, rounds=names.with_names(ground.rounds, target))
    shown = whose.shown_before(rounds)
    done = [
        clause for each in ground.rounds for clause in done_in(each) if not whose.is_an_echo(clause, shown[each.number])
    ]
    quoted = [(each, quotation) for each in ground.rounds for quotation in splitting.quotations(each.text)]
    named = together(wording_of(quotation) for each, quotation in quoted if _names_only(quotation, each))
    others = [quotation for each, quotation in quoted if not _names_only(quotation, each)]
    own = wording_of_clauses(clause for each in ground.rounds for clause in each.clauses if _is_spoken(clause))
    return Told(
        ground=ground,
        typed=together([ground.typed, named]),
        foreign=together(wording_of(each) for each in (*said.untrusted, *others)),
        spoken=together([own, named]),
        done=wording_of_clauses(done),
        undenied=wording_of_clauses(undenied(done)),
        answers=tuple((each.number, each.assistant) for each in rounds if each.assistant.strip()),
        acknowledged=tuple(
            each.number
            for each in ground.rounds
            if any(says("did_so", clause.text) and not clause.negated for clause in done_in(each))
        ),
        keys=frozenset(key for each in rounds for key in _keys_in(each.user)),
    )


def _names_only(quotation: str, typed: TypedRound) -> bool:
    """Whether it is a message or a phrase at hand, in the user's own telling, and no text of another's."""
    return len(quotation) <= MAX_NAMED_CHARS and all(is_own(clause) for clause in typed.clauses)


def _is_spoken(clause: Clause) -> bool:
    """Whether the user speaks of it: what a tool said is told by them, too."""
    return is_own(clause) or (clause.frame is Frame.REPORTED and clause.subject is Subject.THING)


def is_settled(clause: Clause, typed: TypedRound) -> bool:
    """Whether it says how something is: stated, and not of what is to come."""
    if clause.time is Time.PLANNED and not says("as_meant", clause.text):
        return False
    before = [each for each in typed.clauses if each.sentence == clause.sentence and each.start < clause.start]
    if any(says("hopes", each.text) for each in (*before, clause)) or _follows_a_plan(clause, before, typed):
        return False
    if before and not clause.is_named and whose.only_wants(before[-1]):
        clause = clause._replace(subject=Subject.UNKNOWN)
    # Without a mark 还是 asks for nothing: 还是报错.
    is_no_question = clause.mood is Mood.ASKED and "还是" in simplified(clause.text) and not _is_marked(clause, typed)
    return is_stated(clause._replace(mood=Mood.STATED) if is_no_question else clause)


def _follows_a_plan(clause: Clause, before: Sequence[Clause], typed: TypedRound) -> bool:
    """Whether it says what comes of something that is not done: of an entry of a schedule, or "then it works"."""
    if any(_is_scheduled(each, typed) for each in (*before, clause)):
        return True
    return says("then", clause.text) and any(_is_ahead(each, typed) or each.mood is Mood.ORDERED for each in before)


def _is_ahead(clause: Clause, typed: TypedRound) -> bool:
    return clause.time is Time.PLANNED or says("ahead", clause.text) or _is_scheduled(clause, typed)


def _is_scheduled(clause: Clause, typed: TypedRound) -> bool:
    """Whether a time of day leads it, and no such entry of the message says that anything was done."""
    if _CLOCK.match(clause.text) is None:
        return False
    return not any(says("did", each.text) for each in typed.clauses if _CLOCK.match(each.text))


def _is_marked(clause: Clause, typed: TypedRound) -> bool:
    """Whether a question mark ends its sentence, or a particle that asks the clause."""
    last = max(each.end for each in typed.clauses if each.sentence == clause.sentence)
    ends = typed.text[clause.end : last + 1]
    return "?" in ends or "？" in ends or clause.text.rstrip("?？ ")[-1:] in "吗么呢"


def is_own(clause: Clause) -> bool:
    """Whether it is the user's own word: no text at hand, no role, nobody else's."""
    return clause.frame in _OWN


def is_stated(clause: Clause) -> bool:
    """Whether the user says that it is so, of themselves or of a thing of theirs."""
    is_said = clause.mood is Mood.STATED or (clause.mood is Mood.ORDERED and says("bare_past", clause.text))
    return is_own(clause) and is_said and not whose.is_anothers(clause) and clause.subject is not Subject.ASSISTANT


def done_in(typed: TypedRound) -> Iterator[Clause]:
    """The clauses of a round that tell of what was done, not of what is to be, nor in a sentence that turns it down."""
    theirs = whose.of_others(typed.clauses)
    refused = {clause.sentence for clause in typed.clauses if says("refuses", clause.text)}
    sentence = -1
    is_ahead = False
    for clause in typed.clauses:
        if clause.sentence != sentence:
            sentence, is_ahead = clause.sentence, False
        is_ahead = is_ahead or _is_ahead(clause, typed)
        if not is_ahead and is_stated(clause) and clause.sentence not in refused and clause not in theirs:
            yield clause


def undenied(clauses: Iterable[Clause]) -> Iterator[Clause]:
    """Clauses without what they say was not so."""
    for clause in clauses:
        text = clause.text
        for denied in clause.denied:
            text = text.replace(denied, " ")
        yield clause._replace(text=text)


def _keys_in(text: str) -> Iterator[str]:
    for pattern in words.patterns("ending.keys"):
        for match in pattern.finditer(text):
            yield match["value"]
