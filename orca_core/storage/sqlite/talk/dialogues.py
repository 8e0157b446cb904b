"""Sessions and rounds: what a turn writes, in two transactions with savings between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import apsw

from orca_core.domain.dialogues import (
    Cause,
    Round,
    RoundOutcome,
    RoundRecord,
    RoundStart,
    RoundState,
    Session,
    StartedRound,
)
from orca_core.domain.errors import InvalidInput, NotFound, RoundEnded
from orca_core.domain.memories import MEMORIES, Actor, Addition, Memory, OperationHeader, State
from orca_core.domain.recall import Receipt, WeightMove
from orca_core.domain.stores import Again, Evolve, PlanRetry
from orca_core.domain.times import parse_timestamp, timestamp
from orca_core.rules.keeping import status
from orca_core.storage.sqlite.engine.rows import ROUND_COLUMNS, citations_to_json, round_from_row, to_json
from orca_core.storage.sqlite.engine.scope import Scope
from orca_core.storage.sqlite.memories import changes
from orca_core.storage.sqlite.talk import attempts, messages

ROUNDS = f"""
    SELECT {ROUND_COLUMNS}
    FROM rounds r
    LEFT JOIN main_messages u ON u.round_id = r.id AND u.role = 'user'
    LEFT JOIN main_messages a ON a.round_id = r.id AND a.role = 'assistant'
    WHERE r.scope = ? AND r.session_id = ? AND r.replaced_by IS NULL
    ORDER BY r.number DESC LIMIT ?
"""
SESSIONS = """
    SELECT s.id, s.title, s.created_at,
           (SELECT count(*) FROM rounds r WHERE r.scope = s.scope AND r.session_id = s.id AND r.replaced_by IS NULL)
    FROM sessions s WHERE s.scope = ?
