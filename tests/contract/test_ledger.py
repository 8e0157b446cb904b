"""The ledger of the memory agent's calls: by day, job and model, each scope's its own."""

from __future__ import annotations

from fakes.records import AT

from orca_core.model.llm import AgentCall, Cost, Spent


def call(day: str, job: str = "extraction", **fields: object) -> AgentCall:
    given = {"model": "m", "at": AT, "prompt_tokens": 100, "completion_tokens": 10, **fields}
    return AgentCall(job=job, day=day, **given)  # type: ignore[arg-type]


async def test_a_day_holds_what_was_used_in_it_in_this_scope(opened) -> None:
    async with opened() as stores, opened("work") as others:
        assert await stores.ledger.used_on("2026-11-20") == 0
        await stores.ledger.note([call("2026-11-19"), call("2026-11-20"), call("2026-11-20", prompt_tokens=7)])
        await others.ledger.note([call("2026-11-20")])
        assert await stores.ledger.used_on("2026-11-20") == 110 + 17
        assert await others.ledger.used_on("2026-11-20") == 110
    async with opened() as stores:
        assert await stores.ledger.used_on("2026-11-19") == 110


async def test_it_is_told_by_day_job_and_model_newest_first(opened) -> None:
    async with opened() as stores:
        await stores.ledger.note(
            [
                call("2026-11-18"),
                call("2026-11-19", is_estimated=True),
                call("2026-11-20", cost=Cost(0.25, "$")),
                call("2026-11-20", cost=Cost(0.5, "$")),
                call("2026-11-20", "folding", completion_tokens=1),
            ]
        )
        assert await stores.ledger.spent_since("2026-11-19") == [
            Spent("2026-11-20", "extraction", "m", 2, 200, 20, 0, 2, Cost(0.75, "$")),
            Spent("2026-11-20", "folding", "m", 1, 100, 1, 0, 0, None),
            Spent("2026-11-19", "extraction", "m", 1, 100, 10, 1, 0, None),
        ]
        assert await stores.ledger.spent_since("2026-11-21") == []
