"""`orca extract`: learn now from what waits, try again what failed, or look at a run."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from gettext import gettext as _

import click

from orca_core.model.errors import InvalidInput
from orca_core.model.events import ActsRead, EpisodesRead, Extraction
from orca_core.model.learning import Wanted
from orca_core.serialize.events import lesson_json
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.completions import records
from orca_tui.cli.run_outcomes import tell_runs
from orca_tui.cli.runtime import OpenOrca, Runtime, pass_runtime
from orca_tui.cli.streams import SESSION_ID
from orca_tui.words.act_words import acts_line
from orca_tui.words.learning_words import episodes_line, extraction_lines, lesson_text, queue_lines, verification_line

FAILURES = ("failed", "unreadable")
Read = Extraction | EpisodesRead | ActsRead


@command()
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
@as_json_option
@pass_runtime
def extract(
    runtime: Runtime, *, session_id: str | None, again: bool, retry: bool, run: int | None, as_json: bool
) -> None:
    """Learn now from the rounds and acts that wait.

    Otherwise every five rounds of a session are read in the background, and the rest when it ends. What is found is
    live only where you typed it yourself; the rest waits in the inbox: orca memory inbox. Of that the verifier is
    asked again what it has not answered, three times at most."""
    if again and (retry or run is not None):
        raise InvalidInput(template="--again goes with --session alone")
    with runtime.orca() as orca:
        if run is not None:
            lesson = orca.run(orca.engine.runs.show(run))
            if as_json:
                runtime.output.json(lesson_json(lesson))
            else:
                runtime.output.line(lesson_text(lesson, runtime.output.marks))
            return
        if session_id is not None:
            orca.run(orca.engine.sessions.show(session_id, last=0))
        if not orca.engine.learning.facts.is_on:
            raise InvalidInput(
                template="learning is switched off", hint="see memory_agent.enabled and memory.long_term.enabled"
            )
        if retry:
            orca.run(orca.engine.runs.retry(session_id))
        shown = _learn(orca, runtime, _runs(orca, session_id, again), as_json)
        if not shown and not as_json:
            for line in queue_lines(orca.run(orca.engine.runs.queue())):
                runtime.output.note(line)
        orca.run(orca.engine.worker.embed())
        if as_json:
            tell_runs(runtime, orca, shown)
    if any(event.state in FAILURES for event in shown):
        raise click.exceptions.Exit(1)


def _runs(orca: OpenOrca, session_id: str | None, again: bool) -> AsyncIterator[Read]:
    if not again:
        # The list of the inbox waits for no model: here a person asks for what the verifier has not answered.
        return _everything(orca, Wanted(session_id=session_id, everything=True, inbox=session_id is None))
    if session_id is None:
        latest = orca.run(orca.engine.sessions.latest())
        if latest is None:
            raise InvalidInput(template="there is no session to read")
        session_id = latest.id
    return orca.engine.learning.facts.run_again(session_id)


async def _everything(orca: OpenOrca, wanted: Wanted) -> AsyncGenerator[Read, None]:
    """Facts first, then what was done, then what acts show."""
    async for fact_run in orca.engine.learning.facts.run(wanted):
        yield fact_run
    async for chat_run in orca.engine.learning.episodes.run(wanted):
        yield chat_run
    if orca.engine.learning.feedback.is_on:
        async for act_run in orca.engine.learning.feedback.run(wanted):
            yield act_run


def _learn(orca: OpenOrca, runtime: Runtime, runs: AsyncIterator[Read], as_json: bool) -> list[Read]:
    """Carry out the runs, telling of each. Ctrl+C leaves what is not done for the next time."""
    shown: list[Read] = []
    with orca.backstage.stream(lambda _stop: runs) as (events, _stop_now):
        for event in events:
            shown.append(event)
            if as_json:
                continue
            if isinstance(event, EpisodesRead):
                _tell(runtime, event)
            elif isinstance(event, ActsRead):
                if line := acts_line(event):
                    runtime.output.line(line)
            elif event.state == "running":
                runtime.output.note(extraction_lines(event, runtime.output.marks)[0] + " …")
            else:
                runtime.output.line("\n".join(extraction_lines(event, runtime.output.marks)))
    return shown


def _tell(runtime: Runtime, event: EpisodesRead) -> None:
    if event.state == "running":
        runtime.output.note(_("session {session} is read for episodes …").format(session=event.session_id))
        return
    if line := episodes_line(event):
        runtime.output.line(line)
    if event.verification is not None:
        runtime.output.line(f"  {verification_line(event.verification)}")
