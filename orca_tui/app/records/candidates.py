"""Candidates of every kind as the inbox shows them: what they say, why they are held back, what speaks for them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from gettext import gettext as _
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct
from textual.content import Content
from textual.screen import ModalScreen

from orca_core.model.episodes import EPISODES, Episode
from orca_core.model.feedback import Action, Support, Weighed
from orca_core.model.knowledge import Knowledge
from orca_core.model.memories import Memory, Waits
from orca_core.model.records import plain_ref
from orca_core.model.tools import GuideView
from orca_core.model.views import Case, EpisodeView
from orca_tui.app.bridge import Bridge
from orca_tui.app.records.details import MUTED, Row, source_words, steps_lines, table, with_words
from orca_tui.app.records.memory_dialogs import EditMemory, MemoryForm
from orca_tui.app.widgets.dialogs import EditFields, Entry
from orca_tui.app.widgets.text import joined, literal
from orca_tui.app.work.work_kinds import edited_episode, edited_knowledge, episode_entries, knowledge_entries
from orca_tui.language import listed
from orca_tui.marks import Marks
from orca_tui.times import ago
from orca_tui.words.act_words import near_words, promotion_words, support_words
from orca_tui.words.inbox_words import held_words, nearest_words, quote_in_context, since_words
from orca_tui.words.learning_words import span_of
from orca_tui.words.memory_words import elsewhere_words, memory_line, reason_phrase
from orca_tui.words.task_words import OUTCOME_WORDS
from orca_tui.words.tool_words import figures_lines

if TYPE_CHECKING:
    from orca_core.services.feedback import Feedback
    from orca_core.services.records import RecordActions

Decision = Callable[[], Awaitable[object]]


class Place(Struct, frozen=True):
    """A round that a candidate rests on, and in words why."""

    session_id: str
    round: int
    words: str


class ToDecide(Struct, frozen=True):
    """A candidate as it is shown, and what each decision about exactly that does, by the words of the keys; `otherwise`
    is said of those that can't be taken. `form` is where it is said in other words (None where it can't be), `edited`
    accepts it in them. `places` can be opened."""

    content: Content
    decisions: Mapping[str, Decision]
    otherwise: str
    form: Callable[[], ModalScreen[Any]] | None = None
    edited: Callable[[Any], Awaitable[object]] | None = None
    places: Sequence[Place] = ()


class CandidateKind(Protocol):
    async def look(self, waits: Waits) -> ToDecide:
        """All that a decision needs."""
        ...


_PIECE = re.compile(r"[A-Za-z0-9_]+|\s+|.", re.DOTALL)


class MemoryCandidates:
    """The kind of candidate that says something of the user."""

    def __init__(self, bridge: Bridge, marks: Marks) -> None:
        self._bridge = bridge
        self._marks = marks

    async def look(self, waits: Waits) -> ToDecide:
        inbox = self._bridge.engine.inbox
        case = await inbox.case(waits.ref.id)
        shown = await shown_of(self._bridge.engine.feedback, case.memory)
        candidate, nearest = case.memory, case.nearest
        decisions: dict[str, Decision] = {
            "accept": lambda: inbox.accept([candidate.id], {candidate.id: candidate.content}),
            "reject": lambda: inbox.reject([candidate.id]),
            "never": lambda: inbox.never([candidate.id]),
        }
        if nearest is not None:
            decisions["merge"] = lambda: inbox.merge(nearest.id, [candidate.id])
            decisions["replace"] = lambda: inbox.accept_instead(candidate.id, nearest.id, candidate.content)

        def edited(form: MemoryForm) -> Awaitable[object]:
            return inbox.accept_edited(
                candidate.id,
                candidate.content,
                content=form.content,
                type_word=form.type or None,
                tags=form.tags,
            )

        return ToDecide(
            joined([case_content(case, self._marks), *shown_content(shown)], "\n"),
            decisions,
            form=lambda: EditMemory(f"#{candidate.id}", candidate),
            edited=edited,
            otherwise=_("there is no memory near it"),
            places=shown.places,
        )


class ShownByActs(Struct, frozen=True):
    """How near a candidate is to going live by what acts show (None where it is none), and those acts by their
    numbers."""

    weighed: Weighed | None
    acts: Mapping[int, Action]

    @property
    def supports(self) -> tuple[Support, ...]:
        return () if self.weighed is None else self.weighed.supports

    @property
    def places(self) -> tuple[Place, ...]:
        """The rounds that speak for it, each once, the latest first."""
        found: dict[tuple[str, int], str] = {}
        for each in reversed(self.supports):
            act = self.acts.get(each.act or 0)
            session_id = each.session_id or (act.session_id if act else "")
            number = each.round if each.round is not None else (act.round if act else None)
            if session_id and number is not None:
                found.setdefault((session_id, number), support_words(each, act))
        return tuple(Place(session_id, number, words) for (session_id, number), words in found.items())


async def shown_of(feedback: Feedback, memory: Memory) -> ShownByActs:
    """What came out of another program's file waits for a person alone until something speaks for it: it is not weighed
    against all others. Raises StorageError."""
    if memory.elsewhere.program and not await feedback.pools.carried([memory.id]):
        return ShownByActs(None, {})
    weighed = (await feedback.pools.weighed([memory.id])).get(memory.id)
    numbers = [each.act for each in weighed.supports if each.act is not None] if weighed is not None else []
    page = await feedback.actions.get(numbers) if numbers else []
    return ShownByActs(weighed, {each.id: each for each in page})


def shown_content(shown: ShownByActs) -> list[Content]:
    """How near it is to going live, what would bring it there, and what speaks for it. Nothing where only a person can
    decide, and nothing speaks for it."""
    weighed = shown.weighed
    if weighed is None or (weighed.blocked_by and not weighed.supports):
        return []
    lines = [
        Content(""),
        literal(f"{_('shown')}: ", "$foreground-muted") + literal(near_words(weighed)),
        literal(promotion_words(weighed)),
    ]
    if shown.supports:
        lines.append(literal(f"{_('supported by')}:", "$foreground-muted"))
        lines += [literal(f"  {support_words(each, shown.acts.get(each.act or 0))}") for each in shown.supports]
    return lines


def case_content(case: Case, marks: Marks) -> Content:
    """A candidate with all that a decision needs."""
    candidate = case.memory
    lines = [
        literal(candidate.content, "bold"),
        literal(
            f"{candidate.type.value}  {', '.join(candidate.tags)}  {candidate.confidence:.2f}", "$foreground-muted"
        ),
        Content(""),
        literal(f"{_('held back')}: ", "$foreground-muted") + literal(held_words(case), "$text-warning"),
        *(literal(words, "$text-warning") for words in since_words(case)),
    ]
    if candidate.origin.quote:
        lines.append(literal(f"{_('quote')}: ", "$foreground-muted") + literal(quote_in_context(case)))
    if candidate.origin.session_id:
        rounds = span_of(candidate.origin.rounds) if candidate.origin.rounds else ""
        where = f" {marks.dot} ".join(filter(None, (candidate.origin.session_id, rounds)))
        lines.append(literal(f"{_('from')}: {where}", "$foreground-muted"))
    if elsewhere := elsewhere_words(candidate, marks):
        lines.append(literal(f"{_('from')}: {elsewhere}", "$foreground-muted"))
    if case.nearest is not None:
        line = f"{nearest_words(case)}: {memory_line(case.nearest)}"
        lines += [Content(""), literal(line, "$foreground-muted")]
        lines.append(word_diff(case.nearest.content, candidate.content))
    return Content("\n").join(lines)


def word_diff(before: str, after: str) -> Content:
    """The two texts in one: what goes is struck through and bracketed, what comes is marked with a plus."""
    old, new = _PIECE.findall(before), _PIECE.findall(after)
    parts: list[Content] = []
    for tag, first, last, start, end in difflib.SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        gone, come = "".join(old[first:last]), "".join(new[start:end])
        if tag == "equal":
            parts.append(literal(gone))
            continue
        if gone:
            parts.append(literal(f"[-{gone}-]", "$text-error strike"))
        if come:
            parts.append(literal(f"{{+{come}+}}", "$text-success"))
    return Content("").join(parts)


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
            await episodes.edit(episode.id, **edited_episode(changed))
            return await episodes.accept([episode.id])

        return ToDecide(
            self._content(waits, episode, view),
            _decisions(episodes, waits),
            form=lambda: EditFields(str(plain_ref(waits.ref)), episode_entries(episode)),
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
            await work.knowledge.edit(known.id, **edited_knowledge(changed))
            return await work.knowledge.accept([known.id])

        return ToDecide(
            self._content(waits, known, sources),
            _decisions(work.knowledge, waits),
            form=lambda: EditFields(str(plain_ref(waits.ref)), knowledge_entries(known)),
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
