"""What texts are indexed by and what questions look for, in Chinese, English and both at once."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import apsw
import pytest
from fakes.growth import grows_linearly
from hypothesis import given, settings
from hypothesis import strategies as st

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
        ("用户用 neovim", ["用户", "neovim"]),
        ("User is running marathons", ["run", "marathon"]),
        ("C++ and C# on .NET", ["c_plus_plus", "c_sharp", "dot_net"]),
        ("port is :5433", ["5433"]),
        ("mail: user@example.com", ["user_example_com"]),
        ("Caroline's dog", ["carolin", "dog"]),
        ("doesn’t eat meat", ["doesnt", "meat"]),
        ("café in Zürich", ["cafe", "zurich"]),
        ("房租 5,000 元", ["5000", "房租"]),
        ("서울 날씨", ["서울", "날씨"]),
        ("9月4号体检", ["d_9_4", "体检"]),
        ("猫", ["猫"]),
    ],
)
def test_a_memory_is_indexed_by_its_words(memory: str, tokens: list[str]) -> None:
    assert set(tokens) <= set(index_terms(memory))


@pytest.mark.parametrize(
    ("memory", "question"),
    [
        ("uses PostgreSQL 16", "which postgres version"),
        ("met on 2023-05-03", "5月3号我见了谁"),
        ("getUserName 返回空", "get_user_name bug"),
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
        ("Remind me which database we chose?", {"databas", "chose"}),
        ("do you know what's my editor", {"editor"}),
        ("btw, can you tell me where the logs are", {"log"}),
        ("你还记得我用什么编辑器吗？", {"编辑", "辑器", "编", "辑", "器"}),
        ("我有猫吗", {"猫"}),
        ("那个 redis 呢", {"redi"}),
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
