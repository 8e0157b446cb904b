"""A command line on its way through Click, and what Click finds wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _

import click

from orca_core.model.errors import InvalidInput, without_middle
from orca_tui.cli.root import orca
from orca_tui.cli.runtime import Runtime

DONE = 0


def call(runtime: Runtime, arguments: Sequence[str]) -> int:
    """Carry out one command; its exit status. What is wrong with the arguments is said. Raises OrcaError."""
    try:
        with orca.make_context("orca", list(arguments), obj=runtime) as context:
            orca.invoke(context)
    except click.Abort as stopped:
        raise KeyboardInterrupt from stopped
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.ClickException as error:
        sentence, way_out = _with_help(error)
        runtime.output.fail(f"{sentence} — {way_out}" if way_out else sentence)
        runtime.fail_in_json(InvalidInput.kind, sentence, way_out)
        return error.exit_code
    return DONE


def _with_help(error: click.ClickException) -> tuple[str, str]:
    """What is wrong with the arguments, and where their help is."""
    sentence = without_middle(error.format_message())
    if isinstance(error, click.UsageError) and error.ctx is not None:
        way_out = _("see {command} --help").format(command=error.ctx.command_path)
        return sentence.rstrip(".。"), way_out
    return sentence, ""
