"""The tools of a turn: offered where the server takes them, carried out when the model calls them, within a limit."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from msgspec import Struct

from orca_core.model.errors import StorageError
from orca_core.model.events import Event, LookedUp, LookingUp
from orca_core.model.llm import ChatMessage, ChatModel, Clock, Tool, ToolCall, ToolSupport
from orca_core.model.recall import Level
from orca_core.prompts import render
from orca_core.rules.retrieval.prompting import context
from orca_core.rules.text.cleaning import for_terminal
from orca_core.rules.text.languages import language_of
from orca_core.services.chat.recall import Recall
from orca_core.services.chat.sources import RecallRequest
from orca_core.services.shared.levels import Levels
from orca_core.store.protocols import ContextLimits

WRITE_PATIENCE_S = 1.0
"""A locked database must not delay the answer longer. Chosen by hand."""
MOST_FAILURES = 2
"""So many requests with the answers of tools may fail one after the other. Chosen by hand."""
MAX_QUERY = 400
"""So many characters of a query are looked up. Chosen by hand."""

T = TypeVar("T")
Arguments = Mapping[str, object]


class Calling(Struct, frozen=True):
    """What a call may know of its turn: the request of its recall, how many tokens its answer may take, and when the
    user stops it."""

    request: RecallRequest
    room: int
    stop: asyncio.Event


class TurnTool(Struct, frozen=True):
    """A tool that a model may call in a turn: what it is told of it, the event of a call that begins, and what carries
    it out: the text for the model, and the event of what came of it. `begin` gives None for arguments that make no
    call."""

    tool: Tool
    begin: Callable[[Arguments], Event | None]
    carry_out: Callable[[Arguments, Calling], Coroutine[Any, Any, tuple[str, Event]]]


def recall_tool(recall: Recall) -> TurnTool:
    """`recall(query)`: what is remembered near to what the model writes."""

    async def carry_out(arguments: Arguments, calling: Calling) -> tuple[str, Event]:
        lookup, text = await recall.look_up(_query(arguments), calling.request, calling.room)
        return text, LookedUp(lookup)

    def begin(arguments: Arguments) -> Event | None:
        return LookingUp(query) if (query := _query(arguments)) else None

    parameters = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
    return TurnTool(Tool("recall", render("recall_tool.en"), parameters), begin, carry_out)


def _query(arguments: Arguments) -> str:
    query = arguments.get("query")
    return " ".join(for_terminal(query).split())[:MAX_QUERY] if isinstance(query, str) else ""


class Tools:
    """Offers the tools, and answers what is called, each call at once. Whether a server takes tools for a model is
    found out by use, and kept."""

    def __init__(
        self, tools: Sequence[TurnTool], most_calls: int, limits: ContextLimits, levels: Levels, clock: Clock
    ) -> None:
        self._tools = {each.tool.name: each for each in tools}
        self._most_calls = most_calls
        self._limits = limits
        self._levels = levels
        self._clock = clock
        self._learnt: dict[tuple[str, str], ToolSupport] = {}
        self._failures: Counter[tuple[str, str]] = Counter()

    @property
    def offered(self) -> tuple[Tool, ...]:
        """What a model may call in a turn that may look."""
        return tuple(each.tool for each in self._tools.values())

    async def may_be_called(self, model: ChatModel) -> bool:
        """Whether a turn that uses memory carries the tools: where the server takes them, and there is something to
        find."""
        if not self._most_calls or (await self._levels.current())[0] >= Level.SHORT_TERM_ONLY:
            return False
        return self._failures[model.endpoint, model.model] < MOST_FAILURES and await self._takes_tools(model)

    def ended(self, model: ChatModel, *, well: bool) -> None:
        """Note how a request with the answers of tools ended: a model whose servers fail at them again and again is
        offered none until Orca ends."""
        self._failures[model.endpoint, model.model] = 0 if well else self._failures[model.endpoint, model.model] + 1

    async def refused(self, model: ChatModel) -> None:
        """Keep that this model's server takes no tools; it is asked again when that is a week old."""
        support = ToolSupport(takes=False, at=self._clock.now())
        self._learnt[model.endpoint, model.model] = support
        try:
            async with asyncio.timeout(WRITE_PATIENCE_S):
                await self._limits.learn_tools(model.endpoint, model.model, support)
        except (StorageError, TimeoutError):
            return  # known until Orca ends; saving the round reports the failure

    def calls(self, calling: Calling) -> Calls:
        """The calls of one turn."""
        return Calls(self._tools, self._most_calls, calling)

    async def _takes_tools(self, model: ChatModel) -> bool:
        support = self._learnt.get((model.endpoint, model.model))
        if support is None:
            try:
                support = await self._limits.tools(model.endpoint, model.model)
            except StorageError:
                return False  # recall reports the failure, and there is nothing to look up
        return support is None or support.takes or _is_old(support.at, self._clock.now())


def _is_old(at: datetime, now: datetime) -> bool:
    return abs(now - at) > context.TRUSTED_FOR


class Calls:
    """What is called in one turn: so many calls are carried out, every other is told that it can not be."""

    def __init__(self, tools: Mapping[str, TurnTool], left: int, calling: Calling) -> None:
        self._tools = tools
        self._left = left
        self._calling = calling
        self.answers: list[ChatMessage] = []
        """What the model is told of the calls that it made last, in their order."""
        self.are_over = False
        """Whether nothing that was called last could be carried out: who calls on gets no further."""

    async def carried_out(self, called: Sequence[ToolCall]) -> AsyncGenerator[Event, None]:
        """Answer each call; the events of that. Cut where the user stops the turn."""
        refusal = render(f"no_such_call.{language_of(self._calling.request.text)}")
        self.answers, self.are_over = [], True
        for call in called:
            tool, arguments = self._tools.get(call.name), _arguments(call)
            begun = tool.begin(arguments) if tool is not None and self._left else None
            if tool is None or begun is None:
                self.answers.append(ChatMessage("tool", refusal, call=call))
                continue
            self._left -= 1
            self.are_over = False
            yield begun
            done = await _unless(self._calling.stop, tool.carry_out(arguments, self._calling))
            if done is None:
                return
            text, event = done
            self.answers.append(ChatMessage("tool", text, call=call))
            yield event


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


def _arguments(call: ToolCall) -> Arguments:
    """The arguments of a call; none where they are no JSON object."""
    try:
        arguments = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return {}
    return arguments if isinstance(arguments, dict) else {}
