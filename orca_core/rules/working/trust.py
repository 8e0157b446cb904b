"""What of a proposed episode may live, field by field: what the user typed of their own work bears it, or it is left
out, or the episode waits for a person.

The memory agent is not asked. Who reads a pasted log may take it for what was done; what was typed can not be forged by
one. Clauses are read by `rules.clauses`, words compared by `rules.learning.trust`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum

from msgspec.structs import replace

from orca_core import words
from orca_core.domain.dialogues import Round
from orca_core.domain.learning import DroppedFact
from orca_core.domain.work.tasks import Outcome
from orca_core.domain.work.telling import JudgedEpisode, ProposedEpisode
from orca_core.rules.asking.remembering import sensitive_reason
from orca_core.rules.clauses.reading import denied_in
from orca_core.rules.learning.trust import details
from orca_core.rules.learning.trust.evidence import Held
from orca_core.rules.learning.trust.wordings import UnitKind, Wording, compare, stands_in, together, wording_of
from orca_core.rules.text.letters import folded
from orca_core.rules.text.scripts import simplified
from orca_core.rules.working.endings import UNKNOWN, how_it_ended
from orca_core.rules.working.target_names import is_named_in, typed_name
from orca_core.rules.working.testimony import Told, is_own, told_in

MIN_TRIGGER_SHARE = 0.3
"""So much of a trigger must be typed."""
MIN_STEP_SHARE = 0.3
"""So much of a step must be typed as done."""
MIN_PROPOSED_SHARE = 0.4
"""So much of a step must the assistant have proposed, where the user says that it was done.

`tests/data/episodes/development` chose them."""
TARGET_NOT_TYPED = "target_not_typed"
"""Why the agent's own name of a target was left out."""
NOTHING_DONE = "nothing_done"
"""Why an episode waits of which no step and no end stands on what was typed."""


_GENERAL = (UnitKind.WORD, UnitKind.HAN)


class Fault(StrEnum):
    """What is wrong with a field."""

    NOT_TYPED = Held.NOT_TYPED.value
    WEAK = Held.WEAK_EVIDENCE.value
    SECRET = Held.SECRET.value
    URL = Held.URL.value
    ACCOUNT_NUMBER = Held.ACCOUNT_NUMBER.value


def judge(proposed: ProposedEpisode, rounds: Sequence[Round], targets: Collection[str] = ()) -> JudgedEpisode:
    """The episode with the fields that stand on what was typed in these rounds. `targets` are names of what was worked
    on before: they need not be typed again."""
    told = told_in(rounds, proposed.target)
    left_out: list[DroppedFact] = []
    steps: list[str] = []
    for step in proposed.steps:
        fault = _fault_of_step(step, f"{proposed.trigger} {proposed.target}", told)
        if fault is None:
            steps.append(step)
        else:
            left_out.append(DroppedFact(step, fault))
    tags = tuple(tag for tag in proposed.tags if not _is_foreign(tag, told) and not _sensitive(tag, told))
    outcome, quote = how_it_ended(proposed, told)
    has_secret = any(_is_grave(_sensitive(each, told)) for each in (*proposed.steps, quote))
    if quote and _sensitive(quote, told):
        outcome, quote = UNKNOWN
    kept = replace(proposed, steps=tuple(steps), tags=tags, outcome=outcome, outcome_quote=quote)
    held = _held(kept, told, has_secret=has_secret)
    if held is None and (fault := _fault_of_target(kept.target, told, targets)):
        held = fault
        if fault is Fault.WEAK and (steps or outcome is not Outcome.UNKNOWN):
            kept, held = replace(kept, target=_typed_target(kept, told, targets)), None
            left_out.append(DroppedFact(proposed.target, TARGET_NOT_TYPED))
    if held is None and not steps and outcome is Outcome.UNKNOWN:
        held = NOTHING_DONE
    return JudgedEpisode(kept, outcome, quote, held, tuple(each.number for each in rounds), tuple(left_out))


