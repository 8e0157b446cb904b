"""Learns how long a prompt a model takes from its server's refusals, and makes the smaller prompt after one."""

from __future__ import annotations

import asyncio

from msgspec.structs import replace

from orca_core.model.errors import ContextTooLong, InvalidInput, OrcaError, StorageError
from orca_core.model.llm import ChatModel, Clock, ContextLimit
from orca_core.rules.retrieval.prompting import context
from orca_core.services.chat.drafts import Draft, Prompt, tokens_of
from orca_core.store.protocols import ContextLimits

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
