"""`orca knowledge list | search | show | history`: looking, without changing anything."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _

import click

from orca_core.model.episodes import KnowledgeSort, WorkQuery
from orca_core.model.knowledge import KNOWLEDGES
from orca_core.model.records import plain_ref
from orca_core.model.views import KnowledgeView
from orca_core.serialize.work import knowledge_json, work_list_json
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.completions import STATES, words
from orca_tui.cli.knowledge_hand import KNOWLEDGE_BY_HAND
from orca_tui.cli.memory_reading import FOUND_BY_DEFAULT
from orca_tui.cli.output import Column, Output
from orca_tui.cli.record_ids import KNOWLEDGE_ID
from orca_tui.cli.record_reading import Listed
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.cli.streams import ANY_TEXT
from orca_tui.words.memory_words import status_word
from orca_tui.words.work_words import knowledge_text


def _table(output: Output, views: Sequence[KnowledgeView]) -> None:
    columns = (
        Column(_("id")),
        Column(_("status")),
        Column(_("target")),
        Column(_("episodes"), is_number=True),
        Column(_("topic"), takes_rest=True),
    )
    output.table(
        columns,
        [
            (
                str(plain_ref(KNOWLEDGES.ref(view.knowledge))),
                status_word(view.status),
                view.knowledge.target,
                str(len(view.knowledge.source_episodes)),
                view.knowledge.topic,
            )
            for view in views
        ],
    )


LISTED = Listed("knowledge", lambda orca: orca.engine.work.knowledge, knowledge_json, _table)
history = KNOWLEDGE_BY_HAND.history("Show what happened to a piece of knowledge.")


@command(
    "list",
    examples=(
        "orca knowledge list",
        "orca knowledge list --status all --target nginx --json",
    ),
)
@option(
    "--status",
    default="live",
    metavar="STATUS",
    shell_complete=words(*STATES),
    help="live, all, or active, archived, candidate, rejected.",
)
@option("--target", default="", type=ANY_TEXT, metavar="TARGET", help="Only what is known of this.")
@option("--pinned", is_flag=True, help="Only pinned ones.")
@option("--sort", type=click.Choice([each.value for each in KnowledgeSort]), default="new", help="The order.")
@option("--limit", type=click.IntRange(min=0), metavar="N", help="At most so many.")
@option("--offset", type=click.IntRange(min=0), default=0, metavar="N", help="Leave out the first ones.")
@as_json_option
@pass_runtime
def list_knowledge(
    runtime: Runtime,
    *,
    status: str,
    target: str,
    pinned: bool,
    sort: str,
    limit: int | None,
    offset: int,
    as_json: bool,
) -> None:
    """List knowledge; what lives, unless told otherwise."""
    query = WorkQuery(status, target=target, pinned_only=pinned, sort=sort, limit=limit, offset=offset)
    LISTED.page(
        runtime, query, as_json, _("Nothing known yet, or nothing like this: orca consolidate makes it of past work.")
    )


@command(
    examples=(
        'orca knowledge search "nginx gives 502"',
        "orca knowledge search timeouts --limit 3 --json",
    )
)
@click.argument("query", type=ANY_TEXT)
@option("--limit", type=click.IntRange(min=1), default=FOUND_BY_DEFAULT, metavar="N", help="At most so many.")
@as_json_option
@pass_runtime
def search(runtime: Runtime, query: str, limit: int, as_json: bool) -> None:
    """Search the knowledge that lives, by meaning and by words."""
    LISTED.found(runtime, query, limit, as_json, _("Nothing found."))


@command(
    examples=(
        "orca knowledge show k1",
        "orca knowledge show k1 --json",
    )
)
@click.argument("ids", metavar="ID...", type=KNOWLEDGE_ID, nargs=-1, required=True)
@as_json_option
@pass_runtime
def show(runtime: Runtime, ids: tuple[int, ...], as_json: bool) -> None:
    """Show all of a piece of knowledge, with the episodes that it was made of."""
    with runtime.orca() as orca:
        known = orca.engine.work.knowledge
        records = orca.run(known.get(list(dict.fromkeys(ids))))
        views = orca.run(known.views(records))
        sources = [] if as_json else [orca.run(known.sources(record)) for record in records]
    if not as_json:
        texts = [knowledge_text(*each, runtime.output.marks) for each in zip(views, sources, strict=True)]
        runtime.output.line("\n\n".join(texts))
    elif len(views) == 1:
        runtime.output.json(knowledge_json(views[0]))
    else:
        runtime.output.json(work_list_json("knowledge", [knowledge_json(view) for view in views], len(views)))
