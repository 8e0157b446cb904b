"""Runs, how they were verified, what waits for them and what they cost, in words. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from gettext import gettext as _

from orca_core.model.events import EpisodesRead, Extraction, SummaryFolded
from orca_core.model.learning import (
    DroppedFact,
    Queue,
    Run,
    RunKind,
    RunState,
    RunView,
    StoredFact,
    Verification,
    VerifierFailure,
)
from orca_core.model.llm import Allowance, DailyUsage
from orca_core.model.memories import Memory
from orca_core.serialize.values import timestamp_json
from orca_tui.language import N_, counted, listed, said
from orca_tui.marks import Marks
from orca_tui.times import clock_time
from orca_tui.words.memory_words import memory_line, reason_phrase

FAILURE_WORDS = {
    VerifierFailure.FAILED: N_("it could not be done: {error}"),
    VerifierFailure.UNREADABLE: N_("the answer could not be read"),
    VerifierFailure.NO_TOKENS: N_("today's tokens are used up"),
}


def verification_line(went: Verification) -> str:
    """How it went, whole; where it did not, that what was asked about waits."""
    if went.failure is not None:
        why = _(FAILURE_WORDS[went.failure]).format(error=went.error)
        return _("verifier: {why}; what it was to say waits").format(why=why)
    line = _("verifier: asked about {asked}, refused {refused}")
    if went.unanswered:
        line = _("verifier: asked about {asked}, refused {refused}, no answer about {unanswered}: these wait")
    return line.format(asked=went.asked, refused=went.refused, unanswered=went.unanswered)


def verification_note(went: Verification | None) -> str:
    """That something was not verified, for a list; empty where nothing of it is to be said."""
    if went is None or (went.failure is None and not went.unanswered):
        return ""
    return _("not verified") if went.failure else _("not all verified")


KIND_WORDS: Mapping[str, str] = {
    RunKind.SUMMARIZE: N_("summary"),
    RunKind.EPISODES: N_("episodes"),
    RunKind.CONSOLIDATE: N_("knowledge"),
    RunKind.ACTIONS: N_("acts"),
    RunKind.VERIFY: N_("verification"),
}
RUN_WORDS = {
    "queued": N_("another Orca learns from these rounds"),
    "running": N_("reading"),
    "done": N_("learnt"),
    "none": N_("nothing to learn"),
    "unreadable": N_("the answer could not be read"),
    "failed": N_("failed"),
}
RUN_ERRORS = (
    RUN_WORDS["unreadable"],
    N_("a round was replaced or deleted meanwhile"),
    N_("what it stands on changed meanwhile"),
    N_("it is not ready any more"),
)
"""Errors of runs on record that are Orca's own sentences. What a server said is shown as it came."""


def extraction_lines(event: Extraction, marks: Marks) -> list[str]:
    """How a run goes: one line, and one for each fact where it ended."""
    learnt = event.learnt
    head = " ".join(part for part in (_run_name(event.run), _rounds_phrase(event.session_id, event.rounds)) if part)
    words = _(RUN_WORDS[event.state])
    if event.state == "done":
        words = f" {marks.dot} ".join(
            _counts(
                len(learnt.stored),
                len(learnt.confirmed),
                len(learnt.replaced),
                len(learnt.candidates),
                len(learnt.dropped),
            )
        )
    if event.error:
        words += f": {said(event.error)}"
    if event.state in ("failed", "unreadable"):
        words += f" ({next_try_phrase(event)})"
    verification = event.verification
    return [
        f"{head}: {words}",
        *([] if verification is None else [f"  {verification_line(verification)}"]),
        *_fact_lines(learnt.stored, learnt.candidates, learnt.dropped),
        *_replaced(learnt.replaced),
    ]


def folded_line(event: SummaryFolded) -> str:
    """What became of a fold."""
    if event.error:
        return _("the older rounds could not be summed up: {error}").format(error=said(event.error))
    return _("rounds up to {number} are summed up").format(number=event.through)


