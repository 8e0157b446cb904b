"""What is asked to be remembered or forgotten, told by what the clause stands in, and what only sounds like it."""

from __future__ import annotations

import json
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.domain.messages import Source, Span
from orca_core.rules.asking.forgetting import forget_request
from orca_core.rules.asking.remembering import remember_request

DATA = Path(__file__).parents[2] / "data"
WISHES = [
    *json.loads((DATA / "trust" / "development" / "wishes.json").read_text("utf-8")),
    *json.loads((DATA / "everyday_wishes.json").read_text("utf-8")),
]
TOLD_OTHERWISE = {"my gluten intolerance"}
"""What a person would look for, and no rule: the words said "my gluten thing"."""


def remembered(text: str) -> str | None:
    return remember_request((Span(text),))


def forgotten(text: str) -> str | None:
    return forget_request((Span(text),))


def test_wishes_are_taken_word_for_word() -> None:
    for wish in WISHES:
        assert remembered(wish["text"]) == wish["remember"], wish
        if wish["forget"] not in TOLD_OTHERWISE:
            assert forgotten(wish["text"]) == wish["forget"], wish


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("别忘了我对海鲜过敏", "我对海鲜过敏"),
        ("我下周搬家，记住我住在六楼没电梯", "我住在六楼没电梯"),
        ("记住，如果我说中文就用中文回答", "如果我说中文就用中文回答"),
        ("great, now remember that I play the oboe", "I play the oboe"),
        ("We moved house, remember that our new street is Elm Row", "our new street is Elm Row"),
        ("这事帮我记一下：车险3月到期", "车险3月到期"),
        ("记住了啊，咱们周五封版", "咱们周五封版"),
        ("save this please, I park on level 3", "I park on level 3"),
    ],
)
def test_a_request_to_remember_is_found_wherever_a_clause_begins(text: str, content: str) -> None:
    assert remembered(text) == content


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("我不想让你知道我生病了", "我生病"),
        ("请把我的身高从记忆里删掉吧", "我的身高"),
        ("我前女友的名字你忘了吧", "我前女友的名字"),
        ("忘掉我之前说我在学法语", "我在学法语"),
        ("forget the part about my divorce", "my divorce"),
        ("could you forget my salary please?", "my salary"),
        ("delete what you know about my brother", "my brother"),
        ("we don't want you to keep our office address", "our office address"),
    ],
)
def test_what_is_to_be_forgotten_is_named_without_particles(text: str, what: str) -> None:
    assert forgotten(text) == what


@pytest.mark.parametrize(
    "text",
    [
        # another asks
        "老板说记住我们的口号",
        "the poster says remember, we care",
        # a play
        # a text at hand
        "翻译成英文：记住我爱你",
        # a supposition
        "如果我喝醉了，忘掉我说的电话",
        # one's own plan or memory
        "我一直记着我的第一只猫",
        # questions
        "怎么记住我的密码不被忘掉",
        "how do I make chrome forget my card",
        # something else
        "remember me",
    ],
)
def test_nothing_else_is_a_wish(text: str) -> None:
    assert (remembered(text), forgotten(text)) == (None, None)


_TYPED = st.text(alphabet=string.printable + "，。？！：；“”「」我你他的了不如果记住忘掉", max_size=200)
_REQUESTS = st.sampled_from(["记住：我住在北京", "忘掉我的旧地址", "remember that I use vim", "forget my address"])


@given(_TYPED, _REQUESTS, st.sampled_from([Source.PASTED, Source.PIPED, Source.FILE]))
def test_no_request_comes_out_of_text_that_was_not_typed(text: str, request_: str, source: Source) -> None:
    typed = text if remembered(text) is None and forgotten(text) is None else ""
    spans = (Span(f"{typed}\n"), Span(f"{request_}\n", source), Span("ok"))

    assert (remember_request(spans), forget_request(spans)) == (None, None)


@given(_REQUESTS, st.sampled_from(["```\n{}\n```", "> {}", "“{}”", '"{}"', "「{}」", "`{}`"]))
def test_no_request_comes_out_of_a_quotation(request_: str, quoted: str) -> None:
    text = quoted.format(request_)

    assert (remembered(text), forgotten(text)) == (None, None)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("把关于小林的都忘掉", "小林"),
        ("把我说过喝酒的事忘了吧", "我喝酒"),
        ("把阿珍的事都忘了吧，以后别再提她", "阿珍的事"),
        ("你把我体重多少忘掉", "我体重"),
        ("don't keep my blood group, delete it", "my blood group"),
        ("remove the fact that I vape", "I vape"),
    ],
)
def test_a_request_to_forget_may_be_backed_by_another_clause(text: str, what: str) -> None:
    assert forgotten(text) == what


@pytest.mark.parametrize(
    "text",
    [
        "你记住了吗",
        "记住了，谢谢",
        "记着点单词有什么窍门",
        "make sure you remember to close the file handle",
        "store this in a variable please",
        "don't keep my code in one file, split it",
        "把我的代码里的注释删掉",
    ],
)
def test_what_is_done_with_text_or_code_is_no_wish(text: str) -> None:
    assert (remembered(text), forgotten(text)) == (None, None)
