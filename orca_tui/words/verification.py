"""How what a run found was verified, in words."""

from __future__ import annotations

from gettext import gettext as _

from orca_core.model.verifying import Verification, VerifierFailure
from orca_tui.language import N_

FAILURE_WORDS = {
    VerifierFailure.FAILED: N_("it could not be done: {error}"),
    VerifierFailure.UNREADABLE: N_("the answer could not be read"),
    VerifierFailure.NO_TOKENS: N_("today's tokens are used up"),
}


def verification_line(went: Verification) -> str:
    """How it went, whole; where it did not, that what was asked about waits."""
    if went.failure is not None:
        why = _(FAILURE_WORDS[went.failure]).format(error=went.error)
        return _("verifier: {why}; what it was to say waits").format(why=why)
    line = _("verifier: asked about {asked}, refused {refused}")
    if went.unanswered:
        line = _("verifier: asked about {asked}, refused {refused}, no answer about {unanswered}: these wait")
    return line.format(asked=went.asked, refused=went.refused, unanswered=went.unanswered)


def verification_note(went: Verification | None) -> str:
    """That something was not verified, for a list; empty where nothing of it is to be said."""
    if went is None or (went.failure is None and not went.unanswered):
        return ""
    return _("not verified") if went.failure else _("not all verified")
