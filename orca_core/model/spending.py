"""What the calls of the memory agent cost: one call, and what they come to."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from orca_core.model.messages import Cost


class AgentCall(Struct, frozen=True):
    """One call, however it ended. `day` is the user's (2026-11-20); `is_estimated` where the provider counted nothing;
    `cost` where a price is known."""

    job: str
    model: str
    at: datetime
    day: str
    prompt_tokens: int
    completion_tokens: int
    is_estimated: bool = False
    cost: Cost | None = None


class Spent(Struct, frozen=True):
    """What one job asked of one model on one day. `estimated` of the calls were not counted by the provider, `priced`
    of them have a share in the cost."""

    day: str
    job: str
    model: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    estimated: int
    priced: int
    cost: Cost | None = None

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


class Allowance(Struct, frozen=True):
    """Today's tokens: how many were used, of how many (0: no limit), and until when jobs rest where they are used
    up."""

    used: int
    limit: int
    rests_until: datetime | None = None
