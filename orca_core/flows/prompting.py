"""The prompt of a turn: which rounds stand in it, what it weighs, and the request that is sent."""

from __future__ import annotations

from dataclasses import dataclass, replace

from orca_core import prompts
from orca_core.domain.dialogues import Round
from orca_core.domain.errors import InvalidInput, StorageError
from orca_core.domain.learning_stores import SummaryStore
from orca_core.domain.messages import ChatRequest
from orca_core.domain.ports import ChatModel
from orca_core.domain.stores import ReceiptStore
from orca_core.rules import budget, prompt, tokens
from orca_core.rules.languages import language_of
from orca_core.rules.prompt import PromptParts
from orca_core.settings import Settings

MAX_ANSWER_RESERVE = 4096


@dataclass(frozen=True, slots=True)
class Draft:
    """A prompt without its memory block. The rounds up to `summarised` stand in its summary; `left_out` others are
    older than what it can hold."""

    parts: PromptParts
    tokens: int
    left_out: int
    token_ratio: float | None
    summarised: int = 0

    @property
    def visible_rounds(self) -> frozenset[int]:
        return frozenset(each.number for each in self.parts.rounds)

    @property
    def rules(self) -> tuple[str, ...]:
        """What a receipt says of rounds that are not there verbatim."""
        folded = (f"summary: rounds 1-{self.summarised}",) if self.summarised else ()
        return folded + ((f"history: {self.left_out} older rounds left out",) if self.left_out else ())

    def request(self, block: str) -> ChatRequest:
        return ChatRequest(prompt.assemble(replace(self.parts, block=block)))

    def halved(self) -> Draft:
        """The same prompt with half of its rounds, for a model that found it too long."""
        dropped = (len(self.parts.rounds) + 1) // 2
        parts = replace(self.parts, rounds=self.parts.rounds[dropped:])
        return replace(self, parts=parts, tokens=_tokens(parts, self.token_ratio), left_out=self.left_out + dropped)


class Prompting:
    """Makes the draft of a turn's prompt, so that it never exceeds the model's context."""

    def __init__(self, receipts: ReceiptStore, summaries: SummaryStore, settings: Settings) -> None:
        self._receipts = receipts
        self._summaries = summaries
        self._settings = settings

    async def draft(
        self, model: ChatModel, session_id: str, history: tuple[Round, ...], question: str, system_prompt: str | None
    ) -> Draft:
        """Raises InvalidInput where the question alone is longer than the model's context."""
        ratio = await self._token_ratio(model.model)
        system = self._settings.system_prompt if system_prompt is None else system_prompt
        summary, summarised = await self._summary(session_id, history)
        parts = PromptParts(system, summary, (), "", question, self._settings.memory.inject.position)
        room = model.context_tokens - min(MAX_ANSWER_RESERVE, model.context_tokens // 4)
        alone = _tokens(parts, ratio)
        if alone > room:
            raise InvalidInput(
                template="the message is about {found} tokens long, the model takes {most}",
                hint="send less at a time, or set context_tokens for this provider if the model takes more",
                found=alone,
                most=room,
            )
        rounds = tuple(each for each in prompt.answered(history) if each.number > summarised)
        kept = self._kept(rounds, parts, room, ratio)
        draft_parts = replace(parts, rounds=kept)
        return Draft(draft_parts, _tokens(draft_parts, ratio), len(rounds) - len(kept), ratio, summarised)

    async def _summary(self, session_id: str, history: tuple[Round, ...]) -> tuple[str, int]:
        """The summary with its header, and the last round that it covers. Without it the rounds stand as they are:
        a database that can not tell costs length; that it fails is told by recall."""
        try:
            summary, covered = await self._summaries.summary(session_id)
        except StorageError:
            return "", 0
        if not summary or not any(each.number > covered for each in history):
            return "", 0  # an earlier round is being asked anew: what came after it is not to be known
        return f"{prompts.render(f'summary.{language_of(summary)}')}\n{summary}", covered

    async def _token_ratio(self, model: str) -> float | None:
        """How this model counts. A database that can not tell costs precision; that it fails is told by recall."""
        try:
            return await self._receipts.token_ratio(model)
        except StorageError:
            return None

    def _kept(self, rounds: tuple[Round, ...], parts: PromptParts, room: int, ratio: float | None) -> tuple[Round, ...]:
        rounds = rounds[prompt.first_in_window(len(rounds), self._settings.memory.max_history) :]
        costs = [_round_tokens(each, ratio) for each in rounds]
        steady_room = room - _tokens(replace(parts, question=""), ratio)
        first = prompt.first_that_fits(costs, steady_room)
        # This turn's own question and memory may need more than the steady room leaves.
        total = _tokens(parts, ratio) + sum(costs[first:])
        while first < len(costs) and total + budget.budget_tokens(total, self._settings.memory.inject) > room:
            total -= costs[first]
            first += 1
        return rounds[first:]


def _round_tokens(each: Round, ratio: float | None) -> int:
    return tokens.corrected(tokens.estimate_messages(prompt.spoken(each)), ratio)


def _tokens(parts: PromptParts, ratio: float | None) -> int:
    return tokens.corrected(tokens.estimate_messages(prompt.assemble(parts)), ratio)
