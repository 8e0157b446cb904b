"""Which messages of a client are new: most send their whole session each time."""

from __future__ import annotations

from collections.abc import Sequence

Said = tuple[str, str]
"""A role and what was said."""


def fresh(stored: Sequence[Said], given: Sequence[Said], *, is_whole: bool) -> list[Said]:
    """What follows in `given` on what is stored already. `stored` is the whole session, or its latest messages: what
    was given begins with them, or with earlier ones that were not looked at, or shares nothing with them."""
    longest = min(len(given), len(stored)) if is_whole else len(given)
    for known in range(longest, 0, -1):
        overlap = min(known, len(stored))
        if overlap and list(given[known - overlap : known]) == list(stored[-overlap:]):
            return list(given[known:])
    return list(given)
