"""What the doctor looks at of learning: which runs failed, and which chats wait to be learnt from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from shlex import quote

from orca_core.domain.diagnosis import NAMED, Check, Evidence
from orca_core.domain.learning import OPEN_STATES, Queue, Run, RunKind
from orca_core.domain.ports import Clock
from orca_core.domain.stores import Stores
from orca_core.flows.shared.spending import Spending
from orca_core.rules.text.cleaning import one_line
from orca_core.settings import MemoryAgentSettings

LATE = timedelta(days=2)
MANY_BATCHES = 10
"""So many batches of rounds are many, and a batch that waits for so long waits for too long. Chosen by hand."""
RUNS = 1000
"""So many of the latest runs are looked at."""
ERROR_CHARS = 80


class LearningChecks:
    """Says what keeps rounds waiting, with the runs or chats that it is about."""

    def __init__(self, stores: Stores, spending: Spending, clock: Clock, agent: MemoryAgentSettings) -> None:
        self._stores = stores
        self._spending = spending
        self._clock = clock
        self._agent = agent

    async def look(self) -> Check:
        if not self._agent.enabled:
            return Check("learning", "warn", "memory_agent.enabled is false", "set memory_agent.enabled = true")
        queue = await self._stores.learning.queue()
        fields = {
            "rounds": queue.rounds, "failing": queue.failing, "parked": queue.parked, "error": queue.last_error
        }  # fmt: skip
        if queue.parked or queue.failing:
            return Check(
                "learning",
                "warn",
                "rounds that wait: {rounds}; batches that failed: {failing}, parked: {parked} ({error})",
                "orca extract --retry tries them again",
                fields,
                evidence=run_evidence(waiting := await self._open_runs()),
                found=len(waiting),
            )
        today = await self._spending.today()
        if today.rests_until is not None:
            return Check(
                "learning",
                "warn",
                "{used} of {limit} tokens of today are used; rounds that wait until tomorrow: {rounds}",
                "raise memory_agent.daily_tokens, or read them now: orca extract",
                {**fields, "used": today.used, "limit": today.limit},
                evidence=_chats(queue),
                found=len(queue.waiting),
            )
        return self._backlog(queue, fields)

    def _backlog(self, queue: Queue, fields: Mapping[str, object]) -> Check:
        """What waits though nothing failed: many rounds, or some for long."""
        last = queue.last_success
        due = queue.rounds >= self._agent.extract.batch_size
        is_late = due and last is not None and self._clock.now() - last > LATE
        fields = {**fields, "last": "" if last is None else f"{last:%Y-%m-%d}"}
        if is_late or queue.rounds >= MANY_BATCHES * self._agent.extract.batch_size:
            return Check(
                "learning",
                "warn",
                "rounds that wait to be learnt from: {rounds}; the last success was on {last}"
                if last is not None
                else "rounds that wait to be learnt from: {rounds}; none was read yet",
                "orca extract reads them now",
                fields,
                evidence=_chats(queue),
                found=len(queue.waiting),
            )
        if last is None:
            return Check("learning", "ok", "rounds that wait to be learnt from: {rounds}", fields=fields)
        return Check(
            "learning",
            "ok",
            "rounds that wait to be learnt from: {rounds}; the last success was on {last}",
            fields=fields,
        )

    async def _open_runs(self) -> list[Run]:
        return [each for each in await self._stores.runs.runs(RUNS) if each.state in OPEN_STATES]


def is_of_work(run: Run) -> bool:
    return run.kind not in (RunKind.EXTRACT, RunKind.SUMMARIZE)


def run_evidence(runs: Sequence[Run]) -> tuple[Evidence, ...]:
    """The first of them, each with what shows it."""
    return tuple(
        Evidence(
            text=": ".join(filter(None, (each.session_id or each.target, one_line(each.error, ERROR_CHARS)))),
            what="parked" if each.is_parked else "tried again by itself",
            command=f"orca extract --show {each.id}",
        )
        for each in runs[:NAMED]
    )


def _chats(queue: Queue) -> tuple[Evidence, ...]:
    """Those of which most waits, each with what reads it."""
    waiting = sorted(queue.waiting.items(), key=lambda each: -each[1])[:NAMED]
    return tuple(
        Evidence(text=f"{session} ({rounds})", command=f"orca extract --session {quote(session)}")
        for session, rounds in waiting
    )
