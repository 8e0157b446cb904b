"""What is filtered is shown as it is found, and given up where other words are typed."""

from __future__ import annotations

import asyncio

import pytest
from fakes import patience
from fakes.app_driver import NARROW, rows_of, seen, settled, until
from textual.widgets import Input

from orca_core.model.errors import StoreBusy
from orca_core.model.views import Sifted

pytestmark = pytest.mark.long


async def filled(app, pilot, texts) -> None:
    for text in texts:
        await app.bridge.engine.memories.add(text)
    rows_of(app).ask_again()
    await until(pilot, lambda: rows_of(app).count == len(texts))
    await pilot.press("f3")
    await settled(app, pilot)


def test_what_a_filter_finds_is_shown_as_it_is_found(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot, [f"the user keeps note {number}" for number in range(260)])
        memories, screens = app.bridge.engine.memories, []
        sift = memories.sift

        async def drawn():
            for _ in range(50):
                await asyncio.sleep(0)
            screens.append(seen(app))

        async def looked_at_beside(query):
            [whole] = [each async for each in sift(query)]
            yield Sifted((), 0, is_whole=False)
            await drawn()
            yield Sifted(whole.ids[:3], 3, is_whole=False)
            await drawn()
            yield Sifted(whole.ids[:3], 250, is_whole=False)
            await drawn()
            yield whole

        memories.sift = looked_at_beside
        await pilot.press("slash")
        app.main.query_one("#memory-filter", Input).value = "nte"
        await settled(app, pilot)

        assert "nothing matches" not in screens[0]
        assert "Memories 0…" in screens[0]
        assert "Memories 3… " in screens[1]
        assert "Memories 250… " in screens[2]
        assert rows_of(app).count == 260
        assert "Memories 260 " in seen(app)
        await pilot.press("enter", "G")
        await settled(app, pilot)
        assert "#260" in seen(app) or "note 259" in seen(app)
        await pilot.press("k", "v", "g")
        await settled(app, pilot)
        assert len(rows_of(app).marked) == 259

    drive(make_app(), scenario, NARROW)


class Slices:
    """What a filter of the memories finds comes in these slices: its first rows, and after a word all of them."""

    def __init__(self, app, first) -> None:
        self.go_on = asyncio.Event()
        sift = app.bridge.engine.memories.sift

        async def sliced(query):
            [whole] = [each async for each in sift(query)]
            ids = whole.ids[first]
            yield Sifted(ids, len(ids), is_whole=False)
            await self.go_on.wait()
            yield whole

        app.bridge.engine.memories.sift = sliced


async def shown_at(app, row: int) -> int:
    """What stands in a row, once it was drawn and read."""
    rows_of(app).move_to(row)
    await patience.until(lambda: seen(app) and rows_of(app).current is not None)
    return rows_of(app).current.id


def test_rows_that_come_behind_a_page_that_was_read_half_full_are_read(make_app, drive, short_pages) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot, [f"the user keeps note {number}" for number in range(60)])
        slices, rows = Slices(app, slice(30)), rows_of(app)
        rows.filter("nte")
        await patience.until(lambda: rows.count == 30)
        rows.focus()
        assert await shown_at(app, 29) == 30
        slices.go_on.set()
        await until(pilot, lambda: rows.count == 60)
        assert [await shown_at(app, row) for row in (30, 39, 40, 59)] == [31, 40, 41, 60]

    drive(make_app(), scenario, NARROW)


def test_a_list_that_is_looked_for_anew_keeps_its_rows_until_the_first_are_there(make_app, drive, short_pages) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot, [f"the user keeps note {number}" for number in range(60)])
        rows, go_on, begun = rows_of(app), asyncio.Event(), []
        rows.filter("nte")
        await until(pilot, lambda: rows.count == 60 and not rows.is_looking)
        memories = app.bridge.engine.memories
        sift = memories.sift

        async def late(query):
            begun.append(query)
            await go_on.wait()
            async for sifted in sift(query):
                yield sifted

        memories.sift = late
        rows.ask_again()
        await patience.until(lambda: begun)
        rows.focus()
        rows.move_to(45)
        rows.action_range()
        rows.move_to(50)
        for _ in range(200):
            seen(app)
            await asyncio.sleep(0)
        assert (rows.count, rows.cursor) == (60, 50)
        assert "nothing matches" not in seen(app)
        rows.clear_marks()
        go_on.set()
        await until(pilot, lambda: seen(app) and rows.current is not None)
        assert (rows.count, rows.cursor) == (60, 50)

    drive(make_app(), scenario, NARROW)


def test_a_filter_that_fails_on_its_way_says_so_and_looks_no_further(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot, ["the user keeps note 1"])

        async def broken(query):
            yield Sifted((), 0, is_whole=False)
            raise StoreBusy(path="orca.db")

        app.bridge.engine.memories.sift = broken
        rows_of(app).filter("nte")
        await settled(app, pilot)
        assert not rows_of(app).is_looking
        assert "0…" not in seen(app)
        assert "orca.db: another process holds the database" in seen(app)

    drive(make_app(), scenario, NARROW)


def test_a_filter_that_goes_on_is_given_up_for_the_next(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await filled(app, pilot, ("用户用 neovim", "likes coffee"))
        memories, begun, ended = app.bridge.engine.memories, [], []
        sift = memories.sift

        async def without_end(query):
            if query.text != "neovim":
                try:
                    while True:
                        begun.append(query.text)
                        yield Sifted((), 0, is_whole=False)
                        await asyncio.sleep(0)
                finally:
                    ended.append(query.text)
            async for sifted in sift(query):
                yield sifted

        memories.sift = without_end
        rows = rows_of(app)
        for text in ("n", "ne", "neovim"):
            rows.filter(text)
            if text != "neovim":
                await patience.until(lambda text=text: text in begun)
        await patience.until(lambda: ended == ["n", "ne"])
        await until(pilot, lambda: (rows.count, rows.is_looking) == (1, False))

    drive(make_app(), scenario, NARROW)
