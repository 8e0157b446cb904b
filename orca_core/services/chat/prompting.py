"""The prompt of a turn: its rounds, its tokens, and the smaller one after a server refused it for its length."""

from __future__ import annotations

import asyncio
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from orca_core import prompts
from orca_core.model.errors import ContextTooLong, InvalidInput, OrcaError, StorageError
from orca_core.model.llm import ChatModel, ChatRequest, Clock, ContextLimit
from orca_core.model.recall import Injection
from orca_core.model.sessions import Round
from orca_core.rules.retrieval.choosing.ranking import with_reason
from orca_core.rules.retrieval.prompting import budget, context, prompt
from orca_core.rules.retrieval.prompting.prompt import PromptParts
from orca_core.rules.text import tokens
from orca_core.rules.text.languages import language_of
from orca_core.settings import Settings
from orca_core.store.protocols import ContextLimits, ReceiptStore
from orca_core.store.protocols.learning import SummaryStore


class Draft(Struct, frozen=True):
    """A prompt as far as it is decided. Its summary stands for the rounds up to `summarised`; `left_out` others are
    older than what it can hold. `without` names what else had to go."""

    parts: PromptParts
    tokens: int
    left_out: int
    token_ratio: float | None
    context_tokens: int
    is_learnt: bool = False
    summarised: int = 0
    without: tuple[str, ...] = ()

    @property
    def visible_rounds(self) -> frozenset[int]:
        return frozenset(each.number for each in self.parts.rounds)

    @property
    def estimated(self) -> int:
        """Its tokens, counted by the rules alone."""
        return tokens.estimate_messages(prompt.assemble(self.parts))

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

    def fitted(self, room: int, limit: int) -> Draft:
        """The largest draft that fits `room`; the system prompt is dropped only where it does not fit the limit
        itself."""
        fitted = prompt.fit(self.parts, room, limit, lambda parts: tokens_of(parts, self.token_ratio))
        if fitted == self.parts:
            return self
        lost_summary = bool(self.parts.summary) and not fitted.summary
        gone = len(self.parts.rounds) - len(fitted.rounds) + (self.summarised if lost_summary else 0)
        names = (("memory", "block"), ("system prompt", "system"))
        went = tuple(name for name, part in names if getattr(self.parts, part) and not getattr(fitted, part))
        return replace(
            self,
            parts=fitted,
            tokens=tokens_of(fitted, self.token_ratio),
            left_out=self.left_out + gone,
            summarised=0 if lost_summary else self.summarised,
            without=self.without + went,
        )


class Prompt(Struct, frozen=True):
    """What is sent: the draft with its memory block, which fits the model as far as is known. `refits` says how many
    longer ones were refused."""

    draft: Draft
    recalled: Injection
    refits: int = 0

    @property
    def request(self) -> ChatRequest:
        return ChatRequest(prompt.assemble(self.draft.parts))

    @property
    def injection(self) -> Injection:
        """Which part of what recall found, and of the history, is sent."""
        complete = replace(
            self.recalled,
            rules=self.recalled.rules + self.draft.rules,
            tokens=tokens.corrected(self.recalled.tokens, self.draft.token_ratio),
            prompt_tokens=self.draft.tokens,
            context_tokens=self.draft.context_tokens,
        )
        if not self.recalled.block or self.draft.parts.block:
            return complete
        lost = tuple(with_reason(item, "no_room") for item in complete.injected)
        return replace(complete, injected=(), dropped=lost + complete.dropped, block="", tokens=0)


def tokens_of(parts: PromptParts, ratio: float | None) -> int:
    """About how many tokens a prompt of these parts is."""
    return tokens.corrected(tokens.estimate_messages(prompt.assemble(parts)), ratio)


WRITE_PATIENCE_S = 1.0
"""A locked database must not delay the answer longer. Chosen by hand."""


