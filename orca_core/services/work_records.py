"""Records of work (episodes, knowledge, guides of tools): listed, found, shown, changed by hand. Each action is one
operation, and can be undone; a delete can not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from orca_core.model.episodes import (
    EPISODES,
    Episode,
    EpisodeSort,
    W,
    WorkDeletion,
    WorkFound,
    WorkHit,
    WorkQuery,
)
from orca_core.model.knowledge import Knowledge, TargetCount, TargetRenamed
from orca_core.model.llm import Clock
from orca_core.model.memories import State, Status
from orca_core.model.operations import Actor, OperationHeader, RecordsChanged
from orca_core.model.record_types import RecordType
from orca_core.model.tools import Guide
from orca_core.model.views import EpisodeView, KnowledgeView, RecordPage, RecordQuery
from orca_core.operations.stores import Stores
from orca_core.rules.memory.memory_curation import status_of_work
from orca_core.rules.retrieval import score_fusion
from orca_core.rules.retrieval.ranking import CANDIDATES_A_PLACE, split_by_rank
from orca_core.rules.retrieval.relevance_floors import FLOORS, is_relevant
from orca_core.rules.retrieval.score_fusion import MeasuredCandidates
from orca_core.rules.work import retention, work_curation
from orca_core.rules.work.consolidation_rules import chosen_target
from orca_core.rules.work.retention import age_of, days_old, importance, importance_by_day
from orca_core.rules.work.tool_guides import edit
from orca_core.rules.work.work_curation import by_importance, sort_columns
from orca_core.services.records import ChangeRecord, RecordActions
from orca_core.services.shared.degradation import Levels
from orca_core.services.shared.search import MemorySearch, Reranking
from orca_core.settings import ForgetSettings

POINTS = 31
"""A course of an episode's importance has a point every three days."""
DAY_S = 86_400


class WorkSearch:
    """Finds live records of work by words and by vectors, put in order by a reranker where there is one."""

    def __init__(self, search: MemorySearch, reranking: Reranking, levels: Levels, clock: Clock) -> None:
        self._search = search
        self._reranking = reranking
        self._levels = levels
        self._clock = clock

    async def find(self, record_type: RecordType[W], text: str, limit: int) -> WorkFound[W]:
        """The nearest live ones above the floor, best first. Three times as many as are wanted are put in order."""
        query = await self._search.prepare(text)
        found, measured = await self._search.records(query, record_type)
        there = {record.id: record for record in found}
        near = [
            there[number]
            for number in measured.nearest(len(measured.relevance))
            if is_relevant(measured.evidence[number], query.embedding, FLOORS.searched)
        ]
        hits = [
            self._hit(record, measured)
            for record in near[: CANDIDATES_A_PLACE * limit]
            if work_curation.is_live(record)
        ]
        hits.sort(key=lambda hit: -hit.parts.total)
        ranks, rules = await self._reranking.ranks(text, [hit.record.text for hit in hits])
        if ranks is not None:
            named, rest = split_by_rank(len(hits), ranks)
            hits = [hits[at] for at in (*named, *rest)]
        level, cause = await self._levels.current()
        return WorkFound(tuple(hits[:limit]), level, cause, rules)

    def _hit(self, record: W, measured: MeasuredCandidates) -> WorkHit[W]:
        age_days = (self._clock.now() - record.created_at).total_seconds() / DAY_S
        parts = score_fusion.score_parts(measured.relevance[record.id], weight=0.0, max_weight=1.0, age_days=age_days)
        return WorkHit(record, parts)


