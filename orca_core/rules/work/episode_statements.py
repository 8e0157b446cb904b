"""What the verifier is asked of the episodes that nothing holds, a statement a field, and what becomes of them by its
answers. An answer takes a field away or holds an episode back; it releases nothing: what is held is not asked about."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from orca_core import words
from orca_core.model.episodes import JudgedEpisode
from orca_core.model.learning import Answer, DroppedFact, Statement
from orca_core.model.llm import Source
from orca_core.model.sessions import Round
from orca_core.model.tasks import Outcome
from orca_core.rules.learning.fact_provenance import Held
from orca_core.rules.learning.fact_verifier import MAX_MESSAGE_CHARS
from orca_core.rules.text import typed_spans
from orca_core.rules.text.search_terms import content_words
from orca_core.rules.text.spelling import language_of
from orca_core.rules.work.episode_provenance import NOTHING_DONE, TARGET_NOT_TYPED, is_typed, typed_quote

MAX_BEFORE_CHARS = 8000
"""As much is shown of the rounds that an episode which goes on came from. It bounds what the question costs; chosen by
hand."""
Sentence = tuple[str, frozenset[str]]
"""A sentence with its words."""
NOT_SAID, UNREAD, NOT_TYPED = Held.NOT_SAID.value, Held.UNREAD.value, Held.NOT_TYPED.value


class Part(StrEnum):
    """The field of an episode that a statement is about."""

    WORK = "work"
    """That it was the user's own, on this target, begun for this reason."""
    TARGET = "target"
    """That the work was on this, where the user calls it otherwise."""
    STEP = "step"
    OUTCOME = "outcome"


class Asked(Struct, frozen=True):
    """A statement about a part of the episode at a place, of its steps the one at `step`."""

    place: int
    part: Part
    statement: Statement
    step: int = 0


def asked_about(judged: Sequence[JudgedEpisode], rounds: Sequence[Round], targets: Collection[str] = ()) -> list[Asked]:
    """A statement for each field of the episodes that are not held, with the nearest typed sentence of the rounds that
    they stand on. `targets` are the known names of work."""
    return [
        asked
        for place, each in enumerate(judged)
        if each.held is None
        for asked in _statements_of(place, each, [one for one in rounds if one.number in each.rounds], targets)
    ]


def shown(rounds: Sequence[Round], before: Sequence[Round]) -> list[Round]:
    """The rounds of a run, and of those before them as many of the last ones as there is room for."""
    room, first = MAX_BEFORE_CHARS, len(before)
    while first and (room := room - min(len(before[first - 1].user), MAX_MESSAGE_CHARS)) >= 0:
        first -= 1
    return [*before[first:], *rounds]


def verified(
    judged: Sequence[JudgedEpisode], asked: Sequence[Asked], answers: Mapping[int, Answer], rounds: Sequence[Round]
) -> list[JudgedEpisode]:
    """The episodes without the fields that the verifier refuses or leaves unread, by the statements' numbers. One is
    held of which it does not say that the work was the user's, or of which no field is left. An outcome without a
    quote takes the verifier's, where that was typed in these rounds."""
    answered = [(each, answers.get(number)) for number, each in enumerate(asked, start=1)]
    return [
        _after(each, {one: answer for one, answer in answered if one.place == place}, rounds)
        if each.held is None
        else each
        for place, each in enumerate(judged)
    ]


def unverified(
    judged: Sequence[JudgedEpisode], rounds: Sequence[Round], targets: Collection[str], *, waits: bool = False
) -> list[JudgedEpisode]:
    """The episodes where no verifier is asked: without a name of the agent's own, and without an outcome that no quote
    proves. What provenance lets live lives, or `waits` for a person."""
    return [_proven(each, rounds, targets, waits=waits) if each.held is None else each for each in judged]


def _proven(judged: JudgedEpisode, rounds: Sequence[Round], targets: Collection[str], *, waits: bool) -> JudgedEpisode:
    if not is_typed(judged.proposed.target, rounds, targets):
        judged = _without_target(judged, TARGET_NOT_TYPED)
    if not judged.proposed.outcome_quote:
        judged = _without_outcome(judged, NOT_TYPED)
    return replace(judged, held=NOTHING_DONE if _is_empty(judged) else Held.ASK.value if waits else None)


def _after(judged: JudgedEpisode, answered: Mapping[Asked, Answer | None], rounds: Sequence[Round]) -> JudgedEpisode:
    reasons = {asked: _reason(answer) for asked, answer in answered.items() if answer is None or not answer.says_so}
    lives = _without(judged, answered, reasons, rounds)
    of_work = [reason for asked, reason in reasons.items() if asked.part is Part.WORK]
    if not of_work and not _is_empty(lives):
        return lives
    is_refused = NOT_SAID in (of_work or reasons.values())
    gone = {
        each: why
        for each, why in reasons.items()
        if why == NOT_SAID or (is_refused and each.part is not Part.STEP)  # what nobody has read is asked about again
    }
    waits = _without(judged, answered, gone, rounds)
    return replace(waits, held=NOT_SAID if is_refused else UNREAD if reasons else NOTHING_DONE)


