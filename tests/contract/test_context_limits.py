"""What refusals taught of models' contexts is kept, the latest word of each."""

from __future__ import annotations

from datetime import UTC, datetime

from orca_core.model.llm import ContextLimit

FIRST = ContextLimit(4096, 64_000, datetime(2026, 11, 20, tzinfo=UTC))
SECOND = ContextLimit(8192, 32_000, datetime(2026, 11, 21, tzinfo=UTC), 1.25)


async def test_a_limit_outlives_the_store_and_is_the_same_for_every_profile(opened) -> None:
    async with opened() as stores:
        assert await stores.context_limits.limit("http://h/v1", "m") is None
        await stores.context_limits.learn("http://h/v1", "m", FIRST)
    async with opened("work") as stores:
        assert await stores.context_limits.limit("http://h/v1", "m") == FIRST
        assert await stores.context_limits.limit("http://h/v1", "other") is None
        assert await stores.context_limits.limit("http://other/v1", "m") is None


async def test_the_latest_refusal_counts(opened) -> None:
    async with opened() as stores:
        await stores.context_limits.learn("http://h/v1", "m", FIRST)
        await stores.context_limits.learn("http://h/v1", "m", SECOND)
        assert await stores.context_limits.limit("http://h/v1", "m") == SECOND