class WorkRecords(RecordActions[W]):
    """Records of work of one kind."""

    def __init__(
        self,
        record_type: RecordType[W],
        stores: Stores,
        changed: Callable[[], None],
        clock: Clock,
        search: WorkSearch | None = None,
    ) -> None:
        super().__init__(stores.records[record_type.kind], changed, clock)
        self.type = record_type
        self._stores = stores
        self._search = search

    def rules(self) -> Mapping[str, ChangeRecord[W]]:
        kind = self.type.kind
        return {
            "pin": work_curation.pin(kind),
            "unpin": work_curation.unpin,
            "archive": work_curation.archive(self._clock.now()),
            "restore": work_curation.restore(kind),
            "reject": work_curation.reject(kind),
        }

    async def page(self, query: WorkQuery) -> RecordPage[W]:
        """Raises InvalidInput for an unknown status or order, naming the known ones."""
        by = sort_columns(self.type.kind, query.sort)
        where = work_curation.list_conditions(
            work_curation.states_of_status(query.status),
            target=query.target,
            origin_session=query.session_id,
            pinned=query.pinned_only,
        )
        if query.ids is not None:
            where = {**where, "id": query.ids}
        listed = RecordQuery(where, query.tags, query.text, order=by, limit=query.limit, offset=query.offset)
        page: RecordPage[W] = await self._store.page(listed)
        return page

    async def search(self, text: str, limit: int) -> WorkFound[W]:
        """The live ones nearest to a text, best first. What is returned counts as accessed: one operation a request,
        which is nobody's to undo."""
        assert self._search is not None
        found = await self._search.find(self.type, text, limit)
        now = self._clock.now()
        if ids := [hit.record.id for hit in found.hits]:
            header = OperationHeader(Actor.TURN, "access", now)
            accessed = work_curation.count_access
            await self._store.change_all(ids, header, lambda some: {each.id: accessed(each, now) for each in some})
        return found

    async def counts(self) -> dict[str, int]:
        """How many there are of each status; none is core."""
        words = [each for each in Status if each is not Status.CORE]
        return {word.value: (await self.page(WorkQuery(word.value, limit=0))).total for word in words}

    async def accept(self, ids: Sequence[int], shown: Mapping[int, str] | None = None) -> RecordsChanged[W]:
        """`shown` are the texts that were approved, by number: one that has changed since is refused."""
        return await self.change_each("accept", ids, work_curation.accept(self.type.kind, shown))

    async def delete(self, ids: Sequence[int]) -> WorkDeletion:
        """Delete for good: undo does not bring it back."""
        wanted = tuple(dict.fromkeys(ids))
        left = await self._store.delete(wanted, self.header("delete"))
        self._changed()
        return WorkDeletion(wanted, left.is_wiped, left.held, left.kept)

    async def edit(self, record_id: int, **fields: Any) -> RecordsChanged[W]:
        """What a person writes, by the names of `RecordType.editable`. No run changes that, unless a person asks for
        it. Raises InvalidInput, NotFound."""
        return await self.change_each("edit", [record_id], work_curation.edit(self.type, fields))


class Episodes(WorkRecords[Episode]):
    """What was done and how it ended."""

    def __init__(
        self, stores: Stores, search: WorkSearch, changed: Callable[[], None], clock: Clock, forget: ForgetSettings
    ) -> None:
        super().__init__(EPISODES, stores, changed, clock, search)
        self._forget = forget

    async def page(self, query: WorkQuery) -> RecordPage[Episode]:
        """Raises InvalidInput for an unknown status or order. No column holds the importance, which changes by the day:
        all are read and put in order here."""
        if query.sort != EpisodeSort.IMPORTANCE:
            return await super().page(query)
        everything = await super().page(replace(query, limit=None, offset=0))
        ordered = by_importance(everything.records, self._clock.now())
        end = None if query.limit is None else query.offset + query.limit
        return RecordPage(tuple(ordered[query.offset : end]), everything.total)

    async def views(self, episodes: Sequence[Episode]) -> list[EpisodeView]:
        """With what people see of them: how important they are, and when they fade. The ages of all episodes are read
        only where the cap is reached."""
        now = self._clock.now()
        places = await self._places() if any(each.state is State.LIVE for each in episodes) else {}
        return [
            EpisodeView(
                episode=each,
                status=status_of_work(each.state),
                importance=importance(age_of(each), now),
                forecast=(
                    retention.fade_forecast(age_of(each), self._forget, place=places.get(each.id))
                    if each.state is State.LIVE
                    else None
                ),
                deleted_at=retention.deleted_at(each, self._forget),
                course=tuple(importance_by_day(age_of(each), POINTS)),
                days_old=days_old(age_of(each), now),
                threshold=self._forget.threshold,
            )
            for each in episodes
        ]

    async def _places(self) -> dict[int, int]:
        """By number, its place among those that go where there are too many; empty while the next one has room."""
        live = RecordQuery({"state": (State.LIVE.value,)}, limit=0)
        if (await self._store.page(live)).total < self._forget.max_episodes:
            return {}
        going = retention.first_to_go(await self._stores.retention.ages(), self._clock.now())
        return {each.id: place for place, each in enumerate(going, start=1)}


