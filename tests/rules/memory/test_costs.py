"""What an answer cost: by the provider's word, else by the prices of the configuration, else nothing is said."""

from __future__ import annotations

import pytest

from orca_core.model.llm import Cost, Usage
from orca_core.rules.memory.memory_upkeep import cost_of
from orca_core.settings import ProviderSettings

PRICED = ProviderSettings(base_url="http://x", model="m", price_prompt=2.0, price_cached=0.5, price_completion=8.0)
UNPRICED = ProviderSettings(base_url="http://x", model="m")
SPENT = Usage(1_000_000, 500_000, cached_tokens=400_000)


@pytest.mark.parametrize(
    ("usage", "provider", "amount"),
    [
        (SPENT, PRICED, 0.6 * 2.0 + 0.4 * 0.5 + 0.5 * 8.0),
        (Usage(1_000_000, 0, cached_tokens=0, cost=0.125), PRICED, 0.125),
        (Usage(1_000_000, 0, cost=0.125), UNPRICED, 0.125),
        (SPENT, UNPRICED, None),
        (SPENT, None, None),
        (None, PRICED, None),
    ],
)
def test_a_cost_is_known_or_is_not_said(
    usage: Usage | None, provider: ProviderSettings | None, amount: float | None
) -> None:
    cost = cost_of(usage, provider)

    assert cost == (None if amount is None or provider is None else Cost(pytest.approx(amount), provider.currency))
