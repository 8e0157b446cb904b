"""`orca completion`, and what its scripts ask where tab is pressed: both are Click's.

Only words reach the command line; a title is shown by zsh and fish and never read."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

import click
from click import shell_completion

from orca_tui.cli import COMPLETION_VARIABLE
from orca_tui.cli.commands import command
from orca_tui.cli.runtime import Runtime, pass_runtime

NAMES = ("orca", "orca-chat")
"""What Orca is called."""
SHELLS = ("bash", "zsh", "fish")


@command(examples=("orca completion zsh", "orca completion fish > orca.fish"))
@click.argument("shell", type=click.Choice(SHELLS))
@pass_runtime
def completion(runtime: Runtime, shell: str) -> None:
    """Print the completion script of a shell.

    It completes commands, options, numbers of memories, tasks, episodes, knowledge, guides, acts and sessions, and
    names of tags, profiles, backups, prompts and providers; zsh and fish show titles.

    In .bashrc, or .zshrc behind compinit: eval "$(orca completion bash)", or zsh. In config.fish: orca completion
    fish | source"""
    from orca_tui.cli.root import orca

    kind = shell_completion.get_completion_class(shell)
    assert kind is not None
    for name in NAMES:
        runtime.output.line(kind(orca, {}, name, COMPLETION_VARIABLE).source())


def complete(environ: Mapping[str, str]) -> int:
    """Print what may stand where tab was pressed. Silent whatever is wrong: nobody can read an error there."""
    from orca_tui.cli.root import orca

    with suppress(Exception):
        shell_completion.shell_complete(orca, {}, NAMES[0], COMPLETION_VARIABLE, environ[COMPLETION_VARIABLE])
    return 0
