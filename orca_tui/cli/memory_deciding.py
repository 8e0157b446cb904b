"""`orca memory accept | reject`: what a person decides of candidates, one by one or all that are alike."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _
from typing import Any

import click

from orca_core.domain.errors import InvalidInput
from orca_core.domain.journal import Changed, RecordsChanged
from orca_core.domain.memories import Memory
from orca_core.domain.refs import MEMORY, Ref, memory_ref
from orca_core.wire.outcomes import outcome_json
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.completions import TYPES, words
from orca_tui.cli.decided import tell_decided
from orca_tui.cli.deleting import yes_option
from orca_tui.cli.outcomes import records_json
from orca_tui.cli.record_ids import CANDIDATE_ID
from orca_tui.cli.runtime import OpenOrca, Runtime, pass_runtime
from orca_tui.cli.sifting import (
    EVERYTHING,
    Sieve,
    ask_about,
    see_that_it_may_be_asked,
    show_first,
    sieve_of,
    sieve_options,
    sifted,
)
from orca_tui.cli.streams import ANY_TEXT
from orca_tui.language import counted

candidates_argument = click.argument("refs", metavar="[ID...]", type=CANDIDATE_ID, nargs=-1)
all_option = option("--all", "is_all", is_flag=True, help="All memories that wait.")
dry_run_option = option("--dry-run", is_flag=True, help="Only show which these are.")


@command()
@candidates_argument
@option("--content", type=ANY_TEXT, metavar="TEXT", help="Accept it in these words; of one memory.")
@option(
    "--type",
    "type_word",
    metavar="TYPE",
    shell_complete=words(*TYPES),
    help="fact, preference, project, instruction or event: with ID what it is, without only those.",
)
@option("--tag", "tags", multiple=True, type=ANY_TEXT, metavar="TAG", help="The tags, all of them; '' for none.")
@sieve_options
@all_option
@dry_run_option
@yes_option
@as_json_option
@pass_runtime
def accept(
    runtime: Runtime,
    *,
    refs: tuple[Ref, ...],
    content: str | None,
    type_word: str | None,
    tags: tuple[str, ...],
    search: str | None,
    chat: str | None,
    program: str | None,
    operation: int | None,
    is_all: bool,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Let candidates live. What they would replace is archived.

    With --content, --type or --tag one memory is changed and accepted in one step. e3 is an episode, k2 knowledge, g4 a
    guide. Without ID it takes all memories that the options describe, as one operation."""
    sieve = sieve_of(search, chat, program, operation, None if refs else type_word)
    if not refs and content is None and not tags:
        _decide_all(runtime, "accept", sieve, is_all=is_all, dry_run=dry_run, yes=yes, as_json=as_json)
        return
    _see_that_nothing_is_described(sieve, is_all=is_all, dry_run=dry_run)
    is_edited = content is not None or type_word is not None or bool(tags)
    if is_edited and (len(refs) != 1 or refs[0].kind != MEMORY):
        raise InvalidInput(template="--content, --type and --tag are for one memory", hint="accept them one by one")
    with runtime.orca() as orca:
        if is_edited:
            [candidate] = orca.run(orca.engine.memories.get([refs[0].id]))
            kept_tags = [tag for tag in tags if tag] if tags else None
            accepted = orca.engine.inbox.accept_edited(
                candidate.id, candidate.content, content=content, type_word=type_word, tags=kept_tags
            )
            decided: Sequence[RecordsChanged[Any] | Changed] = [orca.run(accepted)]
        else:
            decided = orca.run(orca.engine.work.candidates.accept(_distinct(refs)))
        tell_decided(runtime, orca, decided, _("accepted"), as_json=as_json)
        orca.run(orca.engine.worker.tidy())


@command()
@candidates_argument
@option(
    "--type",
    "type_word",
    metavar="TYPE",
    shell_complete=words(*TYPES),
    help="Only fact, preference, project, instruction or event.",
)
@sieve_options
@all_option
@dry_run_option
@yes_option
@as_json_option
@pass_runtime
def reject(
    runtime: Runtime,
    *,
    refs: tuple[Ref, ...],
    type_word: str | None,
    search: str | None,
    chat: str | None,
    program: str | None,
    operation: int | None,
    is_all: bool,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Refuse candidates: they are not learnt again in the same words.

    Without ID it takes all memories that the options describe, as one operation."""
    sieve = sieve_of(search, chat, program, operation, type_word)
    if not refs:
        _decide_all(runtime, "reject", sieve, is_all=is_all, dry_run=dry_run, yes=yes, as_json=as_json)
        return
    _see_that_nothing_is_described(sieve, is_all=is_all, dry_run=dry_run)
    with runtime.orca() as orca:
        decided = orca.run(orca.engine.work.candidates.reject(_distinct(refs)))
        tell_decided(runtime, orca, decided, _("rejected"), as_json=as_json)


def _decide_all(
    runtime: Runtime, decision: str, sieve: Sieve, *, is_all: bool, dry_run: bool, yes: bool, as_json: bool
) -> None:
    """Decide of all memories that pass, as one operation, once a person has agreed to them."""
    if sieve == EVERYTHING and not is_all:
        raise InvalidInput(
            template="nothing says which candidates are meant",
            hint="name them by ID, or describe them: --search, --chat, --from, --type, --operation, or --all",
        )
    see_that_it_may_be_asked(runtime, yes=yes, dry_run=dry_run, as_json=as_json)
    with runtime.orca() as orca:
        memories = sifted(orca, sieve)
        if dry_run or not memories:
            _tell_which(runtime, orca, memories, as_json=as_json)
            return
        if not yes:
            question = _("accept {count}? [y/N] ") if decision == "accept" else _("reject {count}? [y/N] ")
            ask_about(runtime, memories, question.format(count=len(memories)))
        candidates, refs = orca.engine.work.candidates, [memory_ref(memory.id) for memory in memories]
        decided = orca.run(candidates.accept(refs) if decision == "accept" else candidates.reject(refs))
        word = _("accepted") if decision == "accept" else _("rejected")
        tell_decided(runtime, orca, decided, word, as_json=as_json, is_short=True)
        orca.run(orca.engine.worker.tidy())


def _tell_which(runtime: Runtime, orca: OpenOrca, memories: Sequence[Memory], *, as_json: bool) -> None:
    """Those that would be decided about; nothing changes."""
    if as_json:
        records = orca.run(records_json(orca.engine, [memory_ref(memory.id) for memory in memories]))
        runtime.output.json(outcome_json((), (), would_change=records))
        return
    show_first(runtime, memories)
    runtime.output.line(counted("{count} candidate", "{count} candidates", len(memories)))


def _see_that_nothing_is_described(sieve: Sieve, *, is_all: bool, dry_run: bool) -> None:
    if sieve != EVERYTHING or is_all or dry_run:
        raise InvalidInput(
            template="candidates are named by ID, or described: not both", hint="leave out the IDs, or the options"
        )


def _distinct(refs: Sequence[Ref]) -> list[Ref]:
    return list(dict.fromkeys(refs))
