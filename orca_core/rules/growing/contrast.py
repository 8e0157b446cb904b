"""A candidate that stands on acts is read against the latest acts before it goes live, whether they show it or not:
what a careless reading finds in three of them may be missing in all others."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from orca_core.domain.claims import OpenRun
from orca_core.domain.growth.actions import Action, ActionState, ActionType
from orca_core.domain.growth.contrast import ActToRead, ContrastBatch, DueCandidates, Shows
from orca_core.domain.growth.reading import ActReading
from orca_core.domain.growth.supports import Contrast, Supported
from orca_core.domain.learning import RunState
from orca_core.rules.growing import promoting
from orca_core.rules.growing.acts import KINDS, About, reading_of
from orca_core.rules.growing.material import Bounds, row, session
from orca_core.rules.learning.trust.answers import Form, read

MOST = 16
"""So many acts one question shows."""
SHOWN = Bounds(user=400, assistant=1200, difference=1500, session=2500)
"""They bound what it costs: some ten thousand words at most. Chosen by hand."""
TIMES = 2
"""So many times as much must speak for it as against it. Chosen on tests/data/growth/development-2."""
CONTRASTED = frozenset((ActReading.FEEDBACK, ActReading.EDITS, ActReading.WORKFLOWS))
"""The kinds of acts in which any quality of an answer may show. What was asked for stands beside them only where the
candidate itself rests on what was asked for: most queries say nothing of it."""

NOUN = "act"
"""What each of those that are asked about is called."""


def types_read(supported: Supported, acts: Sequence[Action]) -> frozenset[ActionType]:
    """The types of acts that a candidate is read against, by those (`acts`) that support it."""
    supporting = {each.act for each in supported.supports}
    kinds = CONTRASTED | {KINDS[each.type].reading for each in acts if each.id in supporting}
    return frozenset(each for each, kind in KINDS.items() if kind.reading is not None and kind.reading in kinds)


def read_against(supported: Supported, acts: Sequence[Action], *, min_support: int) -> list[Action]:
    """The latest of these acts, oldest first; where they leave out what speaks for it, one act of each of the latest
    days on which something does, as many as it needs."""
    types, by_number = types_read(supported, acts), {each.id: each for each in acts if _can_be_shown(each)}
    of_days: dict[object, Action] = {}
    for support in sorted(supported.supports, key=lambda each: (each.at, each.id), reverse=True):
        act = by_number.get(support.act or 0)
        if act is not None:
            of_days.setdefault(support.at.astimezone().date(), act)
    chosen = {each.id: each for each in list(of_days.values())[:min_support]}
    for act in sorted(by_number.values(), key=_age, reverse=True):
        if act.type in types and len(chosen) < MOST:
            chosen.setdefault(act.id, act)
    return sorted(chosen.values(), key=_age)


def is_run_due(run: OpenRun, due: DueCandidates, acts: Sequence[int]) -> bool:
    """One that was cut short goes on at once; one that failed at its time, or once there is an act that it was not
    shown; one that failed too often, then or when everything is wanted."""
    if run.id in due.besides:
        return False
    if run.state is RunState.RUNNING or due.everything or not set(acts) <= set(run.acts):
        return True
    return run.next_at is not None and run.next_at <= due.at


def material(batch: ContrastBatch) -> str:
    """The candidate and the acts, as JSON, none of them marked. No text in it can pretend to be anything else."""
    assert batch.candidate is not None
    shown = {"statement": batch.candidate.memory.content, "acts": list(_rows(batch))}
    return json.dumps(shown, ensure_ascii=False)


def read_shows(answer: str, count: int) -> Mapping[int, Shows] | None:
    """What each act shows, by its number; one that is passed over shows neither. None where nothing can be read, or the
    answer ends before it came to all of them. Where one is answered twice, what speaks against it counts."""
    said = read(answer, count, _FORM)
    if said is None or not said.rows:
        return None
    answers: dict[int, Shows] = {}
    for number, shows in said.rows:
        answers[number] = max(shows, answers.get(number, shows), key=_WEIGHED.index)
    if said.is_cut and len(answers) < count:
        return None
    return {number: answers.get(number, Shows.NEITHER) for number in range(1, count + 1)}


def decided(batch: ContrastBatch, answers: Mapping[int, Shows], *, min_support: int) -> Contrast:
    """Whether it goes live: what speaks for it does so on enough different days, and outweighs what speaks against
    it. Acts on one thing are one. Rounds that speak for it do so by what was typed."""
    assert batch.candidate is not None
    shown = {shows: [each.speaks for each in _that_show(batch, answers, shows)] for shows in Shows}
    count = {shows: len(promoting.sources_of(supports)) for shows, supports in shown.items()}
    by_round = [each for each in batch.candidate.supports if each.act is None]
    days = promoting.days_of([*by_round, *shown[Shows.FOR]])
    return Contrast(
        memory=batch.candidate.memory.id,
        speak_for=count[Shows.FOR],
        against=count[Shows.AGAINST],
        neither=count[Shows.NEITHER],
        days=days,
        lives=outweighs(count[Shows.FOR], count[Shows.AGAINST], days, min_support=min_support),
    )


def _that_show(batch: ContrastBatch, answers: Mapping[int, Shows], shows: Shows) -> list[ActToRead]:
    return [each for place, each in enumerate(batch.acts, start=1) if answers[place] is shows]


def outweighs(speak_for: int, against: int, days: int, *, min_support: int) -> bool:
    return days >= min_support and speak_for >= TIMES * against


def is_same(read: Supported, now: Supported | None) -> bool:
    """Whether a candidate still says what was read, and rests on what it rested on."""
    return now is not None and _stands_on(read) == _stands_on(now)


def _stands_on(supported: Supported) -> tuple[object, ...]:
    memory = supported.memory
    numbers = frozenset(each.id for each in supported.supports)
    return memory.content, memory.state, memory.held_because, supported.undone_at, numbers


_WEIGHED = (Shows.NEITHER, Shows.FOR, Shows.AGAINST)


def _shows(value: Any) -> Shows | None:
    word = value.strip().lower() if isinstance(value, str) else ""
    return Shows(word) if word in set(Shows) else None


_FORM = Form(NOUN, "acts", "shows", _shows)


def _can_be_shown(act: Action) -> bool:
    """Whether it stands, and there is something to read of it: an act on a message of a client's own has no text."""
    names_what_is_kept = act.round is not None or act.task is not None or KINDS[act.type].about is About.SESSION
    is_read = act.state is ActionState.STANDING and reading_of(act) is not None
    return is_read and (names_what_is_kept or bool(act.data) or bool(act.tool))


def _age(act: Action) -> tuple[object, ...]:
    return act.at, act.id


def _rows(batch: ContrastBatch) -> list[dict[str, Any]]:
    return [{NOUN: place, **_row(each, batch)} for place, each in enumerate(batch.acts, start=1)]


def _row(each: ActToRead, batch: ContrastBatch) -> dict[str, Any]:
    reading = KINDS[each.act.type].reading
    assert reading is not None
    shown = row(each.act, reading, batch.rounds, batch.tasks, SHOWN)
    rounds = [one for one in batch.rounds if one.session_id == each.act.session_id]
    if reading is ActReading.WORKFLOWS and rounds:
        shown["session"] = session(sorted(rounds, key=lambda one: one.number), SHOWN)
    return shown
