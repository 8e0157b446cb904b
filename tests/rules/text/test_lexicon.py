"""Which concepts a text speaks of, and the everyday words that must not be taken for one."""

from __future__ import annotations

import pytest
from fakes.growth import grows_linearly
from hypothesis import given
from hypothesis import strategies as st

from orca_core import words
from orca_core.rules.text.concepts import concepts_of

CONCEPTS = sorted(words.keyed("concepts.words"))


def words_of(concept: str) -> list[str]:
    return " ".join(words.keyed("concepts.words")[concept]).split()


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("我用什么编辑器？", "editor"),
        ("what OS am i on", "operating_system"),
        ("前端是 vue3", "framework"),
        ("消息走 RabbitMQ", "queue"),
        ("tests run with pytest", "testing"),
        ("我是做什么工作的", "profession"),
        ("我住在哪", "city"),
        ("my dogs are loud", "pet"),
        ("周末打羽毛球", "sport"),
        ("有高血压", "health"),
    ],
)
def test_a_text_speaks_of_a_concept(text: str, concept: str) -> None:
    assert concept in concepts_of(text)


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("let's go to the park", "programming_language"),
        ("vitamin C", "programming_language"),
        ("express yourself", "framework"),
        ("天猫上买的", "pet"),
        ("时区设置", "pet"),
        ("the child process died", "children"),
        ("notebook 打不开", "book"),
        ("health check fails", "health"),
        ("supporter of the team", "port"),
        ("cashew nuts", "cache"),
    ],
)
def test_everyday_words_are_not_taken_for_a_concept(text: str, concept: str) -> None:
    assert concept not in concepts_of(text)


@pytest.mark.parametrize(
    "text",
    ["", "？！", "😀", "how do I do this", "帮我看看这个怎么回事", "run it again please", "是的，没问题", "ok thanks"],
)
def test_small_talk_speaks_of_nothing(text: str) -> None:
    assert concepts_of(text) == frozenset()


def test_the_longest_word_decides() -> None:
    assert concepts_of("东京") == {"city"}
    assert "team" not in concepts_of("package manager")


def test_each_word_of_a_concept_is_found_where_it_stands_alone() -> None:
    each = [(concept, word) for concept in CONCEPTS for word in words_of(concept)]

    assert [word for concept, word in each if concept not in concepts_of(word.replace("_", " "))] == []


def test_no_word_is_both_a_concept_and_passed_over() -> None:
    known = {word for concept in CONCEPTS for word in words_of(concept)}

    assert known & words.word_set("concepts.passed_over") == set()
    assert words.keyed("concepts.cased").keys() <= set(CONCEPTS)


def test_no_concept_names_a_word_twice() -> None:
    assert [each for each in CONCEPTS if len(set(words_of(each))) < len(words_of(each))] == []


@given(st.text(st.one_of(st.sampled_from("go GoC+.-/'’ 猫熊数据库:80\n"), st.characters()), max_size=60))
def test_only_known_concepts_are_found(text: str) -> None:
    assert concepts_of(text) <= set(CONCEPTS)


def test_a_long_text_takes_linear_time() -> None:
    units = ["数据", "go 写 ", "a/b", "the ", "visual studio ", ":80", "'"]
    assert grows_linearly(concepts_of, units, 100_000)
