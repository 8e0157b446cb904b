"""Short-term memories end: by age, by number, with their round; their vectors go with them, receipts stay."""

from __future__ import annotations

from pathlib import Path

import apsw
from fakes.clocks import StillClock
from fakes.turns import only, turn

from orca_core.model.events import Injected
from orca_core.model.records import SUMMARY
from orca_core.settings import InjectSettings, MemorySettings, Settings, ShortTermSettings

DAY_S = 86_400.0


def counted(database: Path, query: str) -> int:
    return int(apsw.Connection(str(database)).execute(query).get or 0)


def summaries(database: Path) -> int:
    return counted(database, "SELECT count(*) FROM short_term_memories")


def vectors(database: Path) -> int:
    return counted(database, "SELECT count(*) FROM vectors WHERE kind = 'summary'")


async def test_they_expire_at_the_next_start_with_their_vectors(open_engine, database: Path, clock: StillClock) -> None:
    async with open_engine() as engine:
        for number in range(3):
            await turn(engine, f"a question about docker, number {number}", session_id="s")
        await engine.worker.tidy()
        assert (summaries(database), vectors(database)) == (3, 3)
    clock.advance(29 * DAY_S)
    async with open_engine() as engine:
        await engine.worker.tidy()
        assert summaries(database) == 3
    clock.advance(2 * DAY_S)
    async with open_engine() as engine:
        await engine.worker.tidy()
        assert (summaries(database), vectors(database)) == (0, 0)


async def test_they_expire_though_the_clock_was_set_back(open_engine, database: Path, clock: StillClock) -> None:
    clock.advance(365 * DAY_S)
    async with open_engine() as engine:
        await engine.worker.tidy()
        clock.advance(-365 * DAY_S)
        await turn(engine, "a question about docker", session_id="s")
        for _ in range(31):
            clock.advance(DAY_S)
            await engine.worker.tidy()
        assert summaries(database) == 0


async def test_what_makes_way_takes_its_vector_along(open_engine, database: Path) -> None:
    settings = Settings(memory=MemorySettings(short_term=ShortTermSettings(max_items=2)))
    async with open_engine(settings=settings) as engine:
        for number in range(5):
            await turn(engine, f"a question about docker, number {number}", session_id="s")
            await engine.worker.tidy()
        await turn(engine, "the last one in other words", session_id="s", replaces=5)
        await engine.worker.tidy()
        assert (summaries(database), vectors(database)) == (2, 2)


async def test_why_still_shows_the_block_that_was_sent(open_engine, clock: StillClock) -> None:
    settings = Settings(memory=MemorySettings(inject=InjectSettings(first_round_empty=False)))
    async with open_engine(settings=settings) as engine:
        await turn(engine, "my docker container listens on port 5433", session_id="s")
        shown = only(await turn(engine, "why does docker refuse port 5433?", session_id="t"), Injected).injection
        assert [item.ref.kind for item in shown.injected] == [SUMMARY]
        clock.advance(31 * DAY_S)
        await engine.worker.tidy()

        kept = (await engine.sessions.receipt("t", 1)).injection
        assert kept.block == shown.block
        assert kept.injected == shown.injected
