"""Names for things that people and other programs refer to."""

from __future__ import annotations

import secrets
from datetime import datetime

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


def new_session_id(now: datetime) -> str:
    """A session's name: when it began, and enough chance that two Orcas never meet. Sorts by time."""
    return f"{now:%Y%m%d-%H%M%S}-{''.join(secrets.choice(_ALPHABET) for _ in range(5))}"
