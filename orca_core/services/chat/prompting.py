"""The prompt of a turn: its rounds, its tokens, and the smaller one after a server refused it for its length."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from orca_core import prompts
from orca_core.model.errors import ContextTooLong, InvalidInput, OrcaError, StorageError
from orca_core.model.llm import ChatModel, ChatRequest, Clock, ContextLimit, ToolSupport
from orca_core.model.recall import Injection, Level
from orca_core.model.sessions import Round
from orca_core.operations.learning_queue import LearningQueue
from orca_core.operations.model_usage import ModelUsage
from orca_core.operations.sessions import SessionStore
from orca_core.rules.retrieval import prompt_assembly
from orca_core.rules.retrieval.prompt_assembly import PromptParts
from orca_core.rules.retrieval.ranking import with_reason
from orca_core.rules.text import token_count
from orca_core.rules.text.spelling import language_of
from orca_core.services.chat.turn import Turn
from orca_core.settings import Settings

WRITE_PATIENCE_S = 1.0
"""A locked database must not delay the answer longer. Chosen by hand."""

M = TypeVar("M", ContextLimit, ToolSupport)


class TurnPrompt(Struct, frozen=True):
    """What is sent, or a draft of it while memories are still looked for. Its summary stands for the rounds up to
    `summarised`; `left_out` others are older than what it can hold. `without` names what else had to go, `refits` says
    how many longer ones were refused."""

    parts: PromptParts
    tokens: int
    left_out: int
    token_ratio: float | None
    context_tokens: int
    is_learnt: bool = False
    summarised: int = 0
    without: tuple[str, ...] = ()
    recalled: Injection = Injection(level=Level.FULL, rules=())
    refits: int = 0

    @property
    def request(self) -> ChatRequest:
        return ChatRequest(prompt_assembly.assemble_prompt(self.parts))

    @property
    def visible_rounds(self) -> frozenset[int]:
        return frozenset(each.number for each in self.parts.rounds)

    @property
    def estimated(self) -> int:
        """Its tokens, counted by the rules alone."""
        return token_count.estimate_messages(prompt_assembly.assemble_prompt(self.parts))

    def cost_of(self, **nothing: Any) -> int:
        """The tokens of a part; an empty part costs nothing."""
        return self.tokens - tokens_of(replace(self.parts, **nothing), self.token_ratio)

    @property
    def is_bare(self) -> bool:
        """Whether nothing but the question is left."""
        return not (self.parts.rounds or self.parts.summary or self.parts.block or self.parts.system)

    @property
    def rules(self) -> tuple[str, ...]:
        """What the receipt says of the rounds that are not there verbatim."""
        said = [f"summary: rounds 1-{self.summarised}"] if self.summarised else []
        said += [f"history: {self.left_out} older rounds left out"] if self.left_out else []
        said += [f"left_out: {', '.join(self.without)}"] if self.without else []
        if self.is_learnt and (self.left_out or self.without):
            said.append(f"context: the model takes {self.context_tokens:,} tokens")
        return tuple(said)

    @property
    def injection(self) -> Injection:
        """Which part of what recall found, and of the history, is sent."""
        complete = replace(
            self.recalled,
            rules=self.recalled.rules + self.rules,
            tokens=token_count.corrected_estimate(self.recalled.tokens, self.token_ratio),
            prompt_tokens=self.tokens,
            context_tokens=self.context_tokens,
        )
        if not self.recalled.block or self.parts.block:
            return complete
        lost = tuple(with_reason(item, "no_room") for item in complete.injected)
        return replace(complete, injected=(), dropped=lost + complete.dropped, block="", tokens=0)

    def with_parts(self, parts: PromptParts) -> TurnPrompt:
        return replace(self, parts=parts, tokens=tokens_of(parts, self.token_ratio))

    def with_memory(self, recalled: Injection) -> TurnPrompt:
        """The prompt with the recalled memories that fit."""
        whole = replace(self.with_parts(replace(self.parts, block=recalled.block)), recalled=recalled)
        return whole.fitted(self.context_tokens, self.context_tokens)

    def fitted(self, room: int, limit: int) -> TurnPrompt:
        """The largest prompt that fits `room`; the system prompt is dropped only where it does not fit the limit
        itself."""
        fitted = prompt_assembly.fit_prompt(self.parts, room, limit, lambda parts: tokens_of(parts, self.token_ratio))
        if fitted == self.parts:
            return self
        lost_summary = bool(self.parts.summary) and not fitted.summary
        gone = len(self.parts.rounds) - len(fitted.rounds) + (self.summarised if lost_summary else 0)
        names = (("memory", "block"), ("system prompt", "system"))
        went = tuple(name for name, part in names if getattr(self.parts, part) and not getattr(fitted, part))
        return replace(
            self.with_parts(fitted),
            left_out=self.left_out + gone,
            summarised=0 if lost_summary else self.summarised,
            without=self.without + went,
        )

    def smaller(self, error: ContextTooLong) -> TurnPrompt:
        """What fits better by a refusal; at last the question alone."""
        room = prompt_assembly.room_after(
            self.refits,
            self.tokens,
            self.cost_of(rounds=()),
            self.cost_of(summary="", block=""),
            error.limit,
            error.answer_tokens or 0,
        )
        smaller = self.fitted(room, room if error.limit is None else max(room, self.context_tokens))
        return self.fitted(0, 0) if smaller.parts == self.parts else smaller


def tokens_of(parts: PromptParts, ratio: float | None) -> int:
    """About how many tokens a prompt of these parts is."""
    return token_count.corrected_estimate(token_count.estimate_messages(prompt_assembly.assemble_prompt(parts)), ratio)


class ServerLimits:
    """What refusals taught of servers: how long a prompt a model takes, and whether it takes tools. What could not be
    stored is remembered in this process."""

    def __init__(self, store: ModelUsage) -> None:
        self._store = store
        self._contexts: dict[tuple[str, str], ContextLimit] = {}
        self._tools: dict[tuple[str, str], ToolSupport] = {}

    async def context(self, model: ChatModel) -> ContextLimit | None:
        """Raises StorageError."""
        known = self._contexts.get((model.endpoint, model.model))
        return known or await self._store.limit(model.endpoint, model.model)

    async def tools(self, model: ChatModel) -> ToolSupport | None:
        """Raises StorageError."""
        known = self._tools.get((model.endpoint, model.model))
        return known or await self._store.tools(model.endpoint, model.model)

    async def learn_context(self, model: ChatModel, limit: ContextLimit) -> None:
        await _learn(self._contexts, self._store.learn, model, limit)

    async def learn_tools(self, model: ChatModel, support: ToolSupport) -> None:
        await _learn(self._tools, self._store.learn_tools, model, support)


async def _learn(
    known: dict[tuple[str, str], M], store: Callable[[str, str, M], Awaitable[None]], model: ChatModel, learnt: M
) -> None:
    known[model.endpoint, model.model] = learnt
    try:
        async with asyncio.timeout(WRITE_PATIENCE_S):
            await store(model.endpoint, model.model, learnt)
    except (StorageError, TimeoutError):
        return  # known until Orca ends; saving the round reports the failure


class Prompting:
    """Makes a prompt that never exceeds the model's context, and a smaller one where the server refused it."""

    def __init__(
        self,
        receipts: SessionStore,
        summaries: LearningQueue,
        limits: ServerLimits,
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._receipts = receipts
        self._summaries = summaries
        self._limits = limits
        self._clock = clock
        self._settings = settings

    async def draft(self, turn: Turn) -> TurnPrompt:
        """The prompt without memories, after the latest rounds of the session.

        Raises InvalidInput where the question alone is longer than the model's context."""
        takes, ratio = await self._known(turn.model)
        asked_for, history = turn.request.system_prompt, turn.history
        system = self._settings.system_prompt if asked_for is None else asked_for
        summary, summarised = await self._summary(turn.session_id, history)
        alone = PromptParts("", "", (), "", turn.question, self._settings.memory.inject.position)
        if (found := tokens_of(alone, ratio)) > takes:
            raise message_too_long(found, takes)
        parts = replace(alone, system=system, summary=summary)
        is_learnt = takes < turn.model.context_tokens
        room = prompt_assembly.prompt_room(takes)
        draft = TurnPrompt(parts, tokens_of(parts, ratio), 0, ratio, takes, is_learnt, summarised).fitted(room, takes)
        window = prompt_assembly.history_window(history, summarised, self._settings.memory.max_history)
        kept = self._kept(window.rounds, draft.parts, room, ratio)
        left_out = draft.left_out + window.left_out + len(window.rounds) - len(kept)
        return replace(draft.with_parts(replace(draft.parts, rounds=kept)), left_out=left_out)

    async def smaller(self, model: ChatModel, refused: TurnPrompt, error: ContextTooLong) -> TurnPrompt:
        """The prompt to send after a refusal. Raises the error to report where it was the question alone."""
        ratio = prompt_assembly.counted_ratio(refused.estimated, refused.token_ratio, error.limit, error.prompt_tokens)
        if error.limit is not None:
            limit = ContextLimit(error.limit, model.context_tokens, self._clock.now(), ratio)
            await self._limits.learn_context(model, limit)
        if refused.is_bare:
            raise _last_error(error, refused.tokens)
        takes = refused.context_tokens if error.limit is None else min(error.limit, model.context_tokens)
        counted = replace(refused, token_ratio=ratio, context_tokens=takes, is_learnt=takes < model.context_tokens)
        smaller = counted.with_parts(refused.parts).smaller(error)
        return replace(smaller, refits=refused.refits + 1)

    async def _known(self, model: ChatModel) -> tuple[int, float | None]:
        """The model's limit (from the configuration, or less where its server refused that), and the factor by which it
        counts tokens. A failing database costs a refusal and precision, and recall reports it."""
        learnt, ratio = None, None
        with suppress(StorageError):
            learnt = await self._limits.context(model)
        with suppress(StorageError):
            ratio = await self._receipts.token_ratio(model.model)
        takes = prompt_assembly.context_tokens(model.context_tokens, learnt, self._clock.now())
        return takes, ratio or (None if learnt is None else learnt.token_ratio)

    async def _summary(self, session_id: str, history: tuple[Round, ...]) -> tuple[str, int]:
        """The summary with its header, and the last round that it covers. Without it the rounds stand verbatim: a
        failing database costs length, and recall reports it."""
        try:
            summary, covered = await self._summaries.summary(session_id)
        except StorageError:
            return "", 0
        if not summary or not any(each.number > covered for each in history):
            return "", 0  # an earlier round is asked again: the prompt may hold nothing later
        return f"{prompts.render(f'summary.{language_of(summary)}')}\n{summary}", covered

    def _kept(self, rounds: tuple[Round, ...], parts: PromptParts, room: int, ratio: float | None) -> tuple[Round, ...]:
        costs = [_round_tokens(each, ratio) for each in rounds]
        steady_room = room - tokens_of(replace(parts, question=""), ratio)
        first = prompt_assembly.first_that_fits(costs, steady_room)
        # This turn's question and memory may need more room than the usual share.
        total = tokens_of(parts, ratio) + sum(costs[first:])
        while first < len(costs) and total + prompt_assembly.budget_tokens(total, self._settings.memory.inject) > room:
            total -= costs[first]
            first += 1
        return rounds[first:]


def _round_tokens(each: Round, ratio: float | None) -> int:
    return token_count.corrected_estimate(token_count.estimate_messages(prompt_assembly.round_messages(each)), ratio)


def message_too_long(found: int, most: int) -> InvalidInput:
    """The error for a question that is longer than the model's context."""
    return InvalidInput(
        template="the message is about {found} tokens long, the model takes {most}",
        hint="send less at a time, or set context_tokens for this provider if the model takes more",
        found=found,
        most=most,
    )


def _last_error(error: ContextTooLong, estimated: int) -> OrcaError:
    """The error for a question that the server refused alone."""
    found = estimated if error.prompt_tokens is None else error.prompt_tokens
    if error.limit is None:
        return ContextTooLong(
            template="{provider}: the message alone is longer than the model's context",
            hint="send less at a time", provider=error.fields.get("provider"),
        )  # fmt: skip
    if error.answer_tokens and found < error.limit:
        return ContextTooLong(
            template="{provider}: the message and the {answer} tokens asked for its answer are more than the model's"
            " {most}", hint="lower max_tokens in {provider}.extra_body", answer=error.answer_tokens, most=error.limit,
            provider=error.fields.get("provider"),
        )  # fmt: skip
    return message_too_long(max(found, error.limit), error.limit)
