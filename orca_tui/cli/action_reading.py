"""`orca action list | show`: looking, without changing anything."""

from __future__ import annotations

from gettext import gettext as _

import click

from orca_core.model.feedback import ACTIONS, Action
from orca_core.model.memories import Memory
from orca_core.model.records import plain_ref
from orca_core.model.views import RecordPage
from orca_core.serialize.values import timestamp_json
from orca_core.serialize.work import action_json, actions_json
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.output import Column
from orca_tui.cli.record_ids import ACTION_ID
from orca_tui.cli.runtime import OpenOrca, Runtime, pass_runtime
from orca_tui.cli.streams import SESSION_ID
from orca_tui.words.act_words import about_words, act_text, standing_words
from orca_tui.words.memory_words import standing_word

SHOWN = 20


@command("list", examples=("orca action list", "orca action list --session s --standing --json"))
@option("--session", "session_id", type=SESSION_ID, metavar="ID", help="Only of this session.")
@option("--standing", is_flag=True, help="Only those that were not taken back.")
@option("--limit", type=click.IntRange(min=0), default=SHOWN, metavar="N", help="At most so many.")
@option("--offset", type=click.IntRange(min=0), default=0, metavar="N", help="Leave out the first ones.")
@as_json_option
@pass_runtime
def list_actions(
    runtime: Runtime, *, session_id: str | None, standing: bool, limit: int, offset: int, as_json: bool
) -> None:
    """List acts, newest first."""
    with runtime.orca() as orca:
        actions = orca.engine.feedback.actions
        page = orca.run(actions.page(session_id=session_id, standing=standing, limit=limit, offset=offset))
        supports = orca.run(actions.speaks_for([each.id for each in page.records]))
    if as_json:
        runtime.output.json(actions_json(page, supports))
        return
    columns = (
        Column(_("id")),
        Column(_("at")),
        Column(_("type")),
        Column(_("status")),
        Column(_("supports")),
        Column(_("about"), takes_rest=True),
    )
    rows = [
        (
            str(plain_ref(ACTIONS.ref(each))),
            timestamp_json(each.at) or "",
            each.type.value,
            standing_words(each),
            " ".join(f"#{memory}" for memory in supports.get(each.id, ())),
            about_words(each),
        )
        for each in page.records
    ]
    runtime.output.table(columns, rows)
    if not page.total:
        runtime.output.note(_("No act yet, or none like this: orca action add records one."))
    elif len(page.records) < page.total:
        runtime.output.note(_("{shown} of {total}").format(shown=len(page.records), total=page.total))


@command(examples=("orca action show a1", "orca action show a1 a2 --json"))
@click.argument("ids", metavar="ID...", type=ACTION_ID, nargs=-1, required=True)
@as_json_option
@pass_runtime
def show(runtime: Runtime, ids: tuple[int, ...], as_json: bool) -> None:
    """Show all of an act, and the memories that it supports.

    An act supports a memory once it was read and shows something. One that was taken back supports none."""
    with runtime.orca() as orca:
        actions = orca.engine.feedback.actions
        found = orca.run(actions.get(list(dict.fromkeys(ids))))
        supports = orca.run(actions.speaks_for([each.id for each in found]))
        texts = [] if as_json else [_text(orca, each, supports.get(each.id, ())) for each in found]
    if not as_json:
        runtime.output.line("\n\n".join(texts))
    elif len(found) == 1:
        runtime.output.json(action_json(found[0], supports.get(found[0].id, ())))
    else:
        runtime.output.json(actions_json(RecordPage(tuple(found), len(found)), supports))


def _text(orca: OpenOrca, action: Action, memory_ids: tuple[int, ...]) -> str:
    views = orca.run(orca.engine.memories.views(memory_ids)) if memory_ids else []
    memories: list[tuple[Memory, str]] = [(view.memory, standing_word(view.memory, view.status)) for view in views]
    return act_text(action, memories)
