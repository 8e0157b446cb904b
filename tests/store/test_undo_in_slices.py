"""An undo in slices comes to the very same database as one in a single transaction; between two slices it is seen to be
under way, and nobody else takes it back or brings it again."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import apsw
import pytest
from fakes import dying_program
from fakes.asking import asked
from fakes.deleting import opened
from fakes.records import AT, chat, header, later, remember
from fakes.slices import ENDED, cut_before, imported, now_carried_on_by, slices_of
from fakes.supported import by_act, by_round
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orca_core.model.errors import InvalidInput, OrcaError
from orca_core.model.feedback import Support
from orca_core.model.memories import NewMemory, State, Use
from orca_core.model.operations import UnderWay
from orca_core.model.record_types import SUPPORT, memory_ref
from orca_core.operations.stores import Stores
from orca_core.rules.memory import memory_curation
from orca_core.store.sqlite.engine import processes

pytestmark = pytest.mark.long

MEMORIES = 6
MODEL = "m"
WHAT = "edit edit archive restore reject pin unpin merge use support undo undo undo redo redo".split()
SOME = st.sets(st.integers(1, MEMORIES), min_size=1)
ACTS = st.lists(st.tuples(st.sampled_from(WHAT), st.integers(0, 9), SOME), max_size=15)
CONTENT = """
    SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name NOT IN ('meta', 'sqlite_sequence')
    AND name NOT LIKE '%text\\_%' ESCAPE '\\' AND name NOT LIKE 'vec\\_%\\_%' ESCAPE '\\' ORDER BY name
