"""Runs of the memory agent: begun, retried, ended, parked, given back, inside the caller's transaction."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

import msgspec

from orca_core.model.episodes import EPISODES
from orca_core.model.errors import NotFound
from orca_core.model.feedback import ACTIONS
from orca_core.model.knowledge import KNOWLEDGES
from orca_core.model.learning import (
    OPEN_STATES,
    AgentMessage,
    LearntFacts,
    OpenRun,
    Run,
    RunEnd,
    RunKind,
    RunResult,
    RunState,
)
from orca_core.model.llm import Usage
from orca_core.model.memories import MEMORIES
from orca_core.model.record_types import CALL, MEMORY, Kind, Ref, parse_timestamp, timestamp
from orca_core.model.tools import GUIDES
from orca_core.operations import columns
from orca_core.operations.columns import to_json
from orca_core.operations.operations import ScopedStore
from orca_core.store.ports import Condition, Row, Rows, any_of, is_

_OPEN = ("id", "session_id", "state", "tries", "rounds", "again", "next_at", "target", "acts")
_RUN = (
    *("id", "kind", "session_id", "state", "tries", "started_at", "ended_at", "next_at", "operation", "error"),
    *("result", "rounds", "target", "episodes"),
)
_KINDS: Mapping[str, str] = {each.value: each for each in RunKind}
_NOTED = {each.kind: each.table for each in (EPISODES, KNOWLEDGES, ACTIONS, GUIDES)} | {CALL: "tool_calls"}
"""What an exchange shows, by the tables that have it."""
_NOT_ENDED = tuple(state.value for state in (RunState.RUNNING, *OPEN_STATES))


def open_runs(rows: Rows, kind: str, *where: Condition) -> list[OpenRun]:
    """Runs that were cut short or failed, oldest first."""
    found = rows.select("extraction_runs", _OPEN, is_("kind", kind), any_of("state", _NOT_ENDED), *where, order=("id",))
    return [
        OpenRun(
            number,
            session_id,
            RunState(state),
            tries,
            tuple(json.loads(read)),
            bool(again),
            None if next_at is None else parse_timestamp(next_at),
            target,
            tuple(json.loads(acts)),
        )
        for number, session_id, state, tries, read, again, next_at, target, acts in found
    ]


def begin(
    rows: Rows,
    session_id: str,
    kind: str,
    round_ids: Sequence[int],
    now: datetime,
    *,
    again: bool = False,
    target: str = "",
) -> int:
    values = {
        "session_id": session_id,
        "kind": str(kind),
        "state": RunState.RUNNING.value,
        "started_at": timestamp(now),
        "rounds": to_json(list(round_ids)),
        "again": int(again),
        "tries": 1,
        "target": target,
    }
    return rows.insert("extraction_runs", values)


def begin_again(rows: Rows, run: OpenRun, round_ids: Sequence[int], now: datetime, *, tries: int | None = None) -> None:
    """Begin another try at a run, with the rounds that are left. It counts from now on, however it ends; as which,
    where it is not one more than the last, say `tries`."""
    values = {
        "state": RunState.RUNNING.value,
        "started_at": timestamp(now),
        "ended_at": None,
        "next_at": None,
        "rounds": to_json(list(round_ids)),
        "tries": run.tries + 1 if tries is None else tries,
    }
    rows.update("extraction_runs", values, is_("id", run.id))


def end(
    rows: Rows,
    run: int,
    state: RunState,
    ended: RunEnd,
    *,
    error: str | None = None,
    next_at: datetime | None = None,
    operation: int | None = None,
    result: RunResult | None = None,
) -> None:
    values = {
        "state": state.value,
        "ended_at": timestamp(ended.at),
        "error": error,
        "next_at": timestamp(next_at) if next_at else None,
        "operation": operation,
        "result": to_json(result) if result else None,
    }
    rows.update("extraction_runs", values, is_("id", run))
    note_records(rows, run, [Ref(EPISODES.kind, each) for each in ended.episodes])
    if not _may_be_kept(rows, run):
        return
    _note_memories(rows, run, ended, result)
    for message in ended.exchange:
        said = {
            "run": run,
            "role": columns.role_column(message),
            "content": message.content,
            "model": message.model,
            "usage": to_json(message.usage) if message.usage else None,
            "at": timestamp(message.at),
        }
        rows.insert("subagent_messages", said)


def _may_be_kept(rows: Rows, run: int) -> bool:
    """Whether all that the run read still exists: its exchange must not bring back what was deleted meanwhile."""
    found = rows.select("extraction_runs", ("rounds",), is_("id", run))
    if not found:
        return False
    read = set(json.loads(found[0][0]))
    there = (
        rows.count(table, any_of("id", named)) == len(named)
        for kind, table in _NOTED.items()
        if (named := _noted(rows, run, kind))
    )
    return all(there) and rows.count("rounds", any_of("id", sorted(read))) == len(read)


def _noted(rows: Rows, run: int, kind: Kind) -> list[int]:
    same = (is_("run", run), is_("kind", kind.name))
    return [number for (number,) in rows.select("run_records", ("record_id",), *same)]


def note_records(rows: Rows, run: int, refs: Iterable[Ref]) -> None:
    """Note which episodes, knowledge, acts, guides and calls stand in the exchange: deleting one deletes the exchange,
    and what is said after that is not kept."""
    for ref in refs:
        values = {"kind": ref.kind.name, "record_id": ref.id, "run": run}
        rows.insert("run_records", values, if_absent=True)


def _note_memories(rows: Rows, run: int, ended: RunEnd, result: RunResult | None) -> None:
    """Note which memories stand in the exchange, shown or found: deleting one deletes the exchange."""
    named = set(ended.shown)
    if result is not None:
        named.update(result.stored, result.confirmed, result.candidates, result.retracted, result.supported)
        named.update(memory_id for pair in result.replaced for memory_id in pair)
        refused = any_of("content", [dropped.content for dropped in result.dropped])
        named.update(row[0] for row in rows.select(MEMORIES.table, ("id",), refused))
    for each in sorted(named):
        rows.insert("run_memories", {"memory_id": each, "run": run}, if_absent=True)


def give_back(rows: Rows, run: int) -> None:
    """Give a try back that was left because Orca ends: the run waits as if it had not been begun."""
    for number, tries in rows.select(
        "extraction_runs", ("id", "tries"), is_("id", run), is_("state", RunState.RUNNING.value)
    ):
        rows.update("extraction_runs", {"tries": max(0, tries - 1)}, is_("id", number))


def park(rows: Rows, run: OpenRun, now: datetime) -> None:
    """Park a run that was begun as often as allowed, and whose last try never ended."""
    error = f"cut short in the middle, and begun {run.tries} times by now"
    end(rows, run.id, RunState.FAILED, RunEnd(now), error=error)


def result_of(learnt: LearntFacts, ended: RunEnd, supported: Sequence[int] = ()) -> RunResult:
    return RunResult(
        stored=tuple(fact.memory.id for fact in learnt.stored),
        confirmed=learnt.confirmed,
        replaced=learnt.replaced,
        candidates=tuple(fact.memory.id for fact in learnt.candidates),
        dropped=learnt.dropped,
        similar={fact.memory.id: fact.similar for fact in (*learnt.stored, *learnt.candidates)},
        verification=ended.verification,
        supported=tuple(supported),
    )


class RunRecord(ScopedStore):
    """The runs of one scope, to be looked at."""

    async def runs(self, limit: int) -> list[Run]:
        """Newest first."""
        return await self._transactions.read(lambda rows: _runs(rows, limit=limit), own=True)

    async def run(self, run_id: int) -> tuple[Run, list[AgentMessage]]:
        """A run with what was said between Orca and the memory agent. Raises NotFound."""

        def read(rows: Rows) -> tuple[Run, list[AgentMessage]]:
            found = _runs(rows, is_("id", run_id))
            if not found:
                raise NotFound(what="run", id=run_id)
            return found[0], _exchange(rows, run_id)

        return await self._transactions.read(read, own=True)


def _runs(rows: Rows, *where: Condition, limit: int | None = None) -> list[Run]:
    found = rows.select("extraction_runs", _RUN, *where, order=("-id",), limit=limit)
    read = {row[0]: json.loads(row[11]) for row in found}
    named = sorted({number for each in read.values() for number in each})
    numbers = dict[int, int](
        (each, number) for each, number in rows.select("rounds", ("id", "number"), any_of("id", named))
    )
    return [_run(row, tuple(numbers[each] for each in read[row[0]] if each in numbers)) for row in found]


def _run(row: Row, rounds: tuple[int, ...]) -> Run:
    number, kind, session_id, state, tries, started_at, ended_at, next_at, operation, error, result, _, *rest = row
    target, episodes = rest
    return Run(
        id=number,
        kind=_KINDS.get(kind, kind),
        session_id=session_id,
        state=RunState(state),
        tries=tries,
        started_at=parse_timestamp(started_at),
        ended_at=parse_timestamp(ended_at) if ended_at else None,
        next_at=parse_timestamp(next_at) if next_at else None,
        operation=operation,
        error=error or "",
        result=msgspec.json.decode(result, type=RunResult) if result else None,
        rounds=rounds,
        target=target,
        episodes=tuple(json.loads(episodes)),
    )


def _exchange(rows: Rows, run: int) -> list[AgentMessage]:
    """What was said; nothing where a memory that stands in it was deleted, and is not wiped yet."""
    shown = [Ref(MEMORY, number) for (number,) in rows.select("run_memories", ("memory_id",), is_("run", run))]
    if rows.lists.gone(shown):
        return []
    named = ("role", "content", "at", "model", "usage")
    said = []
    for role, content, at, model, usage in rows.select("subagent_messages", named, is_("run", run), order=("id",)):
        speaker, in_verification = columns.role_from_column(role)
        used = msgspec.json.decode(usage, type=Usage) if usage else None
        said.append(AgentMessage(speaker, content, parse_timestamp(at), model, used, in_verification))
    return said
