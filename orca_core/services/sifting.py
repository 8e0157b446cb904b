"""A list of memories that is filtered by what no index knows: what it begins with at once, the rest in slices."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from orca_core.model.views import MemoryQuery, Sifted, TextPlace
from orca_core.store.protocols import FilteredLists

LOOKED_AT_FIRST = 1_000
"""So many of the first memories of the list are looked at before anything is shown: some six milliseconds. Of a word
that every fifth memory holds that is a page. `benchmarks/what_grows.py`."""
LOOKED_AT = 5_000
"""So many texts are looked through at once: some five milliseconds."""
SHOWN = 200
"""So many are put in order as they come. Chosen by hand."""


async def sifted(lists: FilteredLists, query: MemoryQuery) -> AsyncGenerator[Sifted]:
    """How far the list is known, the last time whole."""
    begins, is_whole = await lists.beginning(query, LOOKED_AT_FIRST)
    yield Sifted(tuple(begins), len(begins), is_whole)
    found = dict.fromkeys(begins)
    place: TextPlace | None = None
    while not is_whole:
        more, place = await lists.among_texts(query, place, LOOKED_AT)
        before = len(found)
        found.update(dict.fromkeys(more))
        is_whole = place is None
        if before < len(found) <= SHOWN:
            begins = await lists.in_order(query, list(found))
        if not is_whole and before < len(found):
            yield Sifted(tuple(begins), len(found), is_whole=False)
        elif is_whole:
            ids = await lists.in_order(query, list(found))
            yield Sifted(tuple(ids), len(ids), is_whole=True)
