"""What leaves a home, and what comes into one, also out of another program's file."""

from __future__ import annotations

from collections.abc import Mapping
from gettext import gettext as _

from orca_core.model.import_export import (
    COMES,
    Arrival,
    ImportedRecord,
    ImportProgress,
    ImportResult,
    ImportStage,
    ImportTerms,
    SkippedEntry,
    SkipReason,
)
from orca_core.model.record_types import plain_ref
from orca_tui.language import N_, counted, listed

ARRIVAL_WORDS = {
    Arrival.NEW: N_("comes"),
    Arrival.CANDIDATE: N_("waits for you"),
    Arrival.KNOWN: N_("known already"),
    Arrival.SAME_WORDS: N_("said here in these words"),
    Arrival.DELETED_HERE: N_("deleted here"),
    Arrival.LEFT_OUT: N_("left out"),
}
SKIP_WORDS = {
    SkipReason.NO_TEXT: N_("holds no text"),
    SkipReason.PUT_AWAY: N_("deleted or switched off there"),
    SkipReason.TOO_SHORT: N_("too short for a memory"),
    SkipReason.TOO_LONG: N_("too long for a memory"),
}
COUNTED = ("memories", "tasks", "episodes", "knowledge", "guides", "actions", "tool_calls")
"""The lists that people count; what else comes belongs to these."""


def counts_words(counts: Mapping[str, int]) -> str:
    """How many records of each kind, but for those of which there are none."""
    words = {
        "memories": counted("{count} memory", "{count} memories", counts.get("memories", 0)),
        "tasks": counted("{count} task", "{count} tasks", counts.get("tasks", 0)),
        "episodes": counted("{count} episode", "{count} episodes", counts.get("episodes", 0)),
        "knowledge": counted("{count} piece of knowledge", "{count} pieces of knowledge", counts.get("knowledge", 0)),
        "guides": counted("{count} guide", "{count} guides", counts.get("guides", 0)),
        "actions": counted("{count} act", "{count} acts", counts.get("actions", 0)),
        "tool_calls": counted("{count} call", "{count} calls", counts.get("tool_calls", 0)),
    }
    return listed(text for name, text in words.items() if counts.get(name)) or _("nothing")


def entry_line(entry: ImportedRecord | SkippedEntry) -> str:
    """What became, or would become, of one record."""
    if isinstance(entry, SkippedEntry):
        return f"{entry.place}  {_(SKIP_WORDS[entry.why])}  {entry.text}".rstrip()
    number = "" if entry.ref is None else f"  #{plain_ref(entry.ref)}"
    return f"{entry.place}  {_(ARRIVAL_WORDS[entry.arrival])}{number}  {entry.label}"


def result_words(result: ImportResult, terms: ImportTerms) -> list[str]:
    """What an import came to, or would come to."""
    came = _("would come: {counts}") if terms.looks_only else _("brought in: {counts}")
    wait = _("would wait for you: {counts}") if terms.looks_only else _("waiting for you: {counts}")
    told = {
        came: (Arrival.NEW,),
        wait: (Arrival.CANDIDATE,),
        _("here already, and left as it is: {counts}"): (Arrival.KNOWN, Arrival.SAME_WORDS),
        _("deleted here, and left out: {counts} (--again brings it back)"): (Arrival.DELETED_HERE,),
        _("left out: {counts} (--trust brings it; what waits by then: orca memory accept)"): (Arrival.LEFT_OUT,),
    }
    lines = [
        words.format(counts=counts_words(counts))
        for words, arrivals in told.items()
        if (counts := _of(result, arrivals))
    ]
    if result.operation is None and not result.count(*COMES):
        lines.append(_("nothing to change"))
    if result.repeated:
        lines.append(counted("said again, and folded: {count}", "said again, and folded: {count}", result.repeated))
    for why, count in result.skipped.items():
        lines.append(_("left out: {count} ({why})").format(count=count, why=_(SKIP_WORDS[why])))
    return lines


def import_words(progress: ImportProgress) -> str:
    """How far an import is."""
    words = {
        ImportStage.READING: counted("read {count} record", "read {count} records", progress.done),
        ImportStage.COMING: counted("bringing in {count} record", "bringing in {count} records", progress.done),
        ImportStage.COMPARING: counted("compared {count} memory", "compared {count} memories", progress.done),
    }
    return words[progress.stage]


def export_words(done: int) -> str:
    """How far an export is."""
    return counted("wrote {count} record", "wrote {count} records", done)


def _of(result: ImportResult, arrivals: tuple[Arrival, ...]) -> dict[str, int]:
    """How many of each kind, but for those of which there are none."""
    counts = {name: sum(result.counts.get(name, {}).get(arrival, 0) for arrival in arrivals) for name in COUNTED}
    return {name: count for name, count in counts.items() if count}
