"""Options that several commands of memories take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from orca_tui.cli.commands import option
from orca_tui.cli.completions import TYPES, records, words
from orca_tui.cli.streams import ANY_TEXT

Function = TypeVar("Function", bound=Callable[..., Any])

tags_option = option(
    "--tag",
    "tags",
    multiple=True,
    type=ANY_TEXT,
    shell_complete=records("tag"),
    metavar="TAG",
    help="The tags, all of them; '' for none.",
)


def type_option(text: str) -> Callable[[Function], Function]:
    """The type of a memory; its help says what for."""
    return option("--type", "type_word", metavar="TYPE", shell_complete=words(*TYPES), help=text)


def all_of(given: Sequence[str]) -> list[str] | None:
    """What an option that may be given again stands for: None where it was not given, nothing where it is empty."""
    return [each for each in given if each] if given else None
