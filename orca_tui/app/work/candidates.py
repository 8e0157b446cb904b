"""Episodes, knowledge and guides that wait for a person: what they say, why they are held back, what they rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from gettext import gettext as _
from typing import TYPE_CHECKING, Any

from textual.content import Content

from orca_core.model.episodes import EPISODES, Episode
from orca_core.model.knowledge import Knowledge
from orca_core.model.memories import Waits
from orca_core.model.records import plain_ref
from orca_core.model.tools import GuideView
from orca_core.model.views import EpisodeView
from orca_tui.app.bridge import Bridge
from orca_tui.app.records.candidates import Decision, ToDecide
from orca_tui.app.widgets.literal import literal
from orca_tui.app.work.details import MUTED, Row, source_words, steps_lines, table, with_words
from orca_tui.app.work.edit_work import EditFields, Entry
from orca_tui.app.work.episodes import edited, entries_of
from orca_tui.app.work.knowledge import edited as knowledge_edited
from orca_tui.app.work.knowledge import entries_of as entries_of_knowledge
from orca_tui.language import listed
from orca_tui.marks import Marks
from orca_tui.times import ago
from orca_tui.words.memory_words import reason_phrase
from orca_tui.words.task_words import OUTCOME_WORDS
from orca_tui.words.tool_words import figures_lines

if TYPE_CHECKING:
    from orca_core.services.records import RecordActions

WARNING = "$text-warning"


class EpisodeCandidates:
    """The kind of candidate that says what was done."""

    def __init__(self, bridge: Bridge, marks: Marks) -> None:
        self._bridge = bridge
        self._marks = marks

    async def look(self, waits: Waits) -> ToDecide:
        episodes, episode = self._bridge.engine.work.episodes, waits.record
        [view] = await episodes.views([episode])

        async def accept_edited(changed: Mapping[str, str]) -> object:
            await episodes.edit(episode.id, **edited(changed))
            return await episodes.accept([episode.id])

        return ToDecide(
            self._content(waits, episode, view),
            _decisions(episodes, waits),
            form=lambda: EditFields(str(plain_ref(waits.ref)), entries_of(episode)),
            edited=accept_edited,
            otherwise=_("an episode is accepted, edited or rejected"),
        )

    def _content(self, waits: Waits, episode: Episode, view: EpisodeView) -> Content:
        outcome = with_words(_(OUTCOME_WORDS[episode.outcome]), episode.outcome_summary)
        rows: list[Row] = [
            *_held(waits),
            (_("outcome"), outcome),
            (_("quote"), f"“{episode.origin.quote}”" if episode.origin.quote else ""),
            (_("target"), episode.target),
            (_("tags"), listed(episode.tags)),
            *_origin(waits, self._bridge, self._marks),
        ]
        head = _head(waits, _("episode"), episode.trigger_summary)
        return Content("\n").join([*head, *table(rows), *steps_lines(view, None, self._marks)])


class KnowledgeCandidates:
    """The kind of candidate that says what several episodes taught."""

    def __init__(self, bridge: Bridge, marks: Marks) -> None:
        self._bridge = bridge
        self._marks = marks

    async def look(self, waits: Waits) -> ToDecide:
        known, work = waits.record, self._bridge.engine.work
        sources = await work.knowledge.sources(known)

        async def accept_edited(changed: Mapping[str, str]) -> object:
            await work.knowledge.edit(known.id, **knowledge_edited(changed))
            return await work.knowledge.accept([known.id])

        return ToDecide(
            self._content(waits, known, sources),
            _decisions(work.knowledge, waits),
            form=lambda: EditFields(str(plain_ref(waits.ref)), entries_of_knowledge(known)),
            edited=accept_edited,
            otherwise=_("knowledge is accepted, edited or rejected"),
        )

    def _content(self, waits: Waits, known: Knowledge, sources: Sequence[Episode]) -> Content:
        rows: list[Row] = [
            *_held(waits),
            (_("target"), known.target),
            (_("confidence"), f"{known.confidence:.2f}"),
            *_origin(waits, self._bridge, self._marks),
        ]
        points = [literal(f"  {self._marks.dot} ", MUTED) + literal(point) for point in known.key_points]
        lines = [*_head(waits, _("knowledge"), known.topic), literal(known.content), *points, Content("")]
        lines += [*table(rows), Content(""), literal(_("episodes"), "bold")]
        lines += [
            literal(f"  {plain_ref(EPISODES.ref(each)):<4} ", MUTED) + literal(each.trigger_summary) for each in sources
        ]
        return Content("\n").join(lines)


class GuideCandidates:
    """The kind of candidate that says how a tool is used."""

    def __init__(self, bridge: Bridge, marks: Marks) -> None:
        self._bridge = bridge
        self._marks = marks

    async def look(self, waits: Waits) -> ToDecide:
        engine, guide = self._bridge.engine, waits.record
        [view] = await engine.tools.views([guide])

        async def accept_edited(changed: Mapping[str, str]) -> object:
            await engine.guides.edit(guide.id, changed.get("text", guide.text))
            return await engine.guides.accept([guide.id])

        return ToDecide(
            self._content(waits, view),
            _decisions(engine.guides, waits),
            form=lambda: EditFields(str(plain_ref(waits.ref)), [Entry("text", _("text"), guide.text, is_area=True)]),
            edited=accept_edited,
            otherwise=_("a guide is accepted, edited or rejected"),
        )

    def _content(self, waits: Waits, view: GuideView) -> Content:
        rows: list[Row] = [
            *_held(waits),
            (_("calls"), listed(figures_lines(view.figures))),
            *_origin(waits, self._bridge, self._marks),
        ]
        head = _head(waits, _("guide"), view.figures.tool)
        return Content("\n").join([*head, literal(waits.record.text), Content(""), *table(rows)])


def _decisions(hand: RecordActions[Any], waits: Waits) -> dict[str, Decision]:
    number = waits.ref.id
    return {
        "accept": lambda: hand.accept([number], {number: waits.record.text}),
        "reject": lambda: hand.reject([number]),
    }


def _head(waits: Waits, kind: str, text: str) -> list[Content]:
    return [literal(text, "bold"), literal(f"{plain_ref(waits.ref)}  {kind}", MUTED), Content("")]


def _held(waits: Waits) -> list[Row]:
    """Why it is held back at present, and why it was when it was found, if that is something else."""
    then, now = reason_phrase(waits.held_because or ""), waits.held_now
    if now != waits.held_because:
        words = _("not any more, by today's rules") if now is None else reason_phrase(now)
        then = _("{now} (when it was found: {then})").format(now=words, then=then) if then else words
    return [(_("held back"), literal(then, WARNING))]


def _origin(waits: Waits, bridge: Bridge, marks: Marks) -> list[Row]:
    since = ago(waits.since, bridge.clock.now())
    return [(_("from"), source_words("", waits.origin, marks)), (_("created"), since)]
