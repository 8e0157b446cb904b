"""What learning in the background needs from a database: the queue of runs, summaries, and who leads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from orca_core.model.learning import (
    AgentMessage,
    Batch,
    Choose,
    DroppedFact,
    Due,
    Learnt,
    Proposal,
    Queue,
    Run,
    RunEnd,
    RunResult,
    RunState,
    Settle,
    UnverifiedBatch,
    WaitS,
)
from orca_core.model.llm import AgentCall, Spent
from orca_core.model.memories import Fields
from orca_core.model.operations import OperationHeader
from orca_core.model.records import RecordType, Ref


class Writing(Protocol):
    """The operation in which a run writes what it learnt: it can be undone whole."""

    def create(self, record_type: RecordType[Any], record: Any) -> Any:
        """Insert a record; returns it with its number."""
        ...

    def change(self, ref: Ref, wanted: Fields, before: Any = None) -> Any:
        """Change fields of a record; returns it as it is then."""
        ...


class RunQueue(Protocol):
    """Runs of every kind. Only the leader claims; the next leader claims again what it held when it died. A try counts
    from its claim on, and what was begun as often as it may be is parked."""

    async def take(self, kind: str, now: datetime, least: int, besides: Sequence[int] = ()) -> Batch | None:
        """Rounds of a session that no run of this kind has read: of a run that was cut short or failed, else all there
        are, from so many on. None of a run in `besides`, which was tried just now."""
        ...

    async def settle(
        self, batch: Batch, header: OperationHeader, write: Callable[[Writing], RunResult], ended: RunEnd
    ) -> RunResult | None:
        """What `write` makes of the batch, as one operation, and the end of the run, in one transaction. None where the
        batch is void, because one of its rounds was replaced or deleted meanwhile."""
        ...

    async def fail(self, batch: Batch, state: RunState, error: str, next_at: datetime | None, ended: RunEnd) -> None:
        """The batch waits for `next_at`; where there is none, for a person."""
        ...

    async def release(self, batch: Batch) -> None:
        """Give a batch back because Orca ends: its try does not count, and the next leader may claim it at once."""
        ...

    async def retry(self, session_id: str | None, now: datetime) -> int:
        """Make failed and parked runs due now, as if for the first time; returns how many."""
        ...


class LearningQueue(RunQueue, Protocol):
    """The queue, with the rounds that wait to be learnt from."""

    async def claim(self, due: Due, choose: Choose) -> Batch | None:
        """The oldest batch that is due: one that was cut short or failed and whose time has come, else a new one.
        Never an empty one. The try counts from here on, and a batch that was begun as often as it may be is parked."""
        ...

    async def claim_unverified(
        self, now: datetime, besides: Sequence[str], wait_s: WaitS, *, is_wanted: bool
    ) -> UnverifiedBatch | None:
        """Candidates of a session, none of `besides`, about which the verifier has not answered, to be asked about once
        more: where that `is_wanted`, else after a further run. Three tries each, of which none counts that did not
        reach the verifier: after so many of these in a row it is left alone for `wait_s`."""
        ...

    async def finish_unverified(
        self,
        batch: UnverifiedBatch,
        proposals: Sequence[Proposal],
        held: Mapping[int, str],
        settle: Settle,
        ended: RunEnd,
    ) -> Learnt | None:
        """Those that live by now, why others are `held` from now on, and the end of the run, in one transaction. None
        where the batch is void."""
        ...

    async def claim_again(self, session_id: str, after_round: int, now: datetime, choose: Choose) -> Batch | None:
        """Finished rounds behind `after_round`, once more. Raises NotFound where there is no such session."""
        ...

    async def finish_run(
        self, batch: Batch, proposals: Sequence[Proposal], dropped: Sequence[DroppedFact], settle: Settle, ended: RunEnd
    ) -> Learnt | None:
        """The facts, their history and the end of the run, in one transaction. None where the batch is void, because
        one of its rounds was replaced or deleted meanwhile: what is left of it waits again."""
        ...

    async def queue(self) -> Queue: ...


class RunRecord(Protocol):
    """The memory agent's runs, to be looked at."""

    async def runs(self, limit: int) -> list[Run]:
        """Newest first."""
        ...

    async def run(self, run_id: int) -> tuple[Run, list[AgentMessage]]:
        """With what was said between Orca and the memory agent. Raises NotFound."""
        ...


class SummaryStore(Protocol):
    """Running summaries of long conversations."""

    async def summary(self, session_id: str) -> tuple[str, int]:
        """The summary and the last round that it covers; ("", 0) where there is none."""
        ...

    async def due(self, now: datetime) -> list[str]:
        """Sessions with a run that was cut short, or failed and whose time has come."""
        ...

    async def claim(self, session_id: str, through: int, now: datetime) -> Batch | None:
        """The rounds behind the summary, up to `through`, as a run of their own; None while one of the session failed
        and waits, or where nothing is left to fold."""
        ...

    async def fold(self, batch: Batch, summary: str, ended: RunEnd) -> bool:
        """The new summary in the place of the old one. False where the batch is void."""
        ...


class AgentLedger(Protocol):
    """What the memory agent's calls used. Days are the user's, as 2026-11-20."""

    async def note(self, calls: Sequence[AgentCall]) -> None:
        """All of them, or none."""
        ...

    async def used_on(self, day: str) -> int:
        """Tokens of a day, of prompts and answers."""
        ...

    async def spent_since(self, day: str) -> list[Spent]:
        """By day (newest first), job and model."""
        ...


class Leadership(Protocol):
    """At most one Orca learns for a profile at a time, with one task at a time. The lead is free when its process
    ends, also by a crash."""

    async def acquire(self) -> bool:
        """Take the lead; False where another Orca has it. Waits for another task of this one. A cancelled call holds
        nothing."""
        ...

    async def resign(self) -> None: ...
