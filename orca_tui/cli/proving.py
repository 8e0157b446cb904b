"""`--proof`: where a deleted record could have been, and what is left there; the same for records of every kind."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from gettext import gettext as _
from typing import Any

from orca_core.model.operations import Proof, Traces
from orca_core.model.records import Kind
from orca_core.serialize.reports import proof_json
from orca_tui import core
from orca_tui.cli.backstage import Backstage
from orca_tui.cli.commands import option
from orca_tui.cli.output import Column, Output
from orca_tui.cli.runtime import OpenOrca
from orca_tui.words.upkeep_words import NOT_SHOWN, backup_line, column_row, place_row, verdict

proof_option = option(
    "--proof", is_flag=True, help="List every place where it could have been, and what is left there."
)


class Proving:
    """Looks before something is deleted, and again once the engine that deleted it is closed; nothing where no proof is
    wanted."""

    def __init__(self, *, is_wanted: bool) -> None:
        self._is_wanted = is_wanted
        self._orca: OpenOrca | None = None
        self._traces: list[Traces] = []

    def look(self, orca: OpenOrca, kind: Kind, ids: Sequence[int]) -> None:
        if self._is_wanted:
            self._orca = orca
            self._traces.append(orca.run(core.look_for(orca.loaded, kind, ids)))

    def look_for_sessions(self, orca: OpenOrca, profile: str | None, session_ids: Sequence[str]) -> None:
        if self._is_wanted:
            self._orca = orca
            self._traces.append(orca.run(core.look_for_sessions(orca.loaded, profile, session_ids)))

    def prove(self) -> Proof | None:
        if self._orca is None:
            return None
        with Backstage() as backstage:
            proofs = [backstage.run(core.prove(self._orca.loaded, each)) for each in self._traces]
        return reduce(Proof.with_further, proofs)


def proof_to_json(proof: Proof | None) -> dict[str, Any]:
    """What a document has beside the rest; nothing where no proof was wanted."""
    return {} if proof is None else {"proof": proof_json(proof)}


def tell_proof(output: Output, proof: Proof) -> None:
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
    names = (_("found"), _("left"), _("place"))
    columns = [Column(name, is_number=place < 2, takes_rest=place == 2) for place, name in enumerate(names)]
    numbers_first = [(found, left, name) for name, found, left in rows]
    output.table(columns, numbers_first if output.is_terminal else [names, *numbers_first])
