"""What leaves a home: everything of one scope, as of one moment, with names in place of numbers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

from fakes.records import header, later, remember

from orca_core.model.import_export import TRAVELLING, Packed
from orca_core.model.memories import State
from orca_core.rules.memory import undo_rules
from orca_core.store.ports import ExportSnapshot as Snapshot

MEMORIES = TRAVELLING["memories"]


async def all_of(found: AsyncIterator[Any]) -> list[Any]:
    return [each async for each in found]


async def memories_in(snapshot: Snapshot) -> list[Packed]:
    return await all_of(snapshot.records(MEMORIES))


def test_a_snapshot_has_the_records_of_its_scope_with_their_history(opened: Any, run: Callable[..., Any]) -> None:
    async def scenario() -> None:
        async with opened() as stores, opened("work") as work:
            [old, new] = await remember(stores, "I use vim", "I use neovim")
            await remember(work, "the office is in Oslo")
            replaced = {"state": State.ARCHIVED.value, "archived_because": "superseded", "superseded_by": new}
            await stores.memories.change([old], header("edit", later()), lambda _: {old: replaced})

            snapshot = await stores.exchange.snapshot()
            [first, second] = await memories_in(snapshot)
            operations = await all_of(snapshot.operations())

            assert snapshot.counts["memories"] == 2
            assert (first.fields["content"], second.fields["content"]) == ("I use vim", "I use neovim")
            assert first.fields["superseded_by"] == second.fields["uid"]
            assert "id" not in first.fields
            assert [(each.operation, each.before is None) for each in first.history] == [(1, True), (3, False)]
            assert first.history[1].after["superseded_by"] == second.fields["uid"]
            assert [(each.number, each.header.action) for each in operations] == [(1, "add"), (2, "add"), (3, "edit")]
            await snapshot.aclose()

    run(scenario())


def test_a_snapshot_is_of_one_moment(opened: Any, run: Callable[..., Any]) -> None:
    async def scenario() -> None:
        async with opened() as stores:
            await remember(stores, "I use vim")
            snapshot = await stores.exchange.snapshot()
            await remember(stores, "I use neovim")

            assert [each.fields["content"] for each in await memories_in(snapshot)] == ["I use vim"]
            await snapshot.aclose()

    run(scenario())


def test_what_was_deleted_is_in_no_snapshot(opened: Any, run: Callable[..., Any]) -> None:
    async def scenario() -> None:
        async with opened() as stores:
            [first, second] = await remember(stores, "I use vim", "I use neovim")
            fields = {"state": State.ARCHIVED.value, "archived_because": "superseded", "superseded_by": second}
            await stores.memories.change([first], header("edit", later()), lambda _: {first: fields})
            await stores.memories.delete([second], header("delete", later(2)))

            snapshot = await stores.exchange.snapshot()
            [left] = await memories_in(snapshot)

            assert left.fields["superseded_by"] is None
            assert left.history[1].after["superseded_by"] is None
            assert [each.header.action for each in await all_of(snapshot.operations())] == ["add", "edit"]
            await snapshot.aclose()

    run(scenario())


def test_an_operation_names_what_it_took_back(opened: Any, run: Callable[..., Any]) -> None:
    async def scenario() -> None:
        async with opened() as stores:
            await remember(stores, "I use vim")
            await stores.history.undo(None, later(), undo_rules.plan)

            snapshot = await stores.exchange.snapshot()
            [made, undone] = await all_of(snapshot.operations())

            assert (made.undone_by, undone.undoes) == (2, 1)
            await snapshot.aclose()

    run(scenario())
