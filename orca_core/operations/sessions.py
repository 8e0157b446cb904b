"""Sessions as wholes: named and forked."""

from __future__ import annotations

from datetime import datetime

from orca_core.model.errors import NotFound
from orca_core.model.records import parse_timestamp, timestamp
from orca_core.model.sessions import RoundState, Session
from orca_core.operations.messages import copy_messages
from orca_core.rules.text.cleaning import title_of
from orca_core.settings import MemorySettings
from orca_core.store.ports import Rows, Transactions, at_most, is_, is_not

_OF_A_ROUND = (
    "number", "state", "finish", "model", "estimated_prompt_tokens", "usage", "started_at", "finished_at", "cause",
)  # fmt: skip


class SessionChanges:
    """The sessions of one scope, as they are written."""

    def __init__(self, transactions: Transactions, settings: MemorySettings) -> None:
        self._transactions = transactions
        self._settings = settings

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
