"""Episodes, knowledge and guides as lists show and change them, and each of them in full."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from datetime import datetime
from gettext import gettext as _
from typing import TYPE_CHECKING, Any, ClassVar, Generic

from msgspec.structs import replace
from rich.segment import Segment
from textual.content import Content

from orca_core.model.episodes import EPISODES, Episode, W, WorkDeletion, WorkQuery
from orca_core.model.knowledge import KNOWLEDGES, Knowledge
from orca_core.model.memories import Status
from orca_core.model.operations import Change, RecordsChanged
from orca_core.model.recall import Appearance
from orca_core.model.records import EPISODE, GUIDE, KNOWLEDGE, Kind, RecordType, Ref, plain_ref
from orca_core.model.tasks import TaskView
from orca_core.model.tools import GUIDES, Guide, ToolCall
from orca_core.model.views import EpisodeView, KnowledgeView
from orca_tui.app.bridge import Bridge
from orca_tui.app.keymap import bindings
from orca_tui.app.records.details import (
    GuideRow,
    bare,
    episode_body,
    episode_content,
    episode_glance,
    guide_content,
    guide_glance,
    guide_row,
    history_content,
    knowledge_content,
    knowledge_glance,
    no_guides,
    share,
)
from orca_tui.app.records.kind import (
    Actions,
    Asked,
    Changed,
    Changing,
    K,
    Listing,
    RowPage,
    V,
    bar,
    bar_width,
    left_of,
    record_row,
)
from orca_tui.app.records.record_list import RecordList
from orca_tui.app.stage import Stage
from orca_tui.app.widgets.dialogs import EditFields, Entry, MoreToRead, TextView, lines_of, tags_of
from orca_tui.app.widgets.text import RowStyles, literal
from orca_tui.app.work.steps import OtherTab
from orca_tui.app.work.work_pane import LISTS
from orca_tui.app.work.working import Starring, TaskScreen
from orca_tui.language import N_, counted
from orca_tui.marks import Marks
from orca_tui.words.memory_words import appearance_parts, appearances_title, no_appearance
from orca_tui.words.tool_words import call_line
from orca_tui.words.work_words import importance_figure, left_lines, outcome_mark

if TYPE_CHECKING:
    from orca_core.services.records import Episodes as EpisodesApi
    from orca_core.services.records import GuideActions as GuidesApi
    from orca_core.services.records import KnowledgeActions, RecordActions
    from orca_core.services.work import Work

WHY_KEY = "w"
MUTED = "$foreground-muted"


class Appearances:
    """A view of its own, from a list by its key, or from a record that is shown in full."""

    def __init__(self, stage: Stage, bridge: Bridge, marks: Marks) -> None:
        self._stage = stage
        self._bridge = bridge
        self._marks = marks

    def show(self, ref: Ref) -> None:
        def opened(appearances: Sequence[Appearance]) -> None:
            self._stage.push(TextView(appearances_title(ref), appearances_content(appearances, self._marks)))

        self._stage.ask(lambda: self._bridge.engine.sessions.appearances(ref), opened, group="look memory")

    def to_read(self, ref: Ref) -> MoreToRead:
        """The same, one key away from a text."""
        return MoreToRead(WHY_KEY, _("why"), lambda: self.show(ref))


def appearances_content(appearances: Sequence[Appearance], marks: Marks) -> Content:
    """When a record was put before the model, why, and what came of it."""
    if not appearances:
        return literal(no_appearance(), MUTED)
    return Content("\n").join(_line(each, marks) for each in appearances)


def _line(each: Appearance, marks: Marks) -> Content:
    when, words, where = appearance_parts(each, marks)
    return literal(f"{when}  ", MUTED) + literal(words) + literal(f"  {where}", MUTED)


def episode_row(
    view: EpisodeView, width: int, marks: Marks, styles: RowStyles, *, is_marked: bool, change: str
) -> list[Segment]:
    """What was done, how it ended, how important it is."""
    episode = view.episode
    tail = f" {outcome_mark(episode.outcome, marks)} {change or f'{bare(importance_figure(view)):>4}'}"
    tail += f" {bar(view.importance, cells, marks)}" if (cells := bar_width(width)) else ""
    name = str(plain_ref(EPISODES.ref(episode)))
    text, is_changed = episode.trigger_summary, bool(change)
    return record_row(
        episode, view.status, name, text, tail, width, marks, styles, is_marked=is_marked, is_changed=is_changed
    )


def knowledge_row(
    view: KnowledgeView, width: int, marks: Marks, styles: RowStyles, *, is_marked: bool, change: str
) -> list[Segment]:
    """What it is about, and how sure that is."""
    known = view.knowledge
    figure = change or f"{share(known.confidence):>4}"
    tail = f" {figure}"
    tail += f" {bar(known.confidence, cells, marks)}" if (cells := bar_width(width)) else ""
    name = str(plain_ref(KNOWLEDGES.ref(known)))
    return record_row(
        known, view.status, name, known.topic, tail, width, marks, styles, is_marked=is_marked, is_changed=bool(change)
    )


def no_episodes(is_filtered: bool, to_review: int) -> str:
    """What an empty list of episodes says."""
    if is_filtered:
        return _("nothing matches")
    if to_review:
        return counted(
            "No episode yet, but {count} waits for you: f5", "No episode yet, but {count} wait for you: f5", to_review
        )
    return _(
        "No episode yet. One is made of every task that ends (/task, /done), and of problems worked on in a chat "
        "when that is over."
    )


def no_knowledge(is_filtered: bool, to_review: int) -> str:
    """What an empty list of knowledge says."""
    if is_filtered:
        return _("nothing matches")
    if to_review:
        return counted(
            "Nothing learnt yet, but {count} waits for you: f5",
            "Nothing learnt yet, but {count} wait for you: f5",
            to_review,
        )
    return _("Nothing learnt yet. What three episodes on one target teach comes to stand here.")


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


STATUSES = {
    "live": N_("live"),
    "all": N_("all"),
    "archived": N_("archived"),
    "candidate": N_("candidate"),
    "rejected": N_("rejected"),
}
OF_ONE = frozenset({"open", "history", "why", "edit", "sources"})


class KindOfWork(ABC, Generic[V, W]):
    """A kind of record of work; its subclasses say what is special about theirs."""

    type: ClassVar[RecordType[Any]]

    def __init__(self, stage: Stage, bridge: Bridge, looking: LookingAtWork, marks: Marks) -> None:
        self._stage = stage
        self._bridge = bridge
        self._looking = looking
        self._marks = marks

    @property
    @abstractmethod
    def hand(self) -> RecordActions[W]: ...

    @abstractmethod
    async def views_of(self, records: Sequence[W]) -> Sequence[V]: ...

    @abstractmethod
    def open(self, record: W) -> None: ...

    @abstractmethod
    def rests_on(self, record: W) -> None:
        """Show what it was made of, or what was made of it."""

    @abstractmethod
    def entries(self, record: W) -> list[Entry]:
        """Its form."""

    @abstractmethod
    async def edit(self, record: W, changed: Mapping[str, str]) -> Changed[W]: ...

    async def page(self, asked: Asked) -> RowPage[V]:
        page = await self.hand.page(self.query(asked))
        return RowPage(tuple(await self.views_of(page.records)), page.total)

    def sift(self, _asked: Asked) -> None:
        """There are few."""

    def query(self, asked: Asked) -> WorkQuery:
        """Tags are words of those kinds that have none."""
        text = " ".join((*asked.words, *asked.tags))
        return WorkQuery(
            asked.status, text=text, sort=asked.sort, limit=asked.limit, offset=asked.offset, ids=asked.ids
        )

    async def waiting(self) -> int:
        return (await self.hand.counts())["candidate"]

    async def views(self, ids: Sequence[int]) -> Sequence[V]:
        return await self.views_of(await left_of(self.hand.get, ids))

    def ref(self, record: W) -> Ref:
        return self.type.ref(record)

    def left(self, deletion: WorkDeletion) -> str:
        return " · ".join(left_lines(deletion))

    def actions(self, records: Changing) -> Actions:
        kind = self.type.kind
        return {
            "open": lambda hit: self.open(hit[0]),
            "history": lambda hit: self._looking.history(kind, hit[0].id),
            "why": lambda hit: self._looking.why(kind, hit[0].id),
            "sources": lambda hit: self.rests_on(hit[0]),
            "edit": lambda hit: self._ask_to_edit(records, hit[0]),
        }

    def _ask_to_edit(self, records: Changing, record: W) -> None:
        def save(changed: Mapping[str, str] | None) -> None:
            if changed:
                records.change(lambda: self.edit(record, changed), _("edited"))

        self._stage.push(EditFields(str(self.ref(record)), self.entries(record)), save)


class WorkList(RecordList[V, K]):
    """Leads to the tabs beside it, beside what every list does; its subclasses bind the keys."""

    def action_other_tab(self, step: int) -> None:
        self.post_message(OtherTab(step))


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


class EpisodeKind(KindOfWork[EpisodeView, Episode]):
    """The kind of record that says what was done and how it ended."""

    type = EPISODES

    @property
    def hand(self) -> EpisodesApi:
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
        return episode_entries(record)

    async def edit(self, record: Episode, changed: Mapping[str, str]) -> RecordsChanged[Episode]:
        return await self.hand.edit(record.id, **edited_episode(changed))


def episode_entries(episode: Episode) -> list[Entry]:
    """The form of an episode."""
    return [
        Entry("trigger", _("what for"), episode.trigger_summary),
        Entry("target", _("target"), episode.target),
        Entry("outcome", _("outcome"), episode.outcome.value),
        Entry("outcome_summary", _("how it ended"), episode.outcome_summary),
        Entry("tags", _("tags"), ", ".join(episode.tags)),
        Entry("steps", _("steps, a line each"), "\n".join(episode.steps), is_area=True),
    ]


def edited_episode(changed: Mapping[str, str]) -> dict[str, Any]:
    """What was entered as the fields that it stands for."""
    of_lists = {"tags": tags_of, "steps": lines_of}
    return {name: of_lists[name](text) if name in of_lists else text for name, text in changed.items()}


KNOWLEDGE_LISTING = Listing(
    id="knowledge",
    title=N_("Knowledge"),
    sorts={
        "new": N_("newest"),
        "confidence": N_("confidence"),
        "used": N_("last used"),
        "accesses": N_("most used"),
        "old": N_("oldest"),
        "topic": N_("topic"),
    },
    statuses=STATUSES,
    types={"": ""},
    row=knowledge_row,
    empty=no_knowledge,
    of_one=OF_ONE,
)


class KnowledgeList(WorkList[KnowledgeView, Knowledge]):
    """Knowledge, page by page."""

    BINDINGS = bindings(LISTS)

    def __init__(self, marks: Marks) -> None:
        super().__init__(KNOWLEDGE_LISTING, marks)


class KnowledgeKind(KindOfWork[KnowledgeView, Knowledge]):
    """The kind of record that says what several episodes taught."""

    type = KNOWLEDGES

    @property
    def hand(self) -> KnowledgeActions:
        return self._bridge.engine.work.knowledge

    async def views_of(self, records: Sequence[Knowledge]) -> Sequence[KnowledgeView]:
        return await self.hand.views(records)

    def line(self, record: Knowledge) -> str:
        return f"{record.topic}: {record.content}"

    def left(self, deletion: WorkDeletion) -> str:  # noqa: ARG002  # its episodes stay
        return ""

    def open(self, record: Knowledge) -> None:
        self._looking.knowledge(record.id)

    def glance(self, view: KnowledgeView) -> Content:
        return knowledge_glance(view, self._bridge.clock.now(), self._marks)

    def rests_on(self, record: Knowledge) -> None:
        self._looking.sources(record)

    def entries(self, record: Knowledge) -> list[Entry]:
        return knowledge_entries(record)

    async def edit(self, record: Knowledge, changed: Mapping[str, str]) -> RecordsChanged[Knowledge]:
        return await self.hand.edit(record.id, **edited_knowledge(changed))


def knowledge_entries(known: Knowledge) -> list[Entry]:
    """The form of knowledge."""
    return [
        Entry("topic", _("topic"), known.topic),
        Entry("target", _("target"), known.target),
        Entry("content", _("what is known"), known.content, is_area=True),
        Entry("key_points", _("key points, a line each"), "\n".join(known.key_points), is_area=True),
    ]


def edited_knowledge(changed: Mapping[str, str]) -> dict[str, Any]:
    """What was entered as the fields that it stands for."""
    return {name: lines_of(text) if name == "key_points" else text for name, text in changed.items()}


GUIDE_LISTING = Listing(
    id="guide",
    title=N_("Guides"),
    sorts={
        "new": N_("newest"),
        "target": N_("tool"),
        "used": N_("last used"),
        "accesses": N_("most used"),
        "old": N_("oldest"),
    },
    statuses=STATUSES,
    types={"": ""},
    row=guide_row,
    empty=no_guides,
    of_one=OF_ONE,
)


class GuideList(WorkList[GuideRow, Guide]):
    """The guides of tools, page by page."""

    BINDINGS = bindings(LISTS)

    def __init__(self, marks: Marks) -> None:
        super().__init__(GUIDE_LISTING, marks)


class GuideKind(KindOfWork[GuideRow, Guide]):
    """The kind of record that says what calls of a tool taught."""

    type = GUIDES

    @property
    def hand(self) -> GuidesApi:
        return self._bridge.engine.guides

    async def views_of(self, records: Sequence[Guide]) -> Sequence[GuideRow]:
        return await self._looking.guides(records)

    def line(self, record: Guide) -> str:
        return f"{record.target}: {record.text}"

    def open(self, record: Guide) -> None:
        self._looking.guide(record.id)

    def glance(self, view: GuideRow) -> Content:
        return guide_glance(view, self._bridge.clock.now(), self._marks)

    def rests_on(self, record: Guide) -> None:
        self._looking.calls(record)

    def entries(self, record: Guide) -> list[Entry]:
        return [Entry("text", _("text"), record.text, is_area=True)]

    async def edit(self, record: Guide, changed: Mapping[str, str]) -> RecordsChanged[Guide]:
        return await self.hand.edit(record.id, changed.get("text", record.text))
