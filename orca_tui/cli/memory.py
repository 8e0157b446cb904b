"""`orca memory`: what Orca remembers. Commands that need more than these stand beside it, imported when they are
called."""

from __future__ import annotations

from datetime import UTC, datetime
from gettext import gettext as _
from typing import Any

import click

from orca_core.model.errors import InvalidInput
from orca_core.model.memories import MEMORIES, Added, Addition, Status
from orca_core.model.record_types import MEMORY, memory_ref
from orca_core.model.views import ListQuery, MemorySort, RecordPage
from orca_core.serialize.memory_json import candidate_json, found_json, pool_json
from orca_core.serialize.reports import cost_json, deleted_json, outcome_json, stats_json
from orca_tui.cli.commands import Group, Option, command, option
from orca_tui.cli.delete_command import DeleteCommand, proof_option, takes_deletion_options, yes_option
from orca_tui.cli.memory_tables import candidate_table, found_table, memory_table, memory_text, stats_text
from orca_tui.cli.parameters import ANY_TEXT, MEMORY_ID, TYPES, words
from orca_tui.cli.records import (
    ALL_TAGS,
    FOUND_BY_DEFAULT,
    NEW_TAGS,
    OFFSET,
    ONLY_TAGS,
    PINNED,
    RecordCommands,
    given_list,
    limit_option,
    records_json,
    sort_option,
    status_option,
    text_option,
    type_option,
    warn_of_half_done,
)
from orca_tui.cli.runtime import OpenOrca, Runtime
from orca_tui.language import N_
from orca_tui.words.feedback_words import weighed_text
from orca_tui.words.health_words import level_note
from orca_tui.words.inbox_words import waiting_line
from orca_tui.words.learning_words import cost_lines
from orca_tui.words.memory_words import addition_line, memory_line, reason_phrase

memory = Group("memory", help="List, search and change what Orca remembers.")
MEMORY_COMMANDS = RecordCommands(memory, MEMORIES, lambda opened: opened.orca.memories, memory_line)

A_TYPE = type_option("fact, preference, project, instruction or event.")
POOL = Option(
    ["--pool"],
    metavar="POOL",
    shell_complete=words("candidates", "info", "profile"),
    help="candidates, info or profile: what waits, facts and events, wishes.",
)
ONLY_TYPES = Option(
    ["--type", "types"],
    multiple=True,
    metavar="TYPE",
    shell_complete=words(*TYPES),
    help="Only this type; may be given again.",
)
SORT = sort_option(MemorySort, "weight")
memory_argument = click.argument("memory_id", metavar="ID", type=MEMORY_ID)


@memory.command(
    "list",
    params=[status_option("core"), POOL, ONLY_TYPES, ONLY_TAGS, PINNED, SORT, limit_option(), OFFSET],
    examples=(
        "orca memory list",
        "orca memory list --type preference --sort new --limit 5",
        "orca memory list --status archived --json",
    ),
)
def list_memories(runtime: Runtime, *, pool: str | None, limit: int | None, offset: int, **chosen: Any) -> None:
    """List memories; those that live, unless told otherwise."""
    query = ListQuery(limit=limit, offset=offset, **chosen)
    if pool is not None and query != ListQuery(limit=limit, offset=offset):
        raise InvalidInput(template="--pool chooses by itself: --limit and --offset alone can stand beside it")
    with runtime.open_orca() as opened:
        warn_of_half_done(runtime, opened)
        orca, memories = opened.orca, opened.orca.memories
        page = opened.run(memories.page(query) if pool is None else orca.feedback.pools.page(pool, limit, offset))
        waiting = [view.memory.id for view in page.records if view.status is Status.CANDIDATE]
        weighed = opened.run(orca.feedback.pools.weighed(waiting)) if waiting else {}
        if runtime.as_json:
            views = opened.run(memories.views([view.memory.id for view in page.records]))
            runtime.output.json(pool_json(RecordPage(tuple(views), page.total), weighed))
            return
        if waiting and len(waiting) == len(page.records):
            candidate_table(runtime.output, page.records, weighed)
        else:
            memory_table(runtime.output, page.records)
        runtime.output.note_total(len(page.records), page.total, _("Nothing remembered yet, or nothing like this."))
        if not page.total and (line := waiting_line(opened.run(opened.orca.inbox.waiting()), datetime.now(UTC))):
            runtime.output.note(_("{waiting}; orca memory inbox shows them").format(waiting=line))


