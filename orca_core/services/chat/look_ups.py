"""What the model looks up in a turn: the tool that it is offered, and the answers to its calls."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncGenerator, Coroutine, Sequence
from typing import Any, TypeVar

from orca_core.model.errors import StorageError
from orca_core.model.events import Event, LookedUp, LookingUp, injection_after
from orca_core.model.llm import ChatMessage, ChatModel, Clock, ModelToolCall, Tool, ToolSupport
from orca_core.model.recall import Level
from orca_core.prompts import render
from orca_core.rules.retrieval import prompt_assembly
from orca_core.rules.text.cleaning import for_terminal
from orca_core.rules.text.spelling import language_of
from orca_core.services.chat.prompting import ServerLimits
from orca_core.services.chat.recall import Recall, RecallRequest
from orca_core.services.chat.turn import Turn
from orca_core.services.shared.degradation import Levels

MOST_FAILURES = 2
"""So many requests with the answers of tools may fail one after the other. Chosen by hand."""
MAX_QUERY = 400
"""So many characters of a query are looked up. Chosen by hand."""
RECALL = "recall"
PARAMETERS = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}

T = TypeVar("T")


class LookUps:
    """Offers `recall(query)`, at most `most` times a turn. Whether a server takes tools for a model is found out by
    use, and kept."""

    def __init__(self, recall: Recall, most: int, limits: ServerLimits, levels: Levels, clock: Clock) -> None:
        self.tool = Tool(RECALL, render("recall_tool.en"), PARAMETERS)
        self._recall = recall
        self._most = most
        self._limits = limits
        self._levels = levels
        self._clock = clock
        self._failures: Counter[tuple[str, str]] = Counter()

    async def may_be_called(self, model: ChatModel) -> bool:
        """Whether a turn that uses memory carries the tool: where the server takes tools, and there is something to
        find."""
        if not self._most or (await self._levels.current())[0] >= Level.SHORT_TERM_ONLY:
            return False
        return self._failures[model.endpoint, model.model] < MOST_FAILURES and await self._takes_tools(model)

    def ended(self, model: ChatModel, *, well: bool) -> None:
        """Note how a request with the answers of tools ended: a model whose servers fail at them again and again is
        offered none until Orca ends."""
        self._failures[model.endpoint, model.model] = 0 if well else self._failures[model.endpoint, model.model] + 1

    async def refused(self, model: ChatModel) -> None:
        """Keep that this model's server takes no tools; it is asked again when that is a week old."""
        await self._limits.learn_tools(model, ToolSupport(takes=False, at=self._clock.now()))

    def calls(self, turn: Turn, request: RecallRequest, room: int) -> LookUpCalls:
        """The calls of one turn; each answer takes at most `room` tokens."""
        return LookUpCalls(self._recall, self._most, turn, request, room)

    async def _takes_tools(self, model: ChatModel) -> bool:
        try:
            support = await self._limits.tools(model)
        except StorageError:
            return False  # recall reports the failure, and there is nothing to look up
        return support is None or support.takes or abs(self._clock.now() - support.at) > prompt_assembly.TRUSTED_FOR


class LookUpCalls:
    """What is called in one turn: so many calls are carried out, every other is told that it can not be."""

    def __init__(self, recall: Recall, left: int, turn: Turn, request: RecallRequest, room: int) -> None:
        self._recall = recall
        self._left = left
        self._turn = turn
        self._request = request
        self._room = room
        self.answers: list[ChatMessage] = []
        """What the model is told of the calls that it made last, in their order."""
        self.are_over = False
        """Whether nothing that was called last could be carried out: who calls on gets no further."""

    async def answered(self, called: Sequence[ModelToolCall]) -> AsyncGenerator[Event, None]:
        """Answer each call; the events of that. Cut where the user stops the turn."""
        refusal = render(f"no_such_call.{language_of(self._request.text)}")
        self.answers, self.are_over = [], True
        for call in called:
            query = query_of(call)
            if not query or not self._left:
                self.answers.append(ChatMessage("tool", refusal, call=call))
                continue
            self._left -= 1
            self.are_over = False
            yield LookingUp(query)
            found = await _unless(self._turn.stop, self._recall.look_up(query, self._request, self._room))
            if found is None:
                return
            lookup, text = found
            self.answers.append(ChatMessage("tool", text, call=call))
            event = LookedUp(lookup)
            self._turn.injection = injection_after(self._turn.injection, event)
            yield event


def query_of(call: ModelToolCall) -> str:
    """What a call looks for; empty where it calls no such tool, or asks for nothing."""
    try:
        arguments = json.loads(call.arguments) if call.name == RECALL else None
    except (ValueError, RecursionError):
        return ""
    query = arguments.get("query") if isinstance(arguments, dict) else None
    return " ".join(for_terminal(query).split())[:MAX_QUERY] if isinstance(query, str) else ""


async def _unless(stop: asyncio.Event, work: Coroutine[Any, Any, T]) -> T | None:
    """The outcome of the work; None where it was stopped before."""
    working, stopped = asyncio.create_task(work), asyncio.create_task(stop.wait())
    waited: set[asyncio.Task[Any]] = {working, stopped}
    try:
        await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        stopped.cancel()
        working.cancel()
