"""What deletes for good: asking before, saying what is gone, and `--proof`, which shows what is left of it anywhere;
the same for records of every kind and for chats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce, wraps
from gettext import gettext as _
from typing import Any, TypeVar, cast

import click

from orca_core.model.errors import InvalidInput
from orca_core.model.operations import DeletionProof, DeletionTraces
from orca_core.model.record_types import Kind
from orca_core.serialize.reports import outcome_json, proof_json
from orca_core.serialize.values import Json
from orca_tui.cli.commands import option
from orca_tui.cli.output import Output, TableColumn
from orca_tui.cli.runtime import OpenOrca, Runtime
from orca_tui.language import N_
from orca_tui.words.upkeep_words import NOT_SHOWN, backup_line, column_row, place_row, verdict

Function = TypeVar("Function", bound=Callable[..., Any])

YES_WORDS = ("y", "yes", "是", "好")

yes_option = option("--yes", is_flag=True, help="Do not ask.")
proof_option = option(
    "--proof", is_flag=True, help="List every place where it could have been, and what is left there."
)


def ask_yes_or_no(runtime: Runtime, question: str) -> bool:
    """Ask, and return whether the answer is yes."""
    try:
        answer = runtime.output.ask(question)
    except EOFError:
        answer = ""
    return answer.strip().lower() in YES_WORDS


def check_can_be_asked(runtime: Runtime, hint: str) -> None:
    """Raises InvalidInput where nobody can be asked."""
    if runtime.as_json:
        raise InvalidInput(template="--json asks nothing", hint=hint)
    if not runtime.has_terminal:
        raise InvalidInput(template="there is no terminal to ask in", hint=hint)


class DeleteCommand:
    """One command that deletes. Raises InvalidInput where nobody can be asked and --yes is not given."""

    def __init__(self, runtime: Runtime, *, yes: bool, proof: bool) -> None:
        if not yes:
            check_can_be_asked(runtime, N_("add --yes to delete without being asked"))
        self._runtime = runtime
        self._asks = not yes
        self._is_proof_wanted = proof
        self._orca: OpenOrca | None = None
        self._traces: list[DeletionTraces] = []

    def ask(self, lines: Sequence[str], *notes: str) -> None:
        """Show what would go, and ask, unless --yes. Ends the command where the answer is no."""
        if not self._asks:
            return
        output = self._runtime.output
        for line in lines:
            output.noted_record(line)
        for note in (_("This is for good: undo does not bring them back."), *notes):
            output.note(note)
        if not ask_yes_or_no(self._runtime, _("delete {count} for good? [y/N] ").format(count=len(lines))):
            output.note(_("nothing was deleted"))
            raise click.exceptions.Exit(1)

    def look(self, opened: OpenOrca, kind: Kind, ids: Sequence[int]) -> None:
        """Note before the delete where these could be, for the proof."""
        if self._is_proof_wanted and ids:
            from orca_core.database_files import look_for_traces

            self._orca = opened
            self._traces.append(opened.run(look_for_traces(opened.loaded, kind, ids)))

    def look_for_sessions(self, opened: OpenOrca, session_ids: Sequence[str]) -> None:
        """The same for chats."""
        if self._is_proof_wanted:
            from orca_core.database_files import look_for_sessions

            self._orca = opened
            self._traces.append(opened.run(look_for_sessions(opened.loaded, self._runtime.profile, session_ids)))

    def tell(
        self, gone: Sequence[Json], lines: Sequence[str], *, is_wiped: bool, notes: Sequence[str] = (), **more: Any
    ) -> None:
        """Say what is gone, once Orca is closed that deleted it, and prove it; `more` is for JSON, `notes` for
        people."""
        proof = self._proof()
        if self._runtime.as_json:
            proven = {} if proof is None else {"proof": proof_json(proof)}
            self._runtime.output.json(outcome_json((), gone, wiped=is_wiped, **{**more, **proven}))
            return
        for line in lines:
            self._runtime.output.record(f"{_('deleted')}  {line}")
        tell_wiped(self._runtime, is_wiped=is_wiped)
        for note in notes:
            self._runtime.output.note(note)
        if proof is not None:
            _tell_proof(self._runtime.output, proof)

    def _proof(self) -> DeletionProof | None:
        if self._orca is None:
            return None
        from orca_core.database_files import prove_gone
        from orca_tui.cli.loop_thread import LoopThread  # only a proof needs it

        with LoopThread() as loop:
            proofs = [loop.run(prove_gone(self._orca.loaded, each)) for each in self._traces]
        return reduce(DeletionProof.with_further, proofs)


def takes_deletion_options(function: Function) -> Function:
    """The command that takes `--yes` and `--proof` is given its `deletion`."""

    @wraps(function)
    def deleting(runtime: Runtime, *, yes: bool, proof: bool, **named: Any) -> Any:
        return function(runtime, deletion=DeleteCommand(runtime, yes=yes, proof=proof), **named)

    return cast("Function", deleting)


def tell_wiped(runtime: Runtime, *, is_wiped: bool) -> None:
    """Say where the text is still in the files."""
    if not is_wiped:
        runtime.output.note(
            _(
                "another program reads the database: the text is wiped from its files at the next idle moment,"
                " or by orca upkeep"
            )
        )


def _tell_proof(output: Output, proof: DeletionProof) -> None:
    """The list, then the sentence."""
    _table(output, [place_row(each) for each in proof.places])
    if proof.columns:
        output.line(_("word for word, in any row of the database:"))
        _table(output, [column_row(each) for each in proof.columns])
    if proof.backups:
        output.line(_("backups:"))
    for backup in proof.backups:
        output.line(backup_line(backup))
    output.line(verdict(proof))
    for sentence in NOT_SHOWN:
        output.note(_(sentence))


def _table(output: Output, rows: Sequence[tuple[str, str, str]]) -> None:
    columns = [
        TableColumn(N_("found"), is_number=True),
        TableColumn(N_("left"), is_number=True),
        TableColumn(N_("place"), takes_rest=True),
    ]
    output.table(columns, [(found, left, name) for name, found, left in rows], names_columns=True)
