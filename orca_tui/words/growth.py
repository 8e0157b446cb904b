"""What acts show, in words, a line each. Pure."""

from __future__ import annotations

from gettext import gettext as _

from orca_core.domain.events import ActsRead, Promoted
from orca_tui.language import N_, counted, said

ERRORS = (N_("the memory agent is switched off"),)
"""Errors that are Orca's own sentences."""


def promoted_line(event: Promoted) -> str:
    """What went live by what acts show."""
    if event.error:
        return _("what your acts show could not be weighed: {error}").format(error=said(event.error))
    return _("#{id} went live by what you did: {content}").format(id=event.id, content=event.content)


def acts_line(event: ActsRead) -> str:
    """What became of reading what acts show; empty while it goes on, where it came to nothing, and where a candidate
    went live, which is said by itself."""
    if event.state not in ("done", "failed", "unreadable"):
        return ""
    if event.candidate is not None:
        return _candidate_line(event)
    if event.error:
        return _("what your acts show could not be read: {error}").format(error=said(event.error))
    supported = len(event.supported)
    parts = [
        counted("your acts support {count} memory", "your acts support {count} memories", supported)
        if supported
        else "",
        counted("{count} new", "{count} new", len(event.made)) if event.made else "",
        counted("{count} dropped", "{count} dropped", event.dropped) if event.dropped else "",
    ]
    return ", ".join(filter(None, parts))


def _candidate_line(event: ActsRead) -> str:
    if event.error:
        return _("#{id} could not be read against your latest acts: {error}").format(
            id=event.candidate, error=said(event.error)
        )
    if event.verification is None or not event.verification.refused:
        return ""
    return _("#{id} waits for you: your latest acts do not show it").format(id=event.candidate)
