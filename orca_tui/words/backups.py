"""What is said of backups. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from gettext import gettext as _

from orca_core.model.backups import Backup, MadeFor
from orca_core.model.restoring import Differing, KindChange, RestorePlan
from orca_tui.language import N_, counted, explained, listed
from orca_tui.marks import Marks
from orca_tui.text_rules import one_line
from orca_tui.times import local_time
from orca_tui.words.changes import FIELD_WORDS, TASK_FIELDS
from orca_tui.words.progress import megabytes

SHOWN = 3
"""So many records of a sort are named for a person; JSON names all."""
TITLE_CHARS = 60
_FIELDS = {**FIELD_WORDS, **TASK_FIELDS, "title": N_("title"), "updated_at": N_("last touched")}
KINDS: Mapping[str, Callable[[int], str]] = {
    "sessions": lambda count: counted("{count} chat", "{count} chats", count),
    "rounds": lambda count: counted("{count} round", "{count} rounds", count),
    "memories": lambda count: counted("{count} memory", "{count} memories", count),
    "episodes": lambda count: counted("{count} episode", "{count} episodes", count),
    "knowledge": lambda count: counted("{count} piece of knowledge", "{count} pieces of knowledge", count),
    "guides": lambda count: counted("{count} guide", "{count} guides", count),
    "tasks": lambda count: counted("{count} task", "{count} tasks", count),
    "actions": lambda count: counted("{count} act", "{count} acts", count),
    "tool_calls": lambda count: counted("{count} call of a tool", "{count} calls of tools", count),
}
MADE_FOR = {
    MadeFor.HAND: N_("by hand"),
    MadeFor.RESTORE: N_("before a restore"),
    MadeFor.UPGRADE: N_("before an upgrade"),
}


def counts_words(counts: Mapping[str, int]) -> str:
    """How many of each kind there are; kinds of which there is none are left out."""
    told = listed(KINDS[kind](count) for kind, count in counts.items() if count and kind in KINDS)
    return told or _("nothing")


def backup_row(backup: Backup) -> tuple[str, ...]:
    """A backup as a row of a table."""
    what = explained(backup.failure) if backup.failure else counts_words(backup.counts) if backup.counts else ""
    return (backup.path.name, local_time(backup.at), megabytes(backup.bytes), _(MADE_FOR[backup.made_for]), what)


def plan_lines(plan: RestorePlan, marks: Marks) -> list[str]:
    """What restoring would change, kind by kind, and the first few of each; kinds of which there is none are left
    out."""
    lines = [
        _("{backup}, made {at}").format(backup=plan.backup.path.name, at=local_time(plan.backup.at)),
    ]
    if plan.present is not None:
        lines.append(_("what is here can not be read: {why}").format(why=explained(plan.present)))
    elif not plan.is_anything_here:
        lines.append(_("there is no database here yet"))
    else:
        words = _("newest round: now {now}, in the backup {then}")
        lines.append(words.format(now=_newest(plan.newest_now), then=_newest(plan.newest_then)))
    told = {kind: each for kind, each in plan.kinds.items() if each.now or each.then}
    for kind, each in told.items():
        lines += [_kind_line(kind, each), *_records_lines(each, marks)]
    if plan.stays_deleted:
        count = sum(plan.stays_deleted.values())
        lines.append(
            counted(
                "{count} thing that you deleted since stays deleted",
                "{count} things that you deleted since stay deleted",
                count,
            )
        )
    return lines


def loss_words(plan: RestorePlan) -> str:
    """What is here and not in the backup, and what is not as it is there; empty where there is nothing of that."""
    lost = {kind: each.lost for kind, each in plan.kinds.items() if each.lost}
    changed = {kind: each.changed for kind, each in plan.kinds.items() if each.changed}
    words = [_("not in the backup, and gone with this: {what}").format(what=counts_words(lost))] if lost else []
    if changed:
        words.append(_("changed since, and as before with this: {what}").format(what=counts_words(changed)))
    return "\n".join(words)


def _kind_line(kind: str, change: KindChange) -> str:
    now, then = KINDS[kind](change.now), KINDS[kind](change.then)
    return "  " + _("now {now}, then {then}").format(now=now, then=then)


def _records_lines(change: KindChange, marks: Marks) -> list[str]:
    of_each = (
        (N_("goes"), change.those_lost, change.lost),
        (N_("comes back"), change.those_back, change.back),
        (N_("is as before"), change.those_changed, change.changed),
    )
    lines = []
    for word, records, count in of_each:
        lines += [f"    {_(word)}  {_record_words(each, marks)}" for each in records[:SHOWN]]
        if len(records) > SHOWN:
            lines.append("    " + counted("and {count} more", "and {count} more", count - SHOWN))
    return lines


def _record_words(record: Differing, marks: Marks) -> str:
    title = one_line(record.title, TITLE_CHARS)
    if record.then:
        title += f" {marks.arrow} {one_line(record.then, TITLE_CHARS)}"
    fields = listed(_(_FIELDS.get(each, each)) for each in record.fields)
    return f"#{record.name}  {title}" + (f"  ({fields})" if fields else "")


def _newest(moment: datetime | None) -> str:
    return _("none") if moment is None else local_time(moment)
