"""The summary of a round: its form, what stays of a long one, and what is never cut."""

from __future__ import annotations

import re

import pytest
from fakes.growth import grows_linearly
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.llm import Source, Span
from orca_core.rules.memory.round_summaries import summarise_round
from orca_core.rules.text.cleaning import clean_memory, is_inside_character

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
THRESHOLD = 200


def typed(text: str) -> list[Span]:
    return [Span(text)]


@pytest.mark.parametrize(
    ("question", "answer", "summary"),
    [
        ("docker 里的 postgres 连不上", "先看端口。", "用户问：docker 里的 postgres 连不上\n回答：先看端口。"),
        ("which editor do I use?", "Neovim.", "User asked: which editor do I use?\nAnswer: Neovim."),
        ("redis挂了咋办", "重启", "用户问：redis挂了咋办\n回答：重启"),
        ("pls fix teh bug", "Done", "User asked: pls fix teh bug\nAnswer: Done"),
        ("你好", "", "用户问：你好\n回答："),
        ("", "Hello!", "User asked: \nAnswer: Hello!"),
        ("", "你好！", "用户问：\n回答：你好！"),
        ("第一行\n第二行", "好", "用户问：第一行 第二行\n回答：好"),
        ("run `ls -la` pls", "ok", "User asked: run `ls -la` pls\nAnswer: ok"),
        ("hi \u202eevil\x1b[2J", "yo", "User asked: hi evil[2J\nAnswer: yo"),
        ("👍🏽", "🎉", "User asked: 👍🏽\nAnswer: 🎉"),
        ("short", "字" * 150, "User asked: short\nAnswer: " + "字" * 100),
        ("问", "x" * 99 + FAMILY, "用户问：问\n回答：" + "x" * 99),
        ("```py\nx = 1\n```", "fine", "User asked: ```py x = 1 ```\nAnswer: fine"),
    ],
)
def test_a_short_round_is_told_whole(question: str, answer: str, summary: str) -> None:
    assert summarise_round(typed(question), answer, THRESHOLD).content == summary


@pytest.mark.parametrize(
    ("spans", "question"),
    [
        ([Span("看看这个报错"), Span("x" * 4312, Source.PASTED)], "用户问：看看这个报错 [粘贴了 4,312 个字符]"),
        ([Span("x" * 4312, Source.PASTED), Span("what is this")], "User asked: [pasted 4,312 characters] what is this"),
        ([Span("总结一下"), Span("y" * 900, Source.PIPED)], "用户问：总结一下 [管道传入 900 个字符]"),
        ([Span("sum up"), Span("y" * 900, Source.PIPED)], "User asked: sum up [piped 900 characters]"),
        ([Span("解释 "), Span("z" * 50, Source.FILE)], "用户问：解释 [文件中的 50 个字符]"),
        ([Span("explain "), Span("z" * 50, Source.FILE)], "User asked: explain [file of 50 characters]"),
        ([Span("为什么 "), Span("a" * 20, Source.PASTED), Span(" 不行")], "用户问：为什么 [粘贴了 20 个字符] 不行"),
    ],
)
def test_what_was_not_typed_is_only_marked(spans: list[Span], question: str) -> None:
    summary = summarise_round(spans, "ok", THRESHOLD)

    assert summary.question == question
    assert not summary.trusted


def test_the_answer_gives_the_language_where_nothing_was_typed() -> None:
    spans = [Span("x" * 500, Source.PIPED)]

    assert summarise_round(spans, "这是日志。", THRESHOLD).content == "用户问：[管道传入 500 个字符]\n回答：这是日志。"


def test_a_typed_round_is_trusted_and_indexed_with_its_answer() -> None:
    summary = summarise_round(typed("我用什么编辑器"), "你用 neovim。", THRESHOLD)

    assert summary.trusted
    assert {"k_editor", "neovim", "编辑"} <= set(summary.tokens)
    assert len(set(summary.tokens)) == len(summary.tokens)


def test_only_typed_words_of_an_untrusted_round_are_indexed() -> None:
    spans = [Span("解释这个"), Span("the secret kraken " * 5, Source.PASTED)]

    summary = summarise_round(spans, "It is about a kraken", THRESHOLD)

    assert "kraken" not in summary.tokens
    assert "解释" in summary.tokens


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        (
            "我昨天升级了系统，一切都挺顺利的。今天天气不错，出去走了走。" * 4 + "为什么 nginx 启动不了？谢谢。",
            "为什么 nginx 启动不了？",
        ),
        (
            "I have been at this all day long. It is raining again, sadly. " * 5 + "Why does pg_dump hang?",
            "Why does pg_dump hang?",
        ),
        (
            "how do I rotate the signing keys? " + "Some more words follow here, and then some. " * 8,
            "rotate the signing keys?",
        ),
        (
            "fix this:\n```python\n" + "x = 1\n" * 100 + "```\nwhy does it loop forever?",
            "fix this: [code] why does it loop forever?",
        ),
        ("```\n" + "x = 1\n" * 100, "[code]"),
        ("~~~\n" + "y\n" * 200 + "~~~\n这段有什么问题", "[code] 这段有什么问题"),
        ("https://example.com/" + "a" * 300 + " what is this about", "https://example.com/… what is this about"),
        (
            "看这几个 " + "https://a.cn/x?" + "k" * 90 + " https://b.cn/y?" + "k" * 90 + " 哪个好",
            "https://a.cn/… https://b.cn/… 哪个好",
        ),
        (
            "我想问一下我们那个项目现在用的是django" + "然后访问量上来了感觉很慢" * 100 + "要不要加个redis",
            "要不要加个redis",
        ),
        (
            "我想问一下我们那个项目现在用的是django" + "然后访问量上来了感觉很慢" * 100,
            "我想问一下我们那个项目现在用的是django",
        ),
        ("so my landlord says " + "bla " * 300 + "can i sue him", "can i sue him"),
        ("谢谢。" * 80 + "部署脚本在哪里？", "部署脚本在哪里？"),
        ("- 第一点说明\n" * 30 + "- 数据库选哪个", "数据库选哪个"),
    ],
)
def test_a_long_question_keeps_what_carries_most(question: str, kept: str) -> None:
    summary = summarise_round(typed(question), "好的。" * 5, THRESHOLD)

    assert kept in summary.question
    assert len(summary.content) <= THRESHOLD


