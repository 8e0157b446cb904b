"""Judge whose words an episode is made of, field by field, and ask the verifier about what nothing holds, a statement a
field. An answer takes a field away or holds an episode back; no model releases what is held."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from orca_core import words
from orca_core.model.episodes import JudgedEpisode, ProposedEpisode
from orca_core.model.learning import DroppedFact, Statement, VerifierAnswer
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
NOT_SAID, UNREAD, NOT_TYPED = Held.NOT_SAID.value, Held.UNREAD.value, Held.NOT_TYPED.value


class TypedGround(Struct, frozen=True):
    """What some rounds give an episode to stand on; `keys` are words that open something."""

    sources: Sources
    keys: frozenset[str]


@lru_cache(maxsize=8)
def _ground_of(rounds: tuple[Round, ...], targets: tuple[str, ...]) -> TypedGround:
    """All episodes of a run stand on the same rounds."""
    said = testimony(rounds)
    sources = sources_of(said, targets)
    quoted = [quotation for _, text in said.typed for quotation in typed_spans.quotations(text)]
    named = [wording_of(quotation) for quotation in quoted if len(quotation) <= MAX_NAMED_CHARS]
    found = (match for each in rounds for key in words.patterns("work.keys") for match in key.finditer(each.user))
    known = together([sources.known, *named])
    return TypedGround(replace(sources, known=known), frozenset(match["value"] for match in found))


def judge_episode(proposed: ProposedEpisode, rounds: Sequence[Round], targets: Collection[str] = ()) -> JudgedEpisode:
    """The episode without the fields that others wrote, or that name what was not typed in these rounds; held where
    nothing is left to live. `targets` are the known names of work: they need not be typed again. An outcome without a
    quote rests on what the verifier quotes."""
    ground = _ground_of(tuple(rounds), tuple(targets))
    faults = [(step, _fault(step, ground)) for step in proposed.steps]
    left_out = [DroppedFact(step, fault) for step, fault in faults if fault is not None]
    outcome, quote, fault_of_end = _how_it_ended(proposed, ground)
    if fault_of_end is not None:
        left_out.append(DroppedFact(proposed.outcome_quote, fault_of_end))
    target, fault_of_target = _target(proposed.target, ground, targets)
    if target != proposed.target:
        left_out.append(DroppedFact(proposed.target, TARGET_NOT_TYPED))
    kept = replace(
        proposed,
        target=target,
        steps=tuple(step for step, fault in faults if fault is None),
        tags=tuple(tag for tag in proposed.tags if _fault(tag, ground) is None),
        outcome=outcome,
        outcome_quote=quote,
    )
    grave = [fault for fault in (*(fault for _, fault in faults), fault_of_end) if fault in _GRAVE]
    hidden = Held.HIDDEN if ground.sources.has_hidden else None
    held = next(iter(grave), None) or hidden or _fault(proposed.trigger, ground, is_trigger=True) or fault_of_target
    found = JudgedEpisode(kept, held, tuple(each.number for each in rounds), tuple(left_out))
    return replace(found, held=NOTHING_DONE) if held is None and _is_empty(found) else found


_GRAVE = (Held.SECRET, Held.ACCOUNT_NUMBER)


def _fault(text: str, ground: TypedGround, *, is_trigger: bool = False) -> Held | None:
    """Return what must not live of it: a key, what only others wrote, a name, a number or a date that was not typed."""
    if reason := _sensitive(text, ground):
        return reason
    is_untyped = any(fact_provenance.untyped(simplified(text), ground.sources))
    return Held.NOT_TYPED if is_untyped or _is_foreign(text, ground, is_trigger) else None


def _how_it_ended(proposed: ProposedEpisode, ground: TypedGround) -> tuple[Outcome, str, Held | None]:
    """The outcome, the quote as it was typed, and why there is none: a quote that others wrote proves nothing."""
    quote = _typed_quote(proposed.outcome_quote, ground)
    is_said = len(folded(proposed.outcome_quote)) >= MIN_QUOTE_LETTERS
    fault = _sensitive(quote, ground)
    if fault is None and is_said and not quote and ground.sources.is_anothers(proposed.outcome_quote):
        fault = Held.NOT_TYPED
    if proposed.outcome is Outcome.UNKNOWN or fault is not None:
        return Outcome.UNKNOWN, "", None if proposed.outcome is Outcome.UNKNOWN else fault
    return proposed.outcome, quote, None


def _target(target: str, ground: TypedGround, targets: Collection[str]) -> tuple[str, Held | None]:
    """The target, and why the episode waits for it: a name that others alone wrote. A name of the agent's own, or an
    everyday word of others, is left out."""
    if not target or _is_known(target, targets) or _fault(target, ground) is None:
        return target, None
    reason = _sensitive(target, ground)
    if reason is None and any(map(_is_a_name, _foreign(target, ground))):
        reason = Held.NOT_TYPED
    return target if reason else "", reason


def _is_known(target: str, targets: Collection[str]) -> bool:
    return folded(target) in {folded(each) for each in targets}


def is_typed_target(target: str, rounds: Sequence[Round], targets: Collection[str]) -> bool:
    """Tell whether a word of a target was typed, or it is known by this name."""
    if not target or _is_known(target, targets):
        return True
    found = compare(target, _ground_of(tuple(rounds), tuple(targets)).sources.told)
    return found.share > 0


def typed_quote(quote: str, rounds: Sequence[Round]) -> str:
    """A quote as it was typed in one of these rounds, in the last one first; empty where it was not, or holds what may
    not be kept."""
    ground = _ground_of(tuple(rounds), ())
    typed = _typed_quote(quote, ground)
    return "" if _sensitive(typed, ground) else typed


def _typed_quote(quote: str, ground: TypedGround) -> str:
    if len(folded(quote)) < MIN_QUOTE_LETTERS:
        return ""
    found = next(filter(None, (each.find(quote) for each in reversed(ground.sources.rounds))), "")
    return clean_memory(found)


def _is_foreign(text: str, ground: TypedGround, is_trigger: bool) -> bool:
    """Tell whether a word of it stands only in what others wrote: any, or, where most of it was typed, one that is no
    everyday word. A Chinese one may be a name; a trigger may have it: what is pasted is what the work is about."""
    foreign = _foreign(text, ground)
    if compare(_without_stock(text), ground.sources.told).share < MIN_TYPED_SHARE:
        return bool(foreign)
    return any(_is_a_name(unit) or (unit.kind is UnitKind.HAN and not is_trigger) for unit in foreign)


def _foreign(text: str, ground: TypedGround) -> list[Unit]:
    lacking = compare(_without_stock(text), ground.sources.told).lacking
    counted = [unit for unit in lacking if not (fact_provenance.is_small(unit) or fact_provenance.is_common(unit))]
    return [unit for unit in counted if stands_in(unit, ground.sources.foreign)]


def _is_a_name(unit: Unit) -> bool:
    """Tell whether it is no everyday word; of a Chinese one nothing tells."""
    return not (unit.kind is UnitKind.HAN or fact_provenance.is_ordinary(unit.text, words.ENGLISH))


def _without_stock(text: str) -> str:
    return words.pattern("work.stock").sub(" ", simplified(text))


def _sensitive(text: str, ground: TypedGround) -> Held | None:
    """Tell whether it holds a key, an account, or a link that was not typed."""
    if any(key in text for key in ground.keys):
        return Held.SECRET
    reason = sensitive_reason(text)
    if reason is None or (reason == Held.URL and not compare(text, ground.sources.told).lacking):
        return None
    return Held(reason)


MAX_BEFORE_CHARS = 8000
"""As much is shown of the rounds that an episode which goes on came from. It bounds what the question costs; chosen by
hand."""


class EpisodePart(StrEnum):
    """The field of an episode that a statement is about."""

    WORK = "work"
    """That it was the user's own, on this target, begun for this reason."""
    TARGET = "target"
    """That the work was on this, where the user calls it otherwise."""
    STEP = "step"
    OUTCOME = "outcome"


