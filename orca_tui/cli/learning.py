"""What is learnt on asking: `orca extract` and `orca consolidate`, how their runs go and what they changed; and `orca
activity`, what was done to records of every kind."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from functools import partial
from gettext import gettext as _
from typing import TypeVar

import click

from orca_core.model.errors import InvalidInput
from orca_core.model.events import ActsRead, Consolidated, EpisodesRead, Extraction, GuideMade
from orca_core.model.learning import Wanted
from orca_core.model.record_types import EPISODE, GUIDE, KNOWLEDGE, Ref, memory_ref
from orca_core.serialize.events import event_json, lesson_json, operation_made_json, run_json
from orca_core.serialize.reports import outcome_json
from orca_tui.cli.commands import command, option
from orca_tui.cli.parameters import ANY_TEXT, SESSION_ID, records
from orca_tui.cli.records import records_json
from orca_tui.cli.runtime import OpenOrca, Runtime
from orca_tui.words.feedback_words import acts_line
from orca_tui.words.history_words import activity_texts, quiet_runs
from orca_tui.words.learning_words import episodes_line, extraction_lines, lesson_text, queue_lines, verification_line
from orca_tui.words.work_words import consolidated_line

T = TypeVar("T")
WritingEvent = TypeVar("WritingEvent", Consolidated, GuideMade)
FAILURES = ("failed", "unreadable")
LearningEvent = Extraction | EpisodesRead | ActsRead | Consolidated | GuideMade
SHOWN = 20
LOOKED_AT = 200
"""Among so many runs those that found something are looked for."""


ReadingEvent = Extraction | EpisodesRead | ActsRead


@command(examples=("orca extract", "orca extract --session s", "orca extract --retry"))
@option("--session", "session_id", type=SESSION_ID, metavar="ID", help="Only from this session.")
@option("--again", is_flag=True, help="Read the session once more, whether it was read or not.")
@option("--retry", is_flag=True, help="Try parked batches again.")
@option(
    "--show",
    "run",
    type=int,
    shell_complete=records("run"),
    metavar="RUN",
    help="Show a run: what it did, and what was said.",
)
def extract(runtime: Runtime, *, session_id: str | None, again: bool, retry: bool, run: int | None) -> None:
    """Learn now from the rounds and acts that wait.

    Otherwise every five rounds of a session are read in the background, and the rest when it ends. What is found is
    live only where you typed it yourself; the rest waits in the inbox: orca memory inbox. Of that the verifier is
    asked again what it has not answered, three times at most."""
    if again and (retry or run is not None):
        raise InvalidInput(template="--again goes with --session alone")
    with runtime.open_orca() as opened:
        if run is not None:
            lesson = opened.run(opened.orca.runs.show(run))
            if runtime.as_json:
                runtime.output.json(lesson_json(lesson))
            else:
                runtime.output.line(lesson_text(lesson, runtime.output.marks))
            return
        if session_id is not None:
            opened.run(opened.orca.sessions.show(session_id, last=0))
        if not opened.orca.learning.facts.is_on:
            raise InvalidInput(
                template="learning is switched off", hint="see memory_agent.enabled and memory.long_term.enabled"
            )
        if retry:
            opened.run(opened.orca.runs.retry(session_id))
        shown = _carried_out(
            opened, _runs(opened, session_id, again), None if runtime.as_json else partial(_tell_of, runtime)
        )
        if not shown and not runtime.as_json:
            for line in queue_lines(opened.run(opened.orca.runs.queue())):
                runtime.output.note(line)
        opened.run(opened.orca.worker.embed())
        if runtime.as_json:
            print_runs(runtime, opened, shown)
    if any(event.state in FAILURES for event in shown):
        raise click.exceptions.Exit(1)


def _runs(opened: OpenOrca, session_id: str | None, again: bool) -> AsyncIterator[ReadingEvent]:
    if not again:
        # The list of the inbox waits for no model: here a person asks for what the verifier has not answered.
        return _everything(opened, Wanted(session_id=session_id, everything=True, inbox=session_id is None))
    if session_id is None:
        latest = opened.run(opened.orca.sessions.latest())
        if latest is None:
            raise InvalidInput(template="there is no session to read")
        session_id = latest.id
    return opened.orca.learning.facts.run_again(session_id)


async def _everything(opened: OpenOrca, wanted: Wanted) -> AsyncGenerator[ReadingEvent, None]:
    """Facts first, then what was done, then what acts show."""
    async for fact_run in opened.orca.learning.facts.run(wanted):
        yield fact_run
    async for chat_run in opened.orca.learning.episodes.run(wanted):
        yield chat_run
    if opened.orca.learning.feedback.is_on:
        async for act_run in opened.orca.learning.feedback.run(wanted):
            yield act_run


def _tell_of(runtime: Runtime, event: ReadingEvent) -> None:
    """Say how a run goes."""
    output = runtime.output
    if isinstance(event, EpisodesRead):
        if event.state == "running":
            output.note(_("session {session} is read for episodes …").format(session=event.session_id))
            return
        if line := episodes_line(event):
            output.line(line)
        if event.verification is not None:
            output.line(f"  {verification_line(event.verification)}")
    elif isinstance(event, ActsRead):
        if line := acts_line(event):
            output.line(line)
    elif event.state == "running":
        output.note(extraction_lines(event, output.marks)[0] + " …")
    else:
        output.line("\n".join(extraction_lines(event, output.marks)))


@command(
    examples=(
        "orca consolidate",
        "orca consolidate --target nginx",
    )
)
@option("--target", type=ANY_TEXT, metavar="TARGET", help="Only of this, with as many episodes as there are.")
def consolidate(runtime: Runtime, *, target: str | None) -> None:
    """Make knowledge of past work now.

    Otherwise memory.consolidate.min_episodes episodes on one target become knowledge in the background, and each
    further one renews it. What no episode says waits in the inbox: orca memory inbox."""
    with runtime.open_orca() as opened:
        consolidation = opened.orca.learning.knowledge
        if not consolidation.is_on:
            raise InvalidInput(
                template="no knowledge is made", hint="see memory_agent.enabled and memory.consolidate.enabled"
            )
        shown = run_and_report(
            runtime, opened, consolidation.run(target), partial(consolidated_line, marks=runtime.output.marks)
        )
    if not shown and not runtime.as_json:
        runtime.output.note(_("Nothing to consolidate: orca knowledge target list shows what there is."))
    if any(event.state in FAILURES for event in shown):
        raise click.exceptions.Exit(1)


def run_and_report(
    runtime: Runtime, opened: OpenOrca, runs: AsyncIterator[WritingEvent], line: Callable[[WritingEvent], str]
) -> list[WritingEvent]:
    """Carry runs out that a person asked for, and say how they go and what they made. Returns all that they told."""

    def tell(event: WritingEvent) -> None:
        if event.state == "running":
            runtime.output.note(f"{line(event)} …")
        elif not runtime.as_json:
            runtime.output.line(line(event))

    shown = _carried_out(opened, runs, tell)
    opened.run(opened.orca.worker.embed())
    if runtime.as_json:
        print_runs(runtime, opened, shown)
    return shown


def _carried_out(opened: OpenOrca, runs: AsyncIterator[T], tell: Callable[[T], None] | None) -> list[T]:
    """All that the runs tell. Ctrl+C leaves what is not done for the next time."""
    shown: list[T] = []
    with opened.loop.stream(lambda _stop: runs) as (events, _stop_now):
        for event in events:
            shown.append(event)
            if tell is not None:
                tell(event)
    return shown


def print_runs(runtime: Runtime, opened: OpenOrca, events: Sequence[LearningEvent]) -> None:
    """How each run ended, and what all of them changed."""
    ended = [event for event in events if event.state != "running"]
    operations = [opened.run(opened.orca.runs.show(event.run)).run.operation for event in ended if event.run]
    refs = list(dict.fromkeys(ref for event in ended for ref in _changed_by(event)))
    changed = opened.run(records_json(opened.orca, refs))
    runtime.output.json(outcome_json(operations, changed, runs=[event_json(event) for event in ended]))


def _changed_by(event: LearningEvent) -> Iterator[Ref]:
    match event:
        case Extraction():
            learnt = event.learnt
            yield from (memory_ref(fact.memory.id) for fact in (*learnt.stored, *learnt.candidates))
            yield from map(memory_ref, learnt.confirmed)
            yield from (memory_ref(each) for pair in learnt.replaced for each in pair)
        case EpisodesRead():
            yield from (Ref(EPISODE, each) for each in (*event.made, *event.changed))
        case ActsRead():
            yield from map(memory_ref, dict.fromkeys((*event.supported, *event.made)))
        case GuideMade():
            if event.guide is not None:
                yield Ref(GUIDE, event.guide)
        case Consolidated():
            if event.knowledge is not None:
                yield Ref(KNOWLEDGE, event.knowledge)
                yield from (Ref(EPISODE, each) for each in event.episodes)


@command(examples=("orca activity", "orca activity --limit 5 --all"))
@option("--limit", type=click.IntRange(min=1), default=SHOWN, metavar="N", help="At most so many.")
@option("--all", "with_quiet", is_flag=True, help="Also each run that found nothing.")
def activity(runtime: Runtime, *, limit: int, with_quiet: bool) -> None:
    """Show what was done to memories, tasks, episodes, knowledge and guides, newest first.

    A line begins with the number of an operation, which orca memory undo takes, or names a run, which orca extract
    --show explains."""
    with runtime.open_orca() as opened:
        operations = opened.run(opened.orca.history.activity(limit))
        runs = opened.run(opened.orca.runs.runs(limit if runtime.as_json or with_quiet else max(limit, LOOKED_AT)))
    if runtime.as_json:
        runtime.output.json(
            {
                "operations": [operation_made_json(operation, changes) for operation, changes in operations],
                "runs": [run_json(run) for run in runs],
            }
        )
        return
    quiet = [] if with_quiet else quiet_runs(runs)
    lines = activity_texts(operations, runs, runtime.output.marks, quiet=quiet)[:limit]
    if lines:
        runtime.output.line("\n".join(lines))
    else:
        runtime.output.note(_("Nothing has happened yet."))
