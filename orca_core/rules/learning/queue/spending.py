"""The cap on what background calls may use in a day, and how a call is counted that the provider did not count."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from orca_core.model.llm import ChatMessage, Usage
from orca_core.rules.text import tokens


def is_reached(used: int, limit: int) -> bool:
    """Whether so many tokens of a day are all that may be used in it; a limit of 0 is none."""
    return limit > 0 and used >= limit


def day_of(local: datetime) -> str:
    """The day of a time on the user's clock, as the ledger keeps it."""
    return local.date().isoformat()


def next_day(local: datetime) -> datetime:
    """When the user's next day begins, on the user's clock: the cap opens then."""
    return datetime.combine(local.date() + timedelta(days=1), time.min)


def first_day(local: datetime, days: int) -> str:
    """The first of so many days, today being the last."""
    first: date = local.date() - timedelta(days=max(1, days) - 1)
    return first.isoformat()


def counted(usage: Usage | None, asked: Sequence[ChatMessage], answered: str, *, was_taken: bool) -> tuple[int, int]:
    """Tokens of the prompt and of the answer: the provider's where it says, else estimated. A request that was refused
    before anything was done with it used none."""
    if usage is not None:
        return usage.prompt_tokens, usage.completion_tokens
    if not was_taken:
        return 0, 0
    return tokens.estimate_messages(asked), tokens.estimate(answered)
