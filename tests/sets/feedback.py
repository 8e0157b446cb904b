"""Sets of acts with a claim that a careless reading makes of them, and the truth: whether it may go live by them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from sets.questions import Row, errs, lines_of, question

from orca_core.model.feedback import (
    ActBatch,
    Action,
    ActionType,
    ProposedPreference,
    Support,
    SupportedMemory,
    SupportKind,
)
from orca_core.model.learning import RunKind, Subject
from orca_core.model.llm import Span
from orca_core.model.memories import Memory, MemoryType, NewMemory, Origin, OriginKind, State
from orca_core.model.sessions import Round, RoundState
from orca_core.rules.feedback import preference_claims, promotion
from orca_core.rules.feedback.signals import ACT_RULES, ActSubject, source_of
from orca_core.rules.learning.fact_verifier import read_answers
from orca_core.rules.text.spelling import language_of

BEGUN = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)
RECORDED = "recorded.jsonl"


class Case(Struct, frozen=True):
    """Acts, each on a day of its own, and what is claimed of them: that may `live`, or not, and why."""

    name: str
    acts: tuple[Mapping[str, str], ...]
    claim: str
    live: bool
    why: str = ""


class Failures(Struct):
    """What went wrong, a line each; so many cases were honest, and so many not."""

    honest: int = 0
    false: int = 0
    lived: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)


Verifier = Callable[[Case], bool | None]
"""What is said of a claim beside all of its acts; None where nothing is."""


def cases_in(folder: Path) -> list[Case]:
    rows: list[dict[str, Any]] = json.loads((folder / "feedback.json").read_text("utf-8"))
    return [Case(each["name"], tuple(each["acts"]), each["claim"], each["live"], each.get("why", "")) for each in rows]


def right(case: Case) -> bool:
    return case.live


def careless(seed: int) -> Verifier:
    """Errs in one of twenty answers, both ways."""
    return lambda case: case.live is not errs(seed, case.name, case.claim)


def recorded(path: Path) -> Verifier:
    """What a model answered once to the shipped prompt; it answers nothing else."""
    said = {row["name"]: bool(row["says_so"]) for row in lines_of(path)}
    return lambda case: said.get(case.name)


def measured(cases: list[Case], verifier: Verifier) -> Failures:
    """What goes live that must not, and what is held that may, where all acts of a case support its claim."""
    found = Failures(sum(each.live for each in cases), sum(not each.live for each in cases))
    for case in cases:
        why = held_because(case) or _held_by(verifier(case))
        if why is None and not case.live:
            found.lived.append(f"{case.name} · {case.claim} · {case.why}")
        if why is not None and case.live:
            found.held.append(f"{case.name} · {case.claim} · {why}")
    return found


def _held_by(says_so: bool | None) -> str | None:
    if says_so is None:
        return "unread"
    return None if says_so else "not_said"


def held_because(case: Case) -> str | None:
    """Why provenance holds the claim, whichever act it is read out of; None where supports may lift it."""
    proposed = ProposedPreference(1, case.claim)
    held = preference_claims.judge_preference(proposed, batch_of(case)).held
    return None if held == promotion.UNPROVEN else held


def batch_of(case: Case) -> ActBatch:
    """All acts, as the verifier is shown them before the claim goes live by them."""
    acts, rounds = [], []
    for number, row in enumerate(case.acts, start=1):
        act, round_ = _act(number, row)
        acts.append(act)
        rounds += [round_] if round_ is not None else []
    candidate = SupportedMemory(_candidate(case.claim), tuple(_support(each) for each in acts))
    shown = promotion.acts_to_read(candidate, acts)
    return ActBatch(1, RunKind.ACTIONS, "", tuple(rounds), 1, actions=tuple(shown), candidate=candidate)


def _act(number: int, row: Mapping[str, str]) -> tuple[Action, Round | None]:
    """An act on its day, with its round; a query that a client reports has none."""
    type_, at, session = ActionType(row["type"]), BEGUN + timedelta(days=number), f"s{number}"
    question, answer = row.get("question", ""), row.get("answer", "")
    data = {key: row[key] for key in ("previous", "current") if row.get(key)}
    if ACT_RULES[type_].about is ActSubject.QUERY:
        return Action(number, f"uid-{number}", type_, session, at, data={"query": question}), None
    if not question and not answer:
        return Action(number, f"uid-{number}", type_, session, at, data=data), None
    act = Action(number, f"uid-{number}", type_, session, at, round=1, data=data)
    return act, Round(number, session, 1, 1, question, (Span(question),), answer, RoundState.DONE, at)


def _support(act: Action) -> Support:
    return Support(act.id, 1, SupportKind.ACT, source_of(act), act.at, act.id, act.session_id, act.round)


def _candidate(claim: str) -> Memory:
    origin = Origin(OriginKind.EXTRACTION)
    new = NewMemory(claim, MemoryType.PREFERENCE, origin=origin, state=State.CANDIDATE, held_because=promotion.UNPROVEN)
    return new.born("uid", BEGUN)


def asked_in(folder: Path) -> Iterator[tuple[Row, Case]]:
    """The verifier's exact question about each claim of a folder that provenance lets pass, numbered in their order."""
    passed = [case for case in cases_in(folder) if held_because(case) is None]
    for number, case in enumerate(passed, start=1):
        shown = preference_claims.verifier_material(batch_of(case))
        yield question(number, folder.name, case.name, Subject.FEEDBACK, language_of(case.claim), shown), case


def records_of(folder: Path, asked: Iterable[Row], texts: Mapping[int, str]) -> Iterator[Row]:
    """A model's answers to these questions as what is said of each claim. Where an answer can't be read, or is missing,
    nothing is said."""
    claims = {case.name: case.claim for case in cases_in(folder)}
    for each in asked:
        said = (read_answers(texts.get(each["n"], ""), 1) or {}).get(1)
        if said is not None:
            yield {"name": each["name"], "claim": claims[each["name"]], "says_so": said.says_so, "why": said.why}
