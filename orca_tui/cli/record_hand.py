"""What a hand does to records of work, as commands: the same for episodes, knowledge and guides of tools."""

from __future__ import annotations

from collections.abc import Callable
from gettext import gettext as _
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from orca_core.model.operations import RecordsChanged
from orca_core.model.records import Ref
from orca_core.serialize.reports import proof_json
from orca_core.serialize.work import left_json, work_history_json
from orca_tui.cli.commands import as_json_option, command
from orca_tui.cli.deleting import ask_to_delete, see_that_it_can_be_asked, tell_deleted, yes_option
from orca_tui.cli.outcomes import Outcome, tell
from orca_tui.cli.proving import Proving, proof_option, tell_proof
from orca_tui.cli.record_ids import RecordId
from orca_tui.cli.runtime import OpenOrca, Runtime, pass_runtime
from orca_tui.cli.views import change_line
from orca_tui.words.work_words import left_lines

if TYPE_CHECKING:
    from orca_core.services.records import RecordActions


class ByHand(Struct, frozen=True):
    """Records of one kind as commands know them: where the engine has them, their numbers, a line of each, and the
    group of their commands, where that is not called as the kind is."""

    id_type: RecordId
    records: Callable[[OpenOrca], RecordActions[Any]]
    line: Callable[[Any], str]
    group: str = ""

    def act(self, name: str, done: str, doc: str) -> click.Command:
        """`orca episode pin ID…` and its like; `name` is the method's, too, `done` what is said of each record."""

        @click.argument("ids", metavar="ID...", type=self.id_type, nargs=-1, required=True)
        @as_json_option
        @pass_runtime
        def run(runtime: Runtime, ids: tuple[int, ...], as_json: bool) -> None:
            with runtime.orca() as orca:
                action = getattr(self.records(orca), name)
                changed = orca.run(action(list(dict.fromkeys(ids))))
                self.report(runtime, orca, changed, _(done), as_json=as_json)

        return self._named(run, name, doc)

    def delete(self, doc: str) -> click.Command:
        """`orca episode delete ID… [--yes] [--proof]`."""

        @click.argument("ids", metavar="ID...", type=self.id_type, nargs=-1, required=True)
        @yes_option
        @proof_option
        @as_json_option
        @pass_runtime
        def run(runtime: Runtime, *, ids: tuple[int, ...], yes: bool, proof: bool, as_json: bool) -> None:
            wanted = list(dict.fromkeys(ids))
            proving = Proving(is_wanted=proof)
            see_that_it_can_be_asked(runtime, yes=yes, as_json=as_json)
            with runtime.orca() as orca:
                lines = [self.line(each) for each in orca.run(self.records(orca).get(wanted))]
                if not yes:
                    ask_to_delete(runtime, lines)
                proving.look(orca, self.id_type.kind, wanted)
                deletion = orca.run(self.records(orca).delete(wanted))
            refs = [Ref(self.id_type.kind, each) for each in wanted]
            proven = proving.prove()
            left = left_json(deletion) if as_json else {}
            if proven is not None:
                left["proof"] = proof_json(proven)
            tell_deleted(runtime, refs, lines, is_wiped=deletion.finished, as_json=as_json, **left)
            for line in () if as_json else left_lines(deletion):
                runtime.output.note(line)
            if proven is not None and not as_json:
                tell_proof(runtime.output, proven)

        return self._named(run, "delete", doc)

    def history(self, doc: str) -> click.Command:
        """`orca episode history ID`."""

        @click.argument("record_id", metavar="ID", type=self.id_type)
        @as_json_option
        @pass_runtime
        def run(runtime: Runtime, record_id: int, as_json: bool) -> None:
            with runtime.orca() as orca:
                changes = orca.run(self.records(orca).changes_of(record_id))
            if as_json:
                runtime.output.json(work_history_json(self.id_type.kind, record_id, changes))
                return
            runtime.output.line("\n".join(change_line(change, runtime.output.marks) for change in changes))

        return self._named(run, "history", doc)

    def report(
        self, runtime: Runtime, orca: OpenOrca, changed: RecordsChanged[Any], done: str, *, as_json: bool
    ) -> None:
        """Say what was changed, and how it is taken back."""
        outcome = Outcome.of(
            changed.operation, self.id_type.kind, changed.records, lambda record: f"{done}  {self.line(record)}"
        )
        tell(runtime, orca, outcome, as_json=as_json)

    def _named(self, run: Callable[..., None], name: str, doc: str) -> click.Command:
        run.__doc__ = doc
        kind = self.id_type.kind
        made: click.Command = command(name, examples=(f"orca {self.group or kind.name} {name} {kind.letter}1",))(run)
        return made
