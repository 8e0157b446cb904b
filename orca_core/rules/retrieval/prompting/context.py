"""How long a prompt may be: what the configuration says, what refusals taught, and what is tried after one."""

from __future__ import annotations

from datetime import datetime, timedelta

from orca_core.model.llm import ContextLimit

MAX_ANSWER_RESERVE = 4096
"""An answer is left a quarter of a small context, and no more than this of a large one. Chosen by hand."""
TRUSTED_FOR = timedelta(days=7)
"""A server may be started anew with more: what it refused so long ago is tried again. Chosen by hand."""
MAX_REFITS = 5
"""So many smaller prompts are tried after a refusal; the last one is the question alone. Chosen by hand."""


def context_tokens(configured: int, learnt: ContextLimit | None, now: datetime) -> int:
    """How many tokens a prompt and its answer may have. Another setting than the one under which a limit was learnt
    says that the user knows better."""
    if learnt is None or learnt.configured != configured or abs(now - learnt.at) > TRUSTED_FOR:
        return configured
    return min(configured, learnt.tokens)


def room(context: int, answer_tokens: int = 0) -> int:
    """How much of a context a prompt may take, so that the answer has its place."""
    return context - max(answer_tokens, min(MAX_ANSWER_RESERVE, context // 4))


def counted_ratio(estimated: int, ratio: float | None, limit: int | None, counted: int | None) -> float | None:
    """How the model counts tokens, learnt from a refusal of a prompt that the rules estimate at `estimated`.

    It is the server's own count where it names one, else at least its limit."""
    if estimated <= 0:
        return ratio
    if counted is not None:
        return counted / estimated
    return ratio if limit is None else max(1.0 if ratio is None else ratio, limit / estimated)


def room_after(
    refits: int, sent: int, rounds: int, extra: int, limit: int | None = None, answer_tokens: int = 0
) -> int:
    """How many tokens the next prompt may take after a refusal of one of `sent` tokens.

    `rounds` and `extra` (summary and memory) are parts of `sent`; `refits` counts the smaller prompts before. First
    the named limit is tried; then half of the rounds, none of them, nothing extra, and at last the question alone."""
    if limit is not None and refits == 0:
        return min(room(limit, answer_tokens), sent - 1)
    if rounds and refits < MAX_REFITS - 2:
        return sent - (rounds if refits == MAX_REFITS - 3 else (rounds + 1) // 2)
    if extra and refits < MAX_REFITS - 1:
        return sent - rounds - extra
    return 0