def _without(
    judged: JudgedEpisode,
    answered: Mapping[Asked, Answer | None],
    reasons: Mapping[Asked, str],
    rounds: Sequence[Round],
) -> JudgedEpisode:
    """The episode without the fields that there are reasons against; an outcome takes its quote from the answer."""
    left = judged
    for asked, answer in answered.items():
        if asked.part is Part.TARGET and asked in reasons:
            left = _without_target(left, reasons[asked])
        elif asked.part is Part.OUTCOME and asked in reasons:
            left = _without_outcome(left, reasons[asked])
        elif asked.part is Part.OUTCOME and answer is not None and not judged.proposed.outcome_quote:
            left = _quoted(left, answer.words, rounds)
    return _without_steps(left, {asked.step: why for asked, why in reasons.items() if asked.part is Part.STEP})


def _reason(answer: Answer | None) -> str:
    return UNREAD if answer is None else NOT_SAID


def _quoted(judged: JudgedEpisode, said: str, rounds: Sequence[Round]) -> JudgedEpisode:
    """With the verifier's words as what proves the outcome, if the user typed them."""
    quote = typed_quote(said, [each for each in rounds if each.number in judged.rounds])
    return judged.without(outcome_quote=quote) if quote else _without_outcome(judged, NOT_TYPED)


def _is_empty(judged: JudgedEpisode) -> bool:
    return not judged.proposed.steps and judged.proposed.outcome is Outcome.UNKNOWN


def _without_steps(judged: JudgedEpisode, reasons: Mapping[int, str]) -> JudgedEpisode:
    steps = judged.proposed.steps
    dropped = [DroppedFact(steps[step], reasons[step]) for step in sorted(reasons)]
    return judged.without(*dropped, steps=tuple(each for step, each in enumerate(steps) if step not in reasons))


def _without_target(judged: JudgedEpisode, reason: str) -> JudgedEpisode:
    return judged.without(DroppedFact(judged.proposed.target, reason), target="")


def _without_outcome(judged: JudgedEpisode, reason: str) -> JudgedEpisode:
    """Without its end, if it tells of one."""
    outcome, quote = judged.proposed.outcome, judged.proposed.outcome_quote
    if outcome is Outcome.UNKNOWN:
        return judged
    return judged.without(DroppedFact(quote or outcome.value, reason), outcome=Outcome.UNKNOWN, outcome_quote="")


def _statements_of(
    place: int, judged: JudgedEpisode, rounds: Sequence[Round], targets: Collection[str]
) -> Iterable[Asked]:
    proposed = judged.proposed
    language = language_of(proposed.trigger)
    typed = list(_typed_sentences(rounds))
    is_called_so = is_typed(proposed.target, rounds, targets)
    work = proposed.target if proposed.target and is_called_so else proposed.trigger
    on = words.text("work.noted", "on", language).format(work)

    def statement(key: str, said: str, quote: str) -> Statement:
        return Statement(f"{on} {words.text('work.noted', key, language).format(said)}", quote, judged.rounds)

    yield Asked(place, Part.WORK, statement("work", proposed.trigger, _nearest(proposed.trigger, typed)))
    if not is_called_so:
        yield Asked(place, Part.TARGET, statement("target", proposed.target, ""))
    for number, step in enumerate(proposed.steps):
        yield Asked(place, Part.STEP, statement("step", step, _nearest(step, typed)), number)
    if proposed.outcome is not Outcome.UNKNOWN:
        quote = proposed.outcome_quote
        said = words.text("work.joins", "point", language).format(quote) if quote else ""
        yield Asked(place, Part.OUTCOME, statement(proposed.outcome.value, said, quote))


def _typed_sentences(rounds: Iterable[Round]) -> Iterable[Sentence]:
    for each in rounds:
        for span in each.spans:
            if span.source is Source.TYPED:
                own = typed_spans.masked(span.text)
                for piece in typed_spans.sentences(own):
                    yield own[piece.start : piece.end].strip(), content_words(own[piece.start : piece.end])


def _nearest(text: str, typed: Sequence[Sentence]) -> str:
    """The sentence that shares most words with it, as it was typed; of equal ones the first. Empty where none does."""
    said = content_words(text)
    found = max(typed, key=lambda sentence: len(said & sentence[1]), default=("", said))
    return found[0] if said & found[1] else ""
