"""Episodes and knowledge, their candidates, and what forgetting does, in words. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _
from typing import Any

from orca_core.model.episodes import EPISODES, Episode, WorkDeletion
from orca_core.model.events import Consolidated
from orca_core.model.knowledge import KNOWLEDGES, Knowledge, TargetCount, TargetRenamed
from orca_core.model.memories import InboxItem, Memory, OriginKind, State
from orca_core.model.record_types import EPISODE, GUIDE, KNOWLEDGE, Kind, RecordType, Ref, memory_ref, plain_ref
from orca_core.model.tasks import Outcome
from orca_core.model.tools import GUIDES, Guide
from orca_core.model.views import EpisodeView, FadeForecast, FadesBy, ForgettingReport, Keeps, KnowledgeView
from orca_core.serialize.values import timestamp_json
from orca_tui.language import N_, counted, listed, said
from orca_tui.marks import Marks
from orca_tui.words.memory_words import memory_line, reason_phrase, status_word
from orca_tui.words.task_words import OUTCOME_WORDS
from orca_tui.words.tool_words import guide_line

KIND_WORDS: dict[Kind, str] = {EPISODE: N_("episode"), KNOWLEDGE: N_("knowledge"), GUIDE: N_("guide")}
KEEPS_WORDS = {
    Keeps.PINNED: N_("never forgotten by age: it is pinned"),
    Keeps.OFF: N_("never forgotten: memory.forget.enabled is false"),
    Keeps.IMPORTANT: N_("never forgotten by age: its importance does not fall below {least:.2f}"),
}


def candidate_ref(record: Memory | Episode | Knowledge | Guide) -> Ref:
    """What a record of any kind is called."""
    match record:
        case Memory():
            return memory_ref(record.id)
        case Episode():
            return EPISODES.ref(record)
        case Knowledge():
            return KNOWLEDGES.ref(record)
        case Guide():
            return GUIDES.ref(record)


def candidate_line(record: Memory | Episode | Knowledge | Guide) -> str:
    """A record of any kind as lists name it."""
    match record:
        case Memory():
            return memory_line(record)
        case Episode():
            return f"{plain_ref(candidate_ref(record))}  {record.trigger_summary}"
        case Knowledge():
            return f"{plain_ref(candidate_ref(record))}  {record.topic}"
        case Guide():
            return guide_line(record)


def waits_text(waits: InboxItem, marks: Marks) -> str:
    """A candidate with its reason and its quote."""
    held = reason_phrase(waits.held_because or "")
    if waits.held_because and waits.held_now is None:
        held = _("{now} (when it was found: {then})").format(now=_("not any more, by today's rules"), then=held)
    rounds = ", ".join(map(str, waits.origin.rounds))
    session = f"{waits.origin.session_id} {marks.dot} {_('rounds')} {rounds}" if rounds else waits.origin.session_id
    fields = [
        (_("held back"), held),
        (_("quote"), f"“{waits.origin.quote}”" if waits.origin.quote else ""),
        (_("from"), session),
    ]
    head = f"{plain_ref(waits.ref)}  {waits.text}  ({_(KIND_WORDS[waits.ref.kind])})"
    return "\n".join([head, *(f"    {name}: {value}" for name, value in fields if value)])


def fade_lines(report: ForgettingReport, *, is_dry: bool) -> list[str]:
    """What was forgotten, or would be, a line each, and why."""
    word = _("would be forgotten") if is_dry else _("forgotten")
    lines = [
        f"{word}  {candidate_line(view.episode)}  ({_why(view, is_above_cap=view.episode.id in report.above_cap)})"
        for view in report.forgotten
    ]
    deleted = _("would be deleted for good") if is_dry else _("deleted for good")
    return lines + [f"{deleted}  {EPISODE.letter}{each}" for each in report.deleted]


def fade_notes(report: ForgettingReport, *, is_dry: bool) -> list[str]:
    """How many, how it is taken back, and what goes next."""
    notes = []
    if not report.forgotten and not report.deleted:
        notes.append(_("nothing is to be forgotten"))
    elif is_dry:
        notes.append(_("nothing was changed: without --dry-run they are forgotten now"))
    elif report.operation is not None:
        notes.append(_("orca memory undo {operation} takes it back").format(operation=report.operation))
    if report.next is not None and report.next.forecast is not None:
        words = f"{candidate_line(report.next.episode)}: {fade_phrase(report.next.forecast)}"
        notes.append(_("next: {episode}").format(episode=words))
    return notes


def importance_figure(view: EpisodeView) -> str:
    """How important it is: two digits, and more where two would say the wrong thing of the threshold."""
    is_below = view.importance < view.threshold
    telling = (each for each in range(2, 6) if (round(view.importance, each) < view.threshold) == is_below)
    return f"{view.importance:.{next(telling, 6)}f}"


def fade_phrase(forecast: FadeForecast) -> str:
    """When an episode is forgotten, or why it is not."""
    if forecast.by is FadesBy.DATE:
        return _("forgotten on {day} unless used").format(day=(timestamp_json(forecast.at) or "")[:10])
    if forecast.by is FadesBy.CAP:
        return _("number {place} to go when there are too many").format(place=forecast.place)
    assert forecast.keeps is not None
    return _(KEEPS_WORDS[forecast.keeps]).format(least=forecast.least)


def _why(view: EpisodeView, *, is_above_cap: bool) -> str:
    if is_above_cap:
        return _("there are too many, importance {figure}").format(figure=importance_figure(view))
    return _("importance {figure}").format(figure=importance_figure(view))


MADE_BY = {
    OriginKind.USER: N_("from a task"),
    OriginKind.EXTRACTION: N_("from a chat"),
    OriginKind.IMPORT: N_("import"),
}


def coming_words(view: EpisodeView) -> str:
    """What becomes of an episode, whether it lives or faded."""
    if view.deleted_at is not None:
        return _("deleted for good on {day}; until then it can be brought back").format(
            day=f"{view.deleted_at.astimezone():%Y-%m-%d}"
        )
    return fade_phrase(view.forecast) if view.forecast is not None else ""


def uses_words(count: int) -> str:
    """How often it was put before a model, or found."""
    return counted("used {count} time", "used {count} times", count) if count else _("not used yet")


def outcome_mark(outcome: Outcome, marks: Marks) -> str:
    """A sign for how it ended."""
    return {
        Outcome.SUCCESS: marks.marked,
        Outcome.PARTIAL: "~",
        Outcome.FAILED: marks.rejected,
        Outcome.UNKNOWN: marks.dot,
    }[outcome]


def made_by(episode: Episode) -> str:
    """What it was made of."""
    return _(MADE_BY[episode.origin.kind])


def episode_id(episode: Episode) -> str:
    """Its number as lists show it."""
    return str(plain_ref(EPISODES.ref(episode)))


def outcome_word(outcome: Outcome) -> str:
    """How it ended."""
    return _(OUTCOME_WORDS[outcome])


def episode_line(episode: Episode) -> str:
    """One line of it."""
    return f"{episode_id(episode)}  {episode.trigger_summary}"


def field_rows(of: RecordType[Any], record: Any) -> list[tuple[str, str]]:
    """The fields that a person writes and that are drawn in no way of their own: label and text."""
    return [(_(field.label), listed(value) if field.is_list else str(value)) for field, value in of.rows(record)]


def episode_text(view: EpisodeView) -> str:
    """All of one episode."""
    episode = view.episode
    held = f" ({reason_phrase(episode.held_because)})" if episode.held_because else ""
    origin = episode.origin
    came_from = (made_by(episode), origin.session_id, ", ".join(map(str, origin.rounds)), origin.model)
    ended = f"{outcome_word(episode.outcome)}  {episode.outcome_summary}".rstrip()
    fields = [
        (_("status"), status_word(view.status) + (f", {_('pinned')}" if episode.pinned else "") + held),
        (_("target"), episode.target or _("none")),
        *((_("step"), step) for step in episode.steps),
        (_("outcome"), ended),
        *field_rows(EPISODES, episode),
        (_("quote"), origin.quote or ""),
        (_("tags"), ", ".join(episode.tags)),
        (_("importance"), f"{importance_figure(view)}  {coming_words(view)}".rstrip()),
        (_("used"), uses_words(episode.access_count)),
        (_("created"), timestamp_json(episode.created_at)),
        (_("from"), " ".join(part for part in came_from if part)),
        (_("knowledge"), f"k{episode.consolidated_into}" if episode.consolidated_into else ""),
    ]
    return "\n".join([episode_line(episode), *(f"    {name}: {value}" for name, value in fields if value)])


STATE_WORDS = {
    "queued": N_("another Orca makes knowledge of it"),
    "none": N_("no knowledge was made"),
    "unreadable": N_("the answer could not be read"),
    "failed": N_("failed"),
}


def knowledge_line(knowledge: Knowledge) -> str:
    return f"{plain_ref(KNOWLEDGES.ref(knowledge))}  {knowledge.topic}"


def knowledge_text(view: KnowledgeView, sources: Sequence[Episode], marks: Marks) -> str:
    """All of it, with the episodes that it was made of."""
    known = view.knowledge
    status = status_word(view.status) + (f" {marks.dot} {_('pinned')}" if known.pinned else "")
    made = f"{_('version {number}').format(number=known.version)} {marks.dot} {known.confidence:.2f}"
    lines = [
        f"{knowledge_line(known)}  ({status} {marks.dot} {made})",
        "",
        known.content,
        *(f"  - {point}" for point in known.key_points),
        "",
        f"{_('target')}: {known.target}",
        *(f"{name}: {value}" for name, value in field_rows(KNOWLEDGES, known) if value),
    ]
    if known.held_because:
        held = _("held back") if known.state is State.CANDIDATE else _("noted")
        lines.append(f"{held}: {reason_phrase(known.held_because)}")
    lines.append(f"{_('changed')}: {timestamp_json(known.updated_at)}")
    lines += [f"{_('made of')}  {plain_ref(EPISODES.ref(each))}  {each.trigger_summary}" for each in sources]
    return "\n".join(lines)


def consolidated_line(event: Consolidated, marks: Marks) -> str:
    """How a run that makes knowledge goes, in a line."""
    words = _state_words(event, marks)
    error = f": {said(event.error)}" if event.error else ""
    again = f" {marks.dot} " + _("again at {time}").format(time=timestamp_json(event.next_at)) if event.next_at else ""
    return f"{event.target}: {words}{error}{again}" if event.target else f"{words}{error}{again}"


def _state_words(event: Consolidated, marks: Marks) -> str:
    if event.state == "running":
        return counted("reads {count} episode", "reads {count} episodes", len(event.episodes))
    if event.knowledge is None:
        is_nothing = event.state == "none" and not event.error
        return _("the episodes have nothing in common") if is_nothing else _(STATE_WORDS[event.state])
    made = _("knowledge {id}, version {version}").format(id=f"k{event.knowledge}", version=event.version)
    if not event.held_because:
        return made
    lacking = f" ({', '.join(event.lacking)})" if event.lacking else ""
    return f"{made} {marks.dot} {_('it waits for you')}: {reason_phrase(event.held_because)}{lacking}"


def target_line(count: TargetCount, marks: Marks) -> str:
    """A target with what there is on it."""
    words = [counted("{count} episode", "{count} episodes", count.episodes)]
    if count.waiting:
        words.append(_("{count} to be read").format(count=count.waiting))
    words += [f"k{number}" for number in count.knowledge]
    if count.is_kept_by_hand:
        words.append(_("kept as you left it"))
    if count.is_held:
        words.append(_("its run waits"))
    return f"{count.target}  {f' {marks.dot} '.join(words)}"


def left_lines(deletion: WorkDeletion) -> list[str]:
    """What a delete of episodes left of the knowledge that was made of them."""
    held, kept = (" ".join(str(Ref(KNOWLEDGE, each)) for each in some) for some in (deletion.held, deletion.kept))
    lines = []
    if held:
        lines.append(_("{ids}: made of it, held back until it is written anew").format(ids=held))
    if kept:
        lines.append(_("{ids}: made of it, and kept, for you pinned or wrote it").format(ids=kept))
    return lines


def renamed_line(renamed: TargetRenamed, old: str, new: str) -> str:
    """What was renamed."""
    return _("{old} is {new} now: episodes {episodes}, knowledge {knowledge}, tasks {tasks}").format(
        old=old,
        new=new,
        episodes=len(renamed.episodes),
        knowledge=len(renamed.knowledge),
        tasks=len(renamed.tasks),
    )
