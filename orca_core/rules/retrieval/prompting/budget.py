"""How much of a prompt memory may take, and who gives way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.recall import Item
from orca_core.settings import InjectSettings

PINNED_SHARE = 0.5
"""How much of the budget pinned memories take while something relevant waits. Chosen by hand."""
LEAST_SHOWN = 100
"""Of what was looked up at least so many characters are shown. Chosen by hand."""
PINNED = "pinned"
NOT_WAITED_FOR = frozenset({PINNED, "standing", "perhaps", "visible"})
"""Reasons of what is not there because it is near to the question, or stands in the prompt anyway."""


class Filled(Struct, frozen=True):
    kept: tuple[Item, ...]
    over_budget: tuple[Item, ...]


def budget_tokens(prompt_tokens: int, inject: InjectSettings) -> int:
    """The most tokens that a memory block may take beside a prompt of so many tokens.

    The ratio is of the whole prompt, the block included: a share r of the whole is r / (1 - r) of the rest.
    """
    share = inject.budget_ratio / (1 - inject.budget_ratio) if inject.budget_ratio < 1 else float("inf")
    return max(inject.budget_floor, int(min(prompt_tokens * share, 10**9)))


def fill(items: Sequence[Item], budget: int, cost_of_block: Callable[[Sequence[Item]], int]) -> Filled:
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
    return Filled(
        tuple(item for number, item in enumerate(items) if number in kept),
        tuple(item for number, item in enumerate(items) if number not in kept),
    )


def looked_up(items: Sequence[Item], room: int, cost_of_block: Callable[[Sequence[Item]], int]) -> tuple[Item, ...]:
    """As many of what was looked up as fit the room; of the nearest its beginning, where nothing else fits."""
    kept = fill(items, room, cost_of_block).kept
    if kept or not items:
        return kept
    nearest = items[0]
    while len(nearest.content) > LEAST_SHOWN and cost_of_block([nearest]) > room:
        nearest = replace(nearest, content=f"{nearest.content[: len(nearest.content) * 2 // 3]}…")
    return (nearest,)
