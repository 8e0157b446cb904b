"""Second readers by the truth of a set: one that is right, and one that errs in one of five answers, both ways."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from sets.reading import Claim, Conversation

SecondReader = Callable[[Conversation, Claim], bool]
"""Whether the speaker says the claim of themselves, seriously, now."""
SEEDS = range(5)
ONE_IN = 5


def right(_conversation: Conversation, claim: Claim) -> bool:
    return claim.live


def careless(seed: int) -> SecondReader:
    """Errs by a stable hash of the claim, so that every run of a measure comes out the same."""

    def reads(conversation: Conversation, claim: Claim) -> bool:
        return claim.live is not errs(seed, conversation, claim)

    return reads


def errs(seed: int, conversation: Conversation, claim: Claim) -> bool:
    told = f"{seed}\n{conversation.name}\n{claim.content}".encode()
    return int.from_bytes(hashlib.sha256(told).digest()[:8]) % ONE_IN == 0
