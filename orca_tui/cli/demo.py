"""`orca demo`: the app on a small story, in a home that is thrown away; or a picture of it."""

from __future__ import annotations

from pathlib import Path

import click

from orca_core.model.errors import InvalidInput
from orca_tui.cli.commands import command, option
from orca_tui.cli.runtime import Runtime, pass_runtime

LEAST, MOST = (40, 10), (300, 100)


@command()
@option(
    "--screenshot", type=click.Path(path_type=Path), metavar="FILE", help="Draw the app into this SVG file instead."
)
@option("--size", nargs=2, type=int, default=(120, 36), metavar="COLUMNS LINES", help="How large the picture is.")
@pass_runtime
def demo(runtime: Runtime, screenshot: Path | None, size: tuple[int, int]) -> None:
    """Open the app on a small story, in a home that is thrown away.

    Nothing of it touches your own memories."""
    if not all(least <= value <= most for value, least, most in zip(size, LEAST, MOST, strict=True)):
        raise InvalidInput(template="a picture has 40 to 300 columns and 10 to 100 lines")
    if screenshot is None and not runtime.has_terminal:
        raise InvalidInput(template="there is no terminal to show it in", hint="orca demo --screenshot FILE draws it")
    assert runtime.open_story is not None
    if status := runtime.open_story(runtime, screenshot, size):
        raise click.exceptions.Exit(status)
