"""`orca episode list | search | show | history`: looking, without changing anything."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _

import click

from orca_core.model.episodes import EpisodeSort, WorkQuery
from orca_core.model.views import EpisodeView
from orca_core.serialize.work import episode_json, work_list_json
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.completions import STATES, records, words
from orca_tui.cli.episode_hand import EPISODES_BY_HAND
from orca_tui.cli.memory_reading import FOUND_BY_DEFAULT
from orca_tui.cli.output import Column, Output
from orca_tui.cli.record_ids import EPISODE_ID
from orca_tui.cli.record_reading import Listed
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.cli.streams import ANY_TEXT, SESSION_ID
from orca_tui.words.memory_words import status_word
from orca_tui.words.work_words import episode_id, episode_text, importance_figure, outcome_word


def _table(output: Output, views: Sequence[EpisodeView]) -> None:
    columns = (
        Column(_("id")),
        Column(_("importance"), is_number=True),
        Column(_("status")),
        Column(_("outcome")),
        Column(_("day")),
        Column(_("target")),
        Column(_("episode"), takes_rest=True),
    )
    rows = [
        (
            episode_id(view.episode),
            importance_figure(view),
            status_word(view.status),
            outcome_word(view.episode.outcome),
            f"{view.episode.created_at.astimezone():%Y-%m-%d}",
            view.episode.target,
            view.episode.trigger_summary,
        )
        for view in views
    ]
    output.table(columns, rows)


LISTED = Listed("episodes", lambda orca: orca.engine.work.episodes, episode_json, _table)
history = EPISODES_BY_HAND.history("Show what happened to an episode.")


@command(
    "list",
    examples=(
        "orca episode list",
        "orca episode list --status all --target nginx --sort importance",
    ),
)
@option(
    "--status",
    default="live",
    metavar="STATUS",
    shell_complete=words(*STATES),
    help="live, all, or active, archived, candidate, rejected.",
)
@option("--target", default="", type=ANY_TEXT, metavar="TARGET", help="Only work on this.")
@option("--session", "session_id", type=SESSION_ID, metavar="ID", help="Only of this session.")
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
@option("--sort", type=click.Choice([each.value for each in EpisodeSort]), default="new", help="The order.")
@option("--limit", type=click.IntRange(min=0), metavar="N", help="At most so many.")
@option("--offset", type=click.IntRange(min=0), default=0, metavar="N", help="Leave out the first ones.")
@as_json_option
@pass_runtime
def list_episodes(
    runtime: Runtime,
    *,
    status: str,
    target: str,
    session_id: str | None,
    tags: tuple[str, ...],
    pinned: bool,
    sort: str,
    limit: int | None,
    offset: int,
    as_json: bool,
) -> None:
    """List episodes; those that live, unless told otherwise."""
    query = WorkQuery(status, tags, target, session_id or "", pinned_only=pinned, sort=sort, limit=limit, offset=offset)
    LISTED.page(
        runtime,
        query,
        as_json,
        _("No episode yet, or none like this: an ended task becomes one, and a chat that ended."),
    )


@command(
    examples=(
        'orca episode search "nginx gives 502"',
        'orca episode search "disk full" --limit 3 --json',
    )
)
@click.argument("query", type=ANY_TEXT)
@option("--limit", type=click.IntRange(min=1), default=FOUND_BY_DEFAULT, metavar="N", help="At most so many.")
@as_json_option
@pass_runtime
def search(runtime: Runtime, query: str, limit: int, as_json: bool) -> None:
    """Search the episodes that live, by meaning and by words."""
    LISTED.found(runtime, query, limit, as_json, _("Nothing near enough was found."))


@command(
    examples=(
        "orca episode show e1",
        "orca episode show e1 e2 --json",
    )
)
@click.argument("ids", metavar="ID...", type=EPISODE_ID, nargs=-1, required=True)
@as_json_option
@pass_runtime
def show(runtime: Runtime, ids: tuple[int, ...], as_json: bool) -> None:
    """Show all of an episode."""
    with runtime.orca() as orca:
        episodes = orca.engine.work.episodes
        views = orca.run(episodes.views(orca.run(episodes.get(list(dict.fromkeys(ids))))))
    if not as_json:
        runtime.output.line("\n\n".join(map(episode_text, views)))
    elif len(views) == 1:
        runtime.output.json(episode_json(views[0]))
    else:
        runtime.output.json(work_list_json("episodes", [episode_json(view) for view in views], len(views)))
