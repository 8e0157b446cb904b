"""`orca memory accept | reject`: what a person decides of candidates, one by one or all that are alike."""

from __future__ import annotations

from collections.abc import Sequence
from functools import wraps
from gettext import gettext as _
from typing import Any, cast

import click
from msgspec import Struct

from orca_core.model.errors import InvalidInput
from orca_core.model.memories import Memory
from orca_core.model.operations import Changed, RecordsChanged
from orca_core.model.records import MEMORY, Ref, memory_ref
from orca_core.serialize.reports import outcome_json
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.decided import tell_decided
from orca_tui.cli.deleting import yes_option
from orca_tui.cli.memory_options import all_of, tags_option, type_option
from orca_tui.cli.outcomes import records_json
from orca_tui.cli.record_ids import CANDIDATE_ID
from orca_tui.cli.runtime import OpenOrca, Runtime, pass_runtime
from orca_tui.cli.sifting import (
    EVERYTHING,
    Function,
    Sieve,
    ask_about,
    see_that_it_may_be_asked,
    show_first,
    sieve_options,
    sifted,
)
from orca_tui.cli.streams import ANY_TEXT
from orca_tui.language import counted

candidates_argument = click.argument("refs", metavar="[ID...]", type=CANDIDATE_ID, nargs=-1)


class Described(Struct, frozen=True):
    """Candidates that no number names, and whether it is asked before they are decided about."""

    sieve: Sieve
    is_all: bool
    is_dry: bool
    is_agreed: bool

    @property
    def is_said(self) -> bool:
        return self.sieve != EVERYTHING or self.is_all


def describing_options(command: Function) -> Function:
    """The command is given what they say as `described`."""

    @wraps(command)
    def describing(*given: Any, sieve: Sieve, is_all: bool, dry_run: bool, yes: bool, **named: Any) -> Any:
        return command(*given, described=Described(sieve, is_all, dry_run, yes), **named)

    made: Any = yes_option(describing)
    made = option("--dry-run", is_flag=True, help="Only show which these are.")(made)
    made = option("--all", "is_all", is_flag=True, help="All memories that wait.")(made)
    return cast("Function", sieve_options(made))


@command()
@candidates_argument
@option("--content", type=ANY_TEXT, metavar="TEXT", help="Accept it in these words; of one memory.")
@type_option("fact, preference, project, instruction or event: with ID what it is, without only those.")
@tags_option
@describing_options
@as_json_option
@pass_runtime
def accept(
    runtime: Runtime,
    *,
    refs: tuple[Ref, ...],
    content: str | None,
    type_word: str | None,
    tags: tuple[str, ...],
    described: Described,
    as_json: bool,
) -> None:
    """Let candidates live. What they would replace is archived.

    With --content, --type or --tag one memory is changed and accepted in one step. e3 is an episode, k2 knowledge, g4 a
    guide. Without ID it takes all memories that the options describe, as one operation."""
    if not refs and content is None and not tags:
        _decide_all(runtime, "accept", described, type_word, as_json=as_json)
        return
    _see_that_nothing_is_described(described, None if refs else type_word)
    is_edited = content is not None or type_word is not None or bool(tags)
    if is_edited and (len(refs) != 1 or refs[0].kind != MEMORY):
        raise InvalidInput(template="--content, --type and --tag are for one memory", hint="accept them one by one")
    with runtime.orca() as orca:
        if is_edited:
            [candidate] = orca.run(orca.engine.memories.get([refs[0].id]))
            accepted = orca.engine.inbox.accept_edited(
                candidate.id, candidate.content, content=content, type_word=type_word, tags=all_of(tags)
            )
            decided: Sequence[RecordsChanged[Any] | Changed] = [orca.run(accepted)]
        else:
            decided = orca.run(orca.engine.work.candidates.accept(_distinct(refs)))
        tell_decided(runtime, orca, decided, _("accepted"), as_json=as_json)


@command()
@candidates_argument
@type_option("Only fact, preference, project, instruction or event.")
@describing_options
@as_json_option
@pass_runtime
def reject(
    runtime: Runtime, *, refs: tuple[Ref, ...], type_word: str | None, described: Described, as_json: bool
) -> None:
    """Refuse candidates: they are not learnt again in the same words.

    Without ID it takes all memories that the options describe, as one operation."""
    if not refs:
        _decide_all(runtime, "reject", described, type_word, as_json=as_json)
        return
    _see_that_nothing_is_described(described, type_word)
    with runtime.orca() as orca:
        decided = orca.run(orca.engine.work.candidates.reject(_distinct(refs)))
        tell_decided(runtime, orca, decided, _("rejected"), as_json=as_json)


def _decide_all(runtime: Runtime, decision: str, described: Described, type_word: str | None, *, as_json: bool) -> None:
    """Decide of all memories that pass, as one operation, once a person has agreed to them."""
    if not described.is_said and not type_word:
        raise InvalidInput(
            template="nothing says which candidates are meant",
            hint="name them by ID, or describe them: --search, --chat, --from, --type, --operation, or --all",
        )
    see_that_it_may_be_asked(runtime, yes=described.is_agreed, dry_run=described.is_dry, as_json=as_json)
    with runtime.orca() as orca:
        memories = sifted(orca, described.sieve.of_type(type_word))
        if described.is_dry or not memories:
            _tell_which(runtime, orca, memories, as_json=as_json)
            return
        if not described.is_agreed:
            question = _("accept {count}? [y/N] ") if decision == "accept" else _("reject {count}? [y/N] ")
            ask_about(runtime, memories, question.format(count=len(memories)))
        candidates, refs = orca.engine.work.candidates, [memory_ref(memory.id) for memory in memories]
        decided = orca.run(candidates.accept(refs) if decision == "accept" else candidates.reject(refs))
        word = _("accepted") if decision == "accept" else _("rejected")
        tell_decided(runtime, orca, decided, word, as_json=as_json, is_short=True)


def _tell_which(runtime: Runtime, orca: OpenOrca, memories: Sequence[Memory], *, as_json: bool) -> None:
    """Those that would be decided about; nothing changes."""
    if as_json:
        records = orca.run(records_json(orca.engine, [memory_ref(memory.id) for memory in memories]))
        runtime.output.json(outcome_json((), (), would_change=records))
        return
    show_first(runtime, memories)
    runtime.output.line(counted("{count} candidate", "{count} candidates", len(memories)))


def _see_that_nothing_is_described(described: Described, type_word: str | None) -> None:
    if described.is_said or described.is_dry or type_word:
        raise InvalidInput(
            template="candidates are named by ID, or described: not both", hint="leave out the IDs, or the options"
        )


def _distinct(refs: Sequence[Ref]) -> list[Ref]:
    return list(dict.fromkeys(refs))