class EpisodeStatement(Struct, frozen=True):
    """A statement about a part of the episode at a place, of its steps `step`."""

    place: int
    part: EpisodePart
    statement: Statement
    step: str = ""


def statements_about(
    judged: Sequence[JudgedEpisode], rounds: Sequence[Round], targets: Collection[str] = ()
) -> list[EpisodeStatement]:
    """A statement for each field of the episodes that are not held, with the nearest typed sentence of the rounds that
    they stand on. `targets` are the known names of work."""
    return [
        EpisodeStatement(place, part, Statement(says, quote, each.rounds), step)
        for place, each in enumerate(judged)
        if each.held is None
        for part, step, says, quote in _said_by(each, rounds, targets)
    ]


def _said_by(
    judged: JudgedEpisode, rounds: Sequence[Round], targets: Collection[str]
) -> Iterator[tuple[EpisodePart, str, str, str]]:
    proposed, language = judged.proposed, language_of(judged.proposed.trigger)
    own = [each for each in rounds if each.number in judged.rounds]
    typed = [(sentence, content_words(sentence)) for sentence in _typed_sentences(own)]
    is_called_so = is_typed_target(proposed.target, own, targets)
    work = proposed.target if proposed.target and is_called_so else proposed.trigger
    on = words.text("work.noted", "on", language).format(work)

    def says(key: str, said: str) -> str:
        return f"{on} {words.text('work.noted', key, language).format(said)}"

    yield EpisodePart.WORK, "", says("work", proposed.trigger), _nearest(proposed.trigger, typed)
    if not is_called_so:
        yield EpisodePart.TARGET, "", says("target", proposed.target), ""
    for step in proposed.steps:
        yield EpisodePart.STEP, step, says("step", step), _nearest(step, typed)
    if proposed.outcome is not Outcome.UNKNOWN:
        quote = proposed.outcome_quote
        said = words.text("work.joins", "point", language).format(quote) if quote else ""
        yield EpisodePart.OUTCOME, "", says(proposed.outcome.value, said), quote


