"""Knowledge, looked at, found and changed by hand; and the names of what work is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from orca_core.model.episodes import Episode, WorkFound, WorkQuery
from orca_core.model.knowledge import KNOWLEDGES, Knowledge, TargetCount, TargetRenamed
from orca_core.model.llm import Clock
from orca_core.model.memories import State
from orca_core.model.operations import RecordsChanged
from orca_core.model.views import KnowledgeView, RecordPage
from orca_core.rules.consolidating.targets import chosen_target
from orca_core.rules.memory.status import status_of_work
from orca_core.rules.work import curation, edits
from orca_core.services.records import RecordActions
from orca_core.services.shared.given import checked
from orca_core.services.work.search import WorkSearch
from orca_core.store.protocols.knowledge import KnowledgeStore
from orca_core.store.protocols.records import RecordStore


@checked
class KnowledgeActions(RecordActions[Knowledge]):
    """What several episodes taught."""

    def __init__(
        self,
        store: RecordStore[Knowledge],
        knowledge: KnowledgeStore,
        episodes: RecordStore[Episode],
        search: WorkSearch[Knowledge],
        changed: Callable[[], None],
        clock: Clock,
    ) -> None:
        super().__init__(KNOWLEDGES, store, changed, clock)
        self._knowledge = knowledge
        self._episodes = episodes
        self._search = search

    async def page(self, query: WorkQuery) -> RecordPage[Knowledge]:
        """A target is found however it is spelled. Raises InvalidInput for an unknown status."""
        if query.target:
            query = replace(query, target=chosen_target(query.target, await self._knowledge.targets()))
        return await super().page(query)

    async def search(self, text: str, limit: int) -> WorkFound[Knowledge]:
        """The live ones nearest to a text, best first."""
        return await self._search.find(text, limit)

    async def views(self, records: Sequence[Knowledge]) -> list[KnowledgeView]:
        return [KnowledgeView(each, status_of_work(each.state)) for each in records]

    async def sources(self, knowledge: Knowledge) -> list[Episode]:
        """The episodes that it was made of, those that still exist."""
        return await self._episodes.get(knowledge.source_episodes, missing_ok=True)

    async def accept(self, ids: Sequence[int], shown: Mapping[int, str] | None = None) -> RecordsChanged[Knowledge]:
        """As every candidate; what was known of its target gives way to it."""
        change = curation.accept(self.type.kind, shown)
        accepted = await self._knowledge.accept(ids, self._header("accept"), change)
        self._changed()
        return accepted

    async def edit(
        self,
        knowledge_id: int,
        *,
        topic: str | None = None,
        content: str | None = None,
        key_points: Sequence[str] | None = None,
        target: str | None = None,
    ) -> RecordsChanged[Knowledge]:
        """What a person wrote no run changes, unless a person asks for it. Raises InvalidInput, NotFound."""
        change = edits.edit_knowledge(topic=topic, content=content, key_points=key_points, target=target)
        return await self.change_each("edit", [knowledge_id], change)

    async def targets(self) -> list[TargetCount]:
        """What work is about, those with most episodes first."""
        return await self._knowledge.targets()

    async def of_target(self, target: str) -> list[Knowledge]:
        """The live knowledge on a target, however it is spelled."""
        return [each for each in await self._knowledge.of_target(target) if each.state is State.LIVE]

    async def rename_target(self, old: str, new: str) -> TargetRenamed:
        """Give a target another name, in all episodes, knowledge and tasks; one that others have joins them. Raises
        InvalidInput where nothing has the old one."""
        named = edits.new_name(new)
        renamed = await self._knowledge.rename_target(old, named, self._header("rename_target"), edits.retarget)
        edits.check_renamed(old, renamed)
        self._changed()
        return renamed
