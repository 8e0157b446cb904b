"""What a second reader is asked of the episodes that would live, field by field, and what becomes of a field that it
doubts. It can hold an episode back, or take something from it, and release none: it is asked about none that is
held."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from orca_core import words
from orca_core.domain.dialogues import Round
from orca_core.domain.learning import DroppedFact
from orca_core.domain.work.tasks import Outcome
from orca_core.domain.work.telling import JudgedEpisode
from orca_core.rules.clauses.clause import Clause
from orca_core.rules.learning.trust.evidence import Held
from orca_core.rules.learning.trust.second_reading import UNREAD
from orca_core.rules.learning.trust.statements import MAX_MESSAGE_CHARS, Statement
from orca_core.rules.learning.trust.wordings import compare, wording_of
from orca_core.rules.text.languages import language_of
from orca_core.rules.working.endings import UNKNOWN
from orca_core.rules.working.testimony import Told, done_in, told_in

NOUN = "statement"
"""What the second reader is told that a statement is."""
MAX_BEFORE_CHARS = 8000
"""As much is shown of the rounds that an episode which goes on came from. It bounds what the question costs; chosen by
hand."""


class Part(StrEnum):
    """What of an episode a statement is about."""

    WORK = "work"
    """That it was the user's own, on this target, begun for this reason."""
    STEP = "step"
    OUTCOME = "outcome"


class Asked(Struct, frozen=True):
    """A statement, and what it is about: a part of the episode at a place, of its steps the one at `step`."""

    place: int
    part: Part
    statement: Statement
    step: int = 0


def asked_about(judged: Sequence[JudgedEpisode], rounds: Sequence[Round]) -> list[Asked]:
    """What a second reader is asked: each field of the episodes that would live, by the rounds that they stand on."""
    return [
        asked
        for place, each in enumerate(judged)
        if each.held is None
        for asked in _statements_of(place, each, told_in([one for one in rounds if one.number in each.rounds]))
    ]


def shown(rounds: Sequence[Round], before: Sequence[Round]) -> list[Round]:
    """The rounds of a run, and of those before them as many of the last ones as there is room for."""
    room, first = MAX_BEFORE_CHARS, len(before)
    while first and (room := room - min(len(before[first - 1].user), MAX_MESSAGE_CHARS)) >= 0:
        first -= 1
    return [*before[first:], *rounds]


def held_back(
    judged: Sequence[JudgedEpisode], asked: Sequence[Asked], answers: Mapping[int, bool]
) -> list[JudgedEpisode]:
    """The episodes without what the second reader doubts, by the statements' numbers. One is held of which it doubts
    that it is the user's, or does not say so, or of which nothing is left; an end is kept that it confirms, and a step
    that it does not doubt."""
    answered = [(each, answers.get(number)) for number, each in enumerate(asked, start=1)]
    return [
        _after(each, [(one, said) for one, said in answered if one.place == place]) if each.held is None else each
        for place, each in enumerate(judged)
    ]


def _after(judged: JudgedEpisode, answered: Sequence[tuple[Asked, bool | None]]) -> JudgedEpisode:
    left_out = [(asked, Held.SECOND_READER.value) for asked, says_so in answered if says_so is False]
    left_out += [(asked, UNREAD) for asked, says_so in answered if says_so is None and asked.part is Part.OUTCOME]
    without = _without(judged, left_out)
    is_empty = not without.proposed.steps and without.outcome is Outcome.UNKNOWN
    of_work = [says_so for asked, says_so in answered if asked.part is Part.WORK]
    if False in of_work or (is_empty and any(reason != UNREAD for _, reason in left_out)):
        return replace(without, held=Held.SECOND_READER.value)
    return replace(without, held=UNREAD if None in of_work or (is_empty and left_out) else None)


def _without(judged: JudgedEpisode, left_out: Iterable[tuple[Asked, str]]) -> JudgedEpisode:
    """Without these steps, and this outcome, each for its reason."""
    proposed, dropped = judged.proposed, list(judged.left_out)
    steps = {each.step: reason for each, reason in left_out if each.part is Part.STEP}
    dropped += [DroppedFact(proposed.steps[step], steps[step]) for step in sorted(steps)]
    kept = replace(proposed, steps=tuple(each for step, each in enumerate(proposed.steps) if step not in steps))
    outcome, quote = judged.outcome, judged.quote
    for reason in (reason for each, reason in left_out if each.part is Part.OUTCOME):
        dropped.append(DroppedFact(quote, reason))
        outcome, quote = UNKNOWN
        kept = replace(kept, outcome=outcome, outcome_quote=quote)
    return replace(judged, proposed=kept, outcome=outcome, quote=quote, left_out=tuple(dropped))


def _statements_of(place: int, judged: JudgedEpisode, told: Told) -> Iterable[Asked]:
    proposed = judged.proposed
    language = language_of(proposed.trigger)
    typed = [clause for each in told.rounds for clause in each.clauses]
    done = [clause for each in told.rounds for clause in done_in(each)]
    work = words.text("work.noted", "on", language).format(proposed.target or proposed.trigger)

    def statement(key: str, said: str, quote: str) -> Statement:
        return Statement(f"{work} {words.text('work.noted', key, language).format(said)}", quote, judged.rounds)

    yield Asked(place, Part.WORK, statement("work", proposed.trigger, _nearest(proposed.trigger, typed)))
    for number, step in enumerate(proposed.steps):
        yield Asked(place, Part.STEP, statement("step", step, _nearest(step, [*done, *typed])), number)
    if judged.outcome is not Outcome.UNKNOWN:
        yield Asked(place, Part.OUTCOME, statement(judged.outcome.value, judged.quote, judged.quote))


def _nearest(text: str, clauses: Sequence[Clause]) -> str:
    """The clause that says most of it, as it was typed; of equal ones the first. Empty where none says any of it."""
    shares = [(compare(text, wording_of(clause.text)).share, clause.text) for clause in clauses]
    share, said = max(shares, key=lambda each: each[0], default=(0.0, ""))
    return said if share > 0 else ""
