"""`orca memory list | search | show | history | stats`: looking, without changing anything."""

from __future__ import annotations

from datetime import UTC, datetime
from gettext import gettext as _

import click
from msgspec.structs import replace

from orca_core.model.errors import InvalidInput
from orca_core.model.memories import Status
from orca_core.model.views import ListQuery, MemorySort
from orca_core.serialize.memories import candidate_json, found_json, history_json, pool_json
from orca_core.serialize.reports import cost_json, stats_json
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.completions import STATES, TYPES, records, words
from orca_tui.cli.record_ids import MEMORY_ID
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.cli.stopped import warn_of_half_done
from orca_tui.cli.streams import ANY_TEXT
from orca_tui.cli.views import candidate_table, change_line, found_table, memory_table, memory_text, stats_text
from orca_tui.words.act_words import weighed_text
from orca_tui.words.health_words import level_note
from orca_tui.words.inbox_words import waiting_line
from orca_tui.words.learning_words import cost_lines
from orca_tui.words.memory_words import reason_phrase

FOUND_BY_DEFAULT = 10


@command("list")
@option(
    "--status",
    default="live",
    metavar="STATUS",
    shell_complete=words(*STATES, "core"),
    help="live, all, or active, core, archived, candidate, rejected.",
)
@option(
    "--pool",
    metavar="POOL",
    shell_complete=words("candidates", "info", "profile"),
    help="candidates, info or profile: what waits, facts and events, wishes.",
)
@option(
    "--type",
    "types",
    multiple=True,
    metavar="TYPE",
    shell_complete=words(*TYPES),
    help="Only this type; may be given again.",
)
@option(
    "--tag",
    "tags",
    multiple=True,
    type=ANY_TEXT,
    shell_complete=records("tag"),
    metavar="TAG",
    help="Only with this tag; may be given again.",
)
@option("--pinned", is_flag=True, help="Only pinned ones.")
@option("--sort", type=click.Choice([each.value for each in MemorySort]), default="weight", help="The order.")
@option("--limit", type=click.IntRange(min=0), metavar="N", help="At most so many.")
@option("--offset", type=click.IntRange(min=0), default=0, metavar="N", help="Leave out the first ones.")
@as_json_option
@pass_runtime
def list_memories(
    runtime: Runtime,
    *,
    status: str,
    pool: str | None,
    types: tuple[str, ...],
    tags: tuple[str, ...],
    pinned: bool,
    sort: str,
    limit: int | None,
    offset: int,
    as_json: bool,
) -> None:
    """List memories; those that live, unless told otherwise."""
    query = ListQuery(status, types=types, tags=tags, sort=sort, pinned_only=pinned, limit=limit, offset=offset)
    if pool is not None and query != ListQuery(limit=limit, offset=offset):
        raise InvalidInput(template="--pool chooses by itself: --limit and --offset alone can stand beside it")
    with runtime.orca() as orca:
        warn_of_half_done(runtime, orca)
        engine, memories = orca.engine, orca.engine.memories
        page = orca.run(memories.page(query) if pool is None else engine.feedback.pools.page(pool, limit, offset))
        waiting = [view.memory.id for view in page.views if view.status is Status.CANDIDATE]
        weighed = orca.run(engine.feedback.pools.weighed(waiting)) if waiting else {}
        if as_json:
            views = orca.run(memories.views([view.memory.id for view in page.views]))
            runtime.output.json(pool_json(replace(page, views=tuple(views)), weighed))
            return
        if waiting and len(waiting) == len(page.views):
            candidate_table(runtime.output, page.views, weighed)
        else:
            memory_table(runtime.output, page.views)
        if not page.total:
            runtime.output.note(_("Nothing remembered yet, or nothing like this."))
            if words := waiting_line(orca.run(orca.engine.inbox.waiting()), datetime.now(UTC)):
                runtime.output.note(_("{waiting}; orca memory inbox shows them").format(waiting=words))
        elif len(page.views) < page.total:
            runtime.output.note(_("{shown} of {total}").format(shown=len(page.views), total=page.total))


@command()
@click.argument("query", type=ANY_TEXT)
@option("--limit", type=click.IntRange(min=1), default=FOUND_BY_DEFAULT, metavar="N", help="At most so many.")
@as_json_option
@pass_runtime
def search(runtime: Runtime, query: str, limit: int, as_json: bool) -> None:
    """Search the memories that live, by meaning and by words."""
    with runtime.orca() as orca:
        result = orca.run(orca.engine.search.find(query, limit))
        if note := level_note(result.level, result.cause):
            runtime.output.warn(note)
        if as_json:
            runtime.output.json(found_json(result.hits, result.rules))
            return
        found_table(runtime.output, result.hits)
        for rule in result.rules:
            runtime.output.note(reason_phrase(rule))
        if not result.hits:
            runtime.output.note(_("Nothing near enough was found."))


@command()
@click.argument("memory_id", metavar="ID", type=MEMORY_ID)
@as_json_option
@pass_runtime
def show(runtime: Runtime, memory_id: int, as_json: bool) -> None:
    """Show all of one memory.

    Of a candidate also what it waits for: on how many days your acts or words showed it, what it scores among the
    others, what would let it live."""
    with runtime.orca() as orca:
        [view] = orca.run(orca.engine.memories.views([memory_id]))
        is_waiting = view.status is Status.CANDIDATE
        weighed = orca.run(orca.engine.feedback.pools.weighed([memory_id])).get(memory_id) if is_waiting else None
    if as_json:
        runtime.output.json(candidate_json(view, weighed))
    else:
        runtime.output.line(memory_text(view, runtime.output.marks) + (f"\n{weighed_text(weighed)}" if weighed else ""))


@command()
@click.argument("memory_id", metavar="ID", type=MEMORY_ID)
@as_json_option
@pass_runtime
def history(runtime: Runtime, memory_id: int, as_json: bool) -> None:
    """Show what happened to a memory."""
    with runtime.orca() as orca:
        changes = orca.run(orca.engine.history.changes_of(memory_id))
    if as_json:
        runtime.output.json(history_json(memory_id, changes))
    else:
        runtime.output.line("\n".join(change_line(change, runtime.output.marks) for change in changes))


@command()
@option("--cost", is_flag=True, help="Also what learning used in the last 30 days.")
@as_json_option
@pass_runtime
def stats(runtime: Runtime, *, cost: bool, as_json: bool) -> None:
    """Count what is stored."""
    with runtime.orca() as orca:
        counted = orca.run(orca.engine.memories.stats())
        queue = orca.run(orca.engine.runs.queue())
        today = orca.run(orca.engine.runs.allowance()) if cost else None
        spent = orca.run(orca.engine.runs.spent()) if cost else []
    if as_json:
        told = stats_json(counted, queue)
        runtime.output.json(told if today is None else {**told, "cost": cost_json(today, spent)})
    else:
        runtime.output.line(stats_text(counted, queue))
        if today is not None:
            runtime.output.line("\n".join(cost_lines(today, spent)))
