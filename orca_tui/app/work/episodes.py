"""Episodes as a list shows and changes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from gettext import gettext as _
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from textual.content import Content

from orca_core.model.episodes import EPISODES, Episode, WorkQuery
from orca_core.model.operations import RecordsChanged
from orca_core.model.views import EpisodeView
from orca_tui.app.keymap import bindings
from orca_tui.app.records.kind import Asked, Listing
from orca_tui.app.work.details import episode_glance
from orca_tui.app.work.edit_work import Entry, lines_of, tags_of
from orca_tui.app.work.kind_of_work import OF_ONE, STATUSES, KindOfWork
from orca_tui.app.work.rows import episode_row, no_episodes
from orca_tui.app.work.work_keys import LISTS
from orca_tui.app.work.work_list import WorkList
from orca_tui.language import N_
from orca_tui.marks import Marks

if TYPE_CHECKING:
    from orca_core.services.work.episodes import Episodes as EpisodeActions

EPISODE_LISTING = Listing(
    id="episode",
    title=N_("Episodes"),
    sorts={
        "new": N_("newest"),
        "importance": N_("importance"),
        "used": N_("last used"),
        "accesses": N_("most used"),
        "old": N_("oldest"),
        "target": N_("target"),
    },
    statuses=STATUSES,
    types={"": ""},
    row=episode_row,
    empty=no_episodes,
    of_one=OF_ONE,
)


class EpisodeList(WorkList[EpisodeView, Episode]):
    """The episodes, page by page."""

    BINDINGS = bindings(LISTS)

    def __init__(self, marks: Marks) -> None:
        super().__init__(EPISODE_LISTING, marks)


class Episodes(KindOfWork[EpisodeView, Episode]):
    """The kind of record that says what was done and how it ended."""

    type = EPISODES

    @property
    def hand(self) -> EpisodeActions:
        return self._bridge.engine.work.episodes

    async def views_of(self, records: Sequence[Episode]) -> Sequence[EpisodeView]:
        return await self.hand.views(records)

    def query(self, asked: Asked) -> WorkQuery:
        return replace(super().query(asked), tags=asked.tags, text=asked.text)

    def line(self, record: Episode) -> str:
        return record.trigger_summary

    def open(self, record: Episode) -> None:
        self._looking.episode(record.id)

    def glance(self, view: EpisodeView) -> Content:
        return episode_glance(view, self._bridge.clock.now(), self._marks)

    def rests_on(self, record: Episode) -> None:
        if record.consolidated_into is None:
            self._stage.note(_("nothing was learnt of it yet: that takes three episodes on one target"))
        else:
            self._looking.knowledge(record.consolidated_into)

    def entries(self, record: Episode) -> list[Entry]:
        return entries_of(record)

    async def edit(self, record: Episode, changed: Mapping[str, str]) -> RecordsChanged[Episode]:
        return await self.hand.edit(record.id, **edited(changed))


def entries_of(episode: Episode) -> list[Entry]:
    """The form of an episode."""
    return [
        Entry("trigger", _("what for"), episode.trigger_summary),
        Entry("target", _("target"), episode.target),
        Entry("outcome", _("outcome"), episode.outcome.value),
        Entry("outcome_summary", _("how it ended"), episode.outcome_summary),
        Entry("tags", _("tags"), ", ".join(episode.tags)),
        Entry("steps", _("steps, a line each"), "\n".join(episode.steps), is_area=True),
    ]


def edited(changed: Mapping[str, str]) -> dict[str, Any]:
    """What was entered as the fields that it stands for."""
    of_lists = {"tags": tags_of, "steps": lines_of}
    return {name: of_lists[name](text) if name in of_lists else text for name, text in changed.items()}
