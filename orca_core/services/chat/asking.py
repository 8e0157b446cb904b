"""Asks the model in a turn, once more with a smaller prompt where one was too long, lets it call tools, and tells what
came of it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from msgspec.structs import replace

from orca_core.model.errors import ContextTooLong, ModelError, OrcaError
from orca_core.model.events import Event, Reply
from orca_core.model.llm import ChatMessage, Clock, Cost, Finish, Tool, Usage
from orca_core.rules.retrieval.prompting import budget, context
from orca_core.services.chat.answer import Answer
from orca_core.services.chat.drafts import Prompt
from orca_core.services.chat.prompting import Prompting
from orca_core.services.chat.running import RunningTurn
from orca_core.services.chat.sources import RecallRequest
from orca_core.services.chat.tools import Calling, Calls, Tools
from orca_core.services.shared.failures import failed
from orca_core.settings import InjectSettings

Price = Callable[[Usage | None], Cost | None]
"""Computes what an answer cost; None where the price is not known."""

LEAST_ROOM = 150
"""So many tokens an answer of a tool may always take: a prompt that gets too long by it is sent without. Chosen by
hand."""
REFUSED, FAILED, ENDED = "lookups: refused", "lookups: failed", "lookups: ended"
"""What the receipt says of tools that the server does not take, of a request with their answers that failed, and of a
model that called on past the limit: the last two were asked again without."""


class Asking:
    """The part of a turn that waits for the model. `letters` are those of all kinds that an answer may cite."""

    def __init__(
        self, *, prompting: Prompting, tools: Tools, inject: InjectSettings, price: Price, clock: Clock, letters: str
    ) -> None:
        self._prompting = prompting
        self._tools = tools
        self._inject = inject
        self._price = price
        self._clock = clock
        self._letters = letters

    async def events(self, turn: RunningTurn, prompt: Prompt, recall: RecallRequest) -> AsyncGenerator[Event, None]:
        """Stream the answer; after a refusal for length send a smaller prompt, as long as there is one."""
        started_s = self._clock.monotonic()
        calls = self._tools.calls(Calling(recall, self._room(prompt), turn.stop))
        offered = self._tools.offered if recall.may_look else ()
        sent: Prompt | None = prompt
        while sent is not None:
            turn.answer = answer = Answer(
                turn.model, letters=self._letters, stop=turn.stop, clock=self._clock, keep=turn.keep
            )
            try:
                async with aclosing(self._talk(turn, answer, sent, offered, calls)) as events:
                    async for event in events:
                        yield event
                break
            except ContextTooLong as error:
                sent = await self._smaller(turn, sent, error)
            except ModelError as error:
                turn.error = error
                break
            finally:
                if answer.tools_refused:
                    offered = ()
                    await self._tools.refused(turn.model)
            if sent is not None:
                yield turn.inject(sent.injection)
        if answer.text or turn.error is None:
            seconds = self._clock.monotonic() - started_s
            cost = self._price(answer.usage)
            yield Reply(answer.text, answer.citations, answer.finish, answer.usage, seconds, answer.note, cost)
        if turn.error is not None:
            yield failed(turn.error)

    async def _talk(
        self, turn: RunningTurn, answer: Answer, sent: Prompt, offered: tuple[Tool, ...], calls: Calls
    ) -> AsyncGenerator[Event, None]:
        """The answer to a prompt, with what the model calls before it. Where its calls lead to none, the same prompt is
        sent without tools."""
        first = request = replace(sent.request, tools=offered)
        while True:
            try:
                async with aclosing(answer.events(request, turn.injection.shown)) as events:
                    async for event in events:
                        yield event
            except ModelError:
                if request is first or answer.latest:
                    raise
                self._tools.ended(turn.model, well=False)
                why = FAILED
                break
            if request is not first:
                self._tools.ended(turn.model, well=True)
            if answer.tools_refused:
                yield turn.note(REFUSED)
            if not answer.calls:
                return
            if calls.are_over:
                why = ENDED
                break
            async with aclosing(calls.carried_out(answer.calls)) as events:
                async for event in events:
                    turn.take(event)
                    yield event
            if turn.stop.is_set():
                answer.finish = Finish.INTERRUPTED
                return
            said = ChatMessage("assistant", answer.latest, answer.calls, answer.thought)
            request = replace(request, messages=(*request.messages, said, *calls.answers))
        yield turn.note(why)
        async with aclosing(answer.events(sent.request, turn.injection.injected)) as events:
            async for event in events:
                yield event

    def _room(self, sent: Prompt) -> int:
        """How many tokens each answer of a tool may take: as many as the block of memories, where so many are left."""
        draft = sent.draft
        left = context.room(draft.context_tokens) - draft.tokens
        return max(LEAST_ROOM, min(budget.budget_tokens(draft.tokens, self._inject), left // 2))

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
        return smaller
