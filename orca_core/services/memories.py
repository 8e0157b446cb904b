"""Memories listed, looked at and changed by hand. Each action is one operation, and can be undone; a delete can not."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from orca_core.model.llm import Clock
from orca_core.model.memories import Addition, Decide, Deletion, Memory, NewMemory, Origin, OriginKind, Status
from orca_core.model.operations import Actor, OperationHeader, RecordsChanged
from orca_core.model.views import ListQuery, MemoryQuery, MemorySort, MemoryView, RecordPage, Sifted, Stats, TextPlace
from orca_core.operations.memories import MemoryStore
from orca_core.operations.stores import Stores
from orca_core.rules.memory import memory_curation
from orca_core.rules.requests import remember_and_forget
from orca_core.rules.text import cleaning
from orca_core.services.shared.argument_types import checked
from orca_core.services.shared.views import Views, counts_of_work
from orca_core.settings import Settings

LOOKED_AT_FIRST = 1_000
"""So many of the first memories of the list are looked at before anything is shown: some six milliseconds. Of a word
that every fifth memory holds that is a page. `benchmarks/what_grows.py`."""
LOOKED_AT = 5_000
"""So many texts are looked through at once: some five milliseconds."""
SHOWN = 200
"""So many are put in order as they come. Chosen by hand."""


async def sifted(lists: MemoryStore, query: MemoryQuery) -> AsyncGenerator[Sifted]:
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


if TYPE_CHECKING:
    from orca_core.services.cases import Cases


@checked
class Memories:
    """Looking at memories and changing them by hand. `changed` is called after each change."""

    def __init__(
        self,
        stores: Stores,
        cases: Callable[[], Cases],
        changed: Callable[[], None],
        views: Views,
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._stores = stores
        self._memories = stores.memories
        self._cases = cases
        self._changed = changed
        self._views = views
        self._clock = clock
        self._settings = settings

    async def page(self, query: ListQuery) -> RecordPage[MemoryView]:
        """The statuses of these words. Raises InvalidInput for an unknown one, naming the known ones."""
        page = await self._memories.page(self._in_numbers(query))
        return RecordPage(tuple(map(self._views, page.records)), page.total)

    def sift(self, query: ListQuery) -> AsyncGenerator[Sifted]:
        return sifted(self._stores.memories, self._in_numbers(query))

    async def get(self, ids: Sequence[int]) -> list[Memory]:
        return await self._memories.get(ids)

    async def views(self, ids: Sequence[int]) -> list[MemoryView]:
        """Memories with what people see of them: a quote only where it was typed. Raises NotFound."""
        memories = await self._memories.get(ids)
        if any(memory.origin.quote for memory in memories):
            memories = await self._cases().with_typed_quotes(memories)
        return list(map(self._views, memories))

    async def add(
        self, text: str, *, type_word: str | None = None, tags: Sequence[str] = (), pinned: bool = False
    ) -> Addition:
        content = cleaning.clean_memory(text)
        cleaning.check_memory_length(content)
        memory_type = (
            memory_curation.memory_type(type_word) if type_word else remember_and_forget.remembered_type(content)
        )
        new = NewMemory(
            content, memory_type, memory_curation.checked_tags(tags), pinned=pinned, origin=Origin(OriginKind.USER)
        )
        addition = await self._memories.add(new, self._header("add"))
        self._changed()
        return addition

    async def edit(
        self,
        memory_id: int,
        *,
        content: str | None = None,
        type_word: str | None = None,
        tags: Sequence[str] | None = None,
        confidence: float | None = None,
        weight: float | None = None,
    ) -> RecordsChanged[Memory]:
        change = memory_curation.edit(
            content=content,
            type_word=type_word,
            tags=tags,
            confidence=confidence,
            weight=weight,
            max_weight=self._settings.memory.long_term.max_weight,
        )
        return await self._change("edit", [memory_id], memory_curation.each(change))

    async def pin(self, ids: Sequence[int]) -> RecordsChanged[Memory]:
        return await self._change("pin", ids, memory_curation.each(memory_curation.pin))

    async def unpin(self, ids: Sequence[int]) -> RecordsChanged[Memory]:
        return await self._change("unpin", ids, memory_curation.each(memory_curation.unpin))

    async def archive(self, ids: Sequence[int]) -> RecordsChanged[Memory]:
        return await self._change("archive", ids, memory_curation.each(memory_curation.archive))

    async def restore(self, ids: Sequence[int]) -> RecordsChanged[Memory]:
        threshold = self._settings.memory.long_term.archive_threshold
        restore = partial(memory_curation.restore, archive_threshold=threshold)
        return await self._change("restore", ids, memory_curation.each(restore))

    async def delete(self, ids: Sequence[int], *, with_messages: bool = False) -> Deletion:
        """Delete for good: undo does not bring it back."""
        deletion = await self._memories.delete(ids, self._header("delete"), with_messages)
        self._changed()
        return deletion

    async def counts(self) -> dict[str, int]:
        """How many memories there are of each status."""
        queries = {each.value: self._in_numbers(ListQuery(each.value, limit=0)) for each in Status}
        return {word: (await self._memories.page(query)).total for word, query in queries.items()}

    async def stats(self) -> Stats:
        by_status = await self.counts()
        counts = await self._memories.counts()
        of_work = await counts_of_work(self._stores.records)
        return Stats(by_status, counts["type"], await self._stores.upkeep.health(examines=False), of_work)

    def _in_numbers(self, query: ListQuery) -> MemoryQuery:
        return MemoryQuery(
            criteria=memory_curation.criteria(query.status, self._core_threshold),
            types=tuple(map(memory_curation.memory_type, query.types)),
            tags=query.tags,
            sort=MemorySort(query.sort),
            pinned=True if query.pinned_only else None,
            text=query.text,
            chat=query.chat,
            program=query.program,
            operation=query.operation,
            ids=query.ids,
            limit=query.limit,
            offset=query.offset,
            after=query.after,
        )

    async def _change(self, action: str, ids: Sequence[int], decide: Decide) -> RecordsChanged[Memory]:
        changed = await self._memories.change(ids, self._header(action), decide)
        self._changed()
        return changed

    def _header(self, action: str) -> OperationHeader:
        return OperationHeader(Actor.USER, action, self._clock.now())

    @property
    def _core_threshold(self) -> float:
        return self._settings.memory.long_term.core_threshold
