"""An undo or redo whose process was killed in the middle: the next one finishes it, says so and stops, unless something
else was asked for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from fakes.records import header, later, remember
from fakes.slices import ENDED, cut_before, imported, now_carried_on_by, slices_of

from orca_core.model.errors import InvalidInput
from orca_core.model.memories import State
from orca_core.rules.memory import memory_curation, undo_rules
from orca_core.store.protocols import Stores
from orca_core.store.sqlite.engine import processes

ADDED, IMPORT, HALF = 2, 1, 3


async def half_undone(folder: Path) -> Stores:
    """An import, an act of a person that came before it as `undo` sees it, and the import half taken back by a process
    that was killed."""
    stores = await imported(folder)
    await remember(stores, "added by hand")
    with slices_of(3), cut_before(3):
        await stores.history.undo(IMPORT, later(), undo_rules.plan)
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

    undone = await stores.history.undo(None, later(2), undo_rules.plan)

    assert (undone.operation, undone.undid.id, undone.changed) == (HALF, IMPORT, 20)
    assert [each.id for each in undone.finished] == [HALF]
    assert await states(stores) == {"archived": 20, "live": 1}
    assert [each.id for each in await stores.history.operations(1)] == [HALF]
    after = await stores.history.undo(None, later(3), undo_rules.plan)
    assert (after.undid.id, after.finished) == (ADDED, ())


async def test_what_else_is_named_is_taken_back_and_the_finished_said(tmp_path: Path) -> None:
    stores = await half_undone(tmp_path)
    undone = await stores.history.undo(ADDED, later(2), undo_rules.plan)
    assert (undone.undid.id, [each.id for each in undone.finished]) == (ADDED, [HALF])
    assert await states(stores) == {"archived": 21}


async def test_a_redo_turns_it_round(tmp_path: Path) -> None:
    stores = await half_undone(tmp_path)
    redone = await stores.history.redo(None, later(2), undo_rules.plan)
    assert (redone.undid.id, [each.id for each in redone.finished]) == (HALF, [HALF])
    assert await states(stores) == {"live": 21}


async def test_an_act_that_came_after_it_is_what_an_undo_means(tmp_path: Path) -> None:
    stores = await half_undone(tmp_path)
    [number] = [each.id for each in await stores.memories.get([21])]
    await stores.memories.change([number], header("pin", later(2)), memory_curation.each(memory_curation.pin))

    undone = await stores.history.undo(None, later(3), undo_rules.plan)

    assert (undone.undid.header.action, [each.id for each in undone.finished]) == ("pin", [HALF])
    [memory] = await stores.memories.get([number])
    assert (memory.pinned, memory.state) == (False, State.LIVE)
    assert await states(stores) == {"archived": 20, "live": 1}


async def test_one_that_another_process_carries_on_is_left_to_it(tmp_path: Path) -> None:
    stores = await half_undone(tmp_path)
    of_another(tmp_path)

    with pytest.raises(InvalidInput, match=rf"operation {HALF} is under way \(\d+ %\)"):
        await stores.history.undo(None, later(2), undo_rules.plan)

    assert (await states(stores))["live"] > 1
    assert len(await stores.history.operations(9)) == HALF


async def test_one_that_another_process_took_over_in_the_middle_is_not_told_as_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stores = await half_undone(tmp_path)
    looks = iter([False])  # of who looks what is left; from then on another runs that has it
    monkeypatch.setattr(stores.history, "_is_alive", lambda _owner: next(looks, True))

    with pytest.raises(InvalidInput, match=f"operation {HALF} is under way"):
        await stores.history.undo(None, later(2), undo_rules.plan)

    assert [each.id for each in await stores.history.under_way()] == [HALF]
    assert len(await stores.history.operations(9)) == HALF
