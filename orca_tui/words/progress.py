"""How far something is. Pure."""

from __future__ import annotations

from gettext import gettext as _

from orca_core.model.backups import Progress, Stage
from orca_core.model.progress import Reached
from orca_tui.language import N_, said

_MINUTE_S = 60
_INDEXING = {
    "records": N_("indexed {done} of {all} records"),
    "vectors": N_("indexed {done} of {all} vectors"),
    "embedded": N_("{done} of {all} texts have a vector"),
    "messages": N_("indexed {done} of {all} messages"),
}
_CLEANING = {
    "reading": N_("compared {done} of {all} memories"),
    "changing": N_("changed {done} of {all} memories"),
}


def with_time_left(words: str, left_s: float | None) -> str:
    """What is done, and about how long the rest takes, where that is known."""
    if left_s is None:
        return words.strip()
    left = _("{count} s left") if left_s < _MINUTE_S else _("{count} min left")
    return f"{words}  {left.format(count=round(left_s if left_s < _MINUTE_S else left_s / _MINUTE_S))}".strip()


def copy_words(progress: Progress) -> str:
    """How far a copy of a database is."""
    if progress.stage is Stage.CHECKING:
        return _("checking {size}").format(size=megabytes(progress.total_bytes))
    return _("copying: {done} of {all}").format(
        done=megabytes(progress.done_bytes), all=megabytes(progress.total_bytes)
    )


def reindex_words(reached: Reached) -> str:
    """How far making indexes anew is."""
    return _(_INDEXING[reached.stage]).format(done=reached.done, all=reached.all)


def clean_words(reached: Reached) -> str:
    """How far a cleaning is."""
    return _(_CLEANING[reached.stage]).format(done=reached.done, all=reached.all)


def check_words(reached: Reached) -> str:
    """What the doctor looks at."""
    return _("looking: {check}").format(check=said(reached.stage))


def megabytes(count: int) -> str:
    """A size, as people say it."""
    return f"{count / 1_048_576:.1f} MB"
