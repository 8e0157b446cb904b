"""What texts are indexed by and what questions look for, in Chinese, English and both at once."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import apsw
import pytest
from fakes.growth import grows_linearly
from hypothesis import given, settings
from hypothesis import strategies as st

from orca_core import words
from orca_core.rules.text.concepts import concepts_of
from orca_core.rules.text.search_terms import (
    content_words,
    identifier_tokens,
    index_terms,
    query_terms,
)

MIXED = st.text(
    st.one_of(
        st.sampled_from("abCD19 _.-/+#@:'，。？\n我用数据库的吗猫é😀ｐ"), st.characters(exclude_categories=("Cs",))
    ),
    max_size=60,
)


@pytest.mark.parametrize(
    ("memory", "tokens"),
    [
        ("用户用 neovim", ["用户", "neovim", "k_editor"]),
        ("User is running marathons", ["run", "marathon", "k_sport"]),
        ("C++ and C# on .NET", ["c_plus_plus", "c_sharp", "dot_net"]),
        ("port is :5433", ["5433", "k_port"]),
        ("mail: user@example.com", ["user_example_com"]),
        ("Caroline's dog", ["carolin", "dog", "k_pet"]),
        ("doesn’t eat meat", ["doesnt", "meat"]),
        ("café in Zürich", ["cafe", "zurich"]),
        ("房租 5,000 元", ["5000", "房租"]),
        ("서울 날씨", ["서울", "날씨"]),
        ("9月4号体检", ["d_9_4", "体检"]),
        ("猫", ["猫", "k_pet"]),
    ],
)
def test_a_memory_is_indexed_by_its_words(memory: str, tokens: list[str]) -> None:
    assert set(tokens) <= set(index_terms(memory))


@pytest.mark.parametrize(
    ("memory", "question"),
    [
        ("用户用 neovim 写代码", "我用什么编辑器？"),
        ("I'm vegetarian", "我有什么忌口吗"),
        ("用户对花生过敏", "what food should I avoid"),
        ("the API listens on :5433", "接口端口号多少"),
        ("uses PostgreSQL 16", "which postgres version"),
        ("my wife is a pediatrician", "我老婆是做什么工作的"),
        ("住在杭州西湖区", "where do I live"),
        ("met on 2023-05-03", "5月3号我见了谁"),
        ("回答要简洁", "how should answers be, step by step or concise"),
        ("getUserName 返回空", "get_user_name bug"),
        ("用户在字节跳动上班", "which company do I work for"),
        ("养了一只橘猫", "do I have a pet"),
    ],
)
def test_a_question_meets_the_memory_it_asks_for(memory: str, question: str) -> None:
    assert set(index_terms(memory)) & set(query_terms(question).tokens)


@pytest.mark.parametrize(
    ("memory", "question"),
    [
        ("用户用 neovim", "今天天气怎么样"),
        ("用户喜欢爬山", "怎么写快速排序"),
        ("JavaScript", "javanese"),
        ("the user has a cat", "What is the best way to sort a list?"),
        ("C++ 14", "vitamin C"),
        ("python 3.11", "11 个苹果"),
    ],
)
def test_a_question_passes_by_what_it_does_not_ask_for(memory: str, question: str) -> None:
    assert not set(index_terms(memory)) & set(query_terms(question).tokens)


def test_the_day_of_a_memory_is_one_of_its_words() -> None:
    said = datetime(2023, 5, 3, 12, tzinfo=UTC)

    assert {"d_5", "d_5_3", "2023", "d_2023_5", "d_2023_5_3"} <= set(index_terms("去了公园", said))


@pytest.mark.parametrize(
    ("question", "tokens"),
    [
        ("Remind me which database we chose?", {"k_database", "databas", "chose"}),
        ("do you know what's my editor", {"k_editor", "editor"}),
        ("btw, can you tell me where the logs are", {"log"}),
        ("你还记得我用什么编辑器吗？", {"k_editor", "编辑", "辑器", "编", "辑", "器"}),
        ("我有猫吗", {"k_pet", "猫"}),
        ("那个 redis 呢", {"redi", "k_cache"}),
        ("09月04日", {"d_9", "d_9_4"}),
        ("what did I do on Sept 4th, 2023?", {"d_9", "d_9_4", "2023", "d_2023_9", "d_2023_9_4"}),
        ("https://github.com", {"github_com", "github"}),
    ],
)
def test_words_of_asking_are_dropped(question: str, tokens: set[str]) -> None:
    assert set(query_terms(question).tokens) == tokens


@pytest.mark.parametrize("question", ["", "   ", "？？？", "😀", "\n\n"])
def test_a_question_without_words_looks_for_nothing(question: str) -> None:
    assert query_terms(question).tokens == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("用户对花生过敏", {"花生", "生过", "过敏"}),
        ("我有猫", {"猫"}),
        ("你的猫", {"猫"}),
        ("The user's dog is called Max", {"user", "dog", "call", "max"}),
        ("I prefer tabs in Go", {"prefer", "tab", "go"}),
        ("2023年5月3日", set()),
        ("postgres 的端口", {"postgr", "端口"}),
        ("what is this", set()),
        ("", set()),
    ],
)
def test_content_words_carry_what_is_said(text: str, words: set[str]) -> None:
    assert content_words(text) == words


@given(text=MIXED)
def test_a_query_names_each_token_once_with_a_weight_in_its_bounds(text: str) -> None:
    terms = query_terms(text)

    assert len(set(terms.tokens)) == len(terms.tokens)
    assert set(terms.tokens) == set(terms.weights)
    assert all(0 < weight <= 1 for weight in terms.weights.values())


@given(texts=st.lists(MIXED, min_size=1, max_size=8))
@settings(max_examples=40)
def test_the_full_text_index_keeps_every_token_as_one_word(texts: list[str]) -> None:
    connection = apsw.Connection(":memory:")
    connection.execute(
        "create virtual table words using fts5(t, tokenize=\"unicode61 remove_diacritics 0 tokenchars '_'\")"
    )
    connection.execute("create virtual table vocabulary using fts5vocab(words, row)")
    tokens = [token for text in texts for token in index_terms(text) if token.isascii() or _is_han(token)]
    connection.execute("insert into words values (?)", (" ".join(tokens),))

    assert {term for (term,) in connection.execute("select term from vocabulary")} == set(tokens)


def _is_han(token: str) -> bool:
    return all("\u4e00" <= character <= "\u9fa5" for character in token)


def test_a_long_text_takes_linear_time() -> None:
    units = ["我用的数据库", "a.", "a_B", "1月 ", "9 ", "go 写", "do you ", "'s", "\u0301", "\n", "x"]
    for work in (index_terms, query_terms, content_words):
        assert grows_linearly(work, units, 50_000)


@pytest.mark.parametrize(
    ("identifier", "tokens"),
    [
        ("running", {"run"}),
        ("c#", {"c_sharp"}),
        ("3.11", {"3_11"}),
        ("v1.2.3", {"1_2_3", "1_2"}),
        ("getUserName", {"getusernam", "get", "user", "name"}),
        ("docker-compose", {"docker_compose", "docker", "compos"}),
        ("pg", {"pg", "postgr"}),
        ("JavaScript", {"javascript"}),
        ("iPhone", {"iphon"}),
        ("2FA", {"2fa", "fa"}),
        (r"C:\Users", {"c_users", "c", "user"}),
        ("R", {"r"}),
    ],
)
def test_an_identifier_is_kept_and_split(identifier: str, tokens: set[str]) -> None:
    assert set(identifier_tokens(identifier)) == tokens


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("postgres", "PostgreSQL"),
        ("Kubernetes", "k8s"),
        ("neovim", "nvim"),
        ("nodejs", "node.js"),
        ("database", "db"),
        ("VSCode", "vs_code"),
        ("snake_case", "snakeCase"),
        ("python3.11", "python"),
        ("golang", "Go"),
    ],
)
def test_two_spellings_of_a_name_meet(one: str, other: str) -> None:
    assert set(identifier_tokens(one)) & set(identifier_tokens(other))


@given(st.from_regex(r"\.?[A-Za-z0-9_]{1,8}([-./:@\\+#][A-Za-z0-9_]{1,8}){0,5}(\+\+|#)?", fullmatch=True))
def test_every_token_is_one_word(identifier: str) -> None:
    for token in identifier_tokens(identifier):
        assert re.fullmatch("[a-z0-9_]+", token)


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


def test_each_word_of_a_concept_is_found_where_it_stands_alone() -> None:
    each = [(concept, word) for concept in CONCEPTS for word in words_of(concept)]

    assert [word for concept, word in each if concept not in concepts_of(word.replace("_", " "))] == []


def test_no_concept_names_a_word_twice() -> None:
    assert [each for each in CONCEPTS if len(set(words_of(each))) < len(words_of(each))] == []


@given(st.text(st.one_of(st.sampled_from("go GoC+.-/'’ 猫熊数据库:80\n"), st.characters()), max_size=60))
def test_only_known_concepts_are_found(text: str) -> None:
    assert concepts_of(text) <= set(CONCEPTS)
