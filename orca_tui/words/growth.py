"""What acts show, in words, a line each. Pure."""

from __future__ import annotations

from gettext import gettext as _

from orca_core.domain.events import Promoted
from orca_core.domain.growth.events import ActsRead
from orca_tui.language import counted, said


def promoted_line(event: Promoted) -> str:
    """What went live by what acts show."""
    if event.error:
        return _("what your acts show could not be weighed: {error}").format(error=said(event.error))
    return _("#{id} went live by what you did: {content}").format(id=event.id, content=event.content)


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
