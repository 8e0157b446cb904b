"""How much of a prompt memory may take, and who gives way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from orca_core.domain.recall import Item
from orca_core.settings import InjectSettings


@dataclass(frozen=True, slots=True)
class Filled:
    kept: tuple[Item, ...]
    over_budget: tuple[Item, ...]


def budget_tokens(prompt_tokens: int, inject: InjectSettings) -> int:
    """The most tokens that a memory block may take beside a prompt of so many tokens.

    The ratio is of the whole prompt, the block included: a share r of the whole is r / (1 - r) of the rest.
    """
    share = inject.budget_ratio / (1 - inject.budget_ratio) if inject.budget_ratio < 1 else float("inf")
    return max(inject.budget_floor, int(min(prompt_tokens * share, 10**9)))


def fill(items: Sequence[Item], budget: int, cost_of_block: Callable[[Sequence[Item]], int]) -> Filled:
    """Take items in their order, each that still fits; `cost_of_block` counts the block around them, too."""
    kept: list[Item] = []
    over_budget: list[Item] = []
    for item in items:
        if cost_of_block([*kept, item]) <= budget:
            kept.append(item)
        else:
            over_budget.append(item)
    return Filled(tuple(kept), tuple(over_budget))
