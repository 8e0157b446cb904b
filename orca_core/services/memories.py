"""Memories listed, looked at, decided about and changed by hand: what they have beside the actions of every kind."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from orca_core.model.errors import InvalidInput
from orca_core.model.llm import Clock
from orca_core.model.memories import (
    MEMORIES,
    Addition,
    Memory,
    MemoryDeletion,
    NewMemory,
    Origin,
    OriginKind,
    State,
    Status,
)
from orca_core.model.operations import Change, RecordsChanged
from orca_core.model.views import (
    InboxCase,
    ListQuery,
    MemoryQuery,
    MemorySort,
    MemoryView,
    PairView,
    RecordPage,
    SiftedList,
    Stats,
    TextPlace,
)
from orca_core.operations.memories import MemoryStore
from orca_core.operations.stores import Stores
from orca_core.rules.memory import memory_curation
from orca_core.rules.requests import remember_and_forget
from orca_core.rules.text import cleaning
from orca_core.services.records import ChangeRecord, RecordActions
from orca_core.services.shared.views import Views, counts_of_work
from orca_core.settings import Settings

if TYPE_CHECKING:
    from orca_core.services.cases import Cases

LOOKED_AT_FIRST = 1_000
"""So many of the first memories of the list are looked at before anything is shown: some six milliseconds. Of a word
that every fifth memory holds that is a page. `benchmarks/what_grows.py`."""
LOOKED_AT = 5_000
"""So many texts are looked through at once: some five milliseconds."""
SHOWN = 200
"""So many are put in order as they come. Chosen by hand."""
ONE_BY_ONE = 20
"""More candidates at once are not compared by meaning with all that is known. Chosen by hand: a comparison takes some
hundredths of a second."""


async def sifted(lists: MemoryStore, query: MemoryQuery) -> AsyncGenerator[SiftedList]:
    """How far the list is known, the last time whole."""
    begins, is_whole = await lists.beginning(query, LOOKED_AT_FIRST)
    yield SiftedList(tuple(begins), len(begins), is_whole)
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
            yield SiftedList(tuple(begins), len(found), is_whole=False)
        elif is_whole:
            ids = await lists.in_order(query, list(found))
            yield SiftedList(tuple(ids), len(ids), is_whole=True)


class Memories(RecordActions[Memory]):
    """Memories, candidates among them, and pairs of which no rule knows whether they say the same."""

    def __init__(
        self,
        stores: Stores,
        cases: Callable[[], Cases],
        changed: Callable[[], None],
        views: Views,
        clock: Clock,
        settings: Settings,
    ) -> None:
        super().__init__(stores.memories, changed, clock)
        self._stores = stores
        self._memories = stores.memories
        self._cases = cases
        self._views = views
        self._long_term = settings.memory.long_term

    def rules(self) -> Mapping[str, ChangeRecord[Memory]]:
        return {
            "pin": memory_curation.pin,
            "unpin": memory_curation.unpin,
            "archive": memory_curation.archive,
            "restore": partial(memory_curation.restore, archive_threshold=self._long_term.archive_threshold),
            "reject": memory_curation.reject,
        }

    async def page(self, query: ListQuery) -> RecordPage[MemoryView]:
        """The statuses of these words. Raises InvalidInput for an unknown one, naming the known ones."""
        page = await self._memories.page(self._in_numbers(query))
        return RecordPage(tuple(map(self._views, page.records)), page.total)

    def sift(self, query: ListQuery) -> AsyncGenerator[SiftedList]:
        return sifted(self._memories, self._in_numbers(query))

    async def views(self, ids: Sequence[int]) -> list[MemoryView]:
        """Memories with what people see of them: a quote only where it was typed. Raises NotFound."""
        memories = await self._memories.get(ids)
        if any(memory.origin.quote for memory in memories):
            memories = await self._cases().with_typed_quotes(memories)
        return list(map(self._views, memories))

    async def candidates(self, limit: int | None = None) -> list[Memory]:
        """Those that wait for a person, oldest first."""
        criteria = memory_curation.criteria("candidate", self._long_term.core_threshold)
        query = MemoryQuery(criteria, sort=MemorySort.ID, counted=False, limit=limit)
        return list((await self._memories.page(query)).records)

    async def case(self, memory_id: int) -> InboxCase:
        """A memory as it is now, with what a decision about it needs; a candidate is judged anew. Raises NotFound."""
        return await self._cases().case(memory_id)

    async def changes_of(self, record_id: int) -> list[Change]:
        return await self._stores.memories.history(record_id)

    async def counts(self) -> dict[str, int]:
        """How many memories there are of each status."""
        queries = {each.value: self._in_numbers(ListQuery(each.value, limit=0)) for each in Status}
        return {word: (await self._memories.page(query)).total for word, query in queries.items()}

    async def stats(self) -> Stats:
        by_status = await self.counts()
        counts = await self._memories.counts()
        of_work = await counts_of_work(self._stores.records)
        return Stats(by_status, counts["type"], await self._stores.upkeep.health(examines=False), of_work)

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
        addition = await self._memories.add(new, self.header("add"))
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
        rule = memory_curation.edit(
            content=content,
            type_word=type_word,
            tags=tags,
            confidence=confidence,
            weight=weight,
            max_weight=self._long_term.max_weight,
        )
        return await self.change_each("edit", [memory_id], rule)

    async def delete(self, ids: Sequence[int], *, with_messages: bool = False) -> MemoryDeletion:
        """Delete for good: undo does not bring it back."""
        deletion = await self._memories.delete(ids, self.header("delete"), with_messages)
        self._changed()
        return deletion

    async def accept(self, ids: Sequence[int], shown: Mapping[int, str] | None = None) -> RecordsChanged[Memory]:
        """`shown` are the texts that the person saw: one that says something else by now is refused. One that is
        remembered by now confirms the memory that says it; one that says what was deleted is refused unless it was
        seen, for its case says so."""
        candidates = await self._memories.get(ids)
        await self._refuse_deleted([each for each in candidates if each.id not in (shown or {})])
        texts = {memory.id: memory.content for memory in candidates}
        cases = self._cases()
        same = await (cases.same_of_many if len(candidates) > ONE_BY_ONE else cases.same)(candidates)
        beside = [*await self._targets(candidates), *same]
        decide = memory_curation.accept({**texts, **(shown or {})}, same=cases.same_that_lives)
        return await self.change("accept", [*ids, *beside], decide)

    async def accept_edited(
        self,
        candidate_id: int,
        shown: str,
        *,
        content: str | None = None,
        type_word: str | None = None,
        tags: Sequence[str] | None = None,
    ) -> RecordsChanged[Memory]:
        """Accept a candidate in the words that a person gave it; `shown` is the text that the person saw."""
        edited = memory_curation.edit(
            content=content, type_word=type_word, tags=tags, max_weight=self._long_term.max_weight
        )
        candidates = await self._memories.get([candidate_id])
        if content is None:
            await self._refuse_deleted(candidates)
        decide = memory_curation.accept({candidate_id: shown}, edited=edited)
        return await self.change("accept", [candidate_id, *await self._targets(candidates)], decide)

    async def accept_instead(self, candidate_id: int, old_id: int, shown: str) -> RecordsChanged[Memory]:
        """Accept a candidate in the place of another memory, whatever the model wanted replaced."""
        decide = memory_curation.accept({candidate_id: shown}, instead_of=old_id)
        return await self.change("accept", [candidate_id, old_id], decide)

    async def never(self, ids: Sequence[int]) -> RecordsChanged[Memory]:
        """Refuse the candidates, and any facts like them."""
        return await self.change_each("never", ids, memory_curation.never)

    async def merge(
        self, kept_id: int, other_ids: Sequence[int], *, content: str | None = None
    ) -> RecordsChanged[Memory]:
        if content is None:
            await self._refuse_deleted(await self._memories.get([kept_id]))
        decide = memory_curation.merge(kept_id, content=content, max_weight=self._long_term.max_weight)
        return await self.change("merge", [kept_id, *other_ids], decide)

    async def merge_outcomes(self, ids: Sequence[int]) -> list[Memory]:
        """For each of these memories, what it would be if all the others were merged into it. Changes nothing."""
        memories = await self._memories.get(ids)
        most = self._long_term.max_weight
        return [
            MEMORIES.changed(
                kept, memory_curation.merge(kept.id, content=kept.content, max_weight=most)(memories)[kept.id]
            )
            for kept in memories
        ]

    async def undecided(self) -> list[PairView]:
        """Memories that may be the same, pair by pair, newest first."""
        pairs = await self._memories.undecided()
        return [PairView(self._views(pair.newer), self._views(pair.older), pair.why) for pair in pairs]

    async def keep_both(self, first: int, second: int) -> None:
        """The two are not the same; they are not listed again. Raises NotFound."""
        await self._memories.keep_both(first, second)

    async def _refuse_deleted(self, candidates: Sequence[Memory]) -> None:
        """What was deleted comes back only where a person says it again."""
        waiting = [each for each in candidates if each.state is State.CANDIDATE]
        for deleted in await self._cases().deleted(waiting):
            raise InvalidInput(
                template="#{id} says what you deleted",
                hint="to have it back, say it again: orca memory accept {id} --content TEXT",
                id=deleted,
            )

    async def _targets(self, candidates: Sequence[Memory]) -> list[int]:
        """The memories that accepting would archive, as far as they are there."""
        wanted = [memory.would_replace for memory in candidates if memory.would_replace is not None]
        return [memory.id for memory in await self._memories.get(wanted, missing_ok=True)]

    def _in_numbers(self, query: ListQuery) -> MemoryQuery:
        return MemoryQuery(
            criteria=memory_curation.criteria(query.status, self._long_term.core_threshold),
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
