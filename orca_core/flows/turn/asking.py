"""Asks the model in a turn, once more with a smaller prompt where one was too long, and tells what came of it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from orca_core.domain.errors import ContextTooLong, ModelError, OrcaError
from orca_core.domain.events import Event, Injected, Reply
from orca_core.domain.messages import Cost, Usage
from orca_core.domain.ports import Clock
from orca_core.flows.shared.failures import failed
from orca_core.flows.turn.answer import Answer
from orca_core.flows.turn.drafts import Prompt
from orca_core.flows.turn.prompting import Prompting
from orca_core.flows.turn.running import RunningTurn

Price = Callable[[Usage | None], Cost | None]
"""Computes what an answer cost; None where the price is not known."""


class Asking:
    """The part of a turn that waits for the model. `letters` are those of all kinds that an answer may cite."""

    def __init__(self, *, prompting: Prompting, price: Price, clock: Clock, letters: str) -> None:
        self._prompting = prompting
        self._price = price
        self._clock = clock
        self._letters = letters

    async def events(self, turn: RunningTurn, prompt: Prompt) -> AsyncGenerator[Event, None]:
        """Stream the answer; after a refusal for length send a smaller prompt, as long as there is one."""
        started_s = self._clock.monotonic()
        sent: Prompt | None = prompt
        while sent is not None:
            turn.answer = answer = self._new_answer(turn, sent)
            try:
                async with aclosing(answer.events()) as events:
                    async for event in events:
                        yield event
                break
            except ContextTooLong as error:
                sent = await self._smaller(turn, sent, error)
            except ModelError as error:
                turn.error = error
                break
            if sent is not None:
                yield Injected(turn.injection)
        if answer.text or turn.error is None:
            seconds = self._clock.monotonic() - started_s
            cost = self._price(answer.usage)
            yield Reply(answer.text, answer.citations, answer.finish, answer.usage, seconds, answer.note, cost)
        if turn.error is not None:
            yield failed(turn.error)

    async def _smaller(self, turn: RunningTurn, refused: Prompt, error: ContextTooLong) -> Prompt | None:
        """The prompt to send after a refusal; None where there is none smaller, with the turn's error set."""
        try:
            smaller = await self._prompting.smaller(turn.model, refused, error)
        except OrcaError as final:
            turn.error = final
            return None
        if turn.answer is not None and turn.answer.text:
            turn.error = error
            return None
        turn.injection = smaller.injection
        return smaller

    def _new_answer(self, turn: RunningTurn, sent: Prompt) -> Answer:
        return Answer(
            turn.model,
            sent.request,
            shown=turn.injection.injected,
            letters=self._letters,
            stop=turn.stop,
            clock=self._clock,
            keep=turn.keep,
        )
