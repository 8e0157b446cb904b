"""The rows of a list that is filtered by a text: shown as they are found, and read by their numbers from then on."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Generic

from msgspec.structs import replace

from orca_core.model.errors import OrcaError
from orca_core.model.views import Sifted
from orca_tui.app.records.kind import Asked, K, RecordKind, RowPage, V
from orca_tui.app.records.record_list import PAGE_ROWS, RecordList

NOTHING_YET = Sifted((), 0, is_whole=False)


class Sifting(Generic[V, K]):
    """One filter of a list, from its first row to its last."""

    def __init__(self, kind: RecordKind[V, K], rows: RecordList[V, K], asked: Asked) -> None:
        self._kind = kind
        self._list = rows
        self._asked = asked
        self._revision = rows.revision
        self._sifted = NOTHING_YET
        self.is_shown = False
        """Whether its first rows are in the list: until then those of the filter before are."""

    @property
    def found(self) -> int:
        """How many there are, as far as is known."""
        return self._sifted.total

    async def look_on(self, stream: AsyncGenerator[Sifted], shown: Callable[[], object]) -> None:
        """Show what the stream finds, until it ends or the list wants other rows; `shown` is told of the first rows and
        of the last."""
        try:
            await self._look_on(stream, shown)
        except OrcaError:
            if self._revision == self._list.revision:
                self._list.is_looking = False
                shown()
                self._list.refresh()
            raise

    async def _look_on(self, stream: AsyncGenerator[Sifted], shown: Callable[[], object]) -> None:
        first_rows: RowPage[V] | None = None
        async with aclosing(stream):
            async for sifted in stream:
                before, self._sifted = self._sifted, sifted
                has_other_rows = first_rows is None or before.ids[:PAGE_ROWS] != sifted.ids[:PAGE_ROWS]
                if first_rows is None or has_other_rows:
                    first_rows = await self.page(replace(self._asked, offset=0, limit=PAGE_ROWS))
                if self._revision != self._list.revision:  # the list wants other rows by now
                    return
                self.is_shown = True
                self._list.is_looking, self._list.to_review = not sifted.is_whole, 0
                page = RowPage(first_rows.views, len(sifted.ids))
                self._list.show(page, 0, restart=has_other_rows)
                if sifted.is_whole or before is NOTHING_YET:
                    shown()

    async def page(self, asked: Asked) -> RowPage[V]:
        """Rows of those that were found; of all of them, if more were found meanwhile."""
        sifted = None
        while sifted is not self._sifted:
            sifted = self._sifted
            end = None if asked.limit is None else asked.offset + asked.limit
            some = sifted.ids[asked.offset : end]
            page = await self._kind.page(replace(asked, words=(), tags=(), offset=0, limit=None, after=None, ids=some))
        return RowPage(tuple(page.views), len(self._sifted.ids))
