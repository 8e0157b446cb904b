"""`orca episode`: what was done and how it ended."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.model.episodes import EPISODES, EpisodeSort
from orca_core.model.record_types import EPISODE, Ref
from orca_core.serialize.reports import deleted_json, outcome_json
from orca_core.serialize.work import episode_json, fade_json
from orca_tui.cli.commands import Group, option
from orca_tui.cli.output import TableColumn
from orca_tui.cli.records import (
    ONLY_TAGS,
    PINNED,
    RecordCommands,
    session_option,
    sort_option,
    status_option,
    text_option,
    work_page,
)
from orca_tui.cli.runtime import OpenOrca, Runtime
from orca_tui.cli.work_targets import target
from orca_tui.language import N_
from orca_tui.words.memory_words import status_word
from orca_tui.words.work_words import (
    episode_id,
    episode_line,
    episode_text,
    fade_lines,
    fade_notes,
    importance_figure,
    outcome_word,
)

episode = Group("episode", help="List, search and change what was done and how it ended.")


def _texts(_runtime: Runtime, opened: OpenOrca, ids: Sequence[int]) -> list[str]:
    episodes = opened.orca.work.episodes
    return [episode_text(view) for view in opened.run(episodes.views(opened.run(episodes.get(ids))))]


EPISODE_COMMANDS = RecordCommands(
    group=episode,
    type=EPISODES,
    service=lambda opened: opened.orca.work.episodes,
    line=episode_line,
    plural="episodes",
    to_json=episode_json,
    columns=(
        TableColumn(N_("id"), lambda view: episode_id(view.episode)),
        TableColumn(N_("importance"), importance_figure, is_number=True),
        TableColumn(N_("status"), lambda view: status_word(view.status)),
        TableColumn(N_("outcome"), lambda view: outcome_word(view.episode.outcome)),
        TableColumn(N_("day"), lambda view: f"{view.episode.created_at.astimezone():%Y-%m-%d}"),
        TableColumn(N_("target"), lambda view: view.episode.target),
        TableColumn(N_("episode"), lambda view: view.episode.trigger_summary, takes_rest=True),
    ),
    texts=_texts,
)

EPISODE_COMMANDS.list(
    "List episodes; those that live, unless told otherwise.",
    status_option(),
    text_option("--target", "Only work on this.", metavar="TARGET"),
    session_option("Only of this session."),
    ONLY_TAGS,
    PINNED,
    sort_option(EpisodeSort),
    find=work_page(EPISODE_COMMANDS.service),
    nothing=N_("No episode yet, or none like this: an ended task becomes one, and a chat that ended."),
    examples=("orca episode list", "orca episode list --status all --target nginx --sort importance"),
)
EPISODE_COMMANDS.search(
    "Search the episodes that live, by meaning and by words.",
    nothing=N_("Nothing near enough was found."),
    examples=('orca episode search "nginx gives 502"', 'orca episode search "disk full" --limit 3 --json'),
)
EPISODE_COMMANDS.show("Show all of an episode.", examples=("orca episode show e1", "orca episode show e1 e2 --json"))
EPISODE_COMMANDS.edit(
    """Change what an episode says.

    What you wrote nothing but you changes, also where the chat goes on.""",
    examples=(
        'orca episode edit e1 --outcome success --summary "it works now"',
        "orca episode edit e1 --tag web --tag nginx",
    ),
)
EPISODE_COMMANDS.acts(
    {
        "pin": "Pin episodes: nothing but you changes them, and they are not forgotten.",
        "unpin": "Take pins off episodes.",
        "archive": "Archive episodes: they are kept, and not used.",
        "restore": "Bring archived or forgotten episodes back.",
        "accept": "Let episodes live that wait for you.",
        "reject": "Reject episodes that wait for you.",
    }
)
EPISODE_COMMANDS.delete("Delete episodes for good.")
EPISODE_COMMANDS.history("Show what happened to an episode.")
EPISODE_COMMANDS.why("Show the turns that got an episode, why, and what came of it.")
episode.add_command(target)


@episode.command(examples=("orca episode fade --dry-run", "orca episode fade --json"))
@option("--dry-run", is_flag=True, help="Say what would go, and change nothing.")
def fade(runtime: Runtime, *, dry_run: bool) -> None:
    """Forget episodes that nobody needs, as it is done once a day.

    What fades is found no more. It can be brought back for memory.forget.grace, and is then deleted for good."""
    with runtime.open_orca() as opened:
        gate = opened.orca.work.forgetting
        report = opened.run(gate.preview() if dry_run else gate.run())
    if runtime.as_json:
        told = fade_json(report, is_dry=dry_run)
        gone = [deleted_json(Ref(EPISODE, each)) for each in report.deleted]
        changed = [] if dry_run else [*told["forgotten"], *gone]
        runtime.output.json({**outcome_json((told["operation"],), changed), **told})
        return
    if lines := fade_lines(report, is_dry=dry_run):
        runtime.output.line("\n".join(lines))
    for note in fade_notes(report, is_dry=dry_run):
        runtime.output.note(note)
