"""Looks at episodes, knowledge and guides: one in full, what it rests on, its history. Changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from gettext import gettext as _
from typing import TYPE_CHECKING, Any

from textual.content import Content

from orca_core.model.episodes import Episode
from orca_core.model.knowledge import Knowledge
from orca_core.model.memories import Status
from orca_core.model.operations import Change
from orca_core.model.records import EPISODE, GUIDE, KNOWLEDGE, Kind, Ref
from orca_core.model.tasks import TaskView
from orca_core.model.tools import Guide, ToolCall
from orca_core.model.views import EpisodeView, KnowledgeView
from orca_tui.app.bridge import Bridge
from orca_tui.app.records.appearances import Appearances
from orca_tui.app.records.history import history_content
from orca_tui.app.records.lookup import left_of
from orca_tui.app.stage import Stage
from orca_tui.app.widgets.dialogs import MoreToRead, TextView
from orca_tui.app.widgets.literal import literal
from orca_tui.app.work.details import episode_body, episode_content, knowledge_content
from orca_tui.app.work.guide_texts import GuideRow, guide_content
from orca_tui.app.work.starring import Starring
from orca_tui.app.work.task_screen import TaskScreen
from orca_tui.marks import Marks
from orca_tui.words.tool_words import call_line

if TYPE_CHECKING:
    from orca_core.services.records import RecordActions
    from orca_core.services.work.work import Work

SOURCES_KEY = "o"
TASK_KEY = "t"
CALLS_SHOWN = 20


class LookingAtWork:
    """Shows a record of work in a view of its own; what it rests on is one key away, and escape leads back."""

    starring: Starring
    """What gives calls of a task their stars; it knows the chat."""

    def __init__(self, stage: Stage, bridge: Bridge, marks: Marks) -> None:
        self._stage = stage
        self._bridge = bridge
        self._marks = marks
        self._appearances = Appearances(stage, bridge, marks)

    def task(self, number: int) -> None:
        """A task with the calls of its steps."""
        self._stage.push(TaskScreen(self._bridge, self.starring, number, self._marks))

    def episode(self, number: int) -> None:
        work = self._bridge.engine.work

        async def look() -> tuple[EpisodeView, TaskView | None, list[Change]]:
            [view] = await work.episodes.views(await work.episodes.get([number]))
            return view, await _task_of(work, view.episode), await work.episodes.changes_of(number)

        def show(found: tuple[EpisodeView, TaskView | None, list[Change]]) -> None:
            view, task, history = found
            body = episode_content(view, task, history, self._now, self._marks)
            known = view.episode.consolidated_into
            more = [MoreToRead(SOURCES_KEY, _("its knowledge"), lambda: self.knowledge(known))] if known else []
            if task is not None:
                more.append(MoreToRead(TASK_KEY, _("its task"), lambda: self.task(task.task.id)))
            ref = Ref(EPISODE, number)
            self._stage.push(TextView(str(ref), body, [*more, self._appearances.to_read(ref)]))

        self._stage.ask(look, show, group="look work")

    def knowledge(self, number: int) -> None:
        work = self._bridge.engine.work

        async def look() -> tuple[KnowledgeView, list[Change]]:
            [view] = await work.knowledge.views(await work.knowledge.get([number]))
            return view, await work.knowledge.changes_of(number)

        def show(found: tuple[KnowledgeView, list[Change]]) -> None:
            view, history = found
            body = knowledge_content(view, history, self._now, self._marks)
            more = [MoreToRead(SOURCES_KEY, _("its episodes"), lambda: self.sources(view.knowledge))]
            ref = Ref(KNOWLEDGE, number)
            self._stage.push(TextView(str(ref), body, [*more, self._appearances.to_read(ref)]))

        self._stage.ask(look, show, group="look work")

    def sources(self, known: Knowledge) -> None:
        """The episodes that knowledge came from, one below the other."""
        work = self._bridge.engine.work

        async def look() -> list[tuple[EpisodeView, TaskView | None]]:
            views = await work.episodes.views(await work.knowledge.sources(known))
            return [(each, await _task_of(work, each.episode)) for each in views]

        def show(found: Sequence[tuple[EpisodeView, TaskView | None]]) -> None:
            parts = [
                literal(f"{Ref(EPISODE, each.episode.id)}  ", "bold $text-accent")
                + episode_body(each, task, self._now, self._marks)
                for each, task in found
            ]
            body = Content("\n\n\n").join(parts) if parts else literal(_("The episodes that it came from are gone."))
            title = _("{name}: the episodes that it came from").format(name=Ref(KNOWLEDGE, known.id))
            self._stage.push(TextView(title, body))

        self._stage.ask(look, show, group="look work")

    async def guides(self, guides: Sequence[Guide]) -> list[GuideRow]:
        """Guides with what is counted of their tools."""
        views = await self._bridge.engine.tools.views(guides)
        return [
            GuideRow(guide, view.status or Status.ACTIVE, view.figures)
            for guide, view in zip(guides, views, strict=True)
        ]

    def guide(self, number: int) -> None:
        hand = self._bridge.engine.guides

        async def look() -> tuple[GuideRow, list[Change]]:
            [row] = await self.guides(await hand.get([number]))
            return row, await hand.changes_of(number)

        def show(found: tuple[GuideRow, list[Change]]) -> None:
            row, history = found
            body = guide_content(row, history, self._now, self._marks)
            ref = Ref(GUIDE, number)
            more = [MoreToRead(SOURCES_KEY, _("its calls"), lambda: self.calls(row.guide))]
            self._stage.push(TextView(str(ref), body, [*more, self._appearances.to_read(ref)]))

        self._stage.ask(look, show, group="look work")

    def calls(self, guide: Guide) -> None:
        """The latest calls of the tool of a guide, newest first."""

        def show(calls: list[ToolCall]) -> None:
            lines = [literal(call_line(each)) for each in calls]
            body = Content("\n").join(lines) if lines else literal(_("The calls that it was written of are gone."))
            self._stage.push(TextView(_("{tool}: the latest calls").format(tool=guide.target), body))

        tools = self._bridge.engine.tools
        self._stage.ask(lambda: tools.calls(guide.target, CALLS_SHOWN), show, group="look work")

    def why(self, kind: Kind, number: int) -> None:
        """Where a record was put before the model, and what the answers did with it."""
        self._appearances.show(Ref(kind, number))

    def history(self, kind: Kind, number: int) -> None:
        engine = self._bridge.engine
        lists: dict[Kind, RecordActions[Any]] = {
            EPISODE: engine.work.episodes,
            KNOWLEDGE: engine.work.knowledge,
            GUIDE: engine.guides,
        }
        records = lists[kind]

        def show(history: list[Change]) -> None:
            title = f"{Ref(kind, number)}  {_('history')}"
            self._stage.push(TextView(title, history_content(history, self._marks)))

        self._stage.ask(lambda: records.changes_of(number), show, group="look work")

    @property
    def _now(self) -> datetime:
        return self._bridge.clock.now()


async def _task_of(work: Work, episode: Episode) -> TaskView | None:
    """The task that an episode was made of, where it is still there."""
    tasks = [] if episode.task is None else await left_of(work.tasks.get, [episode.task])
    return tasks[0] if tasks else None
