"""Asking before something is deleted for good: the same for records of every kind."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _
from typing import Any

import click

from orca_core.model.errors import InvalidInput
from orca_core.model.records import Ref
from orca_core.serialize.reports import deleted_json, outcome_json
from orca_tui.cli.commands import option
from orca_tui.cli.runtime import Runtime

YES_WORDS = ("y", "yes", "是", "好")

yes_option = option("--yes", is_flag=True, help="Do not ask.")


def see_that_it_can_be_asked(runtime: Runtime, *, yes: bool, as_json: bool) -> None:
    """Raises InvalidInput where nobody can be asked and --yes is not given."""
    if yes:
        return
    if as_json:
        raise InvalidInput(template="--json asks nothing", hint="add --yes to delete without being asked")
    if not runtime.has_terminal:
        raise InvalidInput(template="there is no terminal to ask in", hint="add --yes to delete without being asked")


def ask_to_delete(runtime: Runtime, lines: Sequence[str], *notes: str) -> None:
    """Show what would go, and ask. Ends the command where the answer is no."""
    for line in lines:
        runtime.output.noted_record(line)
    for note in (_("This is for good: undo does not bring them back."), *notes):
        runtime.output.note(note)
    try:
        answer = runtime.output.ask(_("delete {count} for good? [y/N] ").format(count=len(lines)))
    except EOFError:
        answer = ""
    if answer.strip().lower() not in YES_WORDS:
        runtime.output.note(_("nothing was deleted"))
        raise click.exceptions.Exit(1)


def tell_deleted(
    runtime: Runtime, refs: Sequence[Ref], lines: Sequence[str], *, is_wiped: bool, as_json: bool, **more: Any
) -> None:
    """Say what is gone; `more` is for JSON."""
    if as_json:
        gone = [deleted_json(ref) for ref in refs]
        runtime.output.json(outcome_json((), gone, wiped=is_wiped, **more))
        return
    for line in lines:
        runtime.output.record(f"{_('deleted')}  {line}")
    tell_wiped(runtime, is_wiped=is_wiped)


def tell_wiped(runtime: Runtime, *, is_wiped: bool) -> None:
    """Say where the text is still in the files."""
    if not is_wiped:
        runtime.output.note(
            _(
                "another program reads the database: the text is wiped from its files at the next idle moment,"
                " or by orca upkeep"
            )
        )
