"""Sets of acts with a preference that an agent says they show: what becomes of each."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from orca_core.model.feedback import ActBatch, Action, ActionType, ProposedPreference
from orca_core.model.learning import RunKind
from orca_core.model.llm import Source, Span
from orca_core.model.sessions import Round, RoundState
from orca_core.rules.feedback import preference_claims

AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def cases_in(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def becomes(case: dict[str, Any]) -> str | None:
    """Why what comes of it waits; None for what lives."""
    given = case["preference"]
    proposed = ProposedPreference(
        1, given["content"], is_explicit=given["type"] == "explicit", quote=given.get("quote", "")
    )
    return preference_claims.judge_preference(proposed, batch_of(case)).held


def batch_of(case: dict[str, Any]) -> ActBatch:
    kind = ActionType(case["act"])
    number = 1 if case["rounds"] else None
    act = Action(1, "uid", kind, "s", AT, round=number, tool=case.get("tool", ""), data=case["data"])
    return ActBatch(1, RunKind.ACTIONS, "s", _rounds(case), 1, actions=(act,))


def _rounds(case: dict[str, Any]) -> tuple[Round, ...]:
    rounds = []
    for number, row in enumerate(case["rounds"], start=1):
        spans = tuple(Span(each["text"], Source(each["source"])) for each in row["user"])
        user = "\n".join(each.text for each in spans)
        rounds.append(Round(number, "s", number, 1, user, spans, row["assistant"], RoundState.DONE, AT))
    return tuple(rounds)
