"""One round while it runs: its question, its answer and its end are queued for the database beside the stream."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Literal

from orca_core.model.errors import OrcaError
from orca_core.model.recall import Injection, Receipt, References
from orca_core.model.sessions import Round, RoundOutcome, RoundStart, RoundState, StartedRound
from orca_core.rules.memory import causes
from orca_core.rules.text import spans
from orca_core.services.shared.saves import Saves, Write
from orca_core.store.protocols import DialogueStore, PlanRetry

EndState = Literal["interrupted", "failed"]


class RunningRound:
    """Writes in this order: the question, the answer so far (the latest state only), the end. Nothing here waits for
    the database."""

    def __init__(self, start: RoundStart, expected_number: int, dialogues: DialogueStore, saves: Saves) -> None:
        self.start = start
        self.started: StartedRound | None = None
        self._expected_number = expected_number
        self._dialogues = dialogues
        self._saves = saves
        self._answer = ("", "")
        self._state = RoundState.STREAMING
        self._partial: Write[None] | None = None
        self._begun: Write[StartedRound] | None = None
        self._ended: Write[RoundOutcome] | Write[None] | None = None

    @property
    def number(self) -> int:
        """Its number in the session; a guess until the question is written."""
        return self.started.number if self.started else self._expected_number

    @property
    def has_ended(self) -> bool:
        """Whether its end is queued, though it may not be written yet."""
        return self._ended is not None

    @property
    def is_over(self) -> bool:
        """Whether all of it is written, or refused for good."""
        if self._begun is not None and self._begun.is_refused:
            return True
        return self._ended is not None and self._ended.is_over

    def as_round(self) -> Round:
        """The round as the database would return it, were it written already."""
        answer, _reasoning = self._answer
        return Round(
            id=self.started.id if self.started else 0,
            session_id=self.start.session_id,
            number=self.number,
            attempt=self.started.attempt if self.started else 1,
            user=spans.join(self.start.spans),
            spans=self.start.spans,
            assistant=answer,
            state=self._state,
            at=self.start.at,
        )

    def begin(self, plan_retry: PlanRetry) -> Write[StartedRound]:
        """Queue the write of the question."""

        async def write() -> StartedRound:
            self.started = await self._dialogues.begin_round(self.start, plan_retry)
            return self.started

        self._begun = self._saves.put(write)
        return self._begun

    def keep(self, answer: str, reasoning: str) -> None:
        """Queue the write of what came so far; it replaces one that still waits."""
        self._answer = (answer, reasoning)
        if self._partial is None or self._partial.is_over:
            self._partial = self._saves.put(self._write_partial)

    def finish(
        self,
        answer: str,
        reasoning: str,
        record: Callable[[StartedRound], Awaitable[RoundOutcome]],
        on_written: Callable[[RoundOutcome], None],
    ) -> Write[RoundOutcome]:
        """Queue the record of the whole round."""
        self._answer, self._state = (answer, reasoning), RoundState.DONE

        async def write() -> RoundOutcome:
            return await record(self._written_start())

        written = self._ended = self._saves.put(write, on_written)
        return written

    def end(
        self,
        error: OrcaError | None,
        answer: str,
        reasoning: str,
        injection: Injection,
        on_written: Callable[[None], None] | None = None,
    ) -> Write[None]:
        """Queue the end of a round that was cut or failed, with what came of it, and the cause."""
        state: EndState = "failed" if error and not answer else "interrupted"
        self._answer, self._state = (answer, reasoning), RoundState(state)

        async def write() -> None:
            started = self._written_start()
            receipt = Receipt(started.session_id, started.number, injection, References())
            await self._dialogues.end_round(started.id, state, answer, reasoning, receipt, causes.of_end(error))

        written = self._ended = self._saves.put(write, on_written)
        return written

    async def _write_partial(self) -> None:
        if self._ended is None:  # else the queued end holds more
            await self._dialogues.save_partial(self._written_start().id, *self._answer)

    def _written_start(self) -> StartedRound:
        """Raises the refusal of the question: without it nothing else of the round can be written."""
        assert self._begun is not None
        return self._begun.result()
