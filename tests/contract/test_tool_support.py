"""Whether a model's server takes tools is kept by endpoint and model."""

from __future__ import annotations

from datetime import UTC, datetime

from orca_core.model.llm import ToolSupport

REFUSED = ToolSupport(takes=False, at=datetime(2026, 11, 28, 12, tzinfo=UTC))
TAKEN = ToolSupport(takes=True, at=datetime(2026, 11, 29, 12, tzinfo=UTC))


async def test_the_latest_word_of_each_model_outlives_the_store_and_holds_for_every_profile(opened) -> None:
    async with opened() as stores:
        assert await stores.context_limits.tools("http://h/v1", "m") is None
        await stores.context_limits.learn_tools("http://h/v1", "m", REFUSED)
        await stores.context_limits.learn_tools("http://h/v1", "n", REFUSED)
        await stores.context_limits.learn_tools("http://h/v1", "n", TAKEN)
    async with opened("work") as stores:
        assert await stores.context_limits.tools("http://h/v1", "m") == REFUSED
        assert await stores.context_limits.tools("http://h/v1", "n") == TAKEN
        assert await stores.context_limits.tools("http://other/v1", "m") is None
