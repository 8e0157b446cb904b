"""Books the memory agent's calls in the ledger, and says whether today's tokens allow another call."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from orca_core.model.errors import StorageError
from orca_core.model.llm import AgentCall, Allowance, Clock, Cost, DailyUsage, Usage
from orca_core.operations.model_usage import ModelUsage
from orca_core.owned_tasks import LOG
from orca_core.rules.learning import run_schedule

REPORTED_DAYS = 30
"""Chosen by hand."""


class Spending:
    """Books calls. A call that the database does not take now is kept, counted, and written with the next one."""

    def __init__(
        self, ledger: ModelUsage, clock: Clock, daily_tokens: int, price: Callable[[Usage | None], Cost | None]
    ) -> None:
        self._ledger = ledger
        self._clock = clock
        self._limit = daily_tokens
        self._price = price
        self._unwritten: list[AgentCall] = []

    async def note(self, job: str, model: str, usage: Usage | None, tokens: tuple[int, int]) -> None:
        """Book a call, however it ended; `tokens` of its prompt and of its answer."""
        now = self._clock.now()
        call = AgentCall(
            job, model, now, run_schedule.day_of(now.astimezone()), *tokens, usage is None, self._price(usage)
        )  # fmt: skip
        self._unwritten.append(call)
        await self._write()

    async def today(self) -> Allowance:
        """Raises StorageError."""
        local = self._clock.now().astimezone()
        day = run_schedule.day_of(local)
        used = await self._ledger.used_on(day)
        used += sum(call.prompt_tokens + call.completion_tokens for call in self._unwritten if call.day == day)
        if not run_schedule.is_cap_reached(used, self._limit):
            return Allowance(used, self._limit)
        return Allowance(used, self._limit, _in_utc(run_schedule.next_day(local)))

    async def report(self, days: int = REPORTED_DAYS) -> list[DailyUsage]:
        """The latest days, newest first. Raises StorageError."""
        return await self._ledger.spent_since(run_schedule.first_day(self._clock.now().astimezone(), days))

    async def _write(self) -> None:
        calls, self._unwritten = self._unwritten, []
        try:
            await self._ledger.note(calls)
        except StorageError as error:
            self._unwritten = [*calls, *self._unwritten]
            LOG.warning("what the memory agent used is not written yet: %s", error)


def _in_utc(local: datetime) -> datetime:
    """A time on the user's clock. Where the clock is put forward over it, the first moment behind; where it comes
    twice, the first."""
    moments = [local.replace(fold=fold).astimezone(UTC) for fold in (0, 1)]
    return min(moment for moment in moments if moment.astimezone().replace(tzinfo=None) >= local)