def _typed_sentences(rounds: Iterable[Round]) -> Iterator[str]:
    for span in (span for each in rounds for span in each.spans if span.source is Source.TYPED):
        own = typed_spans.mask_quotations(span.text)
        yield from (own[piece.start : piece.end].strip() for piece in typed_spans.sentences(own))


def _nearest(text: str, typed: Sequence[tuple[str, frozenset[str]]]) -> str:
    """The sentence that shares most words with it, as it was typed; of equal ones the first. Empty where none does."""
    said = content_words(text)
    found = max(typed, key=lambda sentence: len(said & sentence[1]), default=("", said))
    return found[0] if said & found[1] else ""


def rounds_shown(rounds: Sequence[Round], before: Sequence[Round]) -> list[Round]:
    """The rounds of a run, and of those before them as many of the last ones as there is room for."""
    room, first = MAX_BEFORE_CHARS, len(before)
    while first and (room := room - min(len(before[first - 1].user), MAX_MESSAGE_CHARS)) >= 0:
        first -= 1
    return [*before[first:], *rounds]


def verified_episodes(
    judged: Sequence[JudgedEpisode],
    asked: Sequence[EpisodeStatement],
    answers: Mapping[int, VerifierAnswer],
    rounds: Sequence[Round],
) -> list[JudgedEpisode]:
    """The episodes without the fields that the verifier refuses or leaves unread, by the statements' numbers. One is
    held of which it does not say that the work was the user's, or of which no field is left. An outcome without a
    quote takes the verifier's, where that was typed in these rounds."""
    answered = [(each, answers.get(number)) for number, each in enumerate(asked, start=1)]
    return [
        _after(each, [one for one in answered if one[0].place == place], rounds) if each.held is None else each
        for place, each in enumerate(judged)
    ]


