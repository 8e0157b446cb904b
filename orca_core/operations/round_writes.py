"""Writes of a turn: its question, what came of the answer, and all that a finished or broken round leaves."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from msgspec.structs import replace

from orca_core.model.errors import InvalidInput, NotFound, RoundEnded
from orca_core.model.memories import MEMORIES, Addition, Memory, Status
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.recall import Receipt, WeightMove
from orca_core.model.record_types import STOPPED, Cause, Ref, timestamp
from orca_core.model.sessions import RoundOutcome, RoundRecord, RoundStart, RoundState, StartedRound
from orca_core.operations import actions
from orca_core.operations.columns import citations_to_json, to_json
from orca_core.operations.operations import OpenOperation, ScopedStore
from orca_core.operations.receipts import save_receipt
from orca_core.operations.records import memories_there, records_there
from orca_core.operations.round_retries import Attempts, TakenBack
from orca_core.operations.rounds import save_answer, save_question
from orca_core.operations.tombstones import Tombstones
from orca_core.rules.memory.memory_curation import status_of
from orca_core.rules.memory.memory_upkeep import evolve
from orca_core.rules.work import work_curation
from orca_core.store.ports import Rows, any_of, is_

_COUNTED = "access_count"


class RoundWriter(ScopedStore):
    """Writes the rounds of one scope."""

    async def begin_round(self, start: RoundStart) -> StartedRound:
        return await self._transactions.write(lambda rows: self._begin(rows, start))

    async def save_partial(self, round_id: int, answer: str, reasoning: str) -> None:
        def write(rows: Rows) -> None:
            _, _, started_at = _streaming(rows, round_id)
            save_answer(rows, round_id, answer, reasoning, at=started_at, is_whole=False)

        await self._transactions.write(write)

    async def finish_round(self, record: RoundRecord) -> RoundOutcome:
        return await self._transactions.write(lambda rows: self._finish(rows, record))

    async def end_round(
        self,
        round_id: int,
        state: Literal["interrupted", "failed"],
        answer: str,
        reasoning: str,
        receipt: Receipt | None,
        cause: Cause | None = None,
    ) -> None:
        def write(rows: Rows) -> None:
            session_id, number, started_at = _streaming(rows, round_id)
            if cause is not None and cause.kind == STOPPED:
                actions.note_stop(rows, session_id, number, round_id, started_at)
            rows.update("rounds", {"state": state, "owner": None, "cause": _cause(cause)}, is_("id", round_id))
            if answer or reasoning:
                save_answer(rows, round_id, answer, reasoning, at=started_at)
            if receipt is not None:
                save_receipt(rows, round_id, receipt)

        await self._transactions.write(write)

    def _begin(self, rows: Rows, start: RoundStart) -> StartedRound:
        at = timestamp(start.at)
        _use_session(rows, start, at)
        replaced = _replaced(rows, start)
        number, attempt = (replaced[1], replaced[2] + 1) if replaced else (_last_number(rows, start) + 1, 1)
        round_id = rows.insert(
            "rounds",
            {
                "session_id": start.session_id,
                "number": number,
                "attempt": attempt,
                "state": RoundState.STREAMING.value,
                "started_at": at,
                "owner": rows.owner,
            },
        )
        save_question(rows, round_id, start.spans, at)
        if start.is_act and replaced is None:
            actions.note_message(rows, start.session_id, number, round_id, start.at)
        attempts = Attempts(rows, self._types, self._settings, start)
        remembered: Addition | None = None
        taken_back: TakenBack = ()
        if replaced is not None:
            actions.another_attempt(rows, replaced[0], round_id)
            moved_back = attempts.replace(replaced[0], round_id)
            remembered, unsaid = attempts.forget(replaced[0], round_id)
            taken_back = (*moved_back, *unsaid)
        remembered = remembered or attempts.remember(round_id, number)
        return StartedRound(round_id, start.session_id, number, attempt, remembered, taken_back)

    def _finish(self, rows: Rows, record: RoundRecord) -> RoundOutcome:
        session_id, number, _ = _streaming(rows, record.round_id)
        at = timestamp(record.at)
        ended = {
            "state": RoundState.DONE.value,
            "finish": record.finish.value,
            "model": record.model,
            "estimated_prompt_tokens": record.estimated_prompt_tokens,
            "usage": None if record.usage is None else to_json(record.usage),
            "finished_at": at,
            "owner": None,
            "cause": _cause(record.cause),
        }
        rows.update("rounds", ended, is_("id", record.round_id))
        citations = citations_to_json(record.citations)
        save_answer(rows, record.round_id, record.answer, record.reasoning, at=at, citations=citations)
        _save_short_term(rows, record, session_id, number, Tombstones(rows))
        buffered = _to_buffer(rows, record, session_id)
        header = OperationHeader(Actor.TURN, "weights", record.at, session_id, number)
        operation = self._operation(rows, header, round_id=record.round_id)
        moved = self._move_weights(rows, record, operation)
        self._count_accesses(rows, record.receipt, record.at, operation)
        self._log_further_uses(rows, record)
        save_receipt(rows, record.round_id, replace(record.receipt, weights=moved))
        archived = tuple(move.ref.id for move in moved if move.status is Status.ARCHIVED)
        return RoundOutcome(moved, archived, buffered)

    def _move_weights(self, rows: Rows, record: RoundRecord, operation: OpenOperation) -> tuple[WeightMove, ...]:
        """What the uses of memories make of them; deleted ones are skipped. A round without used memories is recorded
        even where the tables of long-term memory are damaged."""
        uses = {ref.id: use for ref, use in record.uses.items() if ref.kind == MEMORIES.kind}
        weights, long_term = self._settings.weights, self._settings.long_term
        moved: list[tuple[Memory, Memory]] = []
        for before in memories_there(rows, list(uses)) if uses else []:
            wanted = evolve(before, uses[before.id], record.at, weights=weights, long_term=long_term)
            moved.append((before, operation.change(MEMORIES.ref(before), wanted, before)))
        _log_uses(rows, record, {MEMORIES.ref(before): (before.weight, after.weight) for before, after in moved})
        return tuple(
            WeightMove(MEMORIES.ref(after), before.weight, after.weight, status_of(after, record.core_threshold))
            for before, after in moved
            if (before.weight, before.state) != (after.weight, after.state)
        )

    def _count_accesses(self, rows: Rows, receipt: Receipt, at: datetime, operation: OpenOperation) -> None:
        """Count that episodes and knowledge were put before the model, as part of what the turn did to weights."""
        for record_type in self._types:
            ids = [item.ref.id for item in receipt.injection.shown if item.ref.kind == record_type.kind]
            if ids and record_type is not MEMORIES and _COUNTED in record_type.changeable:
                there = {record_type.ref(each): each for each in records_there(rows, record_type, ids)}
                for ref, each in there.items():
                    operation.change(ref, work_curation.count_access(each, at), each)

    def _log_further_uses(self, rows: Rows, record: RoundRecord) -> None:
        """The uses of records that have no weight; those that are gone by now are passed over."""
        for record_type in self._types:
            ids = [ref.id for ref in record.uses if ref.kind == record_type.kind]
            if ids and record_type is not MEMORIES:
                there = records_there(rows, record_type, ids)
                _log_uses(rows, record, {record_type.ref(each): (None, None) for each in there})


def _log_uses(rows: Rows, record: RoundRecord, weights: Mapping[Ref, tuple[float, float] | tuple[None, None]]) -> None:
    """That records were put before the model, what the answer did with each, and its weight before and after."""
    columns = ("round_id", "kind", "memory_id", "use", "weight_before", "weight_after", "at")
    at = timestamp(record.at)
    rows.insert_all(
        "memory_usage_log",
        columns,
        [(record.round_id, ref.kind.name, ref.id, record.uses[ref].value, *both, at) for ref, both in weights.items()],
    )


def _use_session(rows: Rows, start: RoundStart, at: str) -> None:
    """Touch the session, or make it where there is none. Raises NotFound where it should exist and was deleted."""
    if rows.update("sessions", {"used_at": at}, is_("id", start.session_id)):
        return
    if start.continues:
        raise NotFound(what="session", id=start.session_id)
    rows.insert("sessions", {"id": start.session_id, "title": start.title, "created_at": at, "used_at": at})


def _last_number(rows: Rows, start: RoundStart) -> int:
    latest = rows.select("rounds", ("number",), is_("session_id", start.session_id), order=("-number",), limit=1)
    return int(latest[0][0]) if latest else 0


def _replaced(rows: Rows, start: RoundStart) -> tuple[int, int, int] | None:
    """(id, number, attempt) of the round that this attempt replaces."""
    if start.replaces is None:
        return None
    columns = ("id", "number", "attempt")
    where = (is_("session_id", start.session_id), is_("number", start.replaces), is_("replaced_by", None))
    found = rows.select("rounds", columns, *where)
    if not found:
        raise NotFound(what="round", id=start.replaces)
    if start.replaces != _last_number(rows, start):
        raise InvalidInput(
            template="round {number} is not the last one of its session",
            hint="only the last round can be tried again",
            number=start.replaces,
        )
    [[round_id, number, attempt]] = found
    return (round_id, number, attempt)


def _streaming(rows: Rows, round_id: int) -> tuple[str, int, str]:
    """(session, number, when it began) of a round that is still being answered. Raises RoundEnded."""
    where = (is_("id", round_id), is_("state", RoundState.STREAMING.value), is_("replaced_by", None))
    found = rows.select("rounds", ("session_id", "number", "started_at"), *where)
    if not found:
        raise RoundEnded(id=round_id)
    [[session_id, number, started_at]] = found
    return (session_id, number, started_at)


def _cause(cause: Cause | None) -> str | None:
    """Store the cause of the end of the round."""
    return None if cause is None else to_json(cause)


def _save_short_term(rows: Rows, record: RoundRecord, session_id: str, number: int, deleted: Tombstones) -> None:
    """Store the summary of the round, unless it would bring into other chats what a person deleted; drop the session's
    oldest beyond the limit."""
    new = record.short_term
    if new is None or deleted.without_deleted(new.question) != new.question:
        return
    rows.insert(
        "short_term_memories",
        {
            "session_id": session_id,
            "round_id": record.round_id,
            "round": number,
            "content": new.content,
            "question": new.question,
            "trusted": int(new.trusted),
            "tokens": " ".join(new.tokens),
            "created_at": timestamp(record.at),
        },
    )
    kept = rows.select("short_term_memories", ("id",), is_("session_id", session_id), order=("-id",))
    if too_old := [row[0] for row in kept[record.short_term_max_items :]]:
        rows.delete("short_term_memories", any_of("id", too_old))


def _to_buffer(rows: Rows, record: RoundRecord, session_id: str) -> int:
    """Queue the round for the memory agent; returns how many rounds of the session wait."""
    if record.to_buffer:
        rows.insert(
            "dialogue_buffer", {"session_id": session_id, "round_id": record.round_id, "at": timestamp(record.at)}
        )
    return rows.count("dialogue_buffer", is_("session_id", session_id), is_("state", "new"))
