"""A prompt from its pieces: append-only up to the previous round, so that the provider's cache works."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.llm import ChatMessage
from orca_core.model.sessions import Round

HISTORY_STEP = 20
"""So many rounds are dropped at a time, or half of what may stand, so that the prefix changes seldom. Chosen by hand;
`benchmarks/tokens_over_a_conversation.py` shows the prefix that stays."""
KEPT_AFTER_TRIM = 0.75
"""Where rounds outgrow their room, the oldest go until the rest takes this share of it.

Chosen by hand: less would drop more at once, more would change the prefix more often."""


class PromptParts(Struct, frozen=True):
    """What a prompt is made of."""

    system: str
    summary: str
    rounds: tuple[Round, ...]
    block: str
    question: str
    position: Literal["question", "system"] = "question"


def answered(rounds: Sequence[Round]) -> tuple[Round, ...]:
    """The rounds that can be sent: a question without an answer is not."""
    return tuple(each for each in rounds if each.user.strip() and each.assistant.strip())


class Window(Struct, frozen=True):
    """The rounds that may stand verbatim, and how many that are older may not, by their numbers."""

    rounds: tuple[Round, ...]
    left_out: int = 0


def window(rounds: Sequence[Round], after: int, max_history: int) -> Window:
    """The latest answered rounds past number `after`, at most so many. Older ones go in steps of numbers, so that one
    needs to know only the latest to tell which those are."""
    behind = tuple(each for each in answered(rounds) if each.number > after)
    if len(behind) <= max_history:
        return Window(behind)
    step = max(1, min(HISTORY_STEP, max_history // 2))
    oldest = behind[len(behind) - max_history].number if max_history else behind[-1].number + 1
    left_out = -(-(oldest - 1 - after) // step) * step
    return Window(tuple(each for each in behind if each.number > after + left_out), left_out)


def fills_window(rounds: Sequence[Round], max_history: int) -> bool:
    """Whether these latest rounds are enough to tell what may stand verbatim."""
    return len(answered(rounds)) > max_history


def first_that_fits(costs: Sequence[int], room: int) -> int:
    """The index of the first round that stays, where rounds of these costs must fit a room.

    It follows from the costs alone, as if every earlier turn had decided the same way. So it changes from one turn to
    the next only where the room is outgrown again."""
    first, total = 0, 0
    for index, cost in enumerate(costs):
        total += cost
        if total > room:
            while first <= index and total > room * KEPT_AFTER_TRIM:
                total -= costs[first]
                first += 1
    return first


def fit(parts: PromptParts, room: int, limit: int, cost: Callable[[PromptParts], int]) -> PromptParts:
    """The prompt, cut down to a room. The oldest rounds go first, then the summary, then memory; the system prompt
    only where it does not fit the limit itself. The question always stays."""
    rounds = parts.rounds
    if cost(parts) > room:
        dropped = bisect_left(
            range(len(rounds)), True, key=lambda count: cost(replace(parts, rounds=rounds[count:])) <= room
        )
        parts = replace(parts, rounds=rounds[dropped:])
    if cost(parts) > room:
        parts = replace(parts, summary="")
    if cost(parts) > room:
        parts = replace(parts, block="")
    if cost(parts) > limit:
        parts = replace(parts, system="")
    return parts


def spoken(each: Round) -> tuple[ChatMessage, ChatMessage]:
    """A round as it stands in a prompt."""
    return ChatMessage("user", each.user), ChatMessage("assistant", each.assistant)


def assemble(parts: PromptParts) -> tuple[ChatMessage, ...]:
    """System prompt, verbatim rounds (the summary at the head of the first), the block and the question."""
    system = parts.system
    question = parts.question
    if parts.block and parts.position == "system":
        system = f"{system}\n\n{parts.block}" if system else parts.block
    elif parts.block:
        question = f"{parts.block}\n\n{question}"
    messages = [ChatMessage("system", system)] if system else []
    said = [message for each in answered(parts.rounds) for message in spoken(each)]
    said.append(ChatMessage("user", question))
    if parts.summary:
        said[0] = ChatMessage("user", f"{parts.summary}\n\n{said[0].content}")
    return (*messages, *said)
