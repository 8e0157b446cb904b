"""How much a cue says of a question, and what it does to the memories that were found."""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from orca_core.domain.recall import CueHit, TokenStatistics
from orca_core.domain.refs import memory_ref
from orca_core.rules.recalling.finding.cues import (
    CueMatches,
    best_matches,
    weights_with_cues,
    with_cues,
    with_meaning_of_cues,
    words_of_cues,
)
from orca_core.rules.recalling.finding.evidence import Embedding, Evidence
from orca_core.rules.recalling.finding.floors import FLOORS, Floor, is_relevant, nearest
from orca_core.rules.recalling.finding.fusion import Relevance
from orca_core.rules.text.cues import cue_terms
from orca_core.rules.text.terms import index_terms, query_terms

EVERYDAY = json.loads((Path(__file__).parents[3] / "data" / "everyday_questions.json").read_text("utf-8"))


def matches(question: str, *cues: str) -> CueMatches:
    """What the cues, of a memory each, say of a question in a store of a hundred memories."""
    terms = query_terms(question)
    held = {token: sum(token in cue_terms(cue) for cue in cues) for token in terms.tokens}
    weights = weights_with_cues(terms.weights, TokenStatistics(100, dict.fromkeys(held, 0)), held)
    hits = [CueHit(memory_ref(number), frozenset(cue_terms(cue))) for number, cue in enumerate(cues)]
    return best_matches(hits, weights)


def enters(question: str, cue: str) -> bool:
    """Whether a cue alone brings its memory, which is about the trade, where nobody asked."""
    told = with_cues({0: Evidence()}, {0: ("monorepo",)}, matches(question, cue), Embedding())
    return is_relevant(told[0], Embedding(), FLOORS.unasked)


@pytest.mark.parametrize(
    ("question", "cue", "is_near"),
    [
        ("why does our build take 20 minutes again?", "the build takes 20 minutes", True),
        ("构建又要二十分钟，怎么回事", "构建要二十分钟", True),
        ("three workers per job, they get killed with exit code 137", "job killed with exit code 137", True),
        ("构建太慢了", "今天构建失败", False),
        ("is the build red?", "the build takes 20 minutes", False),
        ("what shall we eat?", "the build takes 20 minutes", False),
    ],
)
def test_a_cue_brings_its_memory_where_it_says_what_is_asked(question: str, cue: str, is_near: bool) -> None:
    assert enters(question, cue) is is_near


@pytest.mark.long
@pytest.mark.parametrize(
    "cue",
    [
        "weekend dinner weather tired movie book train recipe birthday friend sleep travel",
        "周末 晚饭 天气 电影 生日 朋友 睡觉 旅行 孩子 健身",
        "今天",
        "tired",
        "how do I make it better",
    ],
)
def test_a_cue_made_to_come_on_any_day_comes_on_none(cue: str) -> None:
    assert [row["text"] for row in EVERYDAY if enters(row["text"], cue)] == []


GENERAL = (
    ("good morning my friend, how are you?", "good morning my friend"),
    ("what should we cook tonight?", "what should we cook tonight"),
    ("plan my weekend please", "plan my weekend please"),
)


@pytest.mark.parametrize(("question", "cue"), GENERAL)
def test_a_general_cue_of_a_machine_brings_its_memory_only_where_it_was_asked_for(question: str, cue: str) -> None:
    found = matches(question, cue)
    pin = index_terms("The user's bank PIN hint is on the fridge.", datetime(2026, 9, 4, tzinfo=UTC))

    def comes(floor: Floor, own: Collection[str] = pin, cues: CueMatches = found) -> bool:
        return is_relevant(with_cues({0: Evidence()}, {0: own}, cues, Embedding())[0], Embedding(), floor)

    assert not comes(FLOORS.unasked)
    assert comes(FLOORS.technical)
    assert comes(FLOORS.searched)
    assert comes(FLOORS.unasked, cues=replace(found, by_hand=frozenset({0})))
    assert comes(FLOORS.unasked, index_terms("The pipeline of the shop is red."))


def test_what_a_general_cue_adds_pushes_nothing_else_out_of_an_everyday_turn() -> None:
    near = Evidence(mass=4.0)
    cued = Evidence(mass=9.0, everyday=9.0)

    assert nearest([near, cued], Embedding(), FLOORS.unasked) == 4.0
    assert nearest([near, cued], Embedding(), FLOORS.technical) == 9.0


def test_many_cues_are_worth_no_more_than_the_nearest_and_each_raises_its_own_memory_alone() -> None:
    question, cue = "why does the build take 20 minutes?", "the build takes 20 minutes"
    hits = [CueHit(memory_ref(1), frozenset(cue_terms(each))) for each in (cue, "slow build takes ages", cue)]
    several = best_matches(hits, matches(question, cue).weights)
    assert several.words[1] == matches(question, cue).words[0]

    before = {1: Evidence(mass=1.0, words=1.0), 2: Evidence(mass=2.0, words=2.0, coverage=0.5)}
    after = with_cues(before, {1: (), 2: ()}, several, Embedding())
    assert after[1].mass > 1.0
    assert (after[2].mass, after[2].words, after[2].coverage) == (2.0, 2.0, 0.5)


def test_what_a_memory_says_itself_its_cue_does_not_say_again() -> None:
    question, cue = "why does the build take 20 minutes?", "the build takes 20 minutes"
    before = {0: Evidence(mass=3.0, words=3.0)}

    assert with_cues(before, {0: cue_terms(cue)}, matches(question, cue), Embedding())[0].mass == 3.0
    assert with_cues(before, {0: ()}, CueMatches(), Embedding())[0].mass == 3.0


@given(st.text(max_size=60), st.lists(st.text(max_size=60), max_size=4))
def test_no_cue_takes_anything_from_a_memory(question: str, cues: list[str]) -> None:
    before = {number: Evidence(mass=1.0, words=1.0) for number in range(len(cues))}

    after = with_cues(before, dict.fromkeys(before, ()), matches(question, *cues), Embedding())

    assert all(each.mass >= 1.0 and each.words >= 1.0 for each in after.values())


def test_the_meaning_of_a_cue_orders_and_is_below_every_floor_by_itself() -> None:
    embedding = Embedding(0.6, 0.35)
    cues = CueMatches(cosines={0: 1.0, 1: 0.35, 2: 0.2, 9: 1.0})
    told = with_cues(dict.fromkeys(range(4), Evidence()), dict.fromkeys(range(4), ()), cues, embedding)

    assert told[0].mass > told[1].mass > told[2].mass == told[3].mass == 0.0
    assert not any(is_relevant(told[0], embedding, floor) for floor in (FLOORS.technical, FLOORS.unasked))
    relevant = with_meaning_of_cues(dict.fromkeys(range(4), Relevance()), cues, embedding)
    assert relevant[0].vector > relevant[1].vector == relevant[2].vector == relevant[3].vector == 0.0
    assert relevant.keys() == set(range(4))
    assert with_meaning_of_cues({0: Relevance(1.0, 1.0)}, CueMatches(), embedding) == {0: Relevance(1.0, 1.0)}


def test_single_characters_and_letters_are_not_looked_for() -> None:
    assert words_of_cues(("build", "构建", "构", "a", "k_editor", "3_11")) == ["build", "构建", "k_editor", "3_11"]
