"""Points in time as Orca writes them."""

from __future__ import annotations

from datetime import datetime
from gettext import gettext as _

DAYS_COUNTED = 8
"""What is longer ago is said by its date."""


def clock_time(moment: datetime) -> str:
    """The time of day where the user is."""
    return moment.astimezone().strftime("%H:%M")


def day_words(moment: datetime, now: datetime) -> str:
    """Which day that was, as one says it today where the user is."""
    day = moment.astimezone().date()
    days = (now.astimezone().date() - day).days
    if days < 1:
        return _("earlier today")
    if days == 1:
        return _("yesterday")
    return _("{count} days ago").format(count=days) if days < DAYS_COUNTED else f"{day:%Y-%m-%d}"


def ago(moment: datetime, now: datetime) -> str:
    """How long ago, in one word or two."""
    seconds = max(0, int((now - moment).total_seconds()))
    for size, phrase in ((86_400, _("{count} d ago")), (3600, _("{count} h ago")), (60, _("{count} min ago"))):
        if seconds >= size:
            return phrase.format(count=seconds // size)
    return _("just now")


def local_time(moment: datetime) -> str:
    """A point in time where the user is, to the minute."""
    return f"{moment.astimezone():%Y-%m-%d %H:%M}"
