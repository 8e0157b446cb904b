"""`orca session`: past chats, their names, their export."""

from __future__ import annotations

import os
from collections.abc import Sequence
from gettext import gettext as _
from pathlib import Path

import click

from orca_core.model.errors import InvalidInput
from orca_core.model.sessions import Round, Session
from orca_core.serialize.reports import DELETED, dialogue_json, outcome_json, sessions_json
from orca_core.serialize.values import plain, timestamp_json
from orca_tui.cli.commands import Group, option
from orca_tui.cli.delete_command import DeleteCommand, proof_option, takes_deletion_options, yes_option
from orca_tui.cli.output import TableColumn, json_text
from orca_tui.cli.parameters import ANY_TEXT, SESSION_ID
from orca_tui.cli.runtime import Runtime
from orca_tui.files import check_may_be_written, new_file, private_folder
from orca_tui.language import N_, counted
from orca_tui.times import local_time
from orca_tui.words.turn_words import chat_markdown, ending_of

MARKDOWN, JSON = "markdown", "json"
ENDINGS = {MARKDOWN: ".md", JSON: ".json"}
STDOUT = "-"


session = Group("session", help="List, read, name, delete and export past chats.")


@session.command("list", examples=("orca session list", "orca session list --json"))
@option("--limit", type=click.IntRange(min=1), metavar="N", help="At most so many.")
def list_sessions(runtime: Runtime, limit: int | None) -> None:
    """List past chats, newest first."""
    with runtime.open_orca() as opened:
        sessions = opened.run(opened.orca.sessions.list(limit))
    if runtime.as_json:
        runtime.output.json(sessions_json(sessions))
        return
    begun = local_time if runtime.output.is_terminal else timestamp_json
    columns = (
        TableColumn(N_("session"), lambda each: each.id),
        TableColumn(N_("begun"), lambda each: begun(each.created_at) or ""),
        TableColumn(N_("rounds"), lambda each: str(each.rounds), is_number=True),
        TableColumn(N_("title"), lambda each: each.title, takes_rest=True),
    )
    runtime.output.page(columns, sessions, len(sessions), _("Nothing was said yet."))


@session.command(examples=("orca session show s", "orca session show s --json"))
@click.argument("session_id", metavar="ID", type=SESSION_ID)
def show(runtime: Runtime, session_id: str) -> None:
    """Show what was said in a session."""
    with runtime.open_orca() as opened:
        found, rounds = opened.run(opened.orca.sessions.show(session_id))
    if runtime.as_json:
        runtime.output.json(dialogue_json(found, rounds))
        return
    runtime.output.line("\n\n".join([f"{found.id}  {found.title}", *(_round_text(each) for each in rounds)]))


def _round_text(each: Round) -> str:
    ending = ending_of(each)
    parts = [f"{each.number}  {_('you')}: {each.user}", each.assistant, f"({ending})" if ending else ""]
    return "\n".join(part for part in parts if part)


@session.command(examples=("orca session rename s 'The red build'",))
@click.argument("session_id", metavar="ID", type=SESSION_ID)
@click.argument("title", type=ANY_TEXT)
def rename(runtime: Runtime, session_id: str, title: str) -> None:
    """Give a chat another title.

    It stays, whatever is said in the chat later."""
    with runtime.open_orca() as opened:
        renamed = opened.run(opened.orca.sessions.rename(session_id, title))
    if runtime.as_json:
        runtime.output.json(outcome_json((), [plain(renamed)]))
    else:
        runtime.output.record(_line(renamed))
        if len(renamed.title) < len(" ".join(title.split())):
            runtime.output.note(_("too long for a title: its end was left out"))


@session.command(examples=("orca session delete s", "orca session delete s --yes"))
@click.argument("ids", metavar="ID...", type=SESSION_ID, nargs=-1, required=True)
@yes_option
@proof_option
@takes_deletion_options
def delete(runtime: Runtime, *, ids: tuple[str, ...], deletion: DeleteCommand) -> None:
    """Delete chats for good.

    All that was said in them goes, with their tasks, acts and calls of tools; undo does not bring it back. What was
    learnt from them stays: memories, episodes, knowledge; --proof says where words of them are left."""
    wanted = list(dict.fromkeys(ids))
    with runtime.open_orca() as opened:
        lines = [_line(opened.run(opened.orca.sessions.show(each, last=0))[0]) for each in wanted]
        goes = _("All that was said in them goes, with their tasks, acts and calls of tools.")
        stays = _("What was learnt from them stays: memories, episodes, knowledge.")
        deletion.ask(lines, goes, stays)
        deletion.look_for_sessions(opened, wanted)
        wiped = [opened.run(opened.orca.sessions.delete(each)) for each in wanted]
    deletion.tell([{"id": each, "status": DELETED} for each in wanted], lines, is_wiped=all(wiped))


