"""What a search by words may touch is counted in its own profile."""

from __future__ import annotations

import pytest
from fakes.records import remember

from orca_core.storage.sqlite.index import search


async def test_a_large_profile_beside_it_takes_no_word_from_a_small_one(
    opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a search may touch is counted in its own profile: words that are common elsewhere are rare here."""
    monkeypatch.setattr(search, "MAX_POSTINGS", 20)

    async with opened("work") as work, opened("me") as mine:
        await remember(work, *(f"giraffe number {number}" for number in range(30)), "a zebra")
        [wanted] = await remember(mine, "the giraffe is mine")

        hits = await mine.search.by_tokens(["zebra", "giraff"], 5)
        assert [(hit.ref.id, hit.matched) for hit in hits] == [(wanted, {"giraff"})]
