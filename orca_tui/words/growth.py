"""What acts show, in words, a line each. Pure."""

from __future__ import annotations

from gettext import gettext as _

from orca_core.domain.events import Promoted
from orca_tui.language import said


def promoted_line(event: Promoted) -> str:
    """What went live by what acts show."""
    if event.error:
        return _("what your acts show could not be weighed: {error}").format(error=said(event.error))
    return _("#{id} went live by what you did: {content}").format(id=event.id, content=event.content)
