"""What a second reader made of a run's facts, in words."""

from __future__ import annotations

from gettext import gettext as _

from orca_core.domain.verifying import Verification, VerifierFailure
from orca_tui.language import N_

FAILURE_WORDS = {
    VerifierFailure.FAILED: N_("it could not be done: {error}"),
    VerifierFailure.UNREADABLE: N_("the answer could not be read"),
    VerifierFailure.NO_TOKENS: N_("today's tokens are used up"),
}


def second_reading_line(second: Verification) -> str:
    """How it went, whole; where it did not, that the rules alone decided."""
    if second.failure is not None:
        why = _(FAILURE_WORDS[second.failure]).format(error=second.error)
        return _("second reading: {why}; the rules alone decided").format(why=why)
    line = _("second reading: asked about {asked}, doubts {doubted}")
    if second.unanswered:
        line = _(
            "second reading: asked about {asked}, doubts {doubted}, no answer about {unanswered}: left to the rules"
        )
    return line.format(asked=second.asked, doubted=second.refused, unanswered=second.unanswered)


def second_reading_note(second: Verification | None) -> str:
    """That the rules alone decided, for a list; empty where nothing of it is to be said."""
    if second is None or (second.failure is None and not second.unanswered):
        return ""
    return _("not read a second time") if second.failure else _("not all read a second time")
