"""Settings of work: tasks, episodes, knowledge, and what fades."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from orca_core.settings.types import SecondsOrNone, Share


class TaskSettings(Struct, frozen=True, kw_only=True):
    """What is being worked on."""

    enabled: bool = True
    """Without it the current task is not put before the model."""


class EpisodeSettings(Struct, frozen=True, kw_only=True):
    """What was done and how it ended."""

    enabled: bool = True
    """Without it no episode is made or recalled."""
    from_chats: bool = True
    """When a chat ends, the memory agent reads it for problems that were worked on."""


class ConsolidateSettings(Struct, frozen=True, kw_only=True):
    """What several episodes on one target teach."""

    enabled: bool = True
    """Without it no knowledge is made."""
    min_episodes: Annotated[int, Meta(ge=1, le=1000)] = 3
    """So many episodes on one target become knowledge."""


class ForgetSettings(Struct, frozen=True, kw_only=True):
    """Which episodes fade."""

    enabled: bool = True
    """Without it none is forgotten by itself."""
    threshold: Share = 0.25
    """An episode less important than this is forgotten, once it is old enough."""
    max_episodes: Annotated[int, Meta(ge=0, le=1_000_000)] = 10_000
    """Of more episodes the least important are forgotten."""
    min_age: SecondsOrNone = 604_800.0
    """No episode is forgotten before this age."""
    grace: SecondsOrNone = 2_592_000.0
    """So long a forgotten episode can be restored; then it is deleted for good. `0d` deletes at once."""
