"""`orca session rename | delete`: what a hand does to past chats."""

from __future__ import annotations

from gettext import gettext as _

import click

from orca_core.model.sessions import Session
from orca_core.serialize.reports import DELETED, outcome_json
from orca_core.serialize.values import plain
from orca_tui.cli.commands import as_json_option, command
from orca_tui.cli.deleting import ask_to_delete, see_that_it_can_be_asked, tell_wiped, yes_option
from orca_tui.cli.proving import Proving, proof_option, proof_to_json, tell_proof
from orca_tui.cli.runtime import OpenOrca, Runtime, pass_runtime
from orca_tui.cli.streams import ANY_TEXT, SESSION_ID
from orca_tui.language import counted


@command(examples=("orca session rename s 'The red build'",))
@click.argument("session_id", metavar="ID", type=SESSION_ID)
@click.argument("title", type=ANY_TEXT)
@as_json_option
@pass_runtime
def rename(runtime: Runtime, session_id: str, title: str, as_json: bool) -> None:
    """Give a chat another title.

    It stays, whatever is said in the chat later."""
    with runtime.orca() as orca:
        renamed = orca.run(orca.engine.sessions.rename(session_id, title))
    if as_json:
        runtime.output.json(outcome_json((), [plain(renamed)]))
    else:
        runtime.output.record(_line(renamed))
        if len(renamed.title) < len(" ".join(title.split())):
            runtime.output.note(_("too long for a title: its end was left out"))


@command(examples=("orca session delete s", "orca session delete s --yes"))
@click.argument("ids", metavar="ID...", type=SESSION_ID, nargs=-1, required=True)
@yes_option
@proof_option
@as_json_option
@pass_runtime
def delete(runtime: Runtime, *, ids: tuple[str, ...], yes: bool, proof: bool, as_json: bool) -> None:
    """Delete chats for good.

    All that was said in them goes, with their tasks, acts and calls of tools; undo does not bring it back. What was
    learnt from them stays: memories, episodes, knowledge; --proof says where words of them are left."""
    wanted = list(dict.fromkeys(ids))
    proving = Proving(is_wanted=proof)
    see_that_it_can_be_asked(runtime, yes=yes, as_json=as_json)
    with runtime.orca() as orca:
        sessions = _sessions(orca, wanted)
        if not yes:
            goes = _("All that was said in them goes, with their tasks, acts and calls of tools.")
            stays = _("What was learnt from them stays: memories, episodes, knowledge.")
            ask_to_delete(runtime, [_line(each) for each in sessions], goes, stays)
        proving.look_for_sessions(orca, runtime.profile, wanted)
        wiped = [orca.run(orca.engine.sessions.delete(each)) for each in wanted]
    proven = proving.prove()
    if as_json:
        gone = [{"id": each, "status": DELETED} for each in wanted]
        runtime.output.json(outcome_json((), gone, wiped=all(wiped), **proof_to_json(proven)))
        return
    for each in sessions:
        runtime.output.record(f"{_('deleted')}  {_line(each)}")
    tell_wiped(runtime, is_wiped=all(wiped))
    if proven is not None:
        tell_proof(runtime.output, proven)


def _sessions(orca: OpenOrca, ids: list[str]) -> list[Session]:
    """Raises NotFound before anything is deleted."""
    return [orca.run(orca.engine.sessions.show(each, last=0))[0] for each in ids]


def _line(session: Session) -> str:
    rounds = counted("{count} round", "{count} rounds", session.rounds)
    return f"{session.id}  {session.title}  ({rounds})"
