"""Candidates of episodes, knowledge and guides, and what forgetting does, in words. Pure."""

from __future__ import annotations

from gettext import gettext as _

from orca_core.model.memories import Memory
from orca_core.model.refs import EPISODE, GUIDE, KNOWLEDGE, Kind, Ref, memory_ref, plain_ref
from orca_core.model.work.episodes import EPISODES, Episode
from orca_core.model.work.knowledge import KNOWLEDGES, Knowledge
from orca_core.model.work.tools import GUIDES, Guide
from orca_core.model.work.views import EpisodeView, FadeForecast, FadeReport, FadesBy, Keeps
from orca_core.model.work.waiting import Waits
from orca_core.serialize.values import timestamp_json
from orca_tui.language import N_, counted
from orca_tui.marks import Marks
from orca_tui.words.memories import memory_line, reason_phrase
from orca_tui.words.tools import guide_line

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


def waits_text(waits: Waits, marks: Marks) -> str:
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


def fade_lines(report: FadeReport, *, is_dry: bool) -> list[str]:
    """What was forgotten, or would be, a line each, and why."""
    word = _("would be forgotten") if is_dry else _("forgotten")
    lines = [
        f"{word}  {candidate_line(view.episode)}  ({_why(view, is_above_cap=view.episode.id in report.above_cap)})"
        for view in report.forgotten
    ]
    deleted = _("would be deleted for good") if is_dry else _("deleted for good")
    return lines + [f"{deleted}  {EPISODE.letter}{each}" for each in report.deleted]


def fade_notes(report: FadeReport, *, is_dry: bool) -> list[str]:
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


def kinds_lines(by_kind: dict[str, dict[str, int]]) -> list[str]:
    """How many records of work there are of each status."""
    return [
        f"{counted_kind(kind)}: " + ", ".join(f"{status} {count}" for status, count in counts.items() if count)
        for kind, counts in by_kind.items()
        if any(counts.values())
    ]


def counted_kind(kind: str) -> str:
    return counted("episode", "episodes", 2) if kind == EPISODE.name else kind
