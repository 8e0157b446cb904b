"""What a model takes, as far as that was learnt from its server: how long a prompt, and whether tools."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct


class ContextLimit(Struct, frozen=True):
    """How long a prompt a model takes, as its server named it in a refusal; `configured` is what the configuration
    said at that time. `token_ratio` is how the server counted, over what the rules estimated."""

    tokens: int
    configured: int
    at: datetime
    token_ratio: float | None = None


class ToolSupport(Struct, frozen=True):
    """Whether a server takes tools for a model, as it was found out `at` this time."""

    takes: bool
    at: datetime
