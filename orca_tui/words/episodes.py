"""Episodes and knowledge, in words. Pure."""

from __future__ import annotations

from gettext import gettext as _

from orca_core.model.memories import OriginKind
from orca_core.model.refs import plain_ref
from orca_core.model.work.episodes import EPISODES, Episode
from orca_core.model.work.tasks import Outcome
from orca_core.model.work.views import EpisodeView
from orca_core.serialize.values import timestamp_json
from orca_tui.language import N_, counted
from orca_tui.marks import Marks
from orca_tui.words.memories import reason_phrase, status_word
from orca_tui.words.waiting import fade_phrase, importance_figure

OUTCOME_WORDS = {
    Outcome.SUCCESS: N_("success"),
    Outcome.PARTIAL: N_("partial"),
    Outcome.FAILED: N_("failed"),
    Outcome.UNKNOWN: N_("unknown"),
}
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
        (_("quote"), origin.quote or ""),
        (_("tags"), ", ".join(episode.tags)),
        (_("importance"), f"{importance_figure(view)}  {coming_words(view)}".rstrip()),
        (_("used"), uses_words(episode.access_count)),
        (_("created"), timestamp_json(episode.created_at)),
        (_("from"), " ".join(part for part in came_from if part)),
        (_("knowledge"), f"k{episode.consolidated_into}" if episode.consolidated_into else ""),
    ]
    return "\n".join([episode_line(episode), *(f"    {name}: {value}" for name, value in fields if value)])
