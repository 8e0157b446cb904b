"""Judge whose words an episode is made of, field by field, and ask the verifier about what nothing holds, a statement a
field. An answer takes a field away or holds an episode back; no model releases what is held."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from orca_core import words
from orca_core.model.episodes import JudgedEpisode, ProposedEpisode
from orca_core.model.learning import Answer, DroppedFact, Statement
from orca_core.model.llm import Source
from orca_core.model.sessions import Round
from orca_core.model.tasks import Outcome
from orca_core.rules.learning import fact_provenance
from orca_core.rules.learning.fact_provenance import Held
from orca_core.rules.learning.fact_verifier import MAX_MESSAGE_CHARS
from orca_core.rules.learning.quotes import Unit, UnitKind, compare, stands_in, together, wording_of
from orca_core.rules.learning.transcripts import testimony
from orca_core.rules.learning.typed_sources import Sources, sources_of
from orca_core.rules.requests.remember_and_forget import sensitive_reason
from orca_core.rules.text import typed_spans
from orca_core.rules.text.cleaning import clean_memory
from orca_core.rules.text.search_terms import content_words
from orca_core.rules.text.spelling import folded, language_of, simplified

MAX_NAMED_CHARS = 40
"""A longer quotation is a text of another's; a shorter one is a name, or a message that the user tells of. Chosen by
hand."""
MIN_QUOTE_LETTERS = 2
"""好了 says how something ended."""
MIN_TYPED_SHARE = 0.5
"""Where so much of a field is typed, an everyday word of it may stand in a paste, too: "502 errors". Chosen by hand."""
TARGET_NOT_TYPED = "target_not_typed"
"""Why the agent's own name of a target was left out."""
NOTHING_DONE = "nothing_done"
"""Why an episode waits that says neither a step nor an end."""
UNKNOWN = (Outcome.UNKNOWN, "")
_GRAVE = (Held.SECRET, Held.ACCOUNT_NUMBER)


class Words(Struct, frozen=True):
    """What some rounds give an episode to stand on; `keys` are words that open something."""

    sources: Sources
    keys: frozenset[str]


def judge(proposed: ProposedEpisode, rounds: Sequence[Round], targets: Collection[str] = ()) -> JudgedEpisode:
    """The episode without the fields that others wrote, or that name what was not typed in these rounds; held where
    nothing is left to live. `targets` are the known names of work: they need not be typed again. An outcome without a
    quote rests on what the verifier quotes."""
    said = _words_of(tuple(rounds), tuple(targets))
    faults = [(step, fault_of(step, said)) for step in proposed.steps]
    left_out = [DroppedFact(step, fault) for step, fault in faults if fault is not None]
    outcome, quote, fault_of_end = _how_it_ended(proposed, said)
    if fault_of_end is not None:
        left_out.append(DroppedFact(proposed.outcome_quote, fault_of_end))
    target, fault_of_target = _target(proposed.target, said, targets)
    if target != proposed.target:
        left_out.append(DroppedFact(proposed.target, TARGET_NOT_TYPED))
    kept = replace(
        proposed,
        target=target,
        steps=tuple(step for step, fault in faults if fault is None),
        tags=tuple(tag for tag in proposed.tags if fault_of(tag, said) is None),
        outcome=outcome,
        outcome_quote=quote,
    )
    grave = [fault for fault in (*(fault for _, fault in faults), fault_of_end) if fault in _GRAVE]
    hidden = Held.HIDDEN if said.sources.has_hidden else None
    held = next(iter(grave), None) or hidden or fault_of(proposed.trigger, said, is_trigger=True) or fault_of_target
    is_empty = not kept.steps and outcome is Outcome.UNKNOWN
    numbers = tuple(each.number for each in rounds)
    return JudgedEpisode(kept, held or (NOTHING_DONE if is_empty else None), numbers, tuple(left_out))


def typed_quote(quote: str, rounds: Sequence[Round]) -> str:
    """A quote as it was typed in one of these rounds, in the last one first; empty where it was not, or holds what may
    not be kept."""
    said = _words_of(tuple(rounds), ())
    typed = _typed_quote(quote, said)
    return "" if _sensitive(typed, said) else typed


def is_typed(target: str, rounds: Sequence[Round], targets: Collection[str]) -> bool:
    """Tell whether a word of a target was typed, or it is known by this name."""
    if not target or folded(target) in {folded(each) for each in targets}:
        return True
    found = compare(target, _words_of(tuple(rounds), tuple(targets)).sources.told)
    return found.share > 0


