"""What happens while an import is under way: somebody else writes, or it is cut."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from fakes.exchange import a_memory, brought, document, exchange_of, pieces
from fakes.records import header, later, remember

from orca_core.model.import_export import (
    IMPORT,
    Arrival,
    Arriving,
    Coming,
    ImportProgress,
    ImportStage,
    ImportTerms,
    Packed,
)
from orca_core.model.memories import Memory, State
from orca_core.model.records import MEMORY
from orca_core.model.views import MemoryQuery, StatusCriteria
from orca_core.operations.stores import Stores
from orca_core.serialize.importing import ExportReader


async def memories(stores: Stores) -> list[Memory]:
    page = await stores.memories.page(MemoryQuery(StatusCriteria(tuple(State))))
    return sorted(page.memories, key=lambda each: each.id)


async def test_what_changes_here_meanwhile_counts(opened: Any) -> None:
    """Between the look at a home and the one moment in which all comes, somebody else says the same, and deletes."""
    async with opened() as stores, opened() as other:
        await brought(stores, document(a_memory("I use emacs")))
        arrivals = await stores.exchange.arrivals(again=False)
        for content in ("I use vim", "I live in Oslo", "I use emacs"):
            packed = next(iter(ExportReader(pieces(document(a_memory(content)))))).packed
            assert isinstance(packed, Packed)
            dated = {**packed.fields, "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z"}
            await arrivals.put([Coming(Arriving(Packed(MEMORY, dated), content))])
        looked = await arrivals.decide()
        [emacs] = await memories(other)
        await remember(other, "I use vim")
        await other.memories.delete([emacs.id], header("delete", later()))

        _operation, counts = await arrivals.bring(header(IMPORT, later(2)), lambda _: None)
        await arrivals.aclose()

        assert looked == {"memories": {Arrival.NEW: 2, Arrival.KNOWN: 1}}
        assert counts == {"memories": {Arrival.NEW: 1, Arrival.SAME_WORDS: 1, Arrival.DELETED_HERE: 1}}
        assert [each.content for each in await memories(stores)] == ["I use vim", "I live in Oslo"]


@pytest.mark.long
@pytest.mark.parametrize("stage", list(ImportStage))
async def test_an_import_that_is_cut_brings_nothing_or_all(opened: Any, stage: ImportStage) -> None:
    """As by ctrl+c, whenever it comes."""

    def cut(progress: ImportProgress) -> None:
        task = asyncio.current_task()
        if progress.stage is stage and task is not None:
            task.cancel()

    given = document(*(a_memory(f"note{number}") for number in range(700)))
    async with opened() as stores:
        read = ExportReader(pieces(given))
        bringing = asyncio.ensure_future(exchange_of(stores).bring(read, ImportTerms(), tell=cut))
        with pytest.raises(asyncio.CancelledError):
            await bringing

        assert len(await memories(stores)) in (0, 700)
        assert len(await memories(stores)) == 0 or stage in (ImportStage.COMING, ImportStage.COMPARING)
        await remember(stores, "I live in Oslo")
        assert (await brought(stores, given, trust=True)).count(Arrival.NEW, Arrival.KNOWN) == 700