@memory.command(
    params=[click.Argument(["query"], type=ANY_TEXT), limit_option(1, FOUND_BY_DEFAULT)],
    examples=('orca memory search "which editor do I use"', "orca memory search 编辑器 --limit 3 --json"),
)
def search(runtime: Runtime, query: str, limit: int) -> None:
    """Search the memories that live, by meaning and by words."""
    with runtime.open_orca() as opened:
        result = opened.run(opened.orca.search.find(query, limit))
    if note := level_note(result.level, result.cause):
        runtime.output.warn(note)
    if runtime.as_json:
        runtime.output.json(found_json(result.hits, result.rules))
        return
    found_table(runtime.output, result.hits)
    for rule in result.rules:
        runtime.output.note(reason_phrase(rule))
    if not result.hits:
        runtime.output.note(_("Nothing near enough was found."))


@memory.command(examples=("orca memory show 1", "orca memory show m1 --json"))
@memory_argument
def show(runtime: Runtime, memory_id: int) -> None:
    """Show all of one memory.

    Of a candidate also what it waits for: on how many days your acts or words showed it, what it scores among the
    others, what would let it live."""
    with runtime.open_orca() as opened:
        [view] = opened.run(opened.orca.memories.views([memory_id]))
        is_waiting = view.status is Status.CANDIDATE
        weighed = opened.run(opened.orca.feedback.pools.weighed([memory_id])).get(memory_id) if is_waiting else None
    if runtime.as_json:
        runtime.output.json(candidate_json(view, weighed))
    else:
        runtime.output.line(memory_text(view, runtime.output.marks) + (f"\n{weighed_text(weighed)}" if weighed else ""))


@memory.command(
    params=[click.Argument(["text"], type=ANY_TEXT), A_TYPE, NEW_TAGS],
    examples=('orca memory add "I use neovim"', 'orca memory add "Answer in short sentences" --type instruction --pin'),
)
@option("--pin", is_flag=True, help="Pin it: nothing but you changes it.")
def add(runtime: Runtime, *, text: str, type_word: str | None, tags: tuple[str, ...], pin: bool) -> None:
    """Remember something."""
    with runtime.open_orca() as opened:
        addition = opened.run(opened.orca.memories.add(text, type_word=type_word, tags=tags, pinned=pin))
        if runtime.as_json:
            _tell_added(runtime, opened, addition)
        else:
            runtime.output.line(addition_line(addition.outcome, addition.memory, addition.reason))
    if addition.outcome is Added.DROPPED:
        raise click.exceptions.Exit(1)


def _tell_added(runtime: Runtime, opened: OpenOrca, addition: Addition) -> None:
    """In JSON; `refused` names the memory for which another was dropped."""
    dropped = [{"id": addition.memory.id, "reason": addition.reason}] if addition.outcome is Added.DROPPED else []
    stored = [] if dropped else [memory_ref(each) for each in (addition.memory.id, *addition.superseded)]
    changed = opened.run(records_json(opened.orca, stored))
    operation = None if dropped else addition.operation
    runtime.output.json(outcome_json((operation,), changed, dropped, outcome=addition.outcome.value))


@memory.command(
    params=[
        click.Argument(["memory_id"], metavar="ID", type=MEMORY_ID),
        text_option("--content", "The new text."),
        A_TYPE,
        ALL_TAGS,
        Option(["--confidence"], type=float, metavar="0-1", help="How sure this is."),
        Option(["--weight"], type=float, metavar="N", help="How much this weighs."),
    ],
    examples=(
        "orca memory edit 1",
        'orca memory edit 1 --content "I use helix"',
        "orca memory edit 1 --tag editor --weight 2",
    ),
)
def edit(runtime: Runtime, memory_id: int, tags: tuple[str, ...], **fields: Any) -> None:
    """Change a memory, by options or in your editor.

    Without options its text opens in $VISUAL or $EDITOR."""
    with runtime.open_orca() as opened:
        memories = opened.orca.memories
        if not tags and all(each is None for each in fields.values()):
            [before] = opened.run(memories.get([memory_id]))
            fields["content"] = runtime.edited(before.content, N_("use an option, such as --content"), ".txt").strip()
        changed = opened.run(memories.edit(memory_id, tags=given_list(tags), **fields))
        MEMORY_COMMANDS.report(runtime, opened, changed, _("changed"))


MEMORY_COMMANDS.acts(
    {
        "pin": "Pin memories: nothing but you changes them.",
        "unpin": "Take pins off.",
        "archive": "Archive memories: they are kept, and not used.",
        "restore": "Bring archived memories back.",
    },
    {
        "pin": ("orca memory pin 1", "orca memory pin 1 2"),
        "unpin": ("orca memory unpin 1",),
        "archive": ("orca memory archive 1", "orca memory archive 1 2 --json"),
        "restore": ("orca memory restore 1",),
    },
)