"""
CHANCE = {"uid", "owner", "tokens"}


class Story:
    """What is done to a few memories that came at once. What is refused changes nothing."""

    def __init__(self, stores: Stores) -> None:
        self.stores = stores
        self.minutes = 0

    @property
    def now(self) -> Any:
        self.minutes += 1
        return later(self.minutes)

    async def begin(self) -> None:
        made = [NewMemory(f"I use tool {number}").born(f"u{number}", AT, None) for number in range(1, MEMORIES + 1)]
        await self.stores.memories.make_all(memory_ref(1).kind, made, header("import"))
        vectors = [(memory_ref(each), f"I use tool {each}", [1.0, float(each)]) for each in range(1, MEMORIES + 1)]
        await self.stores.vectors.put(MODEL, vectors)

    async def act(self, what: str, which: int, ids: set[int]) -> None:
        with suppress(OrcaError):
            await getattr(self, what)(which, sorted(ids))

    async def _decided(self, action: str, ids: list[int], decide: Any) -> None:
        await self.stores.memories.change_all(ids, header(action, self.now), decide)

    async def edit(self, which: int, ids: list[int]) -> None:
        said = {"weight": which / 2, "confidence": which / 10, "tags": [f"tag{which}"]}
        words = {"content": f"tool {self.minutes} for {{}}"} if which % 2 else {}
        await self._decided(
            "edit", ids, lambda _: {each: {**said, **{k: v.format(each) for k, v in words.items()}} for each in ids}
        )

    async def archive(self, _which: int, ids: list[int]) -> None:
        await self._decided("archive", ids, memory_curation.each(memory_curation.archive))

    async def restore(self, _which: int, ids: list[int]) -> None:
        await self._decided(
            "restore", ids, memory_curation.each(partial(memory_curation.restore, archive_threshold=0.3))
        )

    async def reject(self, _which: int, ids: list[int]) -> None:
        await self._decided("reject", ids, lambda _: {each: {"state": State.CANDIDATE.value} for each in ids})

    async def pin(self, _which: int, ids: list[int]) -> None:
        await self._decided("pin", ids, memory_curation.each(memory_curation.pin))

    async def unpin(self, _which: int, ids: list[int]) -> None:
        await self._decided("unpin", ids, memory_curation.each(memory_curation.unpin))

    async def merge(self, which: int, ids: list[int]) -> None:
        await self._decided("merge", ids, memory_curation.merge(ids[which % len(ids)], content=None, max_weight=10))

    async def use(self, which: int, ids: list[int]) -> None:
        await chat(self.stores, uses=dict.fromkeys(ids, Use.USED if which % 2 else Use.UNUSED))

    async def support(self, which: int, ids: list[int]) -> None:
        made: list[Support] = [(by_act if each % 2 else by_round)(each, which + 1, which) for each in ids]
        await self.stores.memories.make_all(SUPPORT, made, header("acts", self.now))

    async def undo(self, which: int, _ids: list[int]) -> None:
        operations = await self.stores.history.operations(which + 1)
        await self.stores.history.undo(operations[-1].id if which else None, self.now)

    async def redo(self, which: int, _ids: list[int]) -> None:
        undone = [each for each in await self.stores.history.operations(99) if each.header.action == "undo"]
        await self.stores.history.redo(undone[which % len(undone)].id if undone else None, self.now)


async def content(stores: Stores, path: Path) -> dict[str, Any]:
    """All that the database holds but for names that chance gave, and what searches find in it."""
    connection = apsw.Connection(str(path))
    rows: dict[str, Any] = {}
    for (table,) in connection.execute(CONTENT).fetchall():
        names = [name for (name,) in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))]
        kept = [name for name in names if name not in CHANCE and (table, name) != ("memory_history", "id")]
        rows[table] = sorted(connection.execute(f"SELECT {', '.join(kept)} FROM {table}").fetchall(), key=repr)
    connection.close()
    rows["vector_changes"] = sorted(row[1:] for row in rows["vector_changes"])  # their order is of no account
    words = await asked(stores).by_tokens(["tool"], 99)
    vectors = await asked(stores).by_vector(MODEL, [1.0, 3.0], 99)
    return {**rows, "found": (sorted(words, key=repr), sorted(vectors, key=repr))}


NUMBERS = count()
NEVER = 0


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(ACTS, st.integers(1, 5))
def test_an_undo_in_slices_comes_to_the_same_as_in_one(
    tmp_path: Path, acts: list[tuple[str, int, set[int]]], size: int
) -> None:
    async def told(folder: Path, size: int) -> dict[str, Any]:
        folder.mkdir(parents=True)
        stores = await opened(folder)
        story = Story(stores)
        with slices_of(size):
            await story.begin()
            for act in acts:
                await story.act(*act)
        found = await content(stores, folder / "orca.db")
        await stores.upkeep.aclose()
        return found

    home = tmp_path / str(next(NUMBERS))
    whole, in_slices = asyncio.run(told(home / "whole", 0)), asyncio.run(told(home / "slices", size))
    for table, rows in whole.items():
        assert in_slices[table] == rows, table


async def broken_off(stores: Stores, last: int) -> None:
    with slices_of(dying_program.SLICE), cut_before(last):
        await stores.history.undo(None, later())


async def test_an_undo_is_seen_to_be_under_way_and_left_to_who_carries_it_on(tmp_path: Path) -> None:
    stores = await imported(tmp_path)
    await broken_off(stores, 3)
    now_carried_on_by(tmp_path, f"{os.getppid()}:{processes._started(os.getppid())}")
    begun, done = await stores.history.operations(2)

    assert (begun.header.action, begun.undoes, begun.under_way) == ("undo", done.id, UnderWay(14, 80))
    assert await stores.history.under_way() == [begun]
    assert (await stores.memories.counts())["state"] == {"archived": 14, "live": 6}
    assert await stores.history.carry_on() == 0
    for again in (
        stores.history.redo(None, later(2)),
        stores.history.undo(None, later(2)),
        stores.history.undo(done.id, later(2)),
    ):
        with pytest.raises(InvalidInput, match=f"operation {begun.id} is under way \\(17 %\\)"):
            await again

    now_carried_on_by(tmp_path, ENDED)
    redone = await stores.history.redo(None, later(2))
    assert (redone.undid.id, redone.undid.under_way, redone.changed) == (begun.id, None, 20)
    assert await stores.history.under_way() == []
    assert (await stores.memories.counts())["state"] == {"live": 20}


async def test_what_a_person_does_beside_an_undo_stays(tmp_path: Path) -> None:
    stores = await imported(tmp_path)
    await broken_off(stores, 2)
    await stores.memories.change_all([20], header("archive", later(2)), memory_curation.each(memory_curation.archive))
    assert await stores.history.carry_on() == 1

    _archived, undone = await stores.history.operations(2)
    assert [each.archived_because for each in await stores.memories.get([19, 20])] == ["undone", "hand"]
    assert len(await stores.history.changes_of([undone.id])) == 19


def test_an_undo_that_is_killed_goes_on_to_the_same_end(run: Any, tmp_path: Path) -> None:
    async def ended(folder: Path) -> dict[str, Any]:
        stores = await opened(folder)
        await stores.history.carry_on()
        found = await content(stores, folder / "orca.db")
        await stores.upkeep.aclose()
        return found

    async def make() -> None:
        await (await imported(tmp_path)).upkeep.aclose()

    run(make())
    left = {last: tmp_path / str(last) for last in (NEVER, 1, 3, 9)}
    for last, folder in left.items():
        folder.mkdir()
        shutil.copy(tmp_path / "orca.db", folder)
        undoer = subprocess.run([sys.executable, dying_program.__file__, "undo", folder, str(last)], check=False)
        assert undoer.returncode == (0 if last == NEVER else -signal.SIGKILL)
    contents = [run(ended(folder)) for folder in left.values()]

    assert contents[0]["operations"][-1][-3:] == (1, None, None)
    assert contents == [contents[0]] * len(left)


ADDED, IMPORT, HALF = 2, 1, 3


async def half_undone(folder: Path) -> Stores:
    """An import, an act of a person that came before it as `undo` sees it, and the import half taken back by a process
    that was killed."""
    stores = await imported(folder)
    await remember(stores, "added by hand")
    with slices_of(3), cut_before(3):
        await stores.history.undo(IMPORT, later())
    now_carried_on_by(folder, ENDED)
    [half] = await stores.history.under_way()
    assert (half.id, half.undoes) == (HALF, IMPORT)
    return stores


def of_another(folder: Path) -> None:
    """A process that runs carries it on."""
    now_carried_on_by(folder, f"{os.getppid()}:{processes._started(os.getppid())}")


async def states(stores: Stores) -> dict[str, int]:
    counts: dict[str, int] = dict((await stores.memories.counts())["state"])
    return counts


async def test_an_undo_finishes_it_says_so_and_stops(tmp_path: Path) -> None:
    stores = await half_undone(tmp_path)

    undone = await stores.history.undo(None, later(2))

    assert (undone.operation, undone.undid.id, undone.changed) == (HALF, IMPORT, 20)
    assert [each.id for each in undone.finished] == [HALF]
    assert await states(stores) == {"archived": 20, "live": 1}
    assert [each.id for each in await stores.history.operations(1)] == [HALF]
    after = await stores.history.undo(None, later(3))
    assert (after.undid.id, after.finished) == (ADDED, ())


async def test_one_that_another_process_carries_on_is_left_to_it(tmp_path: Path) -> None:
    stores = await half_undone(tmp_path)
    of_another(tmp_path)

    with pytest.raises(InvalidInput, match=rf"operation {HALF} is under way \(\d+ %\)"):
        await stores.history.undo(None, later(2))

    assert (await states(stores))["live"] > 1
    assert len(await stores.history.operations(9)) == HALF


async def test_one_that_another_process_took_over_in_the_middle_is_not_told_as_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stores = await half_undone(tmp_path)
    looks = iter([False])  # of who looks what is left; from then on another runs that has it
    monkeypatch.setattr(processes, "is_alive", lambda _owner: next(looks, True))

    with pytest.raises(InvalidInput, match=f"operation {HALF} is under way"):
        await stores.history.undo(None, later(2))

    assert [each.id for each in await stores.history.under_way()] == [HALF]
    assert len(await stores.history.operations(9)) == HALF
