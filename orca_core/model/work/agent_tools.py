"""What the tools answer that an agent is offered."""

from __future__ import annotations

from msgspec import Struct

from orca_core.model.memories import Addition


class ToolAnswer(Struct, frozen=True):
    """`text` holds what was found and nothing else: where nothing was, it is empty, and `note` says so. `found` are the
    names of what stands in the text, `nothing_for` what was asked for in vain."""

    text: str = ""
    found: tuple[int | str, ...] = ()
    nothing_for: tuple[str, ...] = ()
    note: str = ""


class Proposed(Struct, frozen=True):
    """What became of statements that an agent wants remembered: each waits, is known already, or was refused."""

    additions: tuple[Addition, ...]


class MessagesKept(Struct, frozen=True):
    """What became of the messages of a client: the numbers of the rounds that they belong to now, how many were stored
    already, and why others were refused, by their place from 0 on."""

    rounds: tuple[int, ...] = ()
    known: int = 0
    refused: tuple[tuple[int, str], ...] = ()