def test_sentences_stay_in_their_order() -> None:
    question = "先装依赖库。" + "然后就那样了吧。" * 30 + "最后编译报错怎么解决？"

    kept = summarise_round(typed(question), "好", THRESHOLD).question

    assert kept.index("先装依赖库。") < kept.index("最后编译报错怎么解决？")


def test_a_mark_stays_beside_a_long_question() -> None:
    spans = [Span("We tried a lot of things today. " * 20), Span("t" * 5000, Source.PASTED), Span(" why does it fail?")]

    summary = summarise_round(spans, "Because.", THRESHOLD)

    assert "[pasted 5,000 characters]" in summary.question
    assert "why does it fail?" in summary.question


def test_code_goes_from_a_long_answer() -> None:
    answer = "```python\nfor i in range(3):\n    print(i)\n```\nThe loop never ends because nothing counts up."

    content = summarise_round(typed("why does my loop never end? " * 8), answer, THRESHOLD).content

    assert content.endswith("\nAnswer: [code] The loop never ends because nothing counts up.")


def test_a_long_answer_leaves_half_of_the_room_to_the_question() -> None:
    summary = summarise_round(typed("字" * 1000 + "？"), "答" * 1000, THRESHOLD)

    assert len(summary.question) >= 90
    assert "答" * 80 in summary.content


@pytest.mark.parametrize(
    "question",
    [
        "supercalifragilistic words everywhere " * 40,
        "configuration " * 200,
        "连接 PostgreSQL 超时 " * 60,
        "don't won't can't " * 60,
    ],
)
def test_no_word_is_cut(question: str) -> None:
    answer = "internationalization matters everywhere " * 10
    content = summarise_round(typed(question), answer, THRESHOLD).content

    words = set(re.findall(r"[A-Za-z']+", content)) - {"User", "asked", "Answer"}
    assert words <= set(re.findall(r"[A-Za-z']+", question + answer))
    assert len(content) <= THRESHOLD


@pytest.mark.parametrize("unit", [FAMILY, "👍🏽", "🇩🇪", "e\u0301\u0323", "क्षि", "❤\ufe0f"])
def test_no_character_is_cut(unit: str) -> None:
    text = clean_memory(unit * 400)
    content = summarise_round(typed(unit * 400), "ok", THRESHOLD).content

    kept = content.removeprefix("User asked: ").removesuffix("\nAnswer: ok")
    beginning, _, end = kept.partition("…")
    assert text.startswith(beginning)
    assert text.endswith(end)
    assert not is_inside_character(text, len(beginning))
    assert not is_inside_character(text, len(text) - len(end))


def test_one_endless_word_is_cut_all_the_same() -> None:
    summary = summarise_round(typed("a" * 2000), "b" * 200, THRESHOLD)

    assert "aaa…" in summary.question
    assert len(summary.content) <= THRESHOLD


SPANS = st.lists(
    st.builds(
        Span,
        st.text(
            st.one_of(st.sampled_from("ab 你好。？！. ?\n```👨\u200d👩🇩e\u0301,，"), st.characters()), max_size=120
        ),
        st.sampled_from(Source),
    ),
    max_size=6,
)


@given(spans=SPANS, answer=st.text(max_size=150), threshold=st.integers(40, 300))
def test_a_summary_fits_and_is_clean(spans: list[Span], answer: str, threshold: int) -> None:
    summary = summarise_round(spans, answer, threshold)
    asked, answered = summary.content.split("\n")

    assert len(summary.content) <= threshold
    assert summary.question == asked
    assert asked.startswith(("用户问：", "User asked: "))
    assert answered.startswith(("回答：", "Answer: "))
    assert clean_memory(asked) == asked.rstrip()
    assert summary.trusted == all(span.source is Source.TYPED for span in spans)


def test_a_huge_message_takes_no_time() -> None:
    units = ["e" + "\u0301" * 2000, "```", "https://", "a. ", "🇩", "?\n", "为什么", "x"]
    assert grows_linearly(lambda text: summarise_round(typed(text), text, THRESHOLD), units, 200_000)
