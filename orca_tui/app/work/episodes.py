"""Episodes as a list shows and changes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from gettext import gettext as _
from typing import Any

from textual.content import Content

from orca_core.api import Episodes as EpisodesApi
from orca_core.domain.refs import EPISODE, Ref
from orca_core.domain.work.episodes import EPISODES, Episode
from orca_core.domain.work.records import WorkDeletion, WorkQuery
from orca_core.domain.work.views import EpisodeView
from orca_tui.app.bridge import Bridge
from orca_tui.app.keymap import bindings
from orca_tui.app.records.kind import Actions, Asked, Changing, Listing, RowPage
from orca_tui.app.records.lookup import left_of
from orca_tui.app.stage import Stage
from orca_tui.app.work.details import episode_glance
from orca_tui.app.work.edit_work import EditFields, Entry, lines_of, tags_of
from orca_tui.app.work.looking import LookingAtWork
from orca_tui.app.work.rows import episode_row, no_episodes
from orca_tui.app.work.work_keys import LISTS
from orca_tui.app.work.work_list import WorkList
from orca_tui.language import N_
from orca_tui.marks import Marks
from orca_tui.words.knowledge import left_lines

STATUSES = {
    "live": N_("live"),
    "all": N_("all"),
    "archived": N_("archived"),
    "candidate": N_("candidate"),
    "rejected": N_("rejected"),
}
OF_ONE = frozenset({"open", "history", "why", "edit", "sources"})

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


class Episodes:
    """The kind of record that says what was done and how it ended."""

    def __init__(self, stage: Stage, bridge: Bridge, looking: LookingAtWork, marks: Marks) -> None:
        self._stage = stage
        self._bridge = bridge
        self._looking = looking
        self._marks = marks

    @property
    def hand(self) -> EpisodesApi:
        return self._bridge.engine.work.episodes

    async def page(self, asked: Asked) -> RowPage[EpisodeView]:
        query = WorkQuery(
            asked.status,
            tags=asked.tags,
            text=asked.text,
            sort=asked.sort,
            limit=asked.limit,
            offset=asked.offset,
        )
        page = await self.hand.page(query)
        return RowPage(tuple(await self.hand.views(page.records)), page.total)

    async def waiting(self) -> int:
        return (await self.hand.counts())["candidate"]

    async def views(self, ids: Sequence[int]) -> list[EpisodeView]:
        return await self.hand.views(await left_of(self.hand.get, ids))

    def ref(self, record: Episode) -> Ref:
        return EPISODES.ref(record)

    def line(self, record: Episode) -> str:
        return record.trigger_summary

    def left(self, deletion: WorkDeletion) -> str:
        return " · ".join(left_lines(deletion))

    def open(self, record: Episode) -> None:
        self._looking.episode(record.id)

    def glance(self, view: EpisodeView) -> Content:
        return episode_glance(view, self._bridge.clock.now(), self._marks)

    def actions(self, records: Changing) -> Actions:
        return {
            "open": lambda episodes: self._looking.episode(episodes[0].id),
            "history": lambda episodes: self._looking.history(EPISODE, episodes[0].id),
            "why": lambda episodes: self._looking.why(EPISODE, episodes[0].id),
            "sources": lambda episodes: self._to_knowledge(episodes[0]),
            "edit": lambda episodes: self._edit(records, episodes[0]),
        }

    def _to_knowledge(self, episode: Episode) -> None:
        if episode.consolidated_into is None:
            self._stage.note(_("nothing was learnt of it yet: that takes three episodes on one target"))
        else:
            self._looking.knowledge(episode.consolidated_into)

    def _edit(self, records: Changing, episode: Episode) -> None:
        def save(changed: Mapping[str, str] | None) -> None:
            if changed:
                records.change(lambda: self.hand.edit(episode.id, **edited(changed)), _("edited"))

        self._stage.push(EditFields(str(EPISODES.ref(episode)), entries_of(episode)), save)


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
