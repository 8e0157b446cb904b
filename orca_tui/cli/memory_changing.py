"""`orca memory add | edit | pin | unpin | archive | restore`: changes by hand, each of which can be undone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from gettext import gettext as _

import click

from orca_core.model.errors import InvalidInput
from orca_core.model.memories import Added, Addition
from orca_core.model.operations import Changed
from orca_core.model.records import MEMORY, memory_ref
from orca_core.serialize.reports import outcome_json
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.completions import records
from orca_tui.cli.memory_options import all_of, tags_option, type_option
from orca_tui.cli.outcomes import Outcome, records_json, tell
from orca_tui.cli.record_ids import MEMORY_ID
from orca_tui.cli.runtime import OpenOrca, Runtime, pass_runtime
from orca_tui.cli.streams import ANY_TEXT
from orca_tui.words.memory_words import addition_line, memory_line

ids_argument = click.argument("ids", metavar="ID...", type=MEMORY_ID, nargs=-1, required=True)


@command()
@click.argument("text", type=ANY_TEXT)
@type_option("fact, preference, project, instruction or event.")
@option(
    "--tag",
    "tags",
    multiple=True,
    type=ANY_TEXT,
    shell_complete=records("tag"),
    metavar="TAG",
    help="A tag; may be given again.",
)
@option("--pin", is_flag=True, help="Pin it: nothing but you changes it.")
@as_json_option
@pass_runtime
def add(runtime: Runtime, *, text: str, type_word: str | None, tags: tuple[str, ...], pin: bool, as_json: bool) -> None:
    """Remember something."""
    with runtime.orca() as orca:
        addition = orca.run(orca.engine.memories.add(text, type_word=type_word, tags=tags, pinned=pin))
        if as_json:
            _tell_added(runtime, orca, addition)
        else:
            runtime.output.line(addition_line(addition.outcome, addition.memory, addition.reason))
    if addition.outcome is Added.DROPPED:
        raise click.exceptions.Exit(1)


@command()
@click.argument("memory_id", metavar="ID", type=MEMORY_ID)
@option("--content", type=ANY_TEXT, metavar="TEXT", help="The new text.")
@type_option("fact, preference, project, instruction or event.")
@tags_option
@option("--confidence", type=float, metavar="0-1", help="How sure this is.")
@option("--weight", type=float, metavar="N", help="How much this weighs.")
@as_json_option
@pass_runtime
def edit(
    runtime: Runtime,
    *,
    memory_id: int,
    content: str | None,
    type_word: str | None,
    tags: tuple[str, ...],
    confidence: float | None,
    weight: float | None,
    as_json: bool,
) -> None:
    """Change a memory, by options or in your editor.

    Without options its text opens in $VISUAL or $EDITOR."""
    with runtime.orca() as orca:
        given = (content, type_word, confidence, weight)
        if all(each is None for each in given) and not tags:
            content = _edited_by_hand(orca, runtime, memory_id)
        changed = orca.run(
            orca.engine.memories.edit(
                memory_id,
                content=content,
                type_word=type_word,
                tags=all_of(tags),
                confidence=confidence,
                weight=weight,
            )
        )
        _tell(runtime, orca, changed, _("changed"), as_json=as_json)


@command()
@ids_argument
@as_json_option
@pass_runtime
def pin(runtime: Runtime, ids: tuple[int, ...], as_json: bool) -> None:
    """Pin memories: nothing but you changes them."""
    _change(runtime, ids, lambda orca: orca.engine.memories.pin, _("pinned"), as_json=as_json)


@command()
@ids_argument
@as_json_option
@pass_runtime
def unpin(runtime: Runtime, ids: tuple[int, ...], as_json: bool) -> None:
    """Take pins off."""
    _change(runtime, ids, lambda orca: orca.engine.memories.unpin, _("unpinned"), as_json=as_json)


@command()
@ids_argument
@as_json_option
@pass_runtime
def archive(runtime: Runtime, ids: tuple[int, ...], as_json: bool) -> None:
    """Archive memories: they are kept, and not used."""
    _change(runtime, ids, lambda orca: orca.engine.memories.archive, _("archived"), as_json=as_json)


@command()
@ids_argument
@as_json_option
@pass_runtime
def restore(runtime: Runtime, ids: tuple[int, ...], as_json: bool) -> None:
    """Bring archived memories back."""
    _change(runtime, ids, lambda orca: orca.engine.memories.restore, _("restored"), as_json=as_json)


def _tell_added(runtime: Runtime, orca: OpenOrca, addition: Addition) -> None:
    """In JSON; `refused` names the memory for which another was dropped."""
    dropped = [{"id": addition.memory.id, "reason": addition.reason}] if addition.outcome is Added.DROPPED else []
    stored = [] if dropped else [memory_ref(each) for each in (addition.memory.id, *addition.superseded)]
    changed = orca.run(records_json(orca.engine, stored))
    operation = None if dropped else addition.operation
    runtime.output.json(outcome_json((operation,), changed, dropped, outcome=addition.outcome.value))


def _change(
    runtime: Runtime,
    ids: Sequence[int],
    action: Callable[[OpenOrca], Callable[[Sequence[int]], Awaitable[Changed]]],
    done: str,
    *,
    as_json: bool,
) -> None:
    with runtime.orca() as orca:
        changed = orca.run(action(orca)(list(dict.fromkeys(ids))))
        _tell(runtime, orca, changed, done, as_json=as_json)


def _tell(runtime: Runtime, orca: OpenOrca, changed: Changed, done: str, *, as_json: bool) -> None:
    outcome = Outcome.of(changed.operation, MEMORY, changed.memories, lambda memory: f"{done}  {memory_line(memory)}")
    tell(runtime, orca, outcome, as_json=as_json)


def _edited_by_hand(orca: OpenOrca, runtime: Runtime, memory_id: int) -> str:
    if not runtime.has_terminal:
        raise InvalidInput(template="there is no terminal for an editor", hint="use an option, such as --content")
    [memory] = orca.run(orca.engine.memories.get([memory_id]))
    # The editor speaks the user's language, not the one that `speak` set for this process.
    edited = click.edit(memory.content, env={"LANGUAGE": runtime.environ.get("LANGUAGE", "")}, extension=".txt")
    return memory.content if edited is None else edited.strip()
