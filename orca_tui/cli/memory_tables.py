"""Tables and texts of memories and receipts, as the commands show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from gettext import gettext as _

from orca_core.model.feedback import PromotionScore
from orca_core.model.learning import Queue
from orca_core.model.memories import Status
from orca_core.model.operations import Change
from orca_core.model.record_types import ACTION, EPISODE, GUIDE, KNOWLEDGE, SUPPORT, TASK
from orca_core.model.views import MemoryView, SearchHit, Stats
from orca_core.serialize.values import timestamp_json
from orca_tui.cli.output import Output, TableColumn
from orca_tui.language import N_
from orca_tui.marks import Marks
from orca_tui.words.feedback_words import ACT_STATE_WORDS, near_words
from orca_tui.words.history_words import action_word, actor_word, change_detail
from orca_tui.words.learning_words import queue_lines
from orca_tui.words.memory_words import (
    elsewhere_words,
    forecast_phrase,
    memory_line,
    reason_phrase,
    standing_word,
    status_word,
    weight_figure,
)
from orca_tui.words.receipt_words import parts_phrase
from orca_tui.words.task_words import TASK_WORDS

KINDS_COUNTED = {
    TASK.name: N_("tasks"),
    EPISODE.name: N_("episodes"),
    KNOWLEDGE.name: N_("knowledge"),
    GUIDE.name: N_("guides"),
    ACTION.name: N_("acts"),
    SUPPORT.name: N_("supports"),
}


def memory_table(output: Output, views: Sequence[MemoryView]) -> None:
    """Memories, a line each."""
    words = _status_words()
    columns = (
        TableColumn(N_("id"), lambda view: str(view.memory.id), is_number=True),
        TableColumn(N_("weight"), lambda view: weight_figure(view.memory.weight), is_number=True),
        TableColumn(N_("status"), lambda view: _standing(view, words)),
        TableColumn(N_("type"), lambda view: view.memory.type.value),
        TableColumn(N_("tags"), lambda view: ", ".join(view.memory.tags)),
        TableColumn(N_("memory"), lambda view: view.memory.content, takes_rest=True),
    )
    output.records(columns, views)


def candidate_table(output: Output, views: Sequence[MemoryView], weighed: Mapping[int, PromotionScore]) -> None:
    """Candidates, a line each, with how near they are to going live."""

    def shown(view: MemoryView) -> str:
        one = weighed.get(view.memory.id)
        return "" if one is None else near_words(one)

    columns = (
        TableColumn(N_("id"), lambda view: str(view.memory.id), is_number=True),
        TableColumn(N_("type"), lambda view: view.memory.type.value),
        TableColumn(N_("shown"), shown),
        TableColumn(N_("held back"), lambda view: reason_phrase(view.memory.held_because or "")),
        TableColumn(N_("memory"), lambda view: view.memory.content, takes_rest=True),
    )
    output.records(columns, views)


def found_table(output: Output, hits: Sequence[SearchHit]) -> None:
    """What a search found, best first, with the parts of each score."""
    words = _status_words()
    columns = (
        TableColumn(N_("id"), lambda hit: str(hit.memory.id), is_number=True),
        TableColumn(N_("score"), lambda hit: f"{hit.parts.total:.2f}", is_number=True),
        TableColumn(N_("made of"), lambda hit: parts_phrase(hit.parts)),
        TableColumn(N_("status"), lambda hit: words[hit.view.status, hit.memory.pinned]),
        TableColumn(N_("memory"), lambda hit: hit.memory.content, takes_rest=True),
    )
    output.records(columns, hits)


def memory_text(view: MemoryView, marks: Marks) -> str:
    """All of one memory."""
    memory = view.memory
    forecast = forecast_phrase(view.forecast.unused_until_archived, view.forecast.used_until_core)
    held = f" ({reason_phrase(memory.held_because)})" if memory.held_because else ""
    origin = memory.origin
    here = (origin.kind.value, origin.session_id, ", ".join(str(number) for number in origin.rounds), origin.model)
    fields = [
        (_("status"), _status_words()[view.status, memory.pinned] + held),
        (_("type"), memory.type.value),
        (_("tags"), ", ".join(memory.tags)),
        (_("weight"), f"{weight_figure(memory.weight)}  {forecast}".rstrip()),
        (_("confidence"), f"{memory.confidence:.2f}"),
        (_("used"), _("{used} of {count} times").format(used=memory.used, count=memory.access_count)),
        (_("created"), timestamp_json(memory.created_at)),
        (_("last used"), timestamp_json(memory.last_accessed)),
        (_("from"), elsewhere_words(memory, marks) or " ".join(part for part in here if part)),
        (_("quote"), origin.quote),
        (_("replaced by"), f"#{memory.superseded_by}" if memory.superseded_by else None),
    ]
    return "\n".join([memory_line(memory), *(f"    {name}: {value}" for name, value in fields if value)])


def change_line(change: Change, marks: Marks) -> str:
    """One line of a memory's history."""
    head = f"{timestamp_json(change.at)}  [{change.operation}] {actor_word(change.actor)} {action_word(change.action)}"
    return f"{head}  {change_detail(change, marks)}".rstrip()


def stats_text(stats: Stats, queue: Queue) -> str:
    """What is stored, and how large it is."""
    health = stats.health
    type_line = ", ".join(f"{count} {name}" for name, count in stats.by_type.items())
    rows = [
        (_("status"), _counts_line(stats.by_status) or "-"),
        (_("type"), type_line or "-"),
        *((_(KINDS_COUNTED[kind]), _counts_line(counts) or "-") for kind, counts in stats.of_work.items()),
        (_("learning"), "; ".join(queue_lines(queue))),
        (_("last learnt"), timestamp_json(queue.last_success) or "-"),
        (_("stored"), ", ".join(f"{count} {name}" for name, count in health.counts.items()) or "-"),
        (_("database"), f"{health.path}  {health.bytes / 1_048_576:.1f} MB"),
    ]
    return "\n".join(f"{name}: {value}" for name, value in rows)


def _counts_line(counts: Mapping[str, int]) -> str:
    """How many there are of each status, of memories or of tasks."""
    words = {
        **{each.value: status_word(each) for each in Status},
        **{each.value: _(TASK_WORDS[each]) for each in TASK_WORDS},
        **{each.value: _(ACT_STATE_WORDS[each]) for each in ACT_STATE_WORDS},
        "waiting": _("to read"),
    }
    return ", ".join(f"{count} {words[status]}" for status, count in counts.items() if count)


def _standing(view: MemoryView, words: Mapping[tuple[Status, bool], str]) -> str:
    if view.status is Status.REJECTED:
        return standing_word(view.memory, view.status)
    return words[view.status, view.memory.pinned]


def _status_words() -> dict[tuple[Status, bool], str]:
    """What to say of each status, unpinned and pinned: looked up once, for a list may be long."""
    words = {(status, False): status_word(status) for status in Status}
    pinned = {(status, True): f"{word}, {_('pinned')}" for (status, _is_pinned), word in words.items()}
    return words | pinned