class KnowledgeActions(WorkRecords[Knowledge]):
    """What several episodes taught; and the names of what work is about."""

    async def page(self, query: WorkQuery) -> RecordPage[Knowledge]:
        """A target is found however it is spelled. Raises InvalidInput for an unknown status."""
        if query.target:
            query = replace(query, target=chosen_target(query.target, await self.targets()))
        return await super().page(query)

    async def views(self, records: Sequence[Knowledge]) -> list[KnowledgeView]:
        return [KnowledgeView(each, status_of_work(each.state)) for each in records]

    async def sources(self, knowledge: Knowledge) -> list[Episode]:
        """The episodes that it was made of, those that still exist."""
        return await self._stores.records[EPISODES.kind].get(knowledge.source_episodes, missing_ok=True)

    async def accept(self, ids: Sequence[int], shown: Mapping[int, str] | None = None) -> RecordsChanged[Knowledge]:
        """As every candidate; what was known of its target gives way to it."""
        change = work_curation.accept(self.type.kind, shown)
        accepted = await self._stores.knowledge.accept(ids, self.header("accept"), change)
        self._changed()
        return accepted

    async def targets(self) -> list[TargetCount]:
        """What work is about, those with most episodes first."""
        return await self._stores.knowledge.targets()

    async def of_target(self, target: str) -> list[Knowledge]:
        """The live knowledge on a target, however it is spelled."""
        return [each for each in await self._stores.knowledge.of_target(target) if each.state is State.LIVE]

    async def rename_target(self, old: str, new: str) -> TargetRenamed:
        """Give a target another name, in all episodes, knowledge and tasks; one that others have joins them. Raises
        InvalidInput where nothing has the old one."""
        header = self.header("rename_target")
        renamed = await self._stores.knowledge.rename_target(
            old, work_curation.new_name(new), header, work_curation.retarget
        )
        work_curation.check_renamed(old, renamed)
        self._changed()
        return renamed


class GuideActions(WorkRecords[Guide]):
    """What calls of tools taught."""

    async def accept(self, ids: Sequence[int], shown: Mapping[int, str] | None = None) -> RecordsChanged[Guide]:
        """As every candidate; what was known of its tool gives way to it."""
        return await self._put_first("accept", ids, work_curation.accept(self.type.kind, shown))

    async def restore(self, ids: Sequence[int]) -> RecordsChanged[Guide]:
        """As every archived record; what is known of its tool by now gives way to it."""
        return await self._put_first("restore", ids, work_curation.restore(self.type.kind))

    async def edit(self, record_id: int, *, text: str) -> RecordsChanged[Guide]:  # type: ignore[override]  # its only field
        """What a person wrote no run changes, unless a person asks for it. Raises InvalidInput, NotFound."""
        return await self.change_each("edit", [record_id], edit(text))

    async def _put_first(self, action: str, ids: Sequence[int], change: ChangeRecord[Guide]) -> RecordsChanged[Guide]:
        changed = await self._stores.tools.accept_guides(ids, self.header(action), change)
        self._changed()
        return changed
