"""Backups, proofs, cleaning, and how far each of them is, in words. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from gettext import gettext as _

from orca_core.model.backups import Backup, CopyProgress, CopyStage, KindChange, MadeFor, RestorePlan
from orca_core.model.memories import CleaningReport, Memory
from orca_core.model.operations import DeletionProof, ProofPlace, SearchedBackup, StageProgress
from orca_core.model.record_types import memory_ref
from orca_tui.language import N_, counted, explained, listed, said
from orca_tui.times import local_time
from orca_tui.words.history_words import ids_words
from orca_tui.words.memory_words import memory_line

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


def copy_words(progress: CopyProgress) -> str:
    """How far a copy of a database is."""
    if progress.stage is CopyStage.CHECKING:
        return _("checking {size}").format(size=megabytes(progress.total_bytes))
    return _("copying: {done} of {all}").format(
        done=megabytes(progress.done_bytes), all=megabytes(progress.total_bytes)
    )


def reindex_words(reached: StageProgress) -> str:
    """How far making indexes anew is."""
    return _(_INDEXING[reached.stage]).format(done=reached.done, all=reached.all)


def clean_words(reached: StageProgress) -> str:
    """How far a cleaning is."""
    return _(_CLEANING[reached.stage]).format(done=reached.done, all=reached.all)


def check_words(reached: StageProgress) -> str:
    """What the doctor looks at."""
    return _("looking: {check}").format(check=said(reached.stage))


def megabytes(count: int) -> str:
    """A size, as people say it."""
    return f"{count / 1_048_576:.1f} MB"


_JOBS = {
    "undoing": N_("an undo that was cut short"),
    "cleaning": N_("cleaning"),
    "comparing": N_("comparing what was imported"),
    "inbox": N_("the inbox: what waited too long"),
    "forgetting": N_("forgetting episodes"),
    "wiping": N_("wiping what was deleted"),
    "embedding": N_("vectors"),
    "indexing": N_("indexing messages"),
    "counting": N_("counting words"),
}


def upkeep_words(job: str) -> str:
    """What a job of upkeep does."""
    return _(_JOBS[job])


def cleaned_lines(cleaned: CleaningReport, memories: Mapping[int, Memory], *, is_dry: bool) -> list[str]:
    """The memories that were archived or merged, or would be, a line each."""
    word = _("would be archived") if is_dry else _("archived")
    lines = [f"{word}  {memory_line(memories[each])}" for each in cleaned.archived if each in memories]
    for group in cleaned.merged:
        ids, kept = ids_words([memory_ref(each) for each in group.others]), group.kept
        words = _("would merge {ids} into #{kept}") if is_dry else _("merged {ids} into #{kept}")
        text = memories[kept].content if kept in memories else ""
        lines.append(f"{words.format(ids=ids, kept=kept)}  {text}".rstrip())
    return lines


def cleaned_notes(cleaned: CleaningReport, *, is_dry: bool) -> list[str]:
    """What was dropped, and how the rest is taken back."""
    if cleaned.is_empty:
        return [_("nothing is to be cleaned")]
    dropped = [
        counted("{count} expired short-term memory", "{count} expired short-term memories", cleaned.summaries)
        if cleaned.summaries
        else "",
        counted("{count} vector of what is gone", "{count} vectors of what is gone", cleaned.vectors)
        if cleaned.vectors
        else "",
    ]
    word = _("would be dropped: {what}") if is_dry else _("dropped: {what}")
    notes = [word.format(what=what)] if (what := listed(filter(None, dropped))) else []
    if is_dry:
        notes.append(_("nothing was changed: without --dry-run it is done now"))
    elif cleaned.operation is not None:
        notes.append(_("orca memory undo {operation} takes it back").format(operation=cleaned.operation))
    return notes


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


def plan_lines(plan: RestorePlan) -> list[str]:
    """What restoring would change, kind by kind; kinds of which there is none are left out."""
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
    lines += [_kind_line(kind, each) for kind, each in plan.kinds.items() if each.now or each.then]
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


def _newest(moment: datetime | None) -> str:
    return _("none") if moment is None else local_time(moment)


PLACES: Mapping[str, str] = {
    "record": N_("the record itself"),
    "history": N_("its history"),
    "uses": N_("the log of its uses"),
    "receipts": N_("texts in receipts"),
    "exchanges": N_("what the memory agent was asked and said"),
    "named": N_("what names it"),
    "words": N_("the index of words"),
    "vectors": N_("vectors"),
    "vector_index": N_("the index of vectors"),
    "supports": N_("what speaks for it"),
    "cached_vectors": N_("cached vectors of its texts"),
    "queue": N_("rounds that wait to be learnt from"),
    "messages": N_("the messages that it came from"),
    "summaries": N_("summaries of their rounds"),
    "acts": N_("acts on their rounds"),
}
TABLES: Mapping[str, str] = {
    "main_messages": N_("messages"),
    "short_term_memories": N_("summaries of rounds"),
    "sessions": N_("chats: title, running summary"),
    "long_term_memories": N_("memories"),
    "memory_history": N_("history of records"),
    "receipt_texts": N_("texts in receipts"),
    "turn_receipts": N_("receipts"),
    "subagent_messages": N_("what the memory agent was asked and said"),
    "extraction_runs": N_("results of runs"),
    "episodes": N_("episodes"),
    "knowledge": N_("knowledge"),
    "guides": N_("guides"),
    "tasks": N_("tasks"),
    "task_steps": N_("steps of tasks"),
    "tool_calls": N_("calls of tools"),
    "actions": N_("acts"),
}
NOT_SHOWN = (
    N_("Words of an index and numbers of vectors are no text: they were looked for by their rows."),
    N_("Not looked at: files of your own (exports, copies), and what a disk keeps in freed blocks or snapshots."),
)


def place_row(place: ProofPlace) -> tuple[str, str, str]:
    """A place with what was found and is left."""
    return (_(PLACES.get(place.name, place.name)), str(place.found), str(place.left))


def column_row(place: ProofPlace) -> tuple[str, str, str]:
    """A column in which a text stood or stands; one of a table that is not known here by its name."""
    table, _dot, column = place.name.partition(".")
    words = _(TABLES[table]) if table in TABLES else table
    return (f"{words} ({column})", str(place.found), str(place.left))


def backup_line(backup: SearchedBackup) -> str:
    """A backup, and the way to be rid of what it holds."""
    if backup.found is None:
        return "  " + _("{name}  could not be read").format(name=backup.path.name)
    if backup.found:
        words = _("{name}  still holds it: delete the file to be rid of that, {path}")
        return "  " + words.format(name=backup.path.name, path=backup.path)
    return f"  {backup.path.name}  {_('nothing')}"


def verdict(proof: DeletionProof) -> str:
    """All of it in a sentence."""
    if proof.is_gone:
        return _("Nothing of it is left in any place that was looked at.")
    return _("Something is left; see the list.")
