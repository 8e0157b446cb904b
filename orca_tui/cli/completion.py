"""`orca completion`: what a shell needs to complete Orca's commands and options."""

from __future__ import annotations

import click

from orca_tui.cli.commands import command
from orca_tui.cli.root import COMPLETION_VARIABLE
from orca_tui.cli.runtime import Runtime, pass_runtime

SHELLS = ("bash", "zsh", "fish")


@command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
@pass_runtime
def completion(runtime: Runtime, ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    For bash, put this in .bashrc: eval "$(orca completion bash)"
    """
    from click.shell_completion import get_completion_class  # the other commands do without

    completer = get_completion_class(shell)
    assert completer is not None
    runtime.output.line(completer(ctx.find_root().command, {}, "orca", COMPLETION_VARIABLE).source())
