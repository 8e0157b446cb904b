"""Which words of an indexed record are looked up to find what is near to it."""

from __future__ import annotations

from orca_core.rules.retrieval.evidence import MAX_POSTINGS, telling_of_a_record


def test_words_that_it_alone_holds_crowd_out_none_that_others_share() -> None:
    own = {f"word{number}": 1 for number in range(100)}

    assert telling_of_a_record({**own, "postgres": 2}) == ["postgres"]


def test_a_name_comes_before_a_rare_character_and_a_common_word() -> None:
    assert telling_of_a_record({"postgres": 3, "week": 40, "好": 3}) == ["postgres", "好", "week"]


def test_what_has_too_many_entries_is_passed_over() -> None:
    assert telling_of_a_record({"week": MAX_POSTINGS + 1, "postgres": 2}) == ["postgres"]


def test_a_record_that_shares_nothing_is_near_to_nothing() -> None:
    assert telling_of_a_record({"alone": 1}) == []
