"""The demo's memory agent takes clauses that begin with their speaker, and nothing from what states nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.demo.demo_agent import facts_in
from orca_core.model.learning import ProposedFact
from orca_core.rules.learning.fact_extraction import read_facts
from orca_core.settings import ExtractSettings

SENTENCES = json.loads((Path(__file__).parent.parent / "data" / "demo_sentences.json").read_text("utf-8"))
"""Ordinary sentences, written down before the rules or held back from them: what each should teach, as the words that
one fact must hold; and sentences that teach nothing."""

MOST_OF_THEM = 0.7
"""The demo's patterns are small: what they don't know they leave."""


def facts(*said: str) -> tuple[ProposedFact, ...]:
    material = json.dumps([{"round": 1, "user": "\n".join(said), "assistant": "好"}], ensure_ascii=False)
    reading = read_facts(facts_in(material), ExtractSettings())
    assert reading is not None
    return reading.facts


def is_apart(fact: ProposedFact, wanted: list[str], row: dict[str, Any]) -> bool:
    """Whether the fact holds what is wanted, and nothing else that another fact should hold."""
    others = [other for other in row["facts"] if other != wanted]
    return all(word in fact.content for word in wanted) and not any(
        all(word in fact.content for word in other) for other in others
    )


def test_ordinary_sentences_teach_what_they_say_clause_by_clause() -> None:
    wanted = [(row, words) for row in SENTENCES["statements"] for words in row["facts"]]
    found = [words for row, words in wanted if any(is_apart(fact, words, row) for fact in facts(row["said"]))]

    assert len(SENTENCES["statements"]) >= 70
    assert len(found) / len(wanted) >= MOST_OF_THEM


def test_what_states_nothing_of_the_user_teaches_nothing() -> None:
    assert [said for said in SENTENCES["nothing"] if facts(said)] == []


def test_a_clause_too_short_to_prove_anything_is_quoted_with_what_was_said_before() -> None:
    found = {fact.content: fact.quote for fact in facts("我在杭州做后端，主要写 Go，用 neovim")}

    assert found["用户用 neovim"] == "我在杭州做后端，主要写 Go，用 neovim"


@pytest.mark.parametrize(
    ("said", "contents"),
    [
        (
            "我在成都做后端，平时用neovim写Go，部署在阿里云上",
            ["用户在成都做后端", "用户平时用neovim写Go", "用户部署在阿里云上"],
        ),
        ("我住在杭州。养了一只猫", ["用户住在杭州"]),
        ("我住在臺北，養了一隻貓", ["用户住在臺北", "用户養了一隻貓"]),
        ("我吃素，不喝酒", ["用户吃素，不喝酒"]),
        ("我妈是老师，我是护士", ["用户的妈是老师", "用户是护士"]),
        ("我同事住在上海，养了猫，我住在苏州", ["用户住在苏州"]),
        ("I live in Berlin and use Rust at work", ["User lives in Berlin", "User uses Rust at work"]),
        (
            "My daughter Mia is seven, plays the violin",
            ["User's daughter Mia is seven"],
        ),
        ("I use uv, never pip", ["User uses uv"]),
        ("I moved to Oslo and never drive a car", ["User moved to Oslo", "User never drives a car"]),
        ("I like tea, usually drink it black", ["User likes tea", "User usually drinks it black"]),
        ("My son Max loves fish, never eats meat", ["User's son Max loves fish"]),
        ("我用 uv，从不用 pip", ["用户用 uv", "用户从不用 pip"]),
        ("回答要简短", ["回答要简短"]),
        ("我对花生不过敏，不过不爱吃", ["用户对花生不过敏", "用户不爱吃"]),
        ("我的电话是 13912345678", ["用户的电话是 13912345678"]),
        ("记住：我用 neovim 写代码", ["用户用 neovim 写代码"]),
        ("I’m a nurse. Which shoes?", ["User is a nurse"]),
        ("remember that I use vim", ["User uses vim"]),
        ("我用 Vim and I like tea", ["用户用 Vim", "User likes tea"]),
        ("我问“我住在哪”，我住在成都", ["用户住在成都"]),
        ("Which editor do I use?", []),
        ("我用什么编辑器？", []),
        ("If I lived in Rome, I would cycle", []),
        ("`I live in Rome`", []),
        ("> I live in Rome", []),
        ("I live in Rome\n```\nI use vim\n```", ["User lives in Rome"]),
        ("he said I live in Rome", []),
        ("I think tea is fine", []),
        ("I used to live in Rome", []),
        ("my friend uses vim, likes tea", []),
        ("翻译成英文：我住在北京，养了一条狗。我在成都做后端", []),
    ],
)
def test_a_clause_is_told_of_whom_it_speaks(said: str, contents: list[str]) -> None:
    assert [fact.content for fact in facts(said)] == contents


@given(st.text(alphabet="我们的在用住，。,.; IweMyand是 有liveWork\n：", max_size=60))
def test_whatever_is_said_each_quote_stands_in_it(said: str) -> None:
    for fact in facts(said):
        assert fact.quote in " ".join(said.split()) or fact.quote in said
