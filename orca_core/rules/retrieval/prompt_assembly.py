"""Assemble a prompt from its pieces: the rounds that stand verbatim, the memory block, its budget, the limit
of a context.

A prompt is append-only up to the previous round, so that the provider's cache works."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.llm import ChatMessage, ContextLimit
from orca_core.model.recall import Item
from orca_core.model.record_types import TASK
from orca_core.model.sessions import Round
from orca_core.settings import InjectSettings

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


def answered_rounds(rounds: Sequence[Round]) -> tuple[Round, ...]:
    """The rounds that can be sent: a question without an answer is not."""
    return tuple(each for each in rounds if each.user.strip() and each.assistant.strip())


class HistoryWindow(Struct, frozen=True):
    """The rounds that may stand verbatim, and how many that are older may not, by their numbers."""

    rounds: tuple[Round, ...]
    left_out: int = 0


def history_window(rounds: Sequence[Round], after: int, max_history: int) -> HistoryWindow:
    """The latest answered rounds past number `after`, at most so many. Older ones go in steps of numbers, so that one
    needs to know only the latest to tell which those are."""
    behind = tuple(each for each in answered_rounds(rounds) if each.number > after)
    if len(behind) <= max_history:
        return HistoryWindow(behind)
    step = max(1, min(HISTORY_STEP, max_history // 2))
    oldest = behind[len(behind) - max_history].number if max_history else behind[-1].number + 1
    left_out = -(-(oldest - 1 - after) // step) * step
    return HistoryWindow(tuple(each for each in behind if each.number > after + left_out), left_out)


def fills_window(rounds: Sequence[Round], max_history: int) -> bool:
    """Tell whether these latest rounds are enough to tell what may stand verbatim."""
    return len(answered_rounds(rounds)) > max_history


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


def fit_prompt(parts: PromptParts, room: int, limit: int, cost: Callable[[PromptParts], int]) -> PromptParts:
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


def round_messages(each: Round) -> tuple[ChatMessage, ChatMessage]:
    """A round as it stands in a prompt."""
    return ChatMessage("user", each.user), ChatMessage("assistant", each.assistant)


def assemble_prompt(parts: PromptParts) -> tuple[ChatMessage, ...]:
    """System prompt, verbatim rounds (the summary at the head of the first), the block and the question."""
    system = parts.system
    question = parts.question
    if parts.block and parts.position == "system":
        system = f"{system}\n\n{parts.block}" if system else parts.block
    elif parts.block:
        question = f"{parts.block}\n\n{question}"
    messages = [ChatMessage("system", system)] if system else []
    said = [message for each in answered_rounds(parts.rounds) for message in round_messages(each)]
    said.append(ChatMessage("user", question))
    if parts.summary:
        said[0] = ChatMessage("user", f"{parts.summary}\n\n{said[0].content}")
    return (*messages, *said)


FENCE = "```"
FENCE_NAME = "orca-memory"


CONTEXT_TYPE = "recent"
"""What the block calls a summary, which has no type of its own."""


def memory_block(items: Sequence[Item], header: str) -> str:
    """The block with its header; nothing where there are no items.

    JSON keeps every memory on one line, and backticks are written as escapes: a text can neither end the fence nor
    look as if it stood outside.
    """
    if not items:
        return ""
    lines = ",\n".join(_line(item) for item in items)
    return f"{header}\n{FENCE}{FENCE_NAME}\n[{lines}]\n{FENCE}"


def _line(item: Item) -> str:
    row = {
        "id": str(item.ref),
        "type": item.type or (TASK.name if item.ref.kind == TASK else CONTEXT_TYPE),
        "date": item.created_at.date().isoformat() if item.created_at else "",
        "text": item.content,
    }
    return _as_line(row)


def _as_line(row: Mapping[str, str]) -> str:
    return json.dumps(row, ensure_ascii=False).replace("`", "\\u0060")


PINNED_SHARE = 0.5
"""How much of the budget pinned memories take while something relevant waits. Chosen by hand."""
LEAST_SHOWN = 100
"""Of what was looked up at least so many characters are shown. Chosen by hand."""
PINNED = "pinned"
NOT_WAITED_FOR = frozenset({PINNED, "standing", "perhaps", "visible"})
"""Reasons of what is not there because it is near to the question, or stands in the prompt anyway."""


class FilledBudget(Struct, frozen=True):
    kept: tuple[Item, ...]
    over_budget: tuple[Item, ...]


def budget_tokens(prompt_tokens: int, inject: InjectSettings) -> int:
    """The most tokens that a memory block may take beside a prompt of so many tokens.

    The ratio is of the whole prompt, the block included: a share r of the whole is r / (1 - r) of the rest.
    """
    share = inject.budget_ratio / (1 - inject.budget_ratio) if inject.budget_ratio < 1 else float("inf")
    return max(inject.budget_floor, int(min(prompt_tokens * share, 10**9)))


def fill_budget(items: Sequence[Item], budget: int, cost_of_block: Callable[[Sequence[Item]], int]) -> FilledBudget:
    """Take items in their order, each that still fits; `cost_of_block` counts the block around them, too.

    While something relevant waits, pinned ones take no more than `PINNED_SHARE`; the rest of them gets what is left."""
    waits = any(item.reason not in NOT_WAITED_FOR for item in items)
    share = int(budget * PINNED_SHARE) if waits else budget
    kept: set[int] = set()

    def take(numbers: Iterable[int], limit: int) -> None:
        for number in numbers:
            if cost_of_block([items[each] for each in sorted({*kept, number})]) <= limit:
                kept.add(number)

    pinned = [number for number, item in enumerate(items) if item.reason == PINNED]
    take(pinned, share)
    take([number for number in range(len(items)) if number not in pinned], budget)
    take([number for number in pinned if number not in kept], budget)
    return FilledBudget(
        tuple(item for number, item in enumerate(items) if number in kept),
        tuple(item for number, item in enumerate(items) if number not in kept),
    )


def fit_looked_up(items: Sequence[Item], room: int, cost_of_block: Callable[[Sequence[Item]], int]) -> tuple[Item, ...]:
    """As many of what was looked up as fit the room; of the nearest its beginning, where nothing else fits."""
    kept = fill_budget(items, room, cost_of_block).kept
    if kept or not items:
        return kept
    nearest = items[0]
    while len(nearest.content) > LEAST_SHOWN and cost_of_block([nearest]) > room:
        nearest = replace(nearest, content=f"{nearest.content[: len(nearest.content) * 2 // 3]}…")
    return (nearest,)


MAX_ANSWER_RESERVE = 4096
"""An answer is left a quarter of a small context, and no more than this of a large one. Chosen by hand."""
TRUSTED_FOR = timedelta(days=7)
"""A server may be started anew with more: what it refused so long ago is tried again. Chosen by hand."""
MAX_REFITS = 5
"""So many smaller prompts are tried after a refusal; the last one is the question alone. Chosen by hand."""


def context_tokens(configured: int, learnt: ContextLimit | None, now: datetime) -> int:
    """Tell how many tokens a prompt and its answer may have. Another setting than the one under which a limit was
    learnt says that the user knows better."""
    if learnt is None or learnt.configured != configured or abs(now - learnt.at) > TRUSTED_FOR:
        return configured
    return min(configured, learnt.tokens)


def prompt_room(context: int, answer_tokens: int = 0) -> int:
    """Tell how much of a context a prompt may take, so that the answer has its place."""
    return context - max(answer_tokens, min(MAX_ANSWER_RESERVE, context // 4))


def counted_ratio(estimated: int, ratio: float | None, limit: int | None, counted: int | None) -> float | None:
    """Tell how the model counts tokens, learnt from a refusal of a prompt that the rules estimate at `estimated`.

    It is the server's own count where it names one, else at least its limit."""
    if estimated <= 0:
        return ratio
    if counted is not None:
        return counted / estimated
    return ratio if limit is None else max(1.0 if ratio is None else ratio, limit / estimated)


def room_after(
    refits: int, sent: int, rounds: int, extra: int, limit: int | None = None, answer_tokens: int = 0
) -> int:
    """Tell how many tokens the next prompt may take after a refusal of one of `sent` tokens.

    `rounds` and `extra` (summary and memory) are parts of `sent`; `refits` counts the smaller prompts before. First the
    named limit is tried; then half of the rounds, none of them, nothing extra, and at last the question alone."""
    if limit is not None and refits == 0:
        return min(prompt_room(limit, answer_tokens), sent - 1)
    if rounds and refits < MAX_REFITS - 2:
        return sent - (rounds if refits == MAX_REFITS - 3 else (rounds + 1) // 2)
    if extra and refits < MAX_REFITS - 1:
        return sent - rounds - extra
    return 0
