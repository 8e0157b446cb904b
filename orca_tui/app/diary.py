"""A memory in full, and its history as a diary with the path of its weight. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _

from textual.content import Content

from orca_core.domain.memories import Change, Memory, Status
from orca_core.rules.weights import Forecast
from orca_tui.app.plain import plain
from orca_tui.app.widgets.activity_list import ACTION_WORDS
from orca_tui.marks import Marks
from orca_tui.phrases import forecast_phrase, reason_phrase, status_word, weight_figure

PATH_STEPS = 40


def memory_content(
    memory: Memory, status: Status, forecast: Forecast, history: Sequence[Change], marks: Marks
) -> Content:
    """All of one memory: what it says, how it stands, where it came from, what is coming."""
    origin = memory.origin
    rounds = ", ".join(str(number) for number in origin.rounds)
    source = " ".join(part for part in (origin.kind.value, origin.session_id or "", rounds, origin.model or "") if part)
    path = weight_path(history, memory.weight)
    held = f" ({reason_phrase(memory.held_because)})" if memory.held_because else ""
    rows = [
        (_("status"), status_word(status) + held + (f", {_('pinned')}" if memory.pinned else "")),
        (_("type"), memory.type.value),
        (_("tags"), ", ".join(memory.tags)),
        (_("confidence"), f"{memory.confidence:.2f}"),
        (_("used"), _("{used} of {count} times").format(used=memory.used, count=memory.access_count)),
        (_("seen"), str(memory.seen)),
        (_("weight"), f"{sparkline(path, marks)}  {path_phrase(path, marks)}"),
        (_("forecast"), forecast_phrase(forecast.unused_until_archived, forecast.used_until_core)),
        (_("created"), memory.created_at.astimezone().strftime("%Y-%m-%d %H:%M")),
        (_("from"), source),
        (_("quote"), f"“{origin.quote}”" if origin.quote else ""),
        (_("replaced by"), f"#{memory.superseded_by}" if memory.superseded_by else ""),
    ]
    lines = [plain(memory.content, "bold"), Content("")]
    lines += [plain(f"{name}  ", "$text-muted") + plain(value) for name, value in rows if value]
    return Content("\n").join([*lines, Content(""), plain(_("history"), "bold"), history_content(history, marks)])


def history_content(history: Sequence[Change], marks: Marks) -> Content:
    """What happened to a memory, newest first, a line each."""
    return Content("\n").join(_change_line(change, marks) for change in reversed(history))


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


def _change_line(change: Change, marks: Marks) -> Content:
    when = change.at.astimezone().strftime("%m-%d %H:%M")
    word = _(ACTION_WORDS.get(change.action, change.action))
    before = change.before or {}
    if change.before is None:
        detail = str(change.after.get("content", ""))
    else:
        counters = ("access_count", "used", "seen", "last_accessed")
        steps = [
            f"{name} {_value(before.get(name))}{marks.arrow}{_value(after)}"
            for name, after in change.after.items()
            if name not in counters
        ]
        detail = ", ".join(steps) or (_("used") if "used" in change.after else "")
    return plain(f"{when}  {change.actor.value:<10} {word:<10} ", "$text-muted") + plain(detail)


def _value(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return weight_figure(value)
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