def fault_of(text: str, said: Words, *, is_trigger: bool = False) -> Held | None:
    """Return what must not live of it: a key, what only others wrote, a name, a number or a date that was not typed."""
    if reason := _sensitive(text, said):
        return reason
    is_untyped = any(fact_provenance.untyped(simplified(text), said.sources)) or _is_foreign(text, said, is_trigger)
    return Held.NOT_TYPED if is_untyped else None


def _how_it_ended(proposed: ProposedEpisode, said: Words) -> tuple[Outcome, str, Held | None]:
    """The outcome, the quote as it was typed, and why there is none: a quote that others wrote proves nothing."""
    if proposed.outcome is Outcome.UNKNOWN:
        return (*UNKNOWN, None)
    quote = _typed_quote(proposed.outcome_quote, said)
    if fault := _sensitive(quote, said):
        return (*UNKNOWN, fault)
    is_said = len(folded(proposed.outcome_quote)) >= MIN_QUOTE_LETTERS
    if not quote and is_said and said.sources.is_anothers(proposed.outcome_quote):
        return (*UNKNOWN, Held.NOT_TYPED)
    return proposed.outcome, quote, None


def _target(target: str, said: Words, targets: Collection[str]) -> tuple[str, Held | None]:
    """The target, and why the episode waits for it: a name that others alone wrote. A name of the agent's own, or an
    everyday word of others, is left out."""
    if not target or folded(target) in {folded(each) for each in targets} or fault_of(target, said) is None:
        return target, None
    reason = _sensitive(target, said)
    if reason is None and any(map(_is_a_name, _foreign(target, said))):
        reason = Held.NOT_TYPED
    return target if reason else "", reason


def _typed_quote(quote: str, said: Words) -> str:
    if len(folded(quote)) < MIN_QUOTE_LETTERS:
        return ""
    found = next(filter(None, (each.find(quote) for each in reversed(said.sources.rounds))), "")
    return clean_memory(found)


@lru_cache(maxsize=8)
def _words_of(rounds: tuple[Round, ...], targets: tuple[str, ...]) -> Words:
    """All episodes of a run stand on the same rounds."""
    said = testimony(rounds)
    sources = sources_of(said, targets)
    quoted = [quotation for _, text in said.typed for quotation in typed_spans.quotations(text)]
    named = [quotation for quotation in quoted if len(quotation) <= MAX_NAMED_CHARS]
    found = (match for each in rounds for key in words.patterns("work.keys") for match in key.finditer(each.user))
    return Words(
        replace(sources, known=together([sources.known, *map(wording_of, named)])),
        frozenset(match["value"] for match in found),
    )


def _is_foreign(text: str, said: Words, is_trigger: bool) -> bool:
    """Tell whether a word of it stands only in what others wrote: any, or, where most of it was typed, one that is no
    everyday word. A Chinese one may be a name; a trigger may have it: what is pasted is what the work is about."""
    foreign = _foreign(text, said)
    if compare(_without_stock(text), said.sources.told).share < MIN_TYPED_SHARE:
        return bool(foreign)
    return any(_is_a_name(unit) or (unit.kind is UnitKind.HAN and not is_trigger) for unit in foreign)


def _foreign(text: str, said: Words) -> list[Unit]:
    lacking = compare(_without_stock(text), said.sources.told).lacking
    counted = [unit for unit in lacking if not (fact_provenance.is_small(unit) or fact_provenance.is_common(unit))]
    return [unit for unit in counted if stands_in(unit, said.sources.foreign)]


def _is_a_name(unit: Unit) -> bool:
    """Tell whether it is no everyday word; of a Chinese one nothing tells."""
    return not (unit.kind is UnitKind.HAN or fact_provenance.is_ordinary(unit.text, words.ENGLISH))


def _without_stock(text: str) -> str:
    return words.pattern("work.stock").sub(" ", simplified(text))


def _sensitive(text: str, said: Words) -> Held | None:
    """Tell whether it holds a key, an account, or a link that was not typed."""
    if any(key in text for key in said.keys):
        return Held.SECRET
    reason = sensitive_reason(text)
    if reason is None or (reason == Held.URL and not compare(text, said.sources.told).lacking):
        return None
    return Held(reason)


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
        for asked in _to_verify(place, each, [one for one in rounds if one.number in each.rounds], targets)
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


def _to_verify(place: int, judged: JudgedEpisode, rounds: Sequence[Round], targets: Collection[str]) -> Iterable[Asked]:
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
