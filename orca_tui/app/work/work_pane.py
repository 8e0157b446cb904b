"""The pane of work. It is seen only while it is open: what it holds is made behind the first frame."""

from __future__ import annotations

from textual.widget import Widget

from orca_core.model.tasks import Step
from orca_tui.app.chat.chat_state import ChatState
from orca_tui.app.chat.turns import Talk
from orca_tui.app.keymap import Key, record_keys
from orca_tui.app.pane import About, Happening, Pane
from orca_tui.app.work.steps import CALLS, STEPS
from orca_tui.language import N_

LISTS = (
    *record_keys("work", without={"new", "merge", "type"}),
    Key("work.sources", "o", "act('sources')", N_("what it rests on"), is_shown=True),
    Key("work.tab", "t", "other_tab(1)", N_("other tab"), is_shown=True),
    Key("work.tab_by_arrows", "right", "other_tab(1)", N_("other tab")),
    Key("work.tab_back", "left", "other_tab(-1)", N_("tab before")),
)
WORK = (*STEPS, *CALLS, *LISTS)


class WorkPane(Pane):
    """What is worked on, and what was."""

    about = About("work", N_("Work"), N_("work"), "f6", WORK, stop="#episode-list", is_alone=True)
    is_filled = False

    async def fill(self, chat: Talk) -> None:
        """Make what it holds, for this chat."""
        from orca_tui.app.work.work_body import WorkBody

        self.body = WorkBody(self.stage, self.bridge, self.marks, chat)
        await self.mount(self.body)
        self.is_filled = True

    @property
    def stop(self) -> Widget:
        return self.body.stop

    @property
    def stops(self) -> tuple[Widget, ...]:
        return self.body.stops

    @property
    def step_looked_at(self) -> Step | None:
        """The step under the cursor, where the pane is open."""
        steps = self.body.steps
        return steps.current if self.display and steps.display else None

    @property
    def lead(self) -> str:
        return self.body.shelf.lead

    @property
    def word_of_escape(self) -> str:
        return self.body.shelf.word_of_escape

    def step_back(self) -> bool:
        return self.body.shelf.step_back()

    def draw(self, state: ChatState, *, is_wide: bool) -> None:  # noqa: ARG002  # it has the side to itself
        if self.is_filled:
            self.body.draw(state)

    def take(self, event: Happening) -> None:
        self.body.take(event)

    def look(self, *, anew: bool) -> None:
        self.body.look(anew=anew)
