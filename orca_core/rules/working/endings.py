"""How a piece of work ended, by a quote that the user typed: asserted, of their own work, now, and meant so."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core import words
from orca_core.domain.work.tasks import Outcome
from orca_core.domain.work.telling import ProposedEpisode
from orca_core.rules.clauses.clause import Clause, Mood, Subject
from orca_core.rules.learning.trust.typed import TypedRound
from orca_core.rules.learning.trust.wordings import compare, together, wording_of
from orca_core.rules.text.letters import folded
from orca_core.rules.text.scripts import simplified
from orca_core.rules.working.testimony import Told, is_own, is_settled
from orca_core.rules.working.whose import grants, says

MIN_QUOTE = 2
"""好了 is one. What it says is read in the clause that it stands in."""
UNKNOWN = (Outcome.UNKNOWN, "")


def how_it_ended(proposed: ProposedEpisode, told: Told) -> tuple[Outcome, str]:
    """The outcome, and the quote as it was typed; unknown where the quote does not say so."""
    if proposed.outcome is Outcome.UNKNOWN or len(folded(proposed.outcome_quote)) < MIN_QUOTE:
        return UNKNOWN
    for place, typed in reversed(list(enumerate(told.rounds))):
        quoted = typed.holding(proposed.outcome_quote)
        if quoted and _says(proposed, typed, quoted, told.rounds[place + 1 :]):
            if proposed.outcome is Outcome.SUCCESS and _is_of_another_thing(proposed, quoted, told, place):
                continue
            return proposed.outcome, typed.spelling(proposed.outcome_quote)
    return UNKNOWN


def _says(proposed: ProposedEpisode, typed: TypedRound, quoted: Sequence[Clause], later: Sequence[TypedRound]) -> bool:
    if any(says("ironic", clause.text) for clause in typed.clauses) or _is_beside(typed, quoted):
        return False
    stated = [clause for clause in quoted if is_settled(_as_granted(clause), typed)]
    match proposed.outcome:
        case Outcome.SUCCESS:
            return _is_success(typed, stated) and not _breaks_later(typed, quoted, later)
        case Outcome.FAILED:
            return any(said_to_fail(clause.text) for clause in stated)
        case _:
            return bool(stated) and any(said_to_fail(each.text) or said_to_work(each.text) for each in typed.clauses)


def _is_success(typed: TypedRound, stated: Sequence[Clause]) -> bool:
    if any(said_to_work(clause.text) and not _is_conditional(clause, typed) for clause in stated):
        return not _is_meant_otherwise(typed, stated)
    is_praised = any(says("praise", clause.text) for clause in stated)
    return is_praised and not any(said_to_fail(each.text) or not _is_calm(each, typed) for each in typed.clauses)


def said_to_work(text: str) -> bool:
    """Whether it says that something works, and nothing against it."""
    if says("broken", text):
        return False
    text = words.pattern("ending.learnt").sub(" ", simplified(text))
    return says("over", text) or ((says("works", text) or says("as_meant", text)) and not says("fails", text))


def said_to_fail(text: str) -> bool:
    """Whether it says that something is wrong, and not that it is over."""
    return says("broken", text) or (says("fails", text) and not says("over", text))


def _as_granted(clause: Clause) -> Clause:
    """Who says yes ends it, though another does it."""
    return clause._replace(subject=Subject.UNKNOWN) if grants(clause) else clause


def _is_conditional(clause: Clause, typed: TypedRound) -> bool:
    """Whether a condition follows it in its sentence: "works beautifully, if you …"."""
    behind = [each for each in typed.clauses if each.sentence == clause.sentence and each.start > clause.start]
    return bool(behind) and behind[0].mood is Mood.SUPPOSED


def _is_of_another_thing(proposed: ProposedEpisode, quoted: Sequence[Clause], told: Told, place: int) -> bool:
    """Whether what works is a thing that nobody has spoken of before, here or in the episode: "the coffee machine works
    again"."""
    first = quoted[0]
    works = words.pattern("ending.works").search(first.text)
    subject = first.text[: works.start()] if works else ""
    if not says("definite", subject) or not says("restored", first.text):
        return False
    typed = [each.text for each in told.rounds[place].clauses if each.start < first.start]
    typed += [each.text for before in told.rounds[:place] for each in before.clauses]
    answered = [text for number, text in told.answers if number < told.rounds[place].number]
    spoken = together(wording_of(each) for each in (*typed, *answered, proposed.trigger, proposed.target))
    found = compare(words.pattern("ending.stock").sub(" ", subject), spoken)
    return bool(found.said) and found.share == 0


def _is_calm(clause: Clause, typed: TypedRound) -> bool:
    """Whether nothing in it is open."""
    return is_own(clause) and is_settled(clause._replace(subject=Subject.UNKNOWN), typed)


def _is_meant_otherwise(typed: TypedRound, stated: Sequence[Clause]) -> bool:
    """Whether praise is followed by what went wrong, or the sentence turns."""
    last = stated[-1].start
    behind = [clause for clause in typed.clauses if clause.start > last and is_own(clause)]
    if any(says("turns", clause.text) and said_to_fail(clause.text) for clause in behind):
        return True
    is_praise = any(says("praise", clause.text) for clause in typed.clauses)
    return is_praise and any(said_to_fail(clause.text) for clause in behind)


def _breaks_later(typed: TypedRound, quoted: Sequence[Clause], later: Sequence[TypedRound]) -> bool:
    last = max(clause.start for clause in quoted)
    behind = [clause for clause in typed.clauses if clause.start > last]
    behind += [clause for each in later for clause in each.clauses]
    return any(says("relapsed", clause.text) and is_own(clause) for clause in behind)


def _is_beside(typed: TypedRound, quoted: Sequence[Clause]) -> bool:
    """Whether the quote stands in a sentence that turns to another thing, or before it in the round one does."""
    first = min(clause.start for clause in quoted)
    end = max(clause.end for clause in quoted)
    before = typed.text[:end]
    return any(match.start() <= first for match in words.pattern("ending.beside").finditer(simplified(before)))
