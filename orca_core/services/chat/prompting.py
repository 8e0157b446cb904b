"""Makes the prompt of a turn: chooses its rounds and counts its tokens."""

from __future__ import annotations

from msgspec.structs import replace

from orca_core import prompts
from orca_core.model.errors import ContextTooLong, StorageError
from orca_core.model.llm import ChatModel, Clock
from orca_core.model.recall import Injection
from orca_core.model.sessions import Round
from orca_core.rules.retrieval.prompting import budget, context, prompt
from orca_core.rules.retrieval.prompting.prompt import PromptParts
from orca_core.rules.text import tokens
from orca_core.rules.text.languages import language_of
from orca_core.services.chat.drafts import Draft, Prompt, tokens_of
from orca_core.services.chat.fitting import Fitting, message_too_long
from orca_core.settings import Settings
from orca_core.store.protocols import ContextLimits, ReceiptStore
from orca_core.store.protocols.learning import SummaryStore


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