"""


class SQLiteDialogues:
    """The sessions and rounds of one scope."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    async def latest_session(self) -> Session | None:
        found = await self.sessions(limit=1)
        return found[0] if found else None

    async def sessions(self, limit: int | None = None) -> list[Session]:
        """Newest first, by when they were last used."""

        def read(connection: apsw.Connection) -> list[Session]:
            rows = connection.execute(
                SESSIONS + " ORDER BY s.used_at DESC, s.rowid DESC LIMIT ?",
                (self._scope.own, -1 if limit is None else limit),
            )
            return [_session(row) for row in rows]

        return await self._scope.read(read)

    async def session(self, session_id: str) -> Session:
        return await self._scope.read(lambda connection: session_of(connection, self._scope.own, session_id))

    async def rounds(self, session_id: str, last: int | None = None) -> list[Round]:
        def read(connection: apsw.Connection) -> list[Round]:
            rows = connection.execute(ROUNDS, (self._scope.own, session_id, -1 if last is None else last))
            return [round_from_row(row) for row in rows][::-1]

        return await self._scope.read(read)

    async def begin_round(self, start: RoundStart, again: Again, plan_retry: PlanRetry) -> StartedRound:
        return await self._scope.write(lambda connection: self._begin(connection, start, again, plan_retry))

    async def save_partial(self, round_id: int, answer: str, reasoning: str) -> None:
        def write(connection: apsw.Connection) -> None:
            self._streaming(connection, round_id)
            messages.save_answer(connection, round_id, answer, reasoning, at=None)

        await self._scope.write(write)

    async def finish_round(self, record: RoundRecord, evolve: Evolve) -> RoundOutcome:
        return await self._scope.write(lambda connection: self._finish(connection, record, evolve))

    async def end_round(
        self,
        round_id: int,
        state: Literal["interrupted", "failed"],
        answer: str,
        reasoning: str,
        receipt: Receipt | None,
        cause: Cause | None = None,
    ) -> None:
        def write(connection: apsw.Connection) -> None:
            self._streaming(connection, round_id)
            connection.execute("UPDATE rounds SET state = ?, owner = NULL WHERE id = ?", (state, round_id))
            if answer or reasoning:
                messages.save_answer(connection, round_id, answer, reasoning, at=None)
            messages.save_cause(connection, round_id, cause)
            if receipt is not None:
                messages.save_receipt(connection, round_id, receipt)

        await self._scope.write(write)

    def _begin(
        self, connection: apsw.Connection, start: RoundStart, again: Again, plan_retry: PlanRetry
    ) -> StartedRound:
        at = timestamp(start.at)
        if start.continues:
            session_of(connection, self._scope.own, start.session_id)
        connection.execute(
            "INSERT INTO sessions (id, scope, title, created_at, used_at) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (scope, id) DO UPDATE SET used_at = excluded.used_at",
            (start.session_id, self._scope.own, start.title, at, at),
        )
        replaced = self._replaced(connection, start)
        number, attempt = (replaced[1], replaced[2] + 1) if replaced else (self._last_number(connection, start) + 1, 1)
        connection.execute(
            "INSERT INTO rounds (scope, session_id, number, attempt, state, started_at, owner)"
            " VALUES (?, ?, ?, ?, 'streaming', ?, ?)",
            (self._scope.own, start.session_id, number, attempt, at, self._scope.owner),
        )
        round_id = connection.last_insert_rowid()
        messages.save_question(connection, round_id, start.spans, at)
        remembered: Addition | None = None
        taken_back: attempts.TakenBack = ()
        if replaced is not None:
            moved_back = attempts.replace_attempt(connection, self._scope.own, replaced[0], round_id, start, plan_retry)
            remembered, unsaid = attempts.forget_attempt(connection, self._scope.own, replaced[0], round_id, start)
            taken_back = (*moved_back, *unsaid)
        remembered = remembered or attempts.remember(connection, self._scope.own, start, round_id, number, again)
        return StartedRound(round_id, start.session_id, number, attempt, remembered, taken_back)

    def _last_number(self, connection: apsw.Connection, start: RoundStart) -> int:
        [last] = connection.execute(
            "SELECT coalesce(max(number), 0) FROM rounds WHERE scope = ? AND session_id = ?",
            (self._scope.own, start.session_id),
        ).fetchone() or (0,)
        return int(last)

    def _replaced(self, connection: apsw.Connection, start: RoundStart) -> tuple[int, int, int] | None:
        """(id, number, attempt) of the round that this attempt takes the place of."""
        if start.replaces is None:
            return None
        row = connection.execute(
            "SELECT id, number, attempt FROM rounds"
            " WHERE scope = ? AND session_id = ? AND number = ? AND replaced_by IS NULL",
            (self._scope.own, start.session_id, start.replaces),
        ).fetchone()
        if row is None:
            raise NotFound(what="round", id=start.replaces)
        if start.replaces != self._last_number(connection, start):
            raise InvalidInput(
                template="round {number} is not the last one of its session",
                hint="only the last round can be tried again",
                number=start.replaces,
            )
        return (row[0], row[1], row[2])

    def _streaming(self, connection: apsw.Connection, round_id: int) -> tuple[str, int]:
        """(session, number) of a round that is still being answered. Raises RoundEnded."""
        row = connection.execute(
            "SELECT session_id, number FROM rounds"
            " WHERE id = ? AND scope = ? AND state = 'streaming' AND replaced_by IS NULL",
            (round_id, self._scope.own),
        ).fetchone()
        if row is None:
            raise RoundEnded(id=round_id)
        return (row[0], row[1])

    def _finish(self, connection: apsw.Connection, record: RoundRecord, evolve: Evolve) -> RoundOutcome:
        session_id, number = self._streaming(connection, record.round_id)
        at = timestamp(record.at)
        connection.execute(
            "UPDATE rounds SET state = ?, finish = ?, model = ?, estimated_prompt_tokens = ?, usage = ?,"
            " finished_at = ?, owner = NULL WHERE id = ?",
            (
                RoundState.DONE.value, record.finish.value, record.model, record.estimated_prompt_tokens,
                None if record.usage is None else to_json(record.usage), at, record.round_id,
            ),
        )  # fmt: skip
        messages.save_answer(connection, record.round_id, record.answer, record.reasoning, at=at)
        connection.execute(
            "UPDATE main_messages SET citations = ? WHERE round_id = ? AND role = 'assistant'",
            (citations_to_json(record.citations), record.round_id),
        )
        messages.save_cause(connection, record.round_id, record.cause)
        self._save_short_term(connection, record, session_id, number)
        buffered = self._to_buffer(connection, record, session_id)
        moved = self._move_weights(connection, record, evolve, session_id, number)
        moves = tuple(move for move, _ in moved)
        messages.save_receipt(connection, record.round_id, replace(record.receipt, weights=moves))
        archived = tuple(memory.id for _, memory in moved if memory.state is State.ARCHIVED)
        return RoundOutcome(moved, archived, buffered)

    def _save_short_term(self, connection: apsw.Connection, record: RoundRecord, session_id: str, number: int) -> None:
        if record.short_term is None:
            return
        new = record.short_term
        connection.execute(
            "INSERT INTO short_term_memories"
            " (scope, session_id, round_id, round, content, question, trusted, tokens, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                self._scope.own, session_id, record.round_id, number, new.content, new.question, int(new.trusted),
                " ".join(new.tokens), timestamp(record.at),
            ),
        )  # fmt: skip
        connection.execute(
            "DELETE FROM short_term_memories WHERE scope = ?1 AND session_id = ?2 AND id NOT IN"
            " (SELECT id FROM short_term_memories WHERE scope = ?1 AND session_id = ?2 ORDER BY id DESC LIMIT ?3)",
            (self._scope.own, session_id, record.short_term_max_items),
        )

    def _to_buffer(self, connection: apsw.Connection, record: RoundRecord, session_id: str) -> int:
        """Queue the round for the memory agent; how many of the session wait now."""
        if record.to_buffer:
            connection.execute(
                "INSERT INTO dialogue_buffer (scope, session_id, round_id, at) VALUES (?, ?, ?, ?)",
                (self._scope.own, session_id, record.round_id, timestamp(record.at)),
            )
        [waiting] = connection.execute(
            "SELECT count(*) FROM dialogue_buffer WHERE scope = ? AND session_id = ? AND state = 'new'",
            (self._scope.own, session_id),
        ).fetchone() or (0,)
        return int(waiting)

    def _move_weights(
        self, connection: apsw.Connection, record: RoundRecord, evolve: Evolve, session_id: str, number: int
    ) -> tuple[tuple[WeightMove, Memory], ...]:
        """One operation for all that the answer did; memories that are gone by now are passed over. An answer that
        used none is recorded also where the tables of long-term memory are damaged."""
        uses = {ref.id: use for ref, use in record.uses.items() if ref.kind == MEMORIES.kind}
        if not uses:
            return ()
        scope = self._scope.own
        current = {memory.id: memory for memory in changes.memories_there(connection, scope, list(uses))}
        wanted = {memory_id: evolve(memory, uses[memory_id], record.at) for memory_id, memory in current.items()}
        header = OperationHeader(Actor.TURN, "weights", record.at, session_id, number)
        _, after = changes.apply_changes(connection, self._scope.own, header, wanted, round_id=record.round_id)
        moved = []
        for memory in after:
            before = current[memory.id]
            connection.execute(
                "INSERT INTO memory_usage_log (round_id, memory_id, use, weight_before, weight_after, at)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (
                    record.round_id, memory.id, uses[memory.id].value, before.weight, memory.weight,
                    timestamp(record.at),
                ),
            )  # fmt: skip
            if before.weight != memory.weight or before.state is not memory.state:
                came_of_it = status.status_of(memory, record.core_threshold)
                moved.append((WeightMove(MEMORIES.ref(memory), before.weight, memory.weight, came_of_it), memory))
        return tuple(moved)


def session_of(connection: apsw.Connection, scope: str, session_id: str) -> Session:
    """Raises NotFound where this scope has no such session."""
    row = connection.execute(SESSIONS + " AND s.id = ?", (scope, session_id)).fetchone()
    if row is None:
        raise NotFound(what="session", id=session_id)
    return _session(row)


def _session(row: Sequence[object]) -> Session:
    return Session(str(row[0]), str(row[1]), parse_timestamp(str(row[2])), int(str(row[3])))
