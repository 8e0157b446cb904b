"""Guides of tools, looked at and changed by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from orca_core.model.llm import Clock
from orca_core.model.operations import RecordsChanged
from orca_core.model.tools import GUIDES, Guide
from orca_core.rules.tooling.edits import edit
from orca_core.rules.work import curation
from orca_core.services.records import RecordActions
from orca_core.services.shared.given import checked
from orca_core.store.protocols import GuideStore
from orca_core.store.protocols.records import RecordStore


@checked
class GuideActions(RecordActions[Guide]):
    """What calls of tools taught."""

    def __init__(
        self, store: RecordStore[Guide], guides: GuideStore, changed: Callable[[], None], clock: Clock
    ) -> None:
        super().__init__(GUIDES, store, changed, clock)
        self._guides = guides

    async def accept(self, ids: Sequence[int], shown: Mapping[int, str] | None = None) -> RecordsChanged[Guide]:
        """As every candidate; what was known of its tool gives way to it."""
        accepted = await self._guides.accept(ids, self._header("accept"), curation.accept(self.type.kind, shown))
        self._changed()
        return accepted

    async def restore(self, ids: Sequence[int]) -> RecordsChanged[Guide]:
        """As every archived record; what is known of its tool by now gives way to it."""
        restored = await self._guides.accept(ids, self._header("restore"), curation.restore(self.type.kind))
        self._changed()
        return restored

    async def edit(self, guide_id: int, text: str) -> RecordsChanged[Guide]:
        """What a person wrote no run changes, unless a person asks for it. Raises InvalidInput, NotFound."""
        return await self.change_each("edit", [guide_id], edit(text))