_INBOX = "orca_tui.cli.inbox"
memory.later("inbox", f"{_INBOX}:inbox", "List the candidates: what was learnt and waits for you.")
memory.later("accept", f"{_INBOX}:accept", "Let candidates live. What they would replace is archived.")
memory.later("reject", f"{_INBOX}:reject", "Refuse candidates: they are not learnt again in the same words.")
memory.later("never", f"{_INBOX}:never", "Never learn this again, in whatever words; also of memories that live.")
memory.later("merge", f"{_INBOX}:merge", "Make one memory of several: the first one stays, the others are archived.")
memory.later("duplicates", f"{_INBOX}:duplicates", "List memories that may say the same, or contradict each other.")


@memory.command(examples=("orca memory delete 1", "orca memory delete 1 --with-messages --yes"))
@click.argument("ids", metavar="ID...", type=MEMORY_ID, nargs=-1, required=True)
@yes_option
@option("--with-messages", is_flag=True, help="Delete the messages that they came from, too.")
@proof_option
@takes_deletion_options
def delete(runtime: Runtime, *, ids: tuple[int, ...], with_messages: bool, deletion: DeleteCommand) -> None:
    """Delete memories for good.

    The text is gone from the database, its history and its receipts; undo does not bring it back. To put a memory
    aside, archive it.

    It does not come back by learning, import or a restored backup, unless you say it again. What lies in a backup
    stays there: --proof says so, and where else anything is left."""
    wanted = list(dict.fromkeys(ids))
    with runtime.open_orca() as opened:
        lines = [memory_line(each) for each in opened.run(opened.orca.memories.get(wanted))]
        go_too = _("The messages that they came from go with them.")
        stay = _("The messages that they came from stay; --with-messages takes them too.")
        deletion.ask(lines, go_too if with_messages else stay)
        deletion.look(opened, MEMORY, wanted)
        deleted = opened.run(opened.orca.memories.delete(wanted, with_messages=with_messages))
    places = [
        _("  session {session} round {round}").format(session=session_id, round=number)
        for session_id, number in deleted.messages
    ]
    deletion.tell(
        [deleted_json(memory_ref(each)) for each in deleted.ids],
        [" ".join(f"#{each}" for each in deleted.ids)],
        is_wiped=deleted.finished,
        notes=[_("these messages still hold what they came from:"), *places] if places else (),
        messages=[{"session_id": session_id, "round": number} for session_id, number in deleted.messages],
    )


MEMORY_COMMANDS.history(
    "Show what happened to a memory.", examples=("orca memory history 1",), has_it=lambda opened: opened.orca.memories
)
MEMORY_COMMANDS.why("Show the turns that got a memory, why, and what came of it.", examples=("orca memory why 1",))
memory.later("undo", "orca_tui.cli.undo:undo", "Take back the last change by hand, or the operation OP.")
memory.later("redo", "orca_tui.cli.undo:redo", "Take back the last undo, or the undo OP.")
memory.later("export", "orca_tui.cli.memory_export:export", "Write all that Orca remembers as one JSON document.")
memory.later(
    "clean",
    "orca_tui.cli.upkeep:clean",
    "Archive what sank below the threshold, merge what says just the same, drop what expired.",
)
memory.later(
    "import",
    "orca_tui.cli.memory_import:import_",
    "Bring in what orca memory export wrote, or what mem0, ChatGPT or Claude exported: FILE, or stdin.",
)


def _stats(runtime: Runtime, *, cost: bool) -> None:
    """Count what is stored."""
    with runtime.open_orca() as opened:
        counted = opened.run(opened.orca.memories.stats())
        queue = opened.run(opened.orca.runs.queue())
        today = opened.run(opened.orca.runs.allowance()) if cost else None
        spent = opened.run(opened.orca.runs.spent()) if cost else []
    if runtime.as_json:
        told = stats_json(counted, queue)
        runtime.output.json(told if today is None else {**told, "cost": cost_json(today, spent)})
        return
    runtime.output.line(stats_text(counted, queue))
    if today is not None:
        runtime.output.line("\n".join(cost_lines(today, spent)))


COST = Option(["--cost"], is_flag=True, help="Also what learning used in the last 30 days.")
stats = command("stats", params=[COST], examples=("orca stats", "orca stats --json"))(_stats)
memory.command("stats", params=[COST], examples=("orca memory stats", "orca memory stats --json"))(_stats)
memory.later(
    "reindex",
    "orca_tui.cli.upkeep:reindex",
    "Make anew what memories, episodes, knowledge and messages are found by.",
)
