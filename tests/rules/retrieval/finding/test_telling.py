"""Which words of a question are looked up."""

from __future__ import annotations

from orca_core.rules.retrieval.evidence import MAX_POSTINGS, ONLY_ONE, telling


def test_a_word_with_too_many_entries_is_passed_over_though_it_tells_most() -> None:
    assert telling({"common": 9.0, "rare": 1.0}, {"common": MAX_POSTINGS + 1, "rare": 2}) == ["rare"]


def test_where_every_word_has_too_many_the_rarest_is_looked_up_as_far_as_that_can_be_bounded() -> None:
    many = {"common": MAX_POSTINGS + 2, "rarer": MAX_POSTINGS + 1, "unknown": 0}
    assert telling(dict.fromkeys(many, 1.0), many) == ["rarer"]
    assert telling({"all": 1.0}, {"all": ONLY_ONE * MAX_POSTINGS + 1}) == []
