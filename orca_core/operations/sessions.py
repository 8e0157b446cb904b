"""Sessions and rounds listed; sessions named and forked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from orca_core.model.errors import NotFound
from orca_core.model.llm import Span
from orca_core.model.operations import OperationHeader
from orca_core.model.record_types import parse_timestamp, timestamp
from orca_core.model.sessions import Round, RoundState, Session
from orca_core.operations import deletion
from orca_core.operations.columns import spans_from_json
from orca_core.operations.receipts import ReceiptStore
from orca_core.operations.round_writes import RoundWriter
from orca_core.operations.rounds import STANDS, copy_messages, select_rounds
from orca_core.operations.tombstones import Tombstones
from orca_core.rules.text.cleaning import title_of
from orca_core.store.ports import Rows, above, any_of, at_most, is_, is_not
from orca_core.store.ports import below as below_

LOOKED_AT = 10
"""So many times as many questions are looked at as are wanted: the same ones may have been asked again and again.
Chosen by hand."""
_OF_A_ROUND = (
    "number", "state", "finish", "model", "estimated_prompt_tokens", "usage", "started_at", "finished_at", "cause",
)  # fmt: skip


class SessionStore(RoundWriter, ReceiptStore):
    """The sessions of one scope, and their rounds."""

    async def latest_session(self) -> Session | None:
        """The session used last."""
        return next(iter(await self.sessions(limit=1)), None)

    async def sessions(self, limit: int | None = None) -> list[Session]:
        """Newest first, by when they were last used."""

        def read(rows: Rows) -> list[Session]:
            columns = ("id", "title", "created_at")
            found = rows.select("sessions", columns, order=("-used_at", "-rowid"), limit=limit)
            those = any_of("session_id", [row[0] for row in found])
            counted = rows.grouped("rounds", ("session_id",), ("count",), those, STANDS)
            rounds = dict[str, int]((number, count) for number, count in counted)
            return [
                Session(number, title, parse_timestamp(created_at), rounds.get(number, 0))
                for number, title, created_at in found
            ]

        return await self._transactions.read(read, own=True)

    async def session(self, session_id: str) -> Session:
        """Raises NotFound."""
        return await self._transactions.read(lambda rows: session_of(rows, session_id), own=True)

    async def rounds(
        self, session_id: str, last: int | None = None, *, after: int = 0, below: int | None = None
    ) -> list[Round]:
        """The latest attempts in order: the last so many of those between two numbers, without them."""

        def read(rows: Rows) -> list[Round]:
            where = [is_("session_id", session_id), above("number", after)]
            where += [] if below is None else [below_("number", below)]
            return select_rounds(rows, *where, order=("-number",), limit=last, kinds=self._types.kinds)[::-1]

        return await self._transactions.read(read, own=True)

    async def questions(self, limit: int) -> list[tuple[Span, ...]]:
        """The latest questions of all sessions, each once, oldest first."""

        def read(rows: Rows) -> list[tuple[Span, ...]]:
            asked = [number for (number,) in rows.select("rounds", ("id",), order=("-id",), limit=LOOKED_AT * limit)]
            of_users = (any_of("round_id", asked), is_("role", "user"))
            said = {
                number: rest
                for number, *rest in rows.select("main_messages", ("round_id", "content", "spans"), *of_users)
            }
            latest: dict[str, str | None] = {}
            for content, spans in (said[each] for each in asked if each in said):
                latest.setdefault(content, spans)
                if len(latest) >= limit:
                    break
            return [spans_from_json(spans) for spans in latest.values()][::-1]

        return await self._transactions.read(read, own=True)

    async def delete(self, session_id: str, header: OperationHeader) -> bool:
        """Delete a session for good. Raises NotFound. False while a reader keeps old pages from being wiped."""

        def write(rows: Rows) -> None:
            session = session_of(rows, session_id)
            Tombstones(rows).lay_session(session_id, timestamp(session.created_at), header.at)
            operation = self._operation(rows, header)
            deletion.delete_acts_of_session(rows, operation, session_id)
            deletion.hide_session(rows, session_id)

        await self._transactions.write(write)
        return await self._transactions.wipe()

    async def delete_rounds(self, session_id: str, numbers: Sequence[int], header: OperationHeader) -> bool:
        """Delete rounds of a session for good, as `delete` does."""

        def write(rows: Rows) -> None:
            session_of(rows, session_id)
            operation = self._operation(rows, header)
            those = [(session_id, number) for number in numbers]
            deletion.delete_acts_of_rounds(rows, operation, those)
            deletion.hide_rounds(rows, those, header.at)
            operation.insert_row()
            deletion.note(rows)

        await self._transactions.write(write)
        return await self._transactions.wipe()

    async def rename(self, session_id: str, title: str) -> Session:
        def write(rows: Rows) -> Session:
            rows.update("sessions", {"title": title_of(title), "is_named": 1}, is_("id", session_id))
            return session_of(rows, session_id)

        return await self._transactions.write(write)

    async def fork(self, session_id: str, through: int, new_id: str, at: datetime) -> Session:
        def write(rows: Rows) -> Session:
            source = session_of(rows, session_id)
            [[is_named]] = rows.select("sessions", ("is_named",), is_("id", session_id))
            begun = timestamp(at)
            made = {"id": new_id, "title": source.title, "created_at": begun, "used_at": begun, "is_named": is_named}
            rows.insert("sessions", made)
            ended = (is_("replaced_by", None), is_not("state", RoundState.STREAMING.value), at_most("number", through))
            columns = ("id", "said_in", *_OF_A_ROUND)
            found = rows.select("rounds", columns, is_("session_id", session_id), *ended, order=("number",))
            for old, said_in, *values in found:
                copied = {"session_id": new_id, "said_in": said_in or session_id, "attempt": 1}
                copy_messages(
                    rows, old, rows.insert("rounds", {**copied, **dict(zip(_OF_A_ROUND, values, strict=True))})
                )
            return session_of(rows, new_id)

        return await self._transactions.write(write)


def session_of(rows: Rows, session_id: str) -> Session:
    """Raises NotFound where the scope has no such session."""
    found = rows.select("sessions", ("title", "created_at"), is_("id", session_id))
    if not found:
        raise NotFound(what="session", id=session_id)
    [[title, created_at]] = found
    rounds = rows.count("rounds", is_("session_id", session_id), is_("replaced_by", None))
    return Session(session_id, title, parse_timestamp(created_at), rounds)
