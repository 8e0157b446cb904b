"""The summary of a round: its form, what stays of a long one, and what is never cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.llm import Source, Span
from orca_core.rules.memory.round_summaries import summarise_round
from orca_core.rules.text.cleaning import clean_memory

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
        ("你好", "", "用户问：你好\n回答："),
        ("", "Hello!", "User asked: \nAnswer: Hello!"),
        ("", "你好！", "用户问：\n回答：你好！"),
        ("第一行\n第二行", "好", "用户问：第一行 第二行\n回答：好"),
        ("run `ls -la` pls", "ok", "User asked: run `ls -la` pls\nAnswer: ok"),
        ("hi \u202eevil\x1b[2J", "yo", "User asked: hi evil[2J\nAnswer: yo"),
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


def test_sentences_stay_in_their_order() -> None:
    question = "先装依赖库。" + "然后就那样了吧。" * 30 + "最后编译报错怎么解决？"

    kept = summarise_round(typed(question), "好", THRESHOLD).question

    assert kept.index("先装依赖库。") < kept.index("最后编译报错怎么解决？")


@pytest.mark.parametrize(
    ("question", "end"),
    [
        ("please look at " + "postgres settings and " * 30, "postgres settings…"),
        ("x" * 400, "x…"),
        ("看看" * 300, "看…"),
    ],
)
def test_no_word_is_cut_but_an_endless_one(question: str, end: str) -> None:
    kept = summarise_round(typed(question), "ok", THRESHOLD).question

    assert kept.endswith((end, "and…"))


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
