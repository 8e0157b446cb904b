"""Looks at memories: one in full, its history, where it was put before the model. Changes nothing."""

from __future__ import annotations

from gettext import gettext as _

from orca_core.model.feedback import Carried
from orca_core.model.memories import Memory
from orca_core.model.operations import Change
from orca_core.model.records import memory_ref
from orca_core.model.views import Case
from orca_tui.app.bridge import Bridge
from orca_tui.app.stage import Stage
from orca_tui.marks import Marks


class Looking:
    """Shows a memory in a view of its own."""

    def __init__(self, stage: Stage, bridge: Bridge, marks: Marks) -> None:
        self._stage = stage
        self._bridge = bridge
        self._marks = marks

    def open(self, memory: Memory) -> None:
        engine = self._bridge.engine

        async def look() -> tuple[Case, Carried | None, list[Change]]:
            carried = (await engine.feedback.pools.carried([memory.id])).get(memory.id)
            return await engine.inbox.case(memory.id), carried, await engine.history.changes_of(memory.id)

        def show(found: tuple[Case, Carried | None, list[Change]]) -> None:
            from orca_tui.app.memory.memory_details import memory_content
            from orca_tui.app.records.appearances import Appearances
            from orca_tui.app.widgets.dialogs import TextView

            body = memory_content(*found, self._marks)
            why = Appearances(self._stage, self._bridge, self._marks).to_read(memory_ref(memory.id))
            self._stage.push(TextView(f"#{memory.id}", body, [why]))

        self._stage.ask(look, show, group="look memory")

    def why(self, memory: Memory) -> None:
        """Where the memory was put before the model, and what the answers did with it."""
        from orca_tui.app.records.appearances import Appearances

        Appearances(self._stage, self._bridge, self._marks).show(memory_ref(memory.id))

    def history(self, memory: Memory) -> None:
        def show(history: list[Change]) -> None:
            from orca_tui.app.records.history import history_content
            from orca_tui.app.widgets.dialogs import TextView

            self._stage.push(TextView(f"#{memory.id}  {_('history')}", history_content(history, self._marks)))

        self._stage.ask(lambda: self._bridge.engine.history.changes_of(memory.id), show, group="look memory")
