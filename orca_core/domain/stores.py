"""What the flows need from a database. Every handle is bound to one scope (a profile).

A method is one business read or one write in one transaction. Where a decision needs rows as they are inside that
transaction, the rule comes in as an argument (docs/decisions/0002). Search takes vectors and tokens, never the
syntax of an engine. Every method may raise StorageError.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from orca_core.domain.contexts import ContextLimits
from orca_core.domain.diagnosis import StoreHealth
from orca_core.domain.dialogues import (
    Cause,
    FoundMessage,
    Round,
    RoundOutcome,
    RoundRecord,
    RoundStart,
    Session,
    StartedRound,
)
from orca_core.domain.errors import StorageError
from orca_core.domain.index_stores import SearchIndex, VectorStore
from orca_core.domain.learning import UndecidedPair
from orca_core.domain.learning_stores import Leadership, LearningQueue, RunRecord, SummaryStore
from orca_core.domain.memories import (
    Addition,
    Change,
    Changed,
    Decide,
    Deletion,
    Fields,
    Memory,
    NewMemory,
    Operation,
    OperationHeader,
    SaidAgain,
    Undone,
    UndoPlan,
    Use,
)
from orca_core.domain.messages import Span
from orca_core.domain.queries import MemoryPage, MemoryQuery
from orca_core.domain.recall import Appearance, Receipt
from orca_core.domain.refs import Ref

Evolve = Callable[[Memory, Use, datetime], Fields]
"""The weight rule: what one use changes in a memory (`rules.keeping.weights.evolve`)."""

Again = Callable[[Memory, NewMemory], SaidAgain]
"""What to do with a memory whose content is stored already (`rules.keeping.status.said_again`)."""

PlanUndo = Callable[[Sequence[Change], Mapping[int, Memory]], UndoPlan]
"""What an undo restores (`rules.keeping.undo.plan`)."""

PlanRetry = Callable[[Sequence[Change], Mapping[int, Memory], Collection[int]], UndoPlan]
"""What a turn that is tried again gives back of the weights that it moved (`rules.keeping.undo.plan_retried`); the
last are memories whose weight a person has set since."""


class DialogueStore(Protocol):
    """Sessions and rounds: the spine of a turn."""

    async def latest_session(self) -> Session | None: ...

    async def sessions(self, limit: int | None = None) -> list[Session]:
        """Newest first."""
        ...

    async def session(self, session_id: str) -> Session:
        """Raises NotFound."""
        ...

    async def rounds(self, session_id: str, last: int | None = None) -> list[Round]:
        """The latest attempt of each round, oldest first; only the `last` ones where given."""
        ...

    async def begin_round(self, start: RoundStart, again: Again, plan_retry: PlanRetry) -> StartedRound:
        """Save the user's message; a replaced attempt's weights, short-term summary and buffer row are taken back."""
        ...

    async def save_partial(self, round_id: int, answer: str, reasoning: str) -> None:
        """What came so far. Raises RoundEnded."""
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
        """A round that was cut or failed: the text is kept, and why; nothing else is touched. Raises RoundEnded."""
        ...


class SessionStore(Protocol):
    """Sessions as wholes. Each raises NotFound where there is no such session."""

    async def rename(self, session_id: str, title: str) -> Session: ...

    async def delete(self, session_id: str) -> bool:
        """The session with all that was said in it; what was learnt from it stays. False while a reader keeps old
        pages from being wiped."""
        ...

    async def fork(self, session_id: str, through: int, new_id: str, at: datetime) -> Session:
        """A new session with the rounds up to `through`; nothing is learnt from them twice."""
        ...

    async def search(self, text: str, limit: int) -> list[FoundMessage]:
        """Messages that hold every word, newest first."""
        ...

    async def questions(self, limit: int) -> list[tuple[Span, ...]]:
        """The latest messages of the user in any session, oldest first; each text once."""
        ...


class MemoryStore(Protocol):
    """Long-term memories, read and changed by hand or by rule."""

    async def get(self, ids: Sequence[int], *, missing_ok: bool = False) -> list[Memory]:
        """In the order asked; raises NotFound for the first id that does not exist, or leaves it out."""
        ...

    async def page(self, query: MemoryQuery) -> MemoryPage: ...

    async def add(self, new: NewMemory, header: OperationHeader, again: Again) -> Addition: ...

    async def change(self, ids: Sequence[int], header: OperationHeader, decide: Decide) -> Changed:
        """All or nothing; memories for which `decide` returns no changes are left alone."""
        ...

    async def delete(self, ids: Sequence[int], header: OperationHeader, with_messages: bool = False) -> Deletion: ...

    async def counts(self) -> dict[str, dict[str, int]]:
        """`{"state": {…}, "type": {…}}`, of this scope."""
        ...

    async def undecided(self) -> list[UndecidedPair]:
        """Pairs that a person has not decided yet, both of which live or wait; newest first."""
        ...

    async def keep_both(self, first: int, second: int) -> None:
        """The two are not the same. Raises NotFound where they are no listed pair."""
        ...


class HistoryStore(Protocol):
    """Operations and what they changed."""

    async def history(self, memory_id: int) -> list[Change]:
        """Oldest first; raises NotFound."""
        ...

    async def operations(self, limit: int) -> list[Operation]:
        """Newest first."""
        ...

    async def changes_of(self, operations: Sequence[int]) -> list[Change]:
        """What these operations did, in the order in which it was done."""
        ...

    async def undo(self, operation: int | None, at: datetime, plan: PlanUndo) -> Undone:
        """Take back the operation named, else the person's latest act that stands and is no undo.

        A machine's operation that is later than that act is offered, and never taken in its place. Raises NotFound
        where there is none, InvalidInput where it was taken back already or is a delete."""
        ...

    async def redo(self, operation: int | None, at: datetime, plan: PlanUndo) -> Undone:
        """Take back an undo: the one named, else the person's latest that was not taken back itself."""
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


class Housekeeping(Protocol):
    """Opening, closing, and what is done while nobody waits."""

    async def health(self) -> StoreHealth: ...

    async def long_term_readable(self) -> bool:
        """False where the tables of long-term memory are damaged or missing (level 3)."""
        ...

    async def try_to_write(self) -> None:
        """Begin to write and leave it. Raises StorageError where nothing can be saved."""
        ...

    async def idle(self) -> bool:
        """Finish what waits for a quiet moment (wiping deleted text, folding the journal). True when all is done."""
        ...

    async def expire_short_term(self, now: datetime, ttl_days: int) -> int:
        """Drop summaries that are older, with their vectors; how many. Receipts keep what they showed."""
        ...

    async def recover(self) -> int:
        """Mark rounds that a crash left streaming as interrupted; returns how many."""
        ...

    async def aclose(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Stores:
    """One database, seen through its ports, in one scope."""

    dialogues: DialogueStore
    sessions: SessionStore
    memories: MemoryStore
    history: HistoryStore
    search: SearchIndex
    vectors: VectorStore
    receipts: ReceiptStore
    context_limits: ContextLimits
    learning: LearningQueue
    runs: RunRecord
    summaries: SummaryStore
    leadership: Leadership
    housekeeping: Housekeeping
    failure: StorageError | None = None
    """Why the database can not be used, where these stores only stand in for it."""


class OpenedDatabase(Protocol):
    """One database, whatever keeps it; scopes are views of it. It is there until this handle and every scope of it are
    closed, in whatever order."""

    def scope(self, name: str, also: tuple[str, ...] = ()) -> Stores:
        """The ports of a scope. `also` are scopes whose memories are read with its own; all that is written is its
        own, and so is what was said."""
        ...

    async def aclose(self) -> None: ...
