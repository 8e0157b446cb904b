"""What happens while acts, and calls of tools, are read."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar, Literal

from msgspec import Struct

from orca_core.domain.growth.supports import Contrast
from orca_core.domain.second_reading import SecondReading


class ActsRead(Struct, frozen=True):
    """How a reading of acts of a session goes: which memories these `supported`, which of them it `made`, and how many
    preferences were `dropped`. `next_at` is when a failed one is tried again, `second_reading` what a second reader
    made of them. `queued`: another Orca leads and will see to it; then `run` is 0."""

    event: ClassVar[str] = "acts"
    state: Literal["queued", "running", "done", "none", "unreadable", "failed"]
    run: int
    session_id: str = ""
    acts: tuple[int, ...] = ()
    supported: tuple[int, ...] = ()
    made: tuple[int, ...] = ()
    dropped: int = 0
    error: str = ""
    next_at: datetime | None = None
    second_reading: SecondReading | None = None


class Contrasted(Struct, frozen=True):
    """How a reading of a candidate against so many latest `acts` goes, before it goes live by acts: what it came to
    (`contrast`), in which `operation`. `next_at` is when a failed one is tried again."""

    event: ClassVar[str] = "contrast"
    state: Literal["running", "done", "none", "unreadable", "failed"]
    run: int
    memory: int | None = None
    content: str = ""
    acts: int = 0
    contrast: Contrast | None = None
    operation: int | None = None
    error: str = ""
    next_at: datetime | None = None


class GuideMade(Struct, frozen=True):
    """How a run that writes the guide of a `tool` by so many of its `calls` goes: which `guide` it made or renewed, as
    which `version`; `held_because` says why that waits for a person, or is not kept at all (`secret`), `lacking` what
    of it does. `next_at` is when a failed one is tried again, `second_reading` what a second reader made of it.
    `queued`: another Orca leads and will see to it."""

    event: ClassVar[str] = "guide"
    state: Literal["queued", "running", "done", "none", "unreadable", "failed"]
    run: int
    tool: str = ""
    calls: int = 0
    guide: int | None = None
    version: int = 0
    held_because: str | None = None
    lacking: tuple[str, ...] = ()
    error: str = ""
    next_at: datetime | None = None
    second_reading: SecondReading | None = None
