"""Forgetting by a few words: what could be meant is looked for, and archived when the user says so."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _

from orca_core.model.memories import Memory
from orca_tui.app.bridge import Bridge
from orca_tui.app.stage import Stage
from orca_tui.app.widgets.dialogs import Confirm

PROPOSALS = 5


class Forgetting:
    """Finds what is meant, and asks before anything happens."""

    def __init__(self, stage: Stage, bridge: Bridge) -> None:
        self._stage = stage
        self._bridge = bridge

    def find(self, text: str) -> None:
        """Look for what a text could mean, and offer to archive it."""

        def found(ids: list[int]) -> None:
            if ids:
                self.offer(ids)
            else:
                self._stage.note(_("nothing is remembered that this could mean"))

        self._stage.ask(lambda: self._near(text), found, group="look forget")

    def offer(self, ids: Sequence[int]) -> None:
        """The user asked to forget something: which of these is meant?"""

        def ask(memories: list[Memory]) -> None:
            detail = "\n".join(f"#{memory.id}  {memory.content}" for memory in memories)

            def answered(yes: bool | None) -> None:
                if yes:
                    archive = self._bridge.engine.memories.archive
                    self._stage.ask(lambda: archive(list(ids)), lambda _changed: self._stage.changed(anew=True))

            self._stage.push(Confirm(_("Archive these?"), detail, _("Archive")), answered)

        self._stage.ask(lambda: self._bridge.engine.memories.get(ids), ask, group="look forget")

    async def _near(self, text: str) -> list[int]:
        return [hit.memory.id for hit in (await self._bridge.engine.search.find(text, PROPOSALS)).hits]
