"""The pane of what happened: to memories, by hands and machines."""

from __future__ import annotations

from gettext import gettext as _

from textual import on
from textual.app import ComposeResult

from orca_tui.app.memory.activity import Activity
from orca_tui.app.memory.activity_list import ACTIVITY, ActivityList
from orca_tui.app.memory.messages import ActivityAction
from orca_tui.app.messages import ChangedBehind, TurnEnded
from orca_tui.app.pane import About, Happening, Pane
from orca_tui.app.widgets.literal import literal
from orca_tui.app.widgets.steady_text import SteadyText
from orca_tui.language import N_


class ActivityPane(Pane):
    """What happened, newest first, and above it the run that is under way."""

    about = About("activity", N_("Activity"), N_("activity"), "f4", ACTIVITY, stop="#activity-list", share=2)

    def compose_body(self) -> ComposeResult:
        yield SteadyText(id="learning")
        yield ActivityList(self.marks)

    def on_mount(self) -> None:
        self.query_one("#learning").display = False
        self.activity = Activity(self.stage, self.bridge, self.query_one(ActivityList), self.marks)

    def take(self, event: Happening) -> None:
        if not isinstance(event, TurnEnded | ChangedBehind):
            self.activity.take(event)
            self._show_learning()

    def look(self, *, anew: bool) -> None:  # noqa: ARG002  # every change leaves a line here
        self.activity.load()

    @property
    def word_of_escape(self) -> str:
        return _("fold") if self.activity.shows_all else ""

    def step_back(self) -> bool:
        if not self.activity.shows_all:
            return False
        self.activity.show_all(False)
        return True

    def tick(self) -> None:
        """The digits that move by themselves: how long a run has been going."""
        if self.activity.is_learning:
            self._show_learning()

    @on(ActivityAction)
    def _act(self, message: ActivityAction) -> None:
        if self.bridge.is_ready:
            self.activity.act(message)
            self.post_message(self.Told())

    def _show_learning(self) -> None:
        words = self.activity.learning_words()
        learning = self.query_one("#learning", SteadyText)
        learning.display = bool(words)
        learning.say(literal(f" {words}", "$foreground-muted"))
