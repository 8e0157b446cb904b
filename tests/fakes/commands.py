"""Every command, by what one types for it."""

from __future__ import annotations

from collections.abc import Iterator

import click

from orca_tui.cli.root import orca


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """The commands of a group and of the groups in it, which come before their own."""
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        yield " ".join((*path, name)), found
        if isinstance(found, click.Group):
            yield from commands(found, (*path, name))


ALL = dict(commands(orca))
COMMANDS = {name: found for name, found in ALL.items() if not isinstance(found, click.Group)}
GROUPS = {name: found for name, found in ALL.items() if isinstance(found, click.Group)}
