"""What a hand does to records of work, as commands: the same for episodes and for knowledge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from gettext import gettext as _
from typing import Any

import click

from orca_core.api import WorkRecords
from orca_core.domain.errors import InvalidInput
from orca_core.domain.journal import RecordsChanged
from orca_core.wire.work import work_history_json
from orca_tui.cli.commands import command, option
from orca_tui.cli.memory_deleting import YES_WORDS
from orca_tui.cli.memory_reading import as_json_option
from orca_tui.cli.record_ids import RecordId
from orca_tui.cli.runtime import OpenOrca, Runtime, pass_runtime
from orca_tui.cli.views import change_line


@dataclass(frozen=True, slots=True)
class ByHand:
    """Records of one kind as commands know them: where the engine has them, their numbers, and a line of each."""

    id_type: RecordId
    records: Callable[[OpenOrca], WorkRecords[Any]]
    line: Callable[[Any], str]

    def act(self, name: str, done: str, doc: str) -> click.Command:
        """`orca episode pin ID…` and its like; `name` is the method's, too, `done` what is said of each record."""

        @click.argument("ids", metavar="ID...", type=self.id_type, nargs=-1, required=True)
        @pass_runtime
        def run(runtime: Runtime, ids: tuple[int, ...]) -> None:
            with runtime.orca() as orca:
                action = getattr(self.records(orca), name)
                changed = orca.run(action(list(dict.fromkeys(ids))))
                self.report(runtime, changed, _(done))
                orca.run(orca.engine.worker.tidy())

        return _named(run, name, doc)

    def delete(self, doc: str) -> click.Command:
        """`orca episode delete ID… [--yes]`."""

        @click.argument("ids", metavar="ID...", type=self.id_type, nargs=-1, required=True)
        @option("--yes", is_flag=True, help="Do not ask.")
        @pass_runtime
        def run(runtime: Runtime, ids: tuple[int, ...], yes: bool) -> None:
            wanted = list(dict.fromkeys(ids))
            if not yes and not runtime.has_terminal:
                raise InvalidInput(
                    template="there is no terminal to ask in", hint="add --yes to delete without being asked"
                )
            with runtime.orca() as orca:
                found = orca.run(self.records(orca).get(wanted))
                if not yes and not self._agrees(runtime, found):
                    runtime.output.note(_("nothing was deleted"))
                    raise click.exceptions.Exit(1)
                deletion = orca.run(self.records(orca).delete(wanted))
                orca.run(orca.engine.worker.tidy())
            for record in found:
                runtime.output.line(f"{_('deleted')}  {self.line(record)}")
            if not deletion.finished:
                runtime.output.note(
                    _("another program reads the database: the text is wiped from its files at the next idle moment")
                )

        return _named(run, "delete", doc)

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

        return _named(run, "history", doc)

    def report(self, runtime: Runtime, changed: RecordsChanged[Any], done: str) -> None:
        """Say what was changed, and how it is taken back."""
        if changed.operation is None:
            runtime.output.note(_("nothing to change"))
            return
        for record in changed.records:
            runtime.output.line(f"{done}  {self.line(record)}")
        runtime.output.note(_("orca memory undo {operation} takes it back").format(operation=changed.operation))

    def _agrees(self, runtime: Runtime, found: Sequence[Any]) -> bool:
        for record in found:
            runtime.output.note(self.line(record))
        runtime.output.note(_("This is for good: undo does not bring them back."))
        try:
            answer = runtime.output.ask(_("delete {count} for good? [y/N] ").format(count=len(found)))
        except EOFError:
            return False
        return answer.strip().lower() in YES_WORDS


def _named(run: Callable[..., None], name: str, doc: str) -> click.Command:
    run.__doc__ = doc
    made: click.Command = command(name)(run)
    return made