def _after(
    judged: JudgedEpisode, answered: Sequence[tuple[EpisodeStatement, VerifierAnswer | None]], rounds: Sequence[Round]
) -> JudgedEpisode:
    """What is refused goes. What nobody has read goes, too, where something is left that lives; else it waits to be
    asked about again."""
    refused = [each for each, answer in answered if answer is not None and not answer.says_so]
    unread = [each for each, answer in answered if answer is None]
    left = _without(judged, refused, NOT_SAID)
    for each, answer in answered:
        if each.part is EpisodePart.OUTCOME and answer is not None and answer.says_so:
            left = _with_quote(left, answer.words, rounds)
    works = {each.part for each in (*refused, *unread)} & {EpisodePart.WORK}
    if not works and not _is_empty(lives := _without(left, unread, UNREAD)):
        return lives
    is_refused = any(each.part is EpisodePart.WORK for each in refused) or (bool(refused) and not unread)
    return replace(left, held=NOT_SAID if is_refused else UNREAD if unread else NOTHING_DONE)


def unverified_episodes(
    judged: Sequence[JudgedEpisode], rounds: Sequence[Round], targets: Collection[str], *, waits: bool = False
) -> list[JudgedEpisode]:
    """The episodes where no verifier is asked: without a name of the agent's own, and without an outcome that no quote
    proves. What provenance lets live lives, or `waits` for a person."""
    return [_proven(each, rounds, targets, waits=waits) if each.held is None else each for each in judged]


def _proven(judged: JudgedEpisode, rounds: Sequence[Round], targets: Collection[str], *, waits: bool) -> JudgedEpisode:
    if not is_typed_target(judged.proposed.target, rounds, targets):
        judged = _without_target(judged, TARGET_NOT_TYPED)
    if not judged.proposed.outcome_quote:
        judged = _without_outcome(judged, NOT_TYPED)
    return replace(judged, held=NOTHING_DONE if _is_empty(judged) else Held.ASK.value if waits else None)


def _is_empty(judged: JudgedEpisode) -> bool:
    return not judged.proposed.steps and judged.proposed.outcome is Outcome.UNKNOWN


def _without(judged: JudgedEpisode, gone: Sequence[EpisodeStatement], reason: str) -> JudgedEpisode:
    """The episode without the fields of these statements; the reason for which it was begun stays."""
    parts = {each.part for each in gone}
    steps = {each.step for each in gone if each.part is EpisodePart.STEP}
    left = judged.without(
        *(DroppedFact(each, reason) for each in judged.proposed.steps if each in steps),
        steps=tuple(each for each in judged.proposed.steps if each not in steps),
    )
    left = _without_target(left, reason) if EpisodePart.TARGET in parts else left
    return _without_outcome(left, reason) if EpisodePart.OUTCOME in parts else left


def _with_quote(judged: JudgedEpisode, said: str, rounds: Sequence[Round]) -> JudgedEpisode:
    """With the verifier's words as what proves an outcome that has no quote, if the user typed them."""
    if judged.proposed.outcome_quote:
        return judged
    quote = typed_quote(said, [each for each in rounds if each.number in judged.rounds])
    return judged.without(outcome_quote=quote) if quote else _without_outcome(judged, NOT_TYPED)


def _without_target(judged: JudgedEpisode, reason: str) -> JudgedEpisode:
    return judged.without(DroppedFact(judged.proposed.target, reason), target="")


def _without_outcome(judged: JudgedEpisode, reason: str) -> JudgedEpisode:
    """Without its end, if it tells of one."""
    outcome, quote = judged.proposed.outcome, judged.proposed.outcome_quote
    if outcome is Outcome.UNKNOWN:
        return judged
    return judged.without(DroppedFact(quote or outcome.value, reason), outcome=Outcome.UNKNOWN, outcome_quote="")
