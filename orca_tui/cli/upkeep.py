"""`orca upkeep`: what the app does in the background, now."""

from __future__ import annotations

from functools import partial
from gettext import gettext as _

import click

from orca_core.model.doctor import UpkeepRun
from orca_core.model.events import Embedded
from orca_core.model.operations import Reached, Tell
from orca_core.serialize.reports import upkeep_json
from orca_tui.cli.commands import as_json_option, command
from orca_tui.cli.deleting import tell_wiped
from orca_tui.cli.output import Output
from orca_tui.cli.progress import teller
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.words.upkeep_words import reindex_words, upkeep_words


@command(examples=("orca upkeep", "orca upkeep --json"))
@as_json_option
@pass_runtime
def upkeep(runtime: Runtime, as_json: bool) -> None:
    """Look after the database now: vectors, cleaning, wiping.

    Makes vectors of what was added by commands, which is found by its words until then, indexes messages, ends an undo
    that was cut short, cleans as orca memory clean does, and wipes what was deleted while another program read it. The
    app does all of it in the background; behind a command that changes something it is done once a day."""
    with runtime.orca() as orca:
        stop_listening = orca.engine.worker.subscribe(partial(tell_embedded, teller(runtime.output, reindex_words)))
        done = orca.run(orca.engine.upkeep.run())
        stop_listening()
    if as_json:
        runtime.output.json(upkeep_json(done))
    else:
        _tell(runtime.output, done)
        tell_wiped(runtime, is_wiped=done.is_wiped)
    if done.failed:
        raise click.exceptions.Exit(1)


def tell_embedded(tell: Tell, event: object) -> None:
    """How far embedding is, of all that the worker tells."""
    if isinstance(event, Embedded):
        tell(Reached("embedded", event.have, event.whole))


def _tell(output: Output, done: UpkeepRun) -> None:
    for job in done.jobs:
        words = upkeep_words(job.name)
        output.line(f"{words}  {_('failed: {reason}').format(reason=job.failure) if job.failure else _('done')}")
