"""What an answer cost: as the provider says, else by the prices that the configuration names."""

from __future__ import annotations

from orca_core.model.llm import Cost, Usage
from orca_core.settings import ProviderSettings

PER = 1_000_000


def cost_of(usage: Usage | None, provider: ProviderSettings | None) -> Cost | None:
    """None where nothing was counted, or nobody named a price."""
    amount = None if usage is None or provider is None else _amount(usage, provider)
    return None if amount is None or provider is None else Cost(amount, provider.currency)


def _amount(usage: Usage, provider: ProviderSettings) -> float | None:
    if usage.cost is not None:
        return usage.cost
    if not (provider.price_prompt or provider.price_completion):
        return None
    cached = min(usage.cached_tokens, usage.prompt_tokens)
    price_cached = provider.price_prompt if provider.price_cached is None else provider.price_cached
    prompt = (usage.prompt_tokens - cached) * provider.price_prompt + cached * price_cached
    return (prompt + usage.completion_tokens * provider.price_completion) / PER
