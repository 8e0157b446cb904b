"""What texts are indexed by and what questions look for, in Chinese, English and both at once."""

from __future__ import annotations

from datetime import UTC, datetime

import apsw
import pytest
from fakes.growth import grows_linearly
from hypothesis import given, settings
from hypothesis import strategies as st

from orca_core.rules.text.search_terms import (
    CONCEPT_WEIGHT,
    EDGE_CHARS,
    INNER_CHARACTER_WEIGHT,
    STATEMENT_WEIGHT,
    content_words,
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
        ("数据库固定在 postgres 16", ["数据", "据库", "数", "postgr", "16", "k_database"]),
        ("User is running marathons", ["run", "marathon", "k_sport"]),
        ("C++ and C# on .NET", ["c_plus_plus", "c_sharp", "dot_net"]),
        ("前端 node.js v20.1", ["node_js", "20_1"]),
        ("port is :5433", ["5433", "k_port"]),
        ("mail: user@example.com", ["user_example_com"]),
        ("见 src/lib/user_service.py", ["src_lib_user_service_py", "user_service_py", "lib"]),
        ("Caroline's dog", ["carolin", "dog", "k_pet"]),
        ("doesn’t eat meat", ["doesnt", "meat"]),
        ("ＰｙｔｈｏｎとＦａｓｔＡＰＩ", ["python", "fastapi"]),
        ("café in Zürich", ["cafe", "zurich"]),
        ("房租 5,000 元", ["5000", "房租"]),
        ("Привет мир", ["привет", "мир"]),
        ("서울 날씨", ["서울", "날씨"]),
        ("9月4号体检", ["d_9_4", "体检"]),
        ("moved in May 2023", ["d_2023_5", "2023"]),
        ("猫", ["猫", "k_pet"]),
    ],
)
def test_a_memory_is_indexed_by_its_words(memory: str, tokens: list[str]) -> None:
    assert set(tokens) <= set(index_terms(memory))


@pytest.mark.parametrize(
    ("memory", "question"),
    [
        ("用户用 neovim 写代码", "我用什么编辑器？"),
        ("postgres 固定在 16", "which database did we pick"),
        ("I'm vegetarian", "我有什么忌口吗"),
        ("用户对花生过敏", "what food should I avoid"),
        ("部署在 k8s 上", "Kubernetes 集群怎么配的"),
        ("the API listens on :5433", "接口端口号多少"),
        ("uses PostgreSQL 16", "which postgres version"),
        ("女儿三岁", "how old is my daughter"),
        ("my wife is a pediatrician", "我老婆是做什么工作的"),
        ("住在杭州西湖区", "where do I live"),
        ("9月4日体检", "what is on Sept 4th"),
        ("met on 2023-05-03", "5月3号我见了谁"),
        ("回答要简洁", "how should answers be, step by step or concise"),
        ("config lives in src/settings.py", "settings.py 在哪"),
        ("getUserName 返回空", "get_user_name bug"),
        ("用户在字节跳动上班", "which company do I work for"),
        ("He was running databases", "ran database run"),
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


def test_repeated_words_stay_repeated() -> None:
    assert index_terms("docker docker 部署部署").count("docker") == 2
    assert index_terms("docker docker 部署部署").count("部署") == 2


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


@pytest.mark.parametrize(
    ("question", "token"), [("the who", "who"), ("什么", "什么"), ("是什么", "是什"), ("how to be", "be")]
)
def test_all_words_count_where_nothing_else_is_left(question: str, token: str) -> None:
    assert query_terms(question).weights[token] == 1.0


@pytest.mark.parametrize("question", ["", "   ", "？？？", "😀", "\n\n"])
def test_a_question_without_words_looks_for_nothing(question: str) -> None:
    assert query_terms(question).tokens == ()


def test_statements_weigh_less_than_the_question() -> None:
    weights = query_terms("今天去公园散步。我的体检报告放哪了？").weights

    assert weights["公园"] == STATEMENT_WEIGHT
    assert weights["体检"] == 1.0


def test_the_last_sentence_counts_as_asked() -> None:
    weights = query_terms("It rained all morning. Summarise the invoice").weights

    assert weights["rain"] == STATEMENT_WEIGHT
    assert weights["invoic"] == 1.0


def test_a_concept_and_a_character_inside_a_pair_weigh_less() -> None:
    weights = query_terms("数据库").weights

    assert weights["k_database"] == CONCEPT_WEIGHT
    assert weights["数据"] == 1.0
    assert weights["数"] == INNER_CHARACTER_WEIGHT


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


def test_of_a_long_text_only_its_ends_are_looked_for() -> None:
    middle = " ".join(f"word{number}" for number in range(20_000))
    terms = query_terms(f"our postgres is down. {middle} and which port was it?")

    assert {"postgr", "port"} <= set(terms.tokens)
    assert len(terms.tokens) < 2 * EDGE_CHARS
    assert "word10000" not in terms.tokens
