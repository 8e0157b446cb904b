"""Since when acts speak for what they show, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from orca_core.model.feedback import ACTIONS, Action
from orca_core.model.records import parse_timestamp
from orca_core.rules.feedback.signals import speaks_at
from orca_core.store.ports import Rows, any_of, is_


def spoke_at(rows: Rows, acts: Collection[Action], now: datetime) -> Mapping[int, datetime]:
    """When each of the acts began to speak."""
    received = _received(rows, [each.id for each in acts])
    began = {each.id: _round_began(rows, each) for each in acts}
    return {each.id: speaks_at(each.at, received.get(each.id, now), began[each.id]) for each in acts}


def _received(rows: Rows, numbers: Sequence[int]) -> Mapping[int, datetime]:
    """When each of the acts was recorded."""
    of_acts, made = is_("kind", ACTIONS.kind.name), is_("before", None)
    noted = rows.select("memory_history", ("memory_id", "operation"), of_acts, made, any_of("memory_id", numbers))
    operations = any_of("id", sorted({operation for _, operation in noted}))
    times = dict[int, str]((number, at) for number, at in rows.select("operations", ("id", "at"), operations))
    return {number: parse_timestamp(times[operation]) for number, operation in noted}


def _round_began(rows: Rows, act: Action) -> datetime | None:
    """When the round began that it is about; None where that is no round that is there."""
    if act.round is None:
        return None
    where = [is_("session_id", act.session_id), is_("number", act.round)]
    where.append(is_("replaced_by", None) if act.round_id is None else is_("id", act.round_id))
    found = rows.select("rounds", ("started_at",), *where, limit=1)
    return parse_timestamp(found[0][0]) if found else None
