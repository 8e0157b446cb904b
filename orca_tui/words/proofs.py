"""What is said of a proof. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from gettext import gettext as _

from orca_core.model.proofs import Place, Proof, SearchedBackup
from orca_tui.language import N_

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


def place_row(place: Place) -> tuple[str, str, str]:
    """A place with what was found and is left."""
    return (_(PLACES.get(place.name, place.name)), str(place.found), str(place.left))


def column_row(place: Place) -> tuple[str, str, str]:
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


def verdict(proof: Proof) -> str:
    """All of it in a sentence."""
    if proof.is_gone:
        return _("Nothing of it is left in any place that was looked at.")
    return _("Something is left; see the list.")
