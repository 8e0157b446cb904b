"""Records in full, in two lines, and their history as a diary. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from gettext import gettext as _

from msgspec import Struct
from rich.cells import cell_len
from textual.content import Content

from orca_core.model.episodes import EPISODES
from orca_core.model.feedback import SupportDays
from orca_core.model.knowledge import KNOWLEDGES
from orca_core.model.memories import Origin, OriginKind, Status
from orca_core.model.operations import Change, Operation
from orca_core.model.recall import Appearance
from orca_core.model.record_types import EPISODE, KNOWLEDGE, Ref, plain_ref
from orca_core.model.tasks import TaskView
from orca_core.model.tools import Guide, ToolFigures
from orca_core.model.views import EpisodeView, InboxCase, KnowledgeView, MemoryView
from orca_core.rules.text.cleaning import one_line
from orca_tui.app.widgets.text import literal, padded
from orca_tui.language import N_, counted, listed
from orca_tui.marks import Marks
from orca_tui.times import ago
from orca_tui.words.feedback_words import living_words
from orca_tui.words.history_words import ACTION_WORDS, actor_word, change_detail
from orca_tui.words.inbox_words import held_words, quote_in_context
from orca_tui.words.learning_words import span_of
from orca_tui.words.memory_words import (
    appearance_parts,
    elsewhere_words,
    forecast_phrase,
    no_appearance,
    reason_phrase,
    status_word,
    weight_figure,
)
from orca_tui.words.task_words import OUTCOME_WORDS, TRIGGER_WORDS, seconds_words, step_mark
from orca_tui.words.tool_words import figures_lines
from orca_tui.words.work_words import coming_words, field_rows, importance_figure, made_by, uses_words

MUTED = "$foreground-muted"
PATH_STEPS = 40
SHOWN_CHARS = 300
ORIGIN_WORDS = {
    OriginKind.USER: N_("by hand"),
    OriginKind.EXTRACTION: N_("memory agent"),
    OriginKind.IMPORT: N_("import"),
    OriginKind.ACTION: N_("what you did"),
}
Row = tuple[str, str | Content]


def with_history(body: Content, history: Sequence[Change], marks: Marks) -> Content:
    """A record in full, and below it what happened to it."""
    return Content("\n").join([body, Content(""), literal(_("history"), "bold"), history_content(history, marks)])


def history_content(history: Sequence[Change], marks: Marks) -> Content:
    """What happened to a record, newest first, a line each."""
    return Content("\n").join(_change_line(change, marks) for change in reversed(history))


def _change_line(change: Change, marks: Marks) -> Content:
    when = change.at.astimezone().strftime("%m-%d %H:%M")
    word = _(ACTION_WORDS.get(change.action, change.action))
    head = f"{when}  {padded(actor_word(change.actor), 12)} {padded(word, 12)} "
    return literal(head, "$foreground-muted") + literal(change_detail(change, marks))


def appearances_content(appearances: Sequence[Appearance], marks: Marks) -> Content:
    """When a record was put before the model, why, and what came of it."""
    if not appearances:
        return literal(no_appearance(), MUTED)
    return Content("\n").join(_appearance_line(each, marks) for each in appearances)


def _appearance_line(each: Appearance, marks: Marks) -> Content:
    when, words, where = appearance_parts(each, marks)
    return literal(f"{when}  ", MUTED) + literal(words) + literal(f"  {where}", MUTED)


def memory_body(case: InboxCase, carried: SupportDays | None, history: Sequence[Change], marks: Marks) -> Content:
    """What a memory says, how it stands and what it lives on, where it came from, what is coming."""
    memory, forecast = case.memory, case.view.forecast
    source = source_words(_(ORIGIN_WORDS[memory.origin.kind]), memory.origin, marks)
    path = weight_path(history, memory.weight)
    why = held_words(case) if case.view.status is Status.CANDIDATE else reason_phrase(memory.held_because or "")
    rows: list[Row] = [
        (_("status"), standing(case.view.status, why, is_pinned=memory.pinned)),
        (_("lives on"), living_words(memory, carried)),
        (_("type"), memory.type.value),
        (_("tags"), ", ".join(memory.tags)),
        (_("confidence"), f"{memory.confidence:.2f}"),
        (_("used"), _("{used} of {count} times").format(used=memory.used, count=memory.access_count)),
        (_("seen"), str(memory.seen)),
        (_("weight"), f"{sparkline(path, marks)}  {path_phrase(path, marks)}"),
        (_("forecast"), forecast_phrase(forecast.unused_until_archived, forecast.used_until_core)),
        (_("created"), memory.created_at.astimezone().strftime("%Y-%m-%d %H:%M")),
        (_("from"), f" {marks.dot} ".join(filter(None, (source, elsewhere_words(memory, marks))))),
        (_("quote"), quote_in_context(case)),
        (_("replaced by"), f"#{memory.superseded_by}" if memory.superseded_by else ""),
    ]
    return Content("\n").join([literal(memory.content, "bold"), Content(""), *table(rows, in_columns=False)])


def memory_glance(view: MemoryView, marks: Marks) -> Content:
    """The memory under the cursor, in two lines."""
    memory, forecast = view.memory, view.forecast
    used = _("used {used} of {count} times").format(used=memory.used, count=memory.access_count)
    origin = _(ORIGIN_WORDS[memory.origin.kind])
    words = [memory.type.value, " ".join(memory.tags), f"{memory.confidence:.2f}", used, origin]
    words += [elsewhere_words(memory, marks), reason_phrase(memory.held_because or "")]
    coming = forecast_phrase(forecast.unused_until_archived, forecast.used_until_core)
    return two_lines(words, coming, marks)


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


def episode_body(view: EpisodeView, task: TaskView | None, now: datetime, marks: Marks) -> Content:
    """An episode without its history."""
    episode = view.episode
    outcome = with_words(_(OUTCOME_WORDS[episode.outcome]), episode.outcome_summary)
    quote = f"“{episode.origin.quote}”" if episode.origin.quote else ""
    known = str(Ref(KNOWLEDGE, episode.consolidated_into)) if episode.consolidated_into is not None else ""
    rows: list[Row] = [
        (_("status"), standing(view.status, reason_phrase(episode.held_because or ""), is_pinned=episode.pinned)),
        (_("outcome"), outcome),
        (_("quote"), quote),
        *field_rows(EPISODES, episode),
        (_("target"), episode.target or _("none")),
        (_("began by"), _(TRIGGER_WORDS[episode.trigger_type])),
        (_("tags"), listed(episode.tags)),
        (_("from"), source_words(made_by(episode), episode.origin, marks)),
        (_("use"), use_words(episode.access_count, episode.last_accessed, now)),
        (_("went into"), known),
        (_("importance"), importance_line(view, marks)),
        (_("forecast"), coming_words(view)),
    ]
    head = literal(episode.trigger_summary, "bold")
    return Content("\n").join([head, Content(""), *table(rows), *steps_lines(view, task, marks)])


def steps_lines(view: EpisodeView, task: TaskView | None, marks: Marks) -> list[Content]:
    """What was done, step by step; of a task that is still there with how each ended, and how long it took."""
    episode = view.episode
    if not episode.steps:
        return []
    lines = [Content(""), literal(_("steps"), "bold")]
    steps = task.steps if task is not None else ()
    if [step.description for step in steps] == list(episode.steps):
        for step in steps:
            aside = "  ".join(part for part in (step.tool, seconds_words(step)) if part)
            line = literal(f"  {step_mark(step, marks)} ", MUTED) + literal(step.description)
            lines.append(line + literal(f"  {aside}" if aside else "", MUTED))
        return lines
    numbered = enumerate(episode.steps, start=1)
    return [*lines, *(literal(f"  {number:>2} ", MUTED) + literal(step) for number, step in numbered)]


def importance_line(view: EpisodeView, marks: Marks) -> Content:
    """How important it is, and as a line from its first day on: what was, and paler what is to come."""
    figure = literal(f"{bare(importance_figure(view))}  ")
    if not view.course:
        return figure
    steps = marks.spark
    drawn = "".join(steps[min(len(steps) - 1, int(value * len(steps)))] for _day, value in view.course)
    passed = sum(day <= view.days_old for day, _value in view.course)
    last = view.course[-1][0]
    words = _("day {day}").format(day=view.days_old) if view.days_old <= last else _("older than {day} days")
    return (
        figure
        + literal(drawn[:passed], "$text-accent")
        + literal(drawn[passed:], MUTED)
        + literal("  " + words.format(day=last), MUTED)
    )


def knowledge_body(view: KnowledgeView, history: Sequence[Change], now: datetime, marks: Marks) -> Content:
    """All of what is known of a target: the text, its points, what it rests on, what it said before."""
    known = view.knowledge
    sources = " ".join(str(plain_ref(Ref(EPISODE, each))) for each in known.source_episodes)
    rows: list[Row] = [
        (_("status"), standing(view.status, reason_phrase(known.held_because or ""), is_pinned=known.pinned)),
        (_("target"), known.target),
        *field_rows(KNOWLEDGES, known),
        (_("confidence"), f"{known.confidence:.2f}"),
        (_("version"), str(known.version)),
        (_("episodes"), sources),
        (_("use"), use_words(known.access_count, known.last_accessed, now)),
        (_("from"), source_words("", known.origin, marks)),
    ]
    points = [literal(f"  {marks.dot} ", MUTED) + literal(point) for point in known.key_points]
    lines = [literal(known.topic, "bold"), Content(""), literal(known.content), Content(""), *points]
    lines += [Content("")] if points else []
    return Content("\n").join([*lines, *table(rows), *versions(history)])


def versions(history: Sequence[Change], field: str = "content") -> list[Content]:
    """What it said before in this field, the latest first."""
    lines: list[Content] = []
    for change in reversed(history):
        before = change.before or {}
        if before.get(field) and field in change.after:
            number = before.get("version")
            word = _("version {number}").format(number=number) if number else _("before")
            when = change.at.astimezone().strftime("%m-%d %H:%M")
            head = f"{word}, {_('until {when}').format(when=when)}  "
            lines.append(literal(head, MUTED) + literal(before[field]))
    return [Content(""), literal(_("before"), "bold"), *lines] if lines else []


def episode_glance(view: EpisodeView, now: datetime, marks: Marks) -> Content:
    """The episode under the cursor, in two lines."""
    episode = view.episode
    steps = counted("{count} step", "{count} steps", len(episode.steps)) if episode.steps else ""
    words = [_(OUTCOME_WORDS[episode.outcome]), episode.target, steps, uses_words(episode.access_count)]
    words += [ago(episode.created_at, now), reason_phrase(episode.held_because or "")]
    return two_lines(words, coming_words(view), marks)


def knowledge_glance(view: KnowledgeView, now: datetime, marks: Marks) -> Content:
    """The knowledge under the cursor, in two lines."""
    known = view.knowledge
    words = [known.target, counted("of {count} episode", "of {count} episodes", len(known.source_episodes))]
    words += [_("version {number}").format(number=known.version), uses_words(known.access_count)]
    words += [ago(known.updated_at, now), reason_phrase(known.held_because or "")]
    return two_lines(words, "; ".join(known.key_points), marks)


def two_lines(words: Sequence[str], below: str, marks: Marks) -> Content:
    """Figures in one line, and what is said below them."""
    return literal(f" {marks.dot} ".join(word for word in words if word) + f"\n{below}", MUTED)


def table(rows: Sequence[Row], *, in_columns: bool = True) -> list[Content]:
    """Names and what they are, a line each, in two columns; what is empty has no row."""
    shown = [(name, value) for name, value in rows if value]
    width = max((cell_len(name) for name, _value in shown), default=0) + 2
    return [
        literal(padded(name, width if in_columns else cell_len(name) + 2), MUTED)
        + (value if isinstance(value, Content) else literal(value))
        for name, value in shown
    ]


def standing(status: Status, why: str, *, is_pinned: bool) -> str:
    """The status, with why it is held back, and whether it is pinned."""
    return status_word(status) + (f" ({why})" if why else "") + (f", {_('pinned')}" if is_pinned else "")


def with_words(word: str, summary: str) -> str:
    return f"{word} — {summary}" if summary else word


def use_words(count: int, last: datetime | None, now: datetime) -> str:
    """How often it was used, and when it was last."""
    words = uses_words(count)
    return words if last is None else listed([words, _("last {when}").format(when=ago(last, now))])


def source_words(made: str, origin: Origin, marks: Marks) -> str:
    """What it was made of, in which chat and rounds, by which model."""
    chat = _("chat {session}").format(session=origin.session_id) if origin.session_id else ""
    rounds = span_of(origin.rounds) if origin.rounds else ""
    return f" {marks.dot} ".join(part for part in (made, chat, rounds, origin.model or "") if part)


def share(number: float) -> str:
    """Two digits, without the nought that all but one have."""
    return bare(f"{number:.2f}")


def bare(figure: str) -> str:
    """A figure without the nought that all but one have."""
    return figure.removeprefix("0")


class GuideRow(Struct, frozen=True):
    """A guide with its status and the figures of its tool."""

    guide: Guide
    status: Status
    figures: ToolFigures

    @property
    def record(self) -> Guide:
        """The guide, as a list of any kind calls it."""
        return self.guide


def guide_glance(view: GuideRow, now: datetime, marks: Marks) -> Content:
    """The guide under the cursor, in two lines."""
    guide, [calls, *rest] = view.guide, figures_lines(view.figures)
    words = [guide.target, calls, _("version {number}").format(number=guide.version)]
    words += [ago(guide.updated_at, now), reason_phrase(guide.held_because or "")]
    return two_lines(words, listed(rest) or one_line(guide.text, SHOWN_CHARS), marks)


def guide_body(view: GuideRow, history: Sequence[Change], now: datetime, marks: Marks) -> Content:
    """All of a guide: the text, the figures of its tool, what it said before."""
    guide, [calls, *rest] = view.guide, figures_lines(view.figures)
    rows: list[Row] = [
        (_("status"), standing(view.status, reason_phrase(guide.held_because or ""), is_pinned=guide.pinned)),
        (_("version"), str(guide.version)),
        (_("use"), use_words(guide.access_count, guide.last_accessed, now)),
        (_("from"), source_words("", guide.origin, marks)),
        (_("calls"), calls),
    ]
    lines = [literal(guide.target, "bold"), Content(""), literal(guide.text), Content(""), *table(rows)]
    lines += [literal(f"  {line}") for line in rest]
    return Content("\n").join([*lines, *versions(history, "text")])