class Fitting:
    """Knows the context lengths of models. A limit that could not be stored is remembered in this process."""

    def __init__(self, limits: ContextLimits, clock: Clock) -> None:
        self._limits = limits
        self._clock = clock
        self._learnt: dict[tuple[str, str], ContextLimit] = {}

    async def known(self, model: ChatModel) -> tuple[int, float | None]:
        """The model's limit (from the configuration, or less where its server refused that), and how it counts
        tokens."""
        learnt = self._learnt.get((model.endpoint, model.model))
        if learnt is None:
            try:
                learnt = await self._limits.limit(model.endpoint, model.model)
            except StorageError:
                learnt = None  # costs a refusal; recall reports the failure
        takes = context.context_tokens(model.context_tokens, learnt, self._clock.now())
        return takes, learnt.token_ratio if learnt is not None else None

    async def smaller(self, model: ChatModel, refused: Prompt, error: ContextTooLong) -> Prompt:
        """The prompt to send after a refusal. Raises the error to report where it was the question alone."""
        draft = refused.draft
        ratio = context.counted_ratio(draft.estimated, draft.token_ratio, error.limit, error.prompt_tokens)
        if error.limit is not None:
            await self._learn(model, ContextLimit(error.limit, model.context_tokens, self._clock.now(), ratio))
        if draft.is_bare:
            raise _last_error(error, draft.tokens)
        takes = draft.context_tokens if error.limit is None else min(error.limit, model.context_tokens)
        counted = replace(
            draft,
            token_ratio=ratio,
            tokens=tokens_of(draft.parts, ratio),
            context_tokens=takes,
            is_learnt=takes < model.context_tokens,
        )
        return Prompt(_smaller(counted, refused.refits, error), refused.recalled, refused.refits + 1)

    async def _learn(self, model: ChatModel, limit: ContextLimit) -> None:
        self._learnt[model.endpoint, model.model] = limit
        try:
            async with asyncio.timeout(WRITE_PATIENCE_S):
                await self._limits.learn(model.endpoint, model.model, limit)
        except (StorageError, TimeoutError):
            return  # known until Orca ends; saving the round reports the failure


def _smaller(draft: Draft, refits: int, error: ContextTooLong) -> Draft:
    room = context.room_after(
        refits,
        draft.tokens,
        draft.cost_of(rounds=()),
        draft.cost_of(summary="", block=""),
        error.limit,
        error.answer_tokens or 0,
    )
    smaller = draft.fitted(room, room if error.limit is None else max(room, draft.context_tokens))
    return draft.fitted(0, 0) if smaller.parts == draft.parts else smaller


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


class Prompting:
    """Makes a draft that never exceeds the model's context, and a smaller prompt where the server refused one."""

    def __init__(
        self,
        receipts: ReceiptStore,
        summaries: SummaryStore,
        limits: ContextLimits,
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._receipts = receipts
        self._summaries = summaries
        self._fitting = Fitting(limits, clock)
        self._settings = settings

    async def draft(
        self, model: ChatModel, session_id: str, history: tuple[Round, ...], question: str, system_prompt: str | None
    ) -> Draft:
        """The draft of the prompt after the latest rounds of a session.

        Raises InvalidInput where the question alone is longer than the model's context."""
        takes, ratio = await self._fitting.known(model)
        ratio = await self._token_ratio(model.model) or ratio
        system = self._settings.system_prompt if system_prompt is None else system_prompt
        summary, summarised = await self._summary(session_id, history)
        alone = PromptParts("", "", (), "", question, self._settings.memory.inject.position)
        if (found := tokens_of(alone, ratio)) > takes:
            raise message_too_long(found, takes)
        parts = replace(alone, system=system, summary=summary)
        is_learnt = takes < model.context_tokens
        room = context.room(takes)
        draft = Draft(parts, tokens_of(parts, ratio), 0, ratio, takes, is_learnt, summarised).fitted(room, takes)
        window = prompt.window(history, summarised, self._settings.memory.max_history)
        kept = self._kept(window.rounds, draft.parts, room, ratio)
        parts = replace(draft.parts, rounds=kept)
        left_out = draft.left_out + window.left_out + len(window.rounds) - len(kept)
        return replace(draft, parts=parts, tokens=tokens_of(parts, ratio), left_out=left_out)

    def whole(self, draft: Draft, recalled: Injection) -> Prompt:
        """The prompt with the recalled memories that fit."""
        parts = replace(draft.parts, block=recalled.block)
        with_block = replace(draft, parts=parts, tokens=tokens_of(parts, draft.token_ratio))
        return Prompt(with_block.fitted(draft.context_tokens, draft.context_tokens), recalled)

    async def smaller(self, model: ChatModel, refused: Prompt, error: ContextTooLong) -> Prompt:
        """The prompt to send after a refusal. Raises the error to report where nothing but the question is left."""
        return await self._fitting.smaller(model, refused, error)

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

    async def _token_ratio(self, model: str) -> float | None:
        """The factor by which this model counts tokens. A failing database costs precision, and recall reports it."""
        try:
            return await self._receipts.token_ratio(model)
        except StorageError:
            return None

    def _kept(self, rounds: tuple[Round, ...], parts: PromptParts, room: int, ratio: float | None) -> tuple[Round, ...]:
        costs = [_round_tokens(each, ratio) for each in rounds]
        steady_room = room - tokens_of(replace(parts, question=""), ratio)
        first = prompt.first_that_fits(costs, steady_room)
        # This turn's question and memory may need more room than the usual share.
        total = tokens_of(parts, ratio) + sum(costs[first:])
        while first < len(costs) and total + budget.budget_tokens(total, self._settings.memory.inject) > room:
            total -= costs[first]
            first += 1
        return rounds[first:]


def _round_tokens(each: Round, ratio: float | None) -> int:
    return tokens.corrected(tokens.estimate_messages(prompt.spoken(each)), ratio)
