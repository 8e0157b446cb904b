"""What acts show, in words, a line each. Pure."""

from __future__ import annotations

from gettext import gettext as _

from orca_core.domain.events import ActsRead, Contrasted, Promoted
from orca_core.domain.growth.supports import Contrast
from orca_tui.language import N_, counted, said

ERRORS = (N_("the memory agent is switched off"),)
"""Errors that are Orca's own sentences."""


def promoted_line(event: Promoted) -> str:
    """What went live by what acts show."""
    if event.error:
        return _("what your acts show could not be weighed: {error}").format(error=said(event.error))
    return _("#{id} went live by what you did: {content}").format(id=event.id, content=event.content)


def contrasted_line(event: Contrasted) -> str:
    """What became of reading a candidate against the latest acts; empty where it went live, which is said by itself."""
    if event.error:
        return _("#{id} could not be read against your latest acts: {error}").format(
            id=event.memory, error=said(event.error)
        )
    if event.contrast is None or event.contrast.lives:
        return ""
    return _("#{id} waits for you, by your latest acts: {counts}").format(
        id=event.memory, counts=contrast_words(event.contrast)
    )


def contrast_words(contrast: Contrast) -> str:
    """How many acts speak for a candidate, and how many against it."""
    return _("{speak_for} for, {against} against").format(speak_for=contrast.speak_for, against=contrast.against)


def read_line(event: ActsRead | Contrasted) -> str:
    """What a reading came to; empty while it goes on, and where it came to nothing."""
    if event.state not in ("done", "failed", "unreadable"):
        return ""
    return acts_line(event) if isinstance(event, ActsRead) else contrasted_line(event)


def acts_line(event: ActsRead) -> str:
    """What became of reading what acts show."""
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