def episodes_line(event: EpisodesRead) -> str:
    """What became of reading an ended chat for what was done in it."""
    if event.error:
        return _("the chat could not be read for episodes: {error}").format(error=said(event.error))
    parts = [
        counted("{count} episode noted", "{count} episodes noted", len(event.made)) if event.made else "",
        counted("{count} episode told on", "{count} episodes told on", len(event.changed)) if event.changed else "",
        counted("{count} waits for you", "{count} wait for you", len(event.waiting)) if event.waiting else "",
    ]
    return ", ".join(filter(None, parts))


def next_try_phrase(event: Extraction) -> str:
    """When a failed run is tried again."""
    if event.next_at is None:
        return _("parked: orca extract --retry tries it again")
    return _("again at {time}").format(time=timestamp_json(event.next_at))


def lesson_text(lesson: RunView, marks: Marks) -> str:
    """One run, whole: what it did, and the raw exchange."""
    run = lesson.run
    lines = [run_line(run, marks)]
    if run.result is not None:
        lines += [_named("+", lesson.memories.get(each), each) for each in run.result.stored]
        lines += [_named("?", lesson.memories.get(each), each) for each in run.result.candidates]
        lines += [_named("=", lesson.memories.get(each), each) for each in run.result.confirmed]
        lines += _replaced(run.result.replaced)
        lines += [_named("-", lesson.memories.get(each), each) for each in run.result.retracted]
        lines += [f"  + e{each}" for each in run.result.episodes]
        lines += [f"  + k{each}" for each in run.result.knowledge]
        lines += _dropped(run.result.dropped)
        if run.result.verification is not None:
            lines.append(verification_line(run.result.verification))
    if run.operation is not None:
        lines.append(_("orca memory undo {operation} takes it back").format(operation=run.operation))
    for message in lesson.exchange:
        role = f"{_('verifier')} {marks.dot} {message.role}" if message.in_verification else message.role
        lines += ["", f"{timestamp_json(message.at)}  {role}  {message.model}".rstrip()]
        lines += [f"  {line}" for line in message.content.splitlines()]
    return "\n".join(lines)


def run_line(run: Run, marks: Marks) -> str:
    """One line of a list of runs."""
    kind = f" {marks.dot} {_(KIND_WORDS[run.kind])}" if run.kind in KIND_WORDS else ""
    state = _("parked") if run.is_parked else _(RUN_WORDS[run.state.value])
    tries = f" {marks.dot} " + _("tries: {count}").format(count=run.tries) if run.tries > 1 else ""
    error = _error_of(run)
    read = run.target or _rounds_phrase(run.session_id, run.rounds)
    head = f"{_run_name(run.id)} {read}".rstrip()
    return f"{timestamp_json(run.started_at)}  {head}{kind} {marks.dot} {state}{tries}{error}"


def run_words(run: Run, marks: Marks) -> str:
    """What a run came to, without its time: for a list that has one already."""
    if run.kind is RunKind.SUMMARIZE:
        words = _("summed up") if run.state.value == "done" else _(RUN_WORDS[run.state.value])
    elif run.result is not None and run.state.value == "done":
        result = run.result
        counts = _counts(
            len(result.stored),
            len(result.confirmed),
            len(result.replaced),
            len(result.candidates),
            len(result.dropped),
            len(result.retracted),
        )
        if result.episodes:
            counts = [counted("{count} episode", "{count} episodes", len(result.episodes)), *counts]
        if result.knowledge:
            counts = [_("knowledge {ids}").format(ids=" ".join(f"k{each}" for each in result.knowledge)), *counts]
        if run.kind is RunKind.ACTIONS and run.target:
            counts = [_("went live") if result.stored else _("held back")]
        words = f" {marks.dot} ".join(filter(None, [*counts, verification_note(result.verification)]))
    else:
        words = _("parked") if run.is_parked else _(RUN_WORDS[run.state.value])
        words = f"{_(KIND_WORDS[run.kind])} {marks.dot} {words}" if run.kind in KIND_WORDS else words
    span = run.target or (span_of(run.rounds) if run.rounds else "")
    error = _error_of(run)
    return f"{span}  {words}{error}{_next_try(run)}".strip()


def span_of(rounds: Sequence[int]) -> str:
    """Some rounds of a chat, by their numbers."""
    if len(rounds) == 1:
        return _("round {number}").format(number=rounds[0])
    return _("rounds {first}-{last}").format(first=min(rounds), last=max(rounds))