def _line(session: Session) -> str:
    rounds = counted("{count} round", "{count} rounds", session.rounds)
    return f"{session.id}  {session.title}  ({rounds})"


@session.command(
    examples=(
        "orca session export s",
        "orca session export s -o chat.md",
        "orca session export s --format json -o chat.json --force",
        "orca session export --all -o chats",
    )
)
@click.argument("ids", metavar="[ID]...", type=SESSION_ID, nargs=-1)
@option("--all", "takes_all", is_flag=True, help="Every chat.")
@option("--format", "kind", type=click.Choice([MARKDOWN, JSON]), help="Markdown to read, unless told otherwise.")
@option("-o", "--output", "typed", type=click.Path(), metavar="PATH", help="Write it here.")
@option("--force", is_flag=True, help="Write over what is there.")
def export(
    runtime: Runtime,
    *,
    ids: tuple[str, ...],
    takes_all: bool,
    kind: str | None,
    typed: str | None,
    force: bool,
) -> None:
    """Write chats as documents, to read or for programs.

    One goes to stdout or into a file; several, each into a file named after it, in the folder -o PATH. What ends in a
    slash is a folder; it is made where it is not there.

    Of each round its question and the answer that stands: earlier attempts are left out. JSON also has the model, where
    each piece of a question came from, and which memories an answer cites."""
    if bool(ids) == takes_all:
        raise click.UsageError(_("name chats, or --all"))
    into, is_folder = _place(typed)
    if runtime.as_json and into is None and kind == MARKDOWN:
        raise InvalidInput(template="--json prints JSON alone", hint="name a file for the Markdown: -o FILE")
    kind = kind or (JSON if runtime.as_json and into is None else MARKDOWN)
    wanted = tuple(dict.fromkeys(ids))
    if takes_all or len(wanted) > 1 or is_folder:
        if into is None:
            raise InvalidInput(template="several chats need a folder", hint="name one: -o FOLDER")
        _into_folder(runtime, wanted, kind, into, force=force)
        return
    with runtime.open_orca() as opened:
        found, rounds = opened.run(opened.orca.sessions.show(wanted[0]))
    if into is None:
        if kind == JSON:
            runtime.output.json(dialogue_json(found, rounds, is_whole=True))
        else:
            runtime.output.line(chat_markdown(found, rounds).removesuffix("\n"))
        return
    _write(into, kind, found, rounds, force=force)
    if runtime.as_json:
        runtime.output.json({"file": str(into), "rounds": len(rounds)})
    else:
        runtime.output.line(_("written: {path}").format(path=into))
        runtime.output.note(counted("{count} round", "{count} rounds", len(rounds)))


def _place(typed: str | None) -> tuple[Path | None, bool]:
    """Where to write, None for stdout, and whether that is a folder. Raises InvalidInput."""
    if typed is None or typed == STDOUT:
        return None, False
    if not typed:
        raise InvalidInput(template="-o names no file and no folder", hint="leave it out, or name one")
    path = Path(typed)
    return path, typed.endswith(os.sep) or path.is_dir()


def _into_folder(runtime: Runtime, wanted: Sequence[str], kind: str, folder: Path, *, force: bool) -> None:
    """Each chat in a file of its name. Nothing is written unless all of it may be."""
    written: list[dict[str, object]] = []
    with runtime.open_orca() as opened:
        sessions = opened.orca.sessions
        names = wanted or [each.id for each in opened.run(sessions.list(None))]
        paths = {each: folder / (each + ENDINGS[kind]) for each in names}
        for each in wanted:
            opened.run(sessions.show(each))
        private_folder(folder)
        for path in paths.values():
            check_may_be_written(path, force=force)
        for session_id, path in paths.items():
            runtime.if_stopped = counted(
                "stopped: {count} chat was written", "stopped: {count} chats were written", len(written)
            )
            found, rounds = opened.run(sessions.show(session_id))
            _write(path, kind, found, rounds, force=force)
            written.append({"id": session_id, "file": str(path), "rounds": len(rounds)})
    runtime.if_stopped = ""
    if runtime.as_json:
        runtime.output.json({"files": written})
        return
    for done in written:
        runtime.output.line(_("written: {path}").format(path=done["file"]))
    runtime.output.note(counted("{count} chat", "{count} chats", len(written)))


def _write(path: Path, kind: str, found: Session, rounds: Sequence[Round], *, force: bool) -> None:
    with new_file(path, force=force) as file:
        is_json = kind == JSON
        file.write(
            json_text(dialogue_json(found, rounds, is_whole=True)) + "\n" if is_json else chat_markdown(found, rounds)
        )
