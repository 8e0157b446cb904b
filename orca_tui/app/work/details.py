"""An episode and knowledge in full, and in two lines. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from gettext import gettext as _

from rich.cells import cell_len
from textual.content import Content

from orca_core.model.memories import Origin
from orca_core.model.operations import Change
from orca_core.model.records import EPISODE, KNOWLEDGE, Ref, plain_ref
from orca_core.model.tasks import TaskView
from orca_core.model.views import EpisodeView, KnowledgeView
from orca_tui.app.records.history import history_content
from orca_tui.app.widgets.literal import literal
from orca_tui.app.widgets.rows import padded
from orca_tui.app.work.rows import bare
from orca_tui.language import counted, listed
from orca_tui.marks import Marks
from orca_tui.times import ago
from orca_tui.words.learning_words import span_of
from orca_tui.words.memory_words import reason_phrase, status_word
from orca_tui.words.task_words import OUTCOME_WORDS, TRIGGER_WORDS, seconds_words, step_mark
from orca_tui.words.work_words import coming_words, importance_figure, made_by, uses_words

MUTED = "$foreground-muted"

Row = tuple[str, str | Content]


def episode_content(
    view: EpisodeView, task: TaskView | None, history: Sequence[Change], now: datetime, marks: Marks
) -> Content:
    """All of one episode: what was done, how it ended and by which words, how its importance goes."""
    body = [episode_body(view, task, now, marks), Content(""), literal(_("history"), "bold")]
    return Content("\n").join([*body, history_content(history, marks)])


def episode_body(view: EpisodeView, task: TaskView | None, now: datetime, marks: Marks) -> Content:
    """An episode without its history."""
    episode = view.episode
    outcome = with_words(_(OUTCOME_WORDS[episode.outcome]), episode.outcome_summary)
    quote = f"“{episode.origin.quote}”" if episode.origin.quote else ""
    known = str(Ref(KNOWLEDGE, episode.consolidated_into)) if episode.consolidated_into is not None else ""
    rows: list[Row] = [
        (_("status"), standing(status_word(view.status), episode.held_because, is_pinned=episode.pinned)),
        (_("outcome"), outcome),
        (_("quote"), quote),
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


def knowledge_content(view: KnowledgeView, history: Sequence[Change], now: datetime, marks: Marks) -> Content:
    """All of what is known of a target: the text, its points, what it rests on, what it said before."""
    known = view.knowledge
    sources = " ".join(str(plain_ref(Ref(EPISODE, each))) for each in known.source_episodes)
    rows: list[Row] = [
        (_("status"), standing(status_word(view.status), known.held_because, is_pinned=known.pinned)),
        (_("target"), known.target),
        (_("confidence"), f"{known.confidence:.2f}"),
        (_("version"), str(known.version)),
        (_("episodes"), sources),
        (_("use"), use_words(known.access_count, known.last_accessed, now)),
        (_("from"), source_words("", known.origin, marks)),
    ]
    points = [literal(f"  {marks.dot} ", MUTED) + literal(point) for point in known.key_points]
    lines = [literal(known.topic, "bold"), Content(""), literal(known.content), Content(""), *points]
    lines += [Content("")] if points else []
    lines += [*table(rows), *versions(history), Content(""), literal(_("history"), "bold")]
    return Content("\n").join([*lines, history_content(history, marks)])


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


def table(rows: Sequence[Row]) -> list[Content]:
    """Names in one column and what they are in another; what is empty has no row."""
    shown = [(name, value) for name, value in rows if value]
    width = max((cell_len(name) for name, _value in shown), default=0) + 2
    return [
        literal(padded(name, width), MUTED) + (value if isinstance(value, Content) else literal(value))
        for name, value in shown
    ]


def standing(status: str, held_because: str | None, *, is_pinned: bool) -> str:
    """The status, with why it is held back, and whether it is pinned."""
    held = f" ({reason_phrase(held_because)})" if held_because else ""
    return status + held + (f", {_('pinned')}" if is_pinned else "")


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
