"""Episodes, knowledge and guides as lists show and change them, each in full, and as candidates."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from gettext import gettext as _
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from textual.content import Content

from orca_core.model.episodes import EPISODES, Episode, W, WorkDeletion, WorkQuery
from orca_core.model.knowledge import KNOWLEDGES, Knowledge
from orca_core.model.memories import InboxItem, Status
from orca_core.model.operations import Change, RecordsChanged
from orca_core.model.record_types import EPISODE, KNOWLEDGE, Editable, Kind, Ref, plain_ref
from orca_core.model.tasks import TaskView
from orca_core.model.tools import GUIDES, Guide, ToolCall
from orca_core.model.views import EpisodeView, KnowledgeView
from orca_core.rules.text.cleaning import one_line
from orca_tui.app.bridge import Bridge
from orca_tui.app.keymap import bindings
from orca_tui.app.records.candidates import candidate_content
from orca_tui.app.records.details import (
    MUTED,
    SHOWN_CHARS,
    GuideRow,
    Row,
    bare,
    episode_body,
    episode_glance,
    guide_body,
    guide_glance,
    knowledge_body,
    knowledge_glance,
    share,
    steps_lines,
    with_words,
)
from orca_tui.app.records.kind import (
    Asked,
    ChangeRecords,
    Detail,
    K,
    Line,
    Listing,
    RecordKind,
    RowPage,
    ToDecide,
    V,
    left_of,
)
from orca_tui.app.records.record_list import RecordList
from orca_tui.app.stage import Stage
from orca_tui.app.widgets.dialogs import EditFields, TextView
from orca_tui.app.widgets.text import Field, MoreToRead, lines_of, literal, tags_of
from orca_tui.app.work.steps import OtherTab
from orca_tui.app.work.work_pane import LISTS
from orca_tui.language import N_, counted, listed
from orca_tui.marks import Marks
from orca_tui.words.task_words import OUTCOME_WORDS
from orca_tui.words.tool_words import call_line, figures_lines
from orca_tui.words.work_words import field_rows, importance_figure, left_lines, outcome_mark

if TYPE_CHECKING:
    from orca_core.services.work import Work
    from orca_core.services.work_records import Episodes, GuideActions, KnowledgeActions, WorkRecords

SOURCES_KEY = "o"
TASK_KEY = "t"
CALLS_SHOWN = 20
STATUSES = {
    "live": N_("live"),
    "all": N_("all"),
    "archived": N_("archived"),
    "candidate": N_("candidate"),
    "rejected": N_("rejected"),
}

Kinds = dict[Kind, RecordKind[Any, Any]]


class WorkList(RecordList[V, K]):
    """A list of records of work: one of the tabs, which leads to those beside it."""

    BINDINGS = bindings(LISTS)

    def action_other_tab(self, step: int) -> None:
        self.post_message(OtherTab(step))


class WorkKind(RecordKind[V, W]):
    """A kind of record of work; `kinds` are all of them, for what one rests on."""

    def __init__(self, stage: Stage, bridge: Bridge, marks: Marks, kinds: Kinds) -> None:
        super().__init__(stage, bridge, marks)
        self._kinds = kinds
        kinds[self.type.kind] = self

    @property
    @abstractmethod
    def service(self) -> WorkRecords[W]: ...

    @abstractmethod
    def rests_on(self, record: W) -> None:
        """Show what it was made of, or what was made of it."""

    @abstractmethod
    def as_candidate(self, waits: InboxItem, view: V, sources: Sequence[Episode]) -> Content: ...

    def otherwise(self) -> str:
        """Which decisions there are about a candidate of this kind."""
        return _("a guide is accepted, edited or rejected")

    async def page(self, asked: Asked) -> RowPage[V]:
        page = await self.service.page(self.query(asked))
        return RowPage(await self.views_of(page.records), page.total)

    def query(self, asked: Asked) -> WorkQuery:
        """Tags are words of those kinds that have none."""
        text = " ".join((*asked.words, *asked.tags))
        return WorkQuery(
            asked.status, text=text, sort=asked.sort, limit=asked.limit, offset=asked.offset, ids=asked.ids
        )

    def entries(self, record: W) -> list[Field]:
        """The fields that a person writes, those of several lines last."""
        fields = sorted(self.type.editable.values(), key=lambda each: each.is_area)
        return [_entry(each, getattr(record, each.field)) for each in fields]

    async def edit(self, record: W, changed: Mapping[str, str]) -> RecordsChanged[W]:
        fields: dict[str, Any] = {}
        for name, text in changed.items():
            about = self.type.editable[name]
            fields[name] = text if not about.is_list else tags_of(text) if about.are_tags else lines_of(text)
        return await self.service.edit(record.id, **fields)

    async def waiting(self) -> int:
        return (await self.service.counts())["candidate"]

    def actions(self, change: ChangeRecords, added: Callable[[object], None]) -> dict[str, Callable[[Any], object]]:
        return {**super().actions(change, added), "sources": lambda hit: self.rests_on(hit[0])}

    async def sources_of(self, record: W) -> list[Episode]:  # noqa: ARG002  # knowledge has some
        return []

    async def candidate(self, waits: InboxItem) -> ToDecide:
        record, number = waits.record, waits.ref.id
        [view] = await self.views_of([record])

        async def accept_edited(changed: Mapping[str, str]) -> object:
            """In the words of the form; an untouched one accepts what was shown."""
            if not changed:
                return await self.service.accept([number], {number: record.text})
            await self.edit(record, changed)
            return await self.service.accept([number])

        return ToDecide(
            self.as_candidate(waits, view, await self.sources_of(record)),
            {
                "accept": lambda: self.service.accept([number], {number: record.text}),
                "reject": lambda: self.service.reject([number]),
            },
            otherwise=self.otherwise(),
            form=lambda: EditFields(str(plain_ref(waits.ref)), self.entries(record)),
            edited=accept_edited,
        )


class EpisodeKind(WorkKind[EpisodeView, Episode]):
    """The kind of record that says what was done and how it ended."""

    type = EPISODES
    listing = Listing(
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
    )

    def __init__(
        self, stage: Stage, bridge: Bridge, marks: Marks, kinds: Kinds, show_task: Callable[[int], None]
    ) -> None:
        super().__init__(stage, bridge, marks, kinds)
        self._show_task = show_task

    @property
    def service(self) -> Episodes:
        return self._bridge.orca.work.episodes

    async def views_of(self, records: Sequence[Episode]) -> Sequence[EpisodeView]:
        return await self.service.views(records)

    def query(self, asked: Asked) -> WorkQuery:
        return replace(super().query(asked), tags=asked.tags, text=asked.text)

    def row(self, view: EpisodeView) -> Line:
        figure, sign = bare(importance_figure(view)), outcome_mark(view.episode.outcome, self._marks)
        return Line(view.episode.trigger_summary, figure, view.importance, before=sign)

    def nothing(self, to_review: int) -> str:
        if to_review:
            return counted(
                "No episode yet, but {count} waits for you: f5",
                "No episode yet, but {count} wait for you: f5",
                to_review,
            )
        return _(
            "No episode yet. One is made of every task that ends (/task, /done), and of problems worked on in a chat "
            "when that is over."
        )

    def line(self, record: Episode) -> str:
        return record.trigger_summary

    def left(self, deletion: WorkDeletion) -> str:
        return " · ".join(left_lines(deletion))

    def glance(self, view: EpisodeView) -> Content:
        return episode_glance(view, self._bridge.clock.now(), self._marks)

    async def detail(self, record: Episode, history: Sequence[Change]) -> Detail:  # noqa: ARG002  # shown below it
        [view] = await self.views_of([record])
        task, known = await task_of(self._bridge.orca.work, record), record.consolidated_into
        more = [MoreToRead(SOURCES_KEY, _("its knowledge"), lambda: self.rests_on(record))] if known else []
        if task is not None:
            more.append(MoreToRead(TASK_KEY, _("its task"), lambda: self._show_task(task.task.id)))
        return episode_body(view, task, self._bridge.clock.now(), self._marks), more

    def rests_on(self, record: Episode) -> None:
        if record.consolidated_into is None:
            self._stage.note(_("nothing was learnt of it yet: that takes three episodes on one target"))
        else:
            self._kinds[KNOWLEDGE].show(record.consolidated_into)

    def otherwise(self) -> str:
        return _("an episode is accepted, edited or rejected")

    def as_candidate(self, waits: InboxItem, view: EpisodeView, sources: Sequence[Episode]) -> Content:  # noqa: ARG002  # it has none
        episode = view.episode
        rows: list[Row] = [
            (_("outcome"), with_words(_(OUTCOME_WORDS[episode.outcome]), episode.outcome_summary)),
            (_("quote"), f"“{episode.origin.quote}”" if episode.origin.quote else ""),
            (_("target"), episode.target),
            *field_rows(EPISODES, episode),
            (_("tags"), listed(episode.tags)),
        ]
        now = self._bridge.clock.now()
        content = candidate_content(waits, _("episode"), episode.trigger_summary, rows, (), now, self._marks)
        return Content("\n").join([content, *steps_lines(view, None, self._marks)])


class KnowledgeKind(WorkKind[KnowledgeView, Knowledge]):
    """The kind of record that says what several episodes taught."""

    type = KNOWLEDGES
    listing = Listing(
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
    )

    @property
    def service(self) -> KnowledgeActions:
        return self._bridge.orca.work.knowledge

    async def views_of(self, records: Sequence[Knowledge]) -> Sequence[KnowledgeView]:
        return await self.service.views(records)

    def row(self, view: KnowledgeView) -> Line:
        known = view.knowledge
        return Line(known.topic, share(known.confidence), known.confidence)

    def nothing(self, to_review: int) -> str:
        if to_review:
            return counted(
                "Nothing learnt yet, but {count} waits for you: f5",
                "Nothing learnt yet, but {count} wait for you: f5",
                to_review,
            )
        return _("Nothing learnt yet. What three episodes on one target teach comes to stand here.")

    def line(self, record: Knowledge) -> str:
        return f"{record.topic}: {record.content}"

    def glance(self, view: KnowledgeView) -> Content:
        return knowledge_glance(view, self._bridge.clock.now(), self._marks)

    async def detail(self, record: Knowledge, history: Sequence[Change]) -> Detail:
        [view] = await self.views_of([record])
        more = [MoreToRead(SOURCES_KEY, _("its episodes"), lambda: self.rests_on(record))]
        return knowledge_body(view, history, self._bridge.clock.now(), self._marks), more

    async def sources_of(self, record: Knowledge) -> list[Episode]:
        return await self.service.sources(record)

    def rests_on(self, record: Knowledge) -> None:
        """The episodes that knowledge came from, one below the other."""
        work, now = self._bridge.orca.work, self._bridge.clock.now()

        async def look() -> list[tuple[EpisodeView, TaskView | None]]:
            views = await work.episodes.views(await self.sources_of(record))
            return [(each, await task_of(work, each.episode)) for each in views]

        def shown(found: Sequence[tuple[EpisodeView, TaskView | None]]) -> None:
            parts = [
                literal(f"{Ref(EPISODE, each.episode.id)}  ", "bold $text-accent")
                + episode_body(each, task, now, self._marks)
                for each, task in found
            ]
            body = Content("\n\n\n").join(parts) if parts else literal(_("The episodes that it came from are gone."))
            title = _("{name}: the episodes that it came from").format(name=self.ref(record))
            self._stage.push(TextView(title, body))

        self._ask(look, shown)

    def otherwise(self) -> str:
        return _("knowledge is accepted, edited or rejected")

    def as_candidate(self, waits: InboxItem, view: KnowledgeView, sources: Sequence[Episode]) -> Content:
        known, now = view.knowledge, self._bridge.clock.now()
        points = [literal(f"  {self._marks.dot} ", MUTED) + literal(point) for point in known.key_points]
        rows: list[Row] = [(_("target"), known.target), *field_rows(KNOWLEDGES, known)]
        rows.append((_("confidence"), f"{known.confidence:.2f}"))
        text = [literal(known.content), *points, Content("")]
        lines = [candidate_content(waits, _("knowledge"), known.topic, rows, text, now, self._marks)]
        lines += [Content(""), literal(_("episodes"), "bold")]
        lines += [
            literal(f"  {plain_ref(EPISODES.ref(each)):<4} ", MUTED) + literal(each.trigger_summary) for each in sources
        ]
        return Content("\n").join(lines)


class GuideKind(WorkKind[GuideRow, Guide]):
    """The kind of record that says what calls of a tool taught."""

    type = GUIDES
    listing = Listing(
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
    )

    @property
    def service(self) -> GuideActions:
        return self._bridge.orca.guides

    async def views_of(self, records: Sequence[Guide]) -> Sequence[GuideRow]:
        views = await self._bridge.orca.tools.views(records)
        return [
            GuideRow(guide, view.status or Status.ACTIVE, view.figures)
            for guide, view in zip(records, views, strict=True)
        ]

    def row(self, view: GuideRow) -> Line:
        rate = view.figures.success_rate
        text = f"{view.guide.target}: {one_line(view.guide.text, SHOWN_CHARS)}"
        return Line(text, share(rate) if view.figures.calls else self._marks.dot, rate)

    def nothing(self, to_review: int) -> str:
        if to_review:
            return counted(
                "No guide yet, but {count} waits for you: f5", "No guide yet, but {count} wait for you: f5", to_review
            )
        return _("No guide yet. What calls of a tool teach comes to stand here, once there are enough of them.")

    def line(self, record: Guide) -> str:
        return f"{record.target}: {record.text}"

    def left(self, deletion: WorkDeletion) -> str:
        return " · ".join(left_lines(deletion))

    def glance(self, view: GuideRow) -> Content:
        return guide_glance(view, self._bridge.clock.now(), self._marks)

    async def detail(self, record: Guide, history: Sequence[Change]) -> Detail:
        [view] = await self.views_of([record])
        more = [MoreToRead(SOURCES_KEY, _("its calls"), lambda: self.rests_on(record))]
        return guide_body(view, history, self._bridge.clock.now(), self._marks), more

    def rests_on(self, record: Guide) -> None:
        """The latest calls of the tool of a guide, newest first."""

        def shown(calls: list[ToolCall]) -> None:
            lines = [literal(call_line(each)) for each in calls]
            body = Content("\n").join(lines) if lines else literal(_("The calls that it was written of are gone."))
            self._stage.push(TextView(_("{tool}: the latest calls").format(tool=record.target), body))

        self._ask(lambda: self._bridge.orca.tools.calls(record.target, CALLS_SHOWN), shown)

    def as_candidate(self, waits: InboxItem, view: GuideRow, sources: Sequence[Episode]) -> Content:  # noqa: ARG002  # it has none
        rows: list[Row] = [(_("calls"), listed(figures_lines(view.figures)))]
        text, now = [literal(waits.record.text), Content("")], self._bridge.clock.now()
        return candidate_content(waits, _("guide"), view.figures.tool, rows, text, now, self._marks)


def _entry(about: Editable, value: Any) -> Field:
    label = _(about.label)
    if about.is_list and about.is_area:
        return Field(about.name, _("{field}, a line each").format(field=label), "\n".join(value), is_area=True)
    return Field(about.name, label, ", ".join(value) if about.is_list else str(value), about.is_area)


async def task_of(work: Work, episode: Episode) -> TaskView | None:
    """The task that an episode was made of, where it is still there."""
    tasks = [] if episode.task is None else await left_of(work.tasks.get, [episode.task])
    return tasks[0] if tasks else None
