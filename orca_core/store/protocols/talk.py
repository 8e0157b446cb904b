"""Ports of sessions, rounds and receipts, and of the context limits that servers named."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, Protocol

from orca_core.model.llm import ContextLimit, Span, ToolSupport
from orca_core.model.operations import OperationHeader
from orca_core.model.recall import Appearance, Receipt
from orca_core.model.records import Cause, Ref
from orca_core.model.sessions import Round, RoundOutcome, RoundRecord, RoundStart, Session, StartedRound
from orca_core.store.protocols.memories import Evolve, PlanRetry


class DialogueStore(Protocol):
    """Sessions and rounds: the spine of a turn."""

    async def latest_session(self) -> Session | None: ...

    async def sessions(self, limit: int | None = None) -> list[Session]:
        """Newest first."""
        ...

    async def session(self, session_id: str) -> Session:
        """Raises NotFound."""
        ...

    async def rounds(
        self, session_id: str, last: int | None = None, *, after: int = 0, below: int | None = None
    ) -> list[Round]:
        """The latest attempt of each round past number `after` and `below` another, oldest first; only the `last` ones
        where given."""
        ...

    async def begin_round(self, start: RoundStart, plan_retry: PlanRetry) -> StartedRound:
        """Save the user's message; a replaced attempt's weights, short-term summary and buffer row are taken back."""
        ...

    async def save_partial(self, round_id: int, answer: str, reasoning: str) -> None:
        """Save what came so far. Raises RoundEnded."""
        ...

    async def finish_round(self, record: RoundRecord, evolve: Evolve) -> RoundOutcome:
        """Answer, short-term summary, buffer, usage, weights, history and receipt: one transaction. Raises RoundEnded
        for a round that is gone, replaced or not streaming: none is finished twice."""
        ...

    async def end_round(
        self,
        round_id: int,
        state: Literal["interrupted", "failed"],
        answer: str,
        reasoning: str,
        receipt: Receipt | None,
        cause: Cause | None = None,
    ) -> None:
        """End a round that was cut or failed: its text and the cause are stored, and nothing else. Raises
        RoundEnded."""
        ...


class SessionStore(Protocol):
    """Sessions as wholes. Each raises NotFound where there is no such session."""

    async def rename(self, session_id: str, title: str) -> Session: ...

    async def delete(self, session_id: str, header: OperationHeader) -> bool:
        """The session with all that was said and done in it; what was learnt from it stays, but acts that are deleted
        speak for nothing any more. False while a reader keeps old
        pages from being wiped."""
        ...

    async def delete_rounds(self, session_id: str, numbers: Sequence[int], header: OperationHeader) -> bool:
        """Rounds of it with every attempt and the acts on them; a session without any is gone."""
        ...

    async def fork(self, session_id: str, through: int, new_id: str, at: datetime) -> Session:
        """A new session with the rounds up to `through`; nothing is learnt from them twice."""
        ...

    async def questions(self, limit: int) -> list[tuple[Span, ...]]:
        """The latest messages of the user in any session, oldest first; each text once."""
        ...


class ReceiptStore(Protocol):
    async def receipt(self, session_id: str | None, number: int | None) -> Receipt:
        """The latest round's of the latest session, or the one named; raises NotFound."""
        ...

    async def receipts(self, session_id: str, numbers: Sequence[int]) -> dict[int, Receipt]:
        """Of these rounds, those that have one."""
        ...

    async def appearances(self, ref: Ref, limit: int) -> list[Appearance]:
        """When a record was put before the model, newest first; of replaced attempts nothing."""
        ...

    async def token_ratio(self, model: str) -> float | None:
        """What the provider counted over what the rules estimated, median of the latest rounds of this model."""
        ...


class ContextLimits(Protocol):
    """What servers said in refusals that they take, by endpoint and model; the same for every profile."""

    async def limit(self, endpoint: str, model: str) -> ContextLimit | None: ...

    async def learn(self, endpoint: str, model: str, limit: ContextLimit) -> None:
        """The latest counts."""
        ...

    async def tools(self, endpoint: str, model: str) -> ToolSupport | None: ...

    async def learn_tools(self, endpoint: str, model: str, support: ToolSupport) -> None:
        """The latest counts."""
        ...
