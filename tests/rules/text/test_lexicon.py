"""Which concepts a text speaks of, and the everyday words that must not be taken for one."""

from __future__ import annotations

import pytest
from fakes.growth import grows_linearly
from hypothesis import given
from hypothesis import strategies as st

from orca_core import words
from orca_core.rules.text.lexicon import concepts_of

CONCEPTS = sorted(words.keyed("concepts.words"))


def words_of(concept: str) -> list[str]:
    return " ".join(words.keyed("concepts.words")[concept]).split()


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("我用什么编辑器？", "editor"),
        ("用户用 neovim", "editor"),
        ("平时写代码用 PyCharm", "editor"),
        ("现在用的 IDE 是哪个", "editor"),
        ("my shell is zsh, not bash", "shell"),
        ("跑在 Ubuntu22.04 上", "operating_system"),
        ("what OS am i on", "operating_system"),
        ("python3.11 and C++", "programming_language"),
        ("后端用 Go 写", "programming_language"),
        ("我用go写后端", "programming_language"),
        ("I use Rust at work", "programming_language"),
        ("我主要写c语言", "programming_language"),
        ("前端是 vue3", "framework"),
        ("Spring 项目启动慢", "framework"),
        ("which database did we choose", "database"),
        ("postgres/mysql 都行", "database"),
        ("postgres 固定在 16", "database"),
        ("redis挂了", "cache"),
        ("消息走 RabbitMQ", "queue"),
        ("the pipeline is in GitHub Actions", "continuous_integration"),
        ("docker-compose up", "container"),
        ("服务器在阿里云", "cloud"),
        ("代码放在gitee", "version_control"),
        ("we use pnpm", "package_manager"),
        ("tests run with pytest", "testing"),
        ("grafana 看板", "monitoring"),
        ("my laptop is a ThinkPad", "hardware"),
        ("listens on :5433", "port"),
        ("端口是多少", "port"),
        ("what do I do for a living", "profession"),
        ("我是做什么工作的", "profession"),
        ("I work at a bank", "company"),
        ("我老板叫什么", "team"),
        ("叫什么名字来着", "name"),
        ("女儿几岁了", "age"),
        ("When's my birthday?", "birthday"),
        ("我住在哪", "city"),
        ("lives in Berlin", "home"),
        ("my wife’s name", "spouse"),
        ("我有两个孩子", "children"),
        ("爸妈在老家", "parents"),
        ("养了只橘猫", "pet"),
        ("my dogs are loud", "pet"),
        ("I'm vegetarian", "diet"),
        ("吃饭有什么忌口", "diet"),
        ("allergic to peanuts", "allergy"),
        ("用户对花生过敏", "diet"),
        ("早上只喝咖啡", "drink"),
        ("周末打羽毛球", "sport"),
        ("喜欢摄影", "hobby"),
        ("爱听周杰伦", "music"),
        ("最近在追剧", "film"),
        ("我在读三体", "book"),
        ("十月去新疆自驾", "travel"),
        ("有高血压", "health"),
        ("what time zone am I in", "time_zone"),
        ("我母语是粤语", "spoken_language"),
        ("回答要简洁", "answer_style"),
        ("explain step by step", "answer_style"),
        ("用中文回答", "answer_style"),
    ],
)
def test_a_text_speaks_of_a_concept(text: str, concept: str) -> None:
    assert concept in concepts_of(text)


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("let's go to the park", "programming_language"),
        ("Go home now", "programming_language"),
        ("there is rust on the gate", "programming_language"),
        ("vitamin C", "programming_language"),
        ("java 3.5 的 vitamin", "cache"),
        ("spring break in Florida", "framework"),
        ("express yourself", "framework"),
        ("a swift reply", "programming_language"),
        ("四川的熊猫", "pet"),
        ("天猫上买的", "pet"),
        ("hot dogs for lunch", "pet"),
        ("concatenate two lists", "pet"),
        ("时区设置", "pet"),
        ("岁月静好", "age"),
        ("java 面向对象", "spouse"),
        ("the child process died", "children"),
        ("find the parent node", "parents"),
        ("book a table", "book"),
        ("notebook 打不开", "book"),
        ("a cron job at night", "profession"),
        ("context manager in python", "team"),
        ("health check fails", "health"),
        ("meet at 12:30", "port"),
        ("import the module", "port"),
        ("supporter of the team", "port"),
        ("/home/me/project/book.py", "book"),
        ("my_database_url", "database"),
        ("cashew nuts", "cache"),
        ("scaring the birds", "hardware"),
        ("健康检查失败", "health"),
        ("怎么运行这个", "sport"),
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


@pytest.mark.parametrize("concept", CONCEPTS)
def test_each_word_of_a_concept_is_found_where_it_stands_alone(concept: str) -> None:
    missed = [word for word in words_of(concept) if concept not in concepts_of(word.replace("_", " "))]

    assert missed == []


def test_no_word_is_both_a_concept_and_passed_over() -> None:
    known = {word for concept in CONCEPTS for word in words_of(concept)}

    assert known & words.word_set("concepts.passed_over") == set()
    assert words.keyed("concepts.cased").keys() <= set(CONCEPTS)


@pytest.mark.parametrize("concept", CONCEPTS)
def test_no_concept_names_a_word_twice(concept: str) -> None:
    assert len(set(words_of(concept))) == len(words_of(concept))


@given(st.text(st.one_of(st.sampled_from("go GoC+.-/'’ 猫熊数据库:80\n"), st.characters()), max_size=60))
def test_only_known_concepts_are_found(text: str) -> None:
    assert concepts_of(text) <= set(CONCEPTS)


@pytest.mark.parametrize("unit", ["数据", "go 写 ", "a/b", "the ", "visual studio ", ":80", "'"])
def test_a_long_text_takes_linear_time(unit: str) -> None:
    assert grows_linearly(concepts_of, unit, 100_000)
