"""What leaves a home, and what comes into one, also out of another program's file."""

from __future__ import annotations

from collections.abc import Mapping
from gettext import gettext as _

from orca_core.model.import_export import (
    Arrival,
    Arrived,
    Brought,
    ForeignBrought,
    ImportProgress,
    ImportStage,
    ImportTerms,
    LeftOut,
    Repeated,
    Unread,
)
from orca_core.model.record_types import plain_ref
from orca_tui.language import N_, counted, listed
from orca_tui.words.inbox_words import figure_words
from orca_tui.words.memory_words import reason_phrase

ARRIVAL_WORDS = {
    Arrival.NEW: N_("comes"),
    Arrival.CANDIDATE: N_("waits for you"),
    Arrival.KNOWN: N_("known already"),
    Arrival.SAME_WORDS: N_("said here in these words"),
    Arrival.DELETED_HERE: N_("deleted here"),
    Arrival.LEFT_OUT: N_("left out"),
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


def arrived_line(arrived: Arrived) -> str:
    """What became, or would become, of one record."""
    number = "" if arrived.ref is None else f"  #{plain_ref(arrived.ref)}"
    return f"{arrived.place}  {_(ARRIVAL_WORDS[arrived.arrival])}{number}  {arrived.label}"


def brought_words(brought: Brought, terms: ImportTerms) -> list[str]:
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
        if (counts := _of(brought, arrivals))
    ]
    nothing = brought.operation is None and not brought.count(Arrival.NEW, Arrival.CANDIDATE)
    return [*lines, _("nothing to change")] if nothing else lines


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


def _of(brought: Brought, arrivals: tuple[Arrival, ...]) -> dict[str, int]:
    """How many of each kind, but for those of which there are none."""
    counts = {name: sum(brought.counts.get(name, {}).get(arrival, 0) for arrival in arrivals) for name in COUNTED}
    return {name: count for name, count in counts.items() if count}


IMPORTED = "imported"
LEFT_WORDS = {
    Unread.NO_TEXT: N_("holds no text"),
    Unread.PUT_AWAY: N_("deleted or switched off there"),
    Unread.TOO_SHORT: N_("too short for a memory"),
    Unread.TOO_LONG: N_("too long for a memory"),
    Unread.NO_STATEMENT: N_("nothing is plainly said in it"),
}


def foreign_line(heard: Arrived | LeftOut | Repeated) -> str:
    """What became, or would become, of one entry; empty of a chat that only has nothing in it."""
    match heard:
        case LeftOut(why=Unread.NO_STATEMENT):
            return ""
        case LeftOut():
            return f"{heard.place}  {_(LEFT_WORDS[heard.why])}  {heard.text}".rstrip()
        case Repeated():
            return f"{heard.place}  {_('the same as {place}').format(place=heard.first)}"
    # That it comes from a file is plain: told is what keeps it waiting with trust, too.
    why = heard.held_because if heard.held_because != IMPORTED else ""
    return f"{arrived_line(heard)}  ({reason_phrase(why)})" if why else arrived_line(heard)


def near_line(heard: Arrived | LeftOut | Repeated) -> str:
    """The memory nearest to what would come, below it; empty where none is near."""
    if not isinstance(heard, Arrived) or heard.near is None:
        return ""
    return f"    {_('nearest')} ({figure_words(heard.near.nearness)}): #{heard.near.id}  {heard.near.content}"


def foreign_words(brought: ForeignBrought, terms: ImportTerms) -> list[str]:
    """What an import came to, or would come to."""
    lines = brought_words(brought.brought, terms)
    if brought.repeated:
        lines.append(counted("said again, and folded: {count}", "said again, and folded: {count}", brought.repeated))
    for why, words in LEFT_WORDS.items():
        if (count := brought.left.get(why.value, 0)) and why is not Unread.NO_STATEMENT:
            lines.append(_("left out: {count} ({why})").format(count=count, why=_(words)))
    if chats := brought.left.get(Unread.NO_STATEMENT.value, 0):
        lines.append(counted("nothing in {count} chat", "nothing in {count} chats", chats))
    return lines
