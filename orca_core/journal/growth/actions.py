"""Acts as they are recorded: each with what it takes back, and what follows from that, is one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import uuid4

from orca_core.domain.growth.actions import ACTIONS, Action, ActionRecorded, ActionState
from orca_core.domain.journal import OperationHeader
from orca_core.domain.stores.rows import Rows, Transactions, is_
from orca_core.journal.growth import supports
from orca_core.journal.operations import OpenOperation
from orca_core.journal.records import JournalRules, RecordTypes


class Acts:
    """The acts of one scope."""

    def __init__(self, transactions: Transactions, types: RecordTypes, rules: JournalRules) -> None:
        self._transactions = transactions
        self._types = types
        self._rules = rules

    async def record(self, action: Action, header: OperationHeader) -> ActionRecorded:
        def write(rows: Rows) -> ActionRecorded:
            standing = standing_in(rows, action.session_id)
            known = self._rules.growth.stands_already(action, standing)
            if known is not None:
                return ActionRecorded(known, None, is_known=True)
            operation = OpenOperation(rows, self._types, self._rules, header)
            taken_back = withdraw(operation, self._rules.growth.taken_back_by(action, standing))
            made: Action = operation.create(ACTIONS, replace(action, uid=uuid4().hex))
            numbers = supports.memories_of_acts(rows, [each.id for each in taken_back])
            memories = supports.reconsider(rows, self._rules, operation, numbers)
            return ActionRecorded(made, operation.number, tuple(taken_back), memories)

        return await self._transactions.write(write)

    async def standing(self, session_id: str) -> list[Action]:
        return await self._transactions.read(lambda rows: standing_in(rows, session_id))


def standing_in(rows: Rows, session_id: str) -> list[Action]:
    """The acts of a session that stand, oldest first."""
    where = (is_("session_id", session_id), is_("state", ActionState.STANDING.value))
    return [ACTIONS.from_row(row) for row in rows.select(ACTIONS.table, ACTIONS.names, *where, order=("id",))]


def withdraw(operation: OpenOperation, acts: Sequence[Action]) -> list[Action]:
    """The acts, which stand no more."""
    gone = {"state": ActionState.WITHDRAWN.value}
    return [operation.change(ACTIONS.ref(each), gone, each) for each in acts]
