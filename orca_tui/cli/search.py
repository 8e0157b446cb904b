"""What is found: `orca search` in messages, `orca context` for a question, `orca why` of a turn."""

from __future__ import annotations

from gettext import gettext as _

import click

from orca_core.model.sessions import MessageHit, MessageQuery, MessagesFound, MessageSort, Speaker
from orca_core.serialize.memory_json import receipt_json
from orca_core.serialize.reports import found_messages_json
from orca_core.serialize.values import timestamp_json
from orca_core.serialize.work import context_json
from orca_tui.cli.commands import command, option
from orca_tui.cli.output import Output, TableColumn
from orca_tui.cli.parameters import ANY_TEXT, ROUND, SESSION_ID
from orca_tui.cli.runtime import OpenOrca, Runtime
from orca_tui.language import counted
from orca_tui.words.memory_words import reason_phrase
from orca_tui.words.receipt_words import receipt_text

COLUMNS = (*(TableColumn("") for _each in range(5)), TableColumn("", takes_rest=True))


FOUND_BY_DEFAULT = 20

EXAMPLES = (
    "orca search docker postgres",
    "orca search '\"no space left\"' --from assistant",
    "orca search 数据库 --sort best --limit 5",
)


@command(examples=EXAMPLES)
@click.argument("words", metavar="TEXT...", type=ANY_TEXT, nargs=-1, required=True)
@option("--session", "session_id", type=SESSION_ID, metavar="ID", help="Only in this session.")
@option("--from", "speaker", type=click.Choice([each.value for each in Speaker]), help="Only what this one said.")
@option(
    "--sort",
    type=click.Choice([each.value for each in MessageSort]),
    default=MessageSort.NEW.value,
    help="The newest first, or what fits best.",
)
@option("--limit", type=click.IntRange(min=1), default=FOUND_BY_DEFAULT, metavar="N", help="At most so many.")
def search(
    runtime: Runtime,
    *,
    words: tuple[str, ...],
    session_id: str | None,
    speaker: str | None,
    sort: str,
    limit: int,
) -> None:
    """Search the messages of all chats.

    Every word of TEXT must stand in a message; docker also finds dockerfile. What stands in quotation marks is found
    as it is, whole words behind each other: put it into single quotes for your shell. No other sign has a meaning.

    Each message is told with its session and its round: orca --session ID --round N opens the chat there."""
    said_by = None if speaker is None else Speaker(speaker)
    query = MessageQuery(" ".join(words), session_id, said_by, MessageSort(sort), limit)
    with runtime.open_orca() as opened:
        found = _find(opened, query)
    if runtime.as_json:
        runtime.output.json(found_messages_json(found))
        return
    if runtime.output.is_terminal:
        _show(runtime.output, found)
    else:
        runtime.output.table(COLUMNS, [_row(each) for each in found.hits])
    _tell_the_rest(runtime.output, found)


def _find(opened: OpenOrca, query: MessageQuery) -> MessagesFound:
    """Where messages wait to be indexed, some are first: most often that is all of them."""
    found = opened.run(opened.orca.sessions.search(query))
    if found.waiting:
        opened.run(opened.orca.worker.index_messages())
        found = opened.run(opened.orca.sessions.search(query))
    return found


def _row(hit: MessageHit) -> tuple[str, ...]:
    at = timestamp_json(hit.at) or ""
    return (hit.session_id, str(hit.round), at, hit.speaker.value, hit.title, hit.snippet.text)


def _show(output: Output, found: MessagesFound) -> None:
    """Two lines a message: where it stands, and what it says there."""
    speakers = {Speaker.USER: _("you"), Speaker.ASSISTANT: _("answer")}
    for each in found.hits:
        when = f"{each.at.astimezone():%Y-%m-%d %H:%M}"
        output.record(f"{each.session_id}  {each.round}  {when}  {speakers[each.speaker]}  {each.title}")
        output.marked(each.snippet.text, each.snippet.marks, indent=4)


def _tell_the_rest(output: Output, found: MessagesFound) -> None:
    if not found.hits:
        output.note(_("No message holds all of these words."))
    elif found.has_more:
        output.note(_("There are more: --limit shows them."))
    if found.waiting:
        words = counted(
            "{count} message is not indexed yet, and was not searched",
            "{count} messages are not indexed yet, and were not searched",
            found.waiting,
        )
        way_out = _("it is done while Orca runs, or now by: orca memory reindex")
        output.warn(f"{words} — {way_out}")


@command(
    examples=(
        'orca context "nginx gives 502"',
        'orca context "nginx gives 502" --session s --json',
    )
)
@click.argument("query", metavar="QUERY")
@option("--session", "session_id", type=SESSION_ID, metavar="ID", help="With messages and the task of this session.")
def context(runtime: Runtime, query: str, session_id: str | None) -> None:
    """Show all that is known for a question.

    With a session also its messages and its task. Of the tools that the question or the
    task names, their guides. Episodes, knowledge and guides that are shown count as accessed."""
    with runtime.open_orca() as opened:
        found = opened.run(opened.orca.work.context.build(session_id, query))
    if runtime.as_json:
        runtime.output.json(context_json(found))
    elif found.text:
        runtime.output.line(found.text)
    else:
        runtime.output.note(_("Nothing is known for this."))
    if not runtime.as_json:
        for rule in found.rules:
            runtime.output.note(reason_phrase(rule))


@command(examples=("orca why", "orca why 1 --session s", "orca why --json"))
@click.argument("number", metavar="[ROUND]", type=ROUND, required=False)
@option("--session", "session_id", type=SESSION_ID, metavar="ID", help="The session of ROUND; else the latest.")
def why(runtime: Runtime, number: int | None, session_id: str | None) -> None:
    """Show which memories a turn got, and why.

    Without ROUND the latest turn is meant."""
    with runtime.open_orca() as opened:
        receipt = opened.run(opened.orca.sessions.receipt(session_id, number))
    if runtime.as_json:
        runtime.output.json(receipt_json(receipt))
    else:
        runtime.output.line(receipt_text(receipt, runtime.output.marks))
