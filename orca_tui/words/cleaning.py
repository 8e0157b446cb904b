"""What cleaning and upkeep did, or would do, in words. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from gettext import gettext as _

from orca_core.model.cleaning import Cleaned
from orca_core.model.memories import Memory
from orca_core.model.refs import memory_ref
from orca_tui.language import N_, counted
from orca_tui.words.changes import ids_words
from orca_tui.words.memories import memory_line

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


def cleaned_lines(cleaned: Cleaned, memories: Mapping[int, Memory], *, is_dry: bool) -> list[str]:
    """The memories that were archived or merged, or would be, a line each."""
    word = _("would be archived") if is_dry else _("archived")
    lines = [f"{word}  {memory_line(memories[each])}" for each in cleaned.archived if each in memories]
    for group in cleaned.merged:
        ids, kept = ids_words([memory_ref(each) for each in group.others]), group.kept
        words = _("would merge {ids} into #{kept}") if is_dry else _("merged {ids} into #{kept}")
        text = memories[kept].content if kept in memories else ""
        lines.append(f"{words.format(ids=ids, kept=kept)}  {text}".rstrip())
    return lines


def cleaned_notes(cleaned: Cleaned, *, is_dry: bool) -> list[str]:
    """What was dropped, and how the rest is taken back."""
    if cleaned.is_empty:
        return [_("nothing is to be cleaned")]
    notes = []
    if cleaned.summaries:
        notes.append(
            counted(
                "{count} expired short-term memory would be dropped",
                "{count} expired short-term memories would be dropped",
                cleaned.summaries,
            )
            if is_dry
            else counted(
                "{count} expired short-term memory dropped",
                "{count} expired short-term memories dropped",
                cleaned.summaries,
            )
        )
    if cleaned.vectors:
        notes.append(
            counted(
                "{count} vector of what is gone would be dropped",
                "{count} vectors of what is gone would be dropped",
                cleaned.vectors,
            )
            if is_dry
            else counted(
                "{count} vector of what is gone dropped", "{count} vectors of what is gone dropped", cleaned.vectors
            )
        )
    if is_dry:
        notes.append(_("nothing was changed: without --dry-run it is done now"))
    elif cleaned.operation is not None:
        notes.append(_("orca memory undo {operation} takes it back").format(operation=cleaned.operation))
    return notes
