"""The pools that clients know."""

from __future__ import annotations

import pytest

from orca_core.model.errors import InvalidInput
from orca_core.model.memories import MemoryType
from orca_core.rules.feedback.promotion_score import POOLS, pool_of


def test_every_type_that_lives_is_in_one_pool() -> None:
    assert sorted(each for pool in POOLS.values() for each in pool.types) == sorted(MemoryType)


@pytest.mark.parametrize(("word", "status"), [("candidates", "candidate"), (" Info ", "live"), ("PROFILE", "live")])
def test_a_pool_is_found_by_its_name(word: str, status: str) -> None:
    assert pool_of(word).status == status


def test_another_name_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(InvalidInput, match="there is no pool all") as refused:
        pool_of("all")
    assert refused.value.fields["known"] == "candidates, info, profile"
