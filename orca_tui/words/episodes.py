"""Episodes and knowledge, in words. Pure."""

from __future__ import annotations

from gettext import gettext as _

from orca_core.domain.memories import OriginKind
from orca_core.domain.work.episodes import Episode
from orca_core.domain.work.tasks import Outcome
from orca_core.domain.work.views import EpisodeView
from orca_tui.language import N_, counted
from orca_tui.marks import Marks
from orca_tui.words.waiting import fade_phrase

MADE_BY = {
    OriginKind.USER: N_("from a task"),
    OriginKind.EXTRACTION: N_("from a chat"),
    OriginKind.IMPORT: N_("import"),
}


def coming_words(view: EpisodeView) -> str:
    """What becomes of an episode, whether it lives or faded."""
    if view.deleted_at is not None:
        return _("deleted for good on {day}; a brings it back").format(day=f"{view.deleted_at.astimezone():%Y-%m-%d}")
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
