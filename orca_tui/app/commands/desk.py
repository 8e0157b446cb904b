"""What a command may reach: the controllers of the screen, and the screen by its `Stage`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from msgspec import Struct

from orca_core.model.records import EPISODE, GUIDE, KNOWLEDGE, MEMORY, Kind
from orca_core.model.tasks import Step
from orca_tui.app.bridge import Bridge
from orca_tui.app.connecting.doctor import Doctor
from orca_tui.app.connecting.providers import Providers
from orca_tui.app.memory.candidates import MemoryCandidates
from orca_tui.app.memory.forgetting import Forgetting
from orca_tui.app.records.candidates import CandidateKind, Place
from orca_tui.app.records.inbox import InboxScreen
from orca_tui.app.records.undoing import Undoing
from orca_tui.app.stage import Stage
from orca_tui.app.talk.acting import Acting
from orca_tui.app.talk.chats import Chats
from orca_tui.app.talk.prompts import Prompts
from orca_tui.app.talk.rounds import Rounds
from orca_tui.app.talk.talk import Talk
from orca_tui.app.work.candidates import EpisodeCandidates, GuideCandidates, KnowledgeCandidates
from orca_tui.app.work.starring import Starring
from orca_tui.app.work.working import Working
from orca_tui.marks import Marks


class Desk(Struct, frozen=True):
    """The controllers that commands hand their work to."""

    stage: Stage
    bridge: Bridge
    marks: Marks
    talk: Talk
    chats: Chats
    rounds: Rounds
    acting: Acting
    prompts: Prompts
    providers: Providers
    doctor: Doctor
    forgetting: Forgetting
    undoing: Undoing
    working: Working
    starring: Starring
    step: Callable[[], Step | None]
    """The step under the cursor, where the task is looked at."""
    show_pane: Callable[[str], None]
    run_action: Callable[[str], Awaitable[object]]
    """An action of the app, by its name."""

    def review(self) -> None:
        """Open the inbox; what was decided there is looked at when it closes."""
        if self.bridge.is_ready:
            kinds: dict[Kind, CandidateKind] = {
                MEMORY: MemoryCandidates(self.bridge, self.marks),
                EPISODE: EpisodeCandidates(self.bridge, self.marks),
                KNOWLEDGE: KnowledgeCandidates(self.bridge, self.marks),
                GUIDE: GuideCandidates(self.bridge, self.marks),
            }
            self.stage.push(InboxScreen(self.bridge, kinds, self.marks), self._reviewed)

    def _reviewed(self, place: Place | None) -> None:
        self.stage.changed(anew=True)
        if place is not None:
            self.chats.resume(place.session_id, place.round)
