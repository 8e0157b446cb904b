"""The prompt of a turn while it is built: its parts, what was left out, and what the receipt says of that."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.llm import ChatRequest
from orca_core.model.recall import Injection
from orca_core.rules.retrieval.choosing.ranking import with_reason
from orca_core.rules.retrieval.prompting import prompt
from orca_core.rules.retrieval.prompting.prompt import PromptParts
from orca_core.rules.text import tokens


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
