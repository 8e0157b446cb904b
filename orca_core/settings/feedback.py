"""Settings of feedback: acts, what goes live by them, and tools."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from orca_core.settings.types import Seconds, Share


class ActionSettings(Struct, frozen=True, kw_only=True):
    """What acts show."""

    enabled: bool = True
    """Without it no act is recorded."""


class PromoteSettings(Struct, frozen=True, kw_only=True):
    """When what acts show goes live by itself."""

    enabled: bool = True
    """Without it only a person makes a candidate live, or typed words."""
    temperature: Share = 0.001
    """How fast the last visit grows old, an hour."""
    min_support: Annotated[int, Meta(ge=1, le=100)] = 3
    """A candidate goes live after supports on so many days. 1 lets a single fresh guess pass."""


class ToolSettings(Struct, frozen=True, kw_only=True):
    """What calls of tools teach."""

    enabled: bool = True
    """Without it no call is kept, and no guide put before the model."""
    summary_count: Annotated[int, Meta(ge=1, le=1000)] = 5
    """A tool's guide is written anew once more calls than this are new."""
    summary_after: Seconds = 300.0
    """Or once any is, and so long has passed since it was written last."""