def _held(kept: ProposedEpisode, told: Told, *, has_secret: bool) -> str | None:
    """Why the episode waits: for its trigger, or a key that stands anywhere in it."""
    return Fault.SECRET if has_secret else _fault_of_trigger(kept.trigger, told)


def _fault_of_target(target: str, told: Told, targets: Collection[str]) -> Fault | None:
    """A name that others alone said is none of the user's, and one of which no word was typed is the agent's own."""
    if not target or folded(target) in {folded(each) for each in targets}:
        return None
    if fault := _anothers(target, told):
        return fault
    said = compare(target, told.spoken)
    if not said.said or said.share > 0 or said.nearly > 0:
        return None
    is_anothers = is_named_in(target, told.ground.untrusted) and not is_named_in(target, _typed_of_own(told))
    return Fault.NOT_TYPED if is_anothers else Fault.WEAK


def _typed_target(kept: ProposedEpisode, told: Told, targets: Collection[str]) -> str:
    """What the user called the target; empty where that can't be told: no name lives that nobody typed."""
    return typed_name(kept.target, kept.trigger, _typed_of_own(told), targets)


def _typed_of_own(told: Told) -> list[str]:
    return [clause.text for each in told.rounds for clause in each.clauses if is_own(clause)]


def _fault_of_trigger(trigger: str, told: Told) -> Fault | None:
    if fault := _anothers(trigger, told):
        return fault
    return None if _share(trigger, told.spoken) >= MIN_TRIGGER_SHARE else Fault.WEAK


def _fault_of_step(step: str, known: str, told: Told) -> Fault | None:
    """What it says beyond the trigger must be typed as done."""
    if fault := _anothers(step, told):
        return fault
    done = told.done if denied_in(step) else told.undenied
    new = _beyond(step, known)
    if _share(new, done) >= MIN_STEP_SHARE or _is_acknowledged(new, told):
        return None
    return Fault.WEAK


def _anothers(text: str, told: Told) -> Fault | None:
    """What must not live of it: a key, or what only others wrote."""
    if reason := _sensitive(text, told):
        return reason
    return Fault.NOT_TYPED if _is_foreign(text, told) or _has_anothers_details(text, told) else None


def _share(text: str, typed: Wording) -> float:
    """How much of what it says is typed, without the stock words of episodes; all of one that says nothing else."""
    return compare(_without_stock(text), typed).share


def _beyond(step: str, known: str) -> str:
    """What a step says that is not known already; all of it where that is nothing."""
    lacking = compare(_without_stock(step), wording_of(known)).lacking
    return " ".join(unit.text for unit in lacking) or step


def _without_stock(text: str) -> str:
    return words.pattern("ending.stock").sub(" ", simplified(text))


def _is_foreign(text: str, told: Told) -> bool:
    """Whether a word of it stands only in what others wrote."""
    lacking = compare(_without_stock(text), told.typed).lacking
    return any(
        stands_in(unit, told.foreign) and not (details.is_small(unit) or details.is_common(unit)) for unit in lacking
    )


def _has_anothers_details(text: str, told: Told) -> bool:
    """Whether a name, a number or a date of it was not typed."""
    lacking = compare(_without_stock(text), told.typed).lacking
    return any(details.is_detail(unit, told.ground) for unit in lacking)


def _is_acknowledged(step: str, told: Told) -> bool:
    """Whether the assistant proposed it, in words without a name of their own, and the user said that it was done."""
    for number, answer in told.answers:
        if any(later > number for later in told.acknowledged):
            both = compare(_without_stock(step), together([wording_of(answer), told.typed]))
            if both.share >= MIN_PROPOSED_SHARE and all(unit.kind in _GENERAL for unit in both.lacking):
                return True
    return False


def _sensitive(text: str, told: Told) -> Fault | None:
    """Whether it holds a key, an account, or a link that was not typed."""
    if any(key in text for key in told.keys):
        return Fault.SECRET
    reason = sensitive_reason(text)
    if reason is None or (reason == Held.URL and not compare(text, told.typed).lacking):
        return None
    return Fault(reason)


def _is_grave(fault: Fault | None) -> bool:
    return fault in (Fault.SECRET, Fault.ACCOUNT_NUMBER)
