"""What backups are called, and which of them are kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from orca_core.model.backups import MadeFor

SUFFIX = ".db"
_TIME = "%Y-%m-%d-%H%M%SZ"
_MARKS = {MadeFor.HAND: "", MadeFor.RESTORE: "-before-restore"}
_NAME = re.compile(r"(\d{4}-\d{2}-\d{2}-\d{6}Z)(-before-restore)?(?:-(\d{1,4}))?\.db")
_UPGRADE = re.compile(r"schema-\d{1,4}\.db")


def backup_name(stem: str, at: datetime, made_for: MadeFor = MadeFor.HAND, number: int = 1) -> str:
    """The file name of a backup of the database `stem`; a `number` where one second sees several."""
    again = f"-{number}" if number > 1 else ""
    return f"{stem}-{at.astimezone(UTC).strftime(_TIME)}{_MARKS[made_for]}{again}{SUFFIX}"


def read_name(stem: str, name: str) -> tuple[datetime | None, MadeFor] | None:
    """When a backup of the database `stem` was made, as far as its name says, and what for; None for another file."""
    if not name.startswith(f"{stem}-"):
        return None
    rest = name.removeprefix(f"{stem}-")
    if _UPGRADE.fullmatch(rest):
        return None, MadeFor.UPGRADE
    if (found := _NAME.fullmatch(rest)) is None:
        return None
    try:
        at = datetime.strptime(found[1], _TIME).replace(tzinfo=UTC)
    except ValueError:  # digits that are no day
        return None
    return at, MadeFor.RESTORE if found[2] else MadeFor.HAND


def outlived(stem: str, names: Sequence[str], keep: int, newest: str) -> list[str]:
    """The names of those that go when `keep` are to stay; 0 keeps all. The one just made is the newest, whatever the
    clock says; what an upgrade made is never among them."""
    if keep == 0:
        return []
    made = [(found[0], _number(name), name) for name in names if name != newest and (found := read_name(stem, name))]
    dated = sorted((at, number, name) for at, number, name in made if at is not None)
    return [name for _at, _number, name in dated[: max(0, len(dated) - (keep - 1))]]


def _number(name: str) -> int:
    found = re.search(r"-(\d{1,4})\.db$", name)
    return int(found[1]) if found else 1