def _error_of(run: Run) -> str:
    """What went wrong, where the state does not say just that."""
    return f": {said(run.error)}" if run.error and run.error != RUN_WORDS[run.state.value] else ""


def _next_try(run: Run) -> str:
    """When a run that failed is tried again, and how often it was."""
    if run.state not in (RunState.FAILED, RunState.UNREADABLE) or run.next_at is None:
        return ""
    again = _("again at {time}").format(time=clock_time(run.next_at))
    return ", " + listed([again, counted("tried {count} time", "tried {count} times", run.tries)])


def queue_lines(queue: Queue) -> list[str]:
    """What waits, and what went wrong."""
    lines = [counted("{count} round waits to be learnt from", "{count} rounds wait to be learnt from", queue.rounds)]
    if queue.failing:
        lines.append(
            counted(
                "{count} batch failed and is tried again", "{count} batches failed and are tried again", queue.failing
            )
        )
    if queue.parked:
        lines.append(
            counted(
                "{count} batch is parked: orca extract --retry",
                "{count} batches are parked: orca extract --retry",
                queue.parked,
            )
        )
    if queue.last_error and (queue.failing or queue.parked):
        lines.append(_("last error: {error}").format(error=said(queue.last_error)))
    return lines


def _run_name(run: int) -> str:
    return _("run {run}").format(run=run) if run else ""


def _rounds_phrase(session_id: str, rounds: Sequence[int]) -> str:
    if not rounds:
        return session_id
    if len(rounds) == 1:
        return _("{session} round {number}").format(session=session_id, number=rounds[0])
    return _("{session} rounds {span}").format(session=session_id, span=f"{rounds[0]}-{rounds[-1]}")


def _counts(new: int, confirmed: int, replaced: int, held: int, dropped: int, retracted: int = 0) -> list[str]:
    phrases = (
        (new, _("{count} new")),
        (confirmed, _("{count} confirmed")),
        (replaced, _("{count} replaced")),
        (retracted, _("{count} no longer so")),
        (held, _("{count} to review")),
        (dropped, _("{count} dropped")),
    )
    return [phrase.format(count=count) for count, phrase in phrases if count]


def _fact_lines(
    stored: Sequence[StoredFact], candidates: Sequence[StoredFact], dropped: Sequence[DroppedFact]
) -> list[str]:
    lines = [f"  + {memory_line(fact.memory)}" for fact in stored]
    lines += [
        f"  ? {memory_line(fact.memory)}  ({reason_phrase(fact.memory.held_because or '')})" for fact in candidates
    ]
    return lines + _dropped(dropped)


def _dropped(dropped: Sequence[DroppedFact]) -> list[str]:
    return [f"  x {fact.content}  ({reason_phrase(fact.reason)})" for fact in dropped]


def _replaced(replaced: Sequence[tuple[int, int]]) -> list[str]:
    return [_("  #{new} takes the place of #{old}").format(new=new, old=old) for old, new in replaced]


def _named(mark: str, memory: Memory | None, memory_id: int) -> str:
    return f"  {mark} {memory_line(memory) if memory else f'#{memory_id}'}"


def cost_lines(today: Allowance, spent: Sequence[DailyUsage]) -> list[str]:
    """What learning used today, and in the days before."""
    used = _("{used} of {limit} tokens") if today.limit else _("{used} tokens")
    first = f"{_('learning today')}: {used.format(used=today.used, limit=today.limit)}"
    if today.rests_until is not None:
        first += f"; {_('the rest waits until tomorrow')}"
    return [first, *(f"  {each.day}  {each.job}  {each.model}  {_cost_phrase(each)}" for each in spent)]


def _cost_phrase(spent: DailyUsage) -> str:
    words = [
        _("calls: {count}").format(count=spent.calls),
        _("tokens: {prompt} + {completion}").format(prompt=spent.prompt_tokens, completion=spent.completion_tokens),
    ]
    if spent.estimated:
        words.append(_("estimated: {count}").format(count=spent.estimated))
    if spent.cost is not None:
        words.append(f"{spent.cost.currency}{spent.cost.amount:.4f}")
    return ", ".join(words)
