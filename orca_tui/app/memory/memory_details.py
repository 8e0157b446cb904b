"""A memory in full, and its history as a diary with the path of its weight. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _

from textual.content import Content

from orca_core.model.feedback import Carried
from orca_core.model.memories import Origin, OriginKind, Status
from orca_core.model.operations import Change, Operation
from orca_core.model.records import plain_ref
from orca_core.model.views import Case, MemoryView
from orca_tui.app.records.history import history_content
from orca_tui.app.widgets.literal import literal
from orca_tui.language import N_
from orca_tui.marks import Marks
from orca_tui.words.act_words import living_words
from orca_tui.words.history_words import actor_word, change_detail
from orca_tui.words.inbox_words import held_words, quote_in_context
from orca_tui.words.learning_words import span_of
from orca_tui.words.memory_words import elsewhere_words, forecast_phrase, reason_phrase, status_word, weight_figure

PATH_STEPS = 40
ORIGIN_WORDS = {
    OriginKind.USER: N_("by hand"),
    OriginKind.EXTRACTION: N_("memory agent"),
    OriginKind.IMPORT: N_("import"),
    OriginKind.ACTION: N_("what you did"),
}


def memory_content(case: Case, carried: Carried | None, history: Sequence[Change], marks: Marks) -> Content:
    """All of one memory: what it says, how it stands and what it lives on, where it came from, what is coming."""
    memory, forecast = case.memory, case.view.forecast
    origin = memory.origin
    elsewhere = elsewhere_words(memory, marks)
    source = f" {marks.dot} ".join(part for part in (*_source(origin), elsewhere) if part)
    path = weight_path(history, memory.weight)
    why = held_words(case) if case.view.status is Status.CANDIDATE else reason_phrase(memory.held_because or "")
    held = f" ({why})" if why else ""
    rows = [
        (_("status"), status_word(case.view.status) + held + (f", {_('pinned')}" if memory.pinned else "")),
        (_("lives on"), living_words(memory, carried)),
        (_("type"), memory.type.value),
        (_("tags"), ", ".join(memory.tags)),
        (_("confidence"), f"{memory.confidence:.2f}"),
        (_("used"), _("{used} of {count} times").format(used=memory.used, count=memory.access_count)),
        (_("seen"), str(memory.seen)),
        (_("weight"), f"{sparkline(path, marks)}  {path_phrase(path, marks)}"),
        (_("forecast"), forecast_phrase(forecast.unused_until_archived, forecast.used_until_core)),
        (_("created"), memory.created_at.astimezone().strftime("%Y-%m-%d %H:%M")),
        (_("from"), source),
        (_("quote"), quote_in_context(case)),
        (_("replaced by"), f"#{memory.superseded_by}" if memory.superseded_by else ""),
    ]
    lines = [literal(memory.content, "bold"), Content("")]
    lines += [literal(f"{name}  ", "$foreground-muted") + literal(value) for name, value in rows if value]
    return Content("\n").join([*lines, Content(""), literal(_("history"), "bold"), history_content(history, marks)])


def _source(origin: Origin) -> tuple[str, ...]:
    chat = _("chat {session}").format(session=origin.session_id) if origin.session_id else ""
    rounds = span_of(origin.rounds) if origin.rounds else ""
    return (_(ORIGIN_WORDS[origin.kind]), chat, rounds, origin.model or "")


def memory_glance(view: MemoryView, marks: Marks) -> Content:
    """The memory under the cursor, in two lines."""
    memory, forecast = view.memory, view.forecast
    used = _("used {used} of {count} times").format(used=memory.used, count=memory.access_count)
    origin = _(ORIGIN_WORDS[memory.origin.kind])
    words = [memory.type.value, " ".join(memory.tags), f"{memory.confidence:.2f}", used, origin]
    words.append(elsewhere_words(memory, marks))
    if memory.held_because:
        words.append(reason_phrase(memory.held_because))
    coming = forecast_phrase(forecast.unused_until_archived, forecast.used_until_core)
    lines = [f" {marks.dot} ".join(word for word in words if word), coming]
    return literal("\n".join(lines), "$foreground-muted")


def operation_content(operation: Operation, changes: Sequence[Change], marks: Marks) -> Content:
    """All that one operation changed, a record after the other."""
    header = operation.header
    where = f" {marks.dot} {header.session_id} {header.round}" if header.session_id else ""
    head = f"{header.at.astimezone():%Y-%m-%d %H:%M} {marks.dot} {actor_word(header.actor)}{where}"
    lines = [literal(head, "$foreground-muted"), Content("")]
    for change in changes:
        lines.append(literal(f"#{plain_ref(change.ref):<5}", "bold") + literal(change_detail(change, marks)))
    lines += [Content(""), literal(_("orca memory undo {operation} takes it back").format(operation=operation.id))]
    return Content("\n").join(lines)


def weight_path(history: Sequence[Change], now: float) -> list[float]:
    """The weights that a memory had, oldest first."""
    path = [float(change.after["weight"]) for change in history if "weight" in change.after]
    return path or [now]


def sparkline(path: Sequence[float], marks: Marks) -> str:
    """A path as a line of small bars, from nothing to ten."""
    steps = marks.spark
    return "".join(steps[min(len(steps) - 1, int(weight / 10 * len(steps)))] for weight in path[-PATH_STEPS:])


def path_phrase(path: Sequence[float], marks: Marks) -> str:
    """The last steps of a path in figures."""
    return f" {marks.arrow} ".join(weight_figure(weight) for weight in path[-6:])
