"""Which questions ask what Orca knows of the user, and which only sound like it."""

from __future__ import annotations

import pytest
from fakes.growth import grows_linearly
from hypothesis import given
from hypothesis import strategies as st

from orca_core.rules.asking.recall_questions import RecallQuestion, recall_question


@pytest.mark.parametrize(
    "text",
    [
        "我是谁",
        "我是谁？",
        "你知道我是谁吗？",
        "你记得我什么",
        "你记住了什么",
        "关于我，你知道些什么？",
        "你认识我吗",
        "我之前说过什么",
        "Who am I?",
        "who am i",
        "So, what do you remember about me so far?",
        "what have you learned about me?",
        "Do you know who I am?",
        "what did I tell you before?",
    ],
)
def test_a_question_without_a_topic_asks_for_everything(text: str) -> None:
    assert recall_question(text) == RecallQuestion(topic=False)


@pytest.mark.parametrize(
    "text",
    [
        # the remembering is named
        "你知道我用什么编辑器吗",
        "提醒我一下我们选了哪个数据库",
        "我曾经和你推荐过一部科幻电影，它的名字是？",
        "do you remember when my sister visits?",
        "tell me what my favourite editor is",
        # plain questions
        "我用什么编辑器？",
        "我多大了",
        "我昨晚吃了什么？",
        "我们的项目用的是什么数据库？",
        "我不喜欢看喜剧片，对吗？",
        "what's the name of my dog?",
        "which editor do I use?",
        "what did we decide about the logo?",
        "am I allergic to peanuts?",
    ],
)
def test_a_question_about_the_user_has_a_topic(text: str) -> None:
    assert recall_question(text) == RecallQuestion(topic=True)


@pytest.mark.parametrize(
    "text",
    [
        # advice
        "我应该用什么编辑器",
        "我可以用什么代替黄油",
        "我买哪个手机好",
        "what do I do if it fails?",
        "how do I install docker?",
        # knowledge
        "你知道法国的首都吗",
        "can you tell me what a monad is?",
        # code and what is at hand
        "what's wrong with my code?",
        "what did I do wrong?",
        "what does `who am i` do?",
        # instructions, idioms, statements
        "do you know what I mean?",
        "我喜欢喜剧和爱情片。",
        "我谁也不认识",
        "my name is Ann",
    ],
)
def test_other_texts_ask_for_nothing_of_the_user(text: str) -> None:
    assert recall_question(text) is None


@pytest.mark.parametrize("filler", ["啦" * 500, "word " * 120])
def test_only_the_edges_of_a_long_text_are_read(filler: str) -> None:
    assert recall_question(f"{filler}\nwho am I?\n{filler}") is None
    assert recall_question(f"who am I?\n{filler}{filler}") == RecallQuestion(topic=False)
    assert recall_question(f"{filler}{filler}\nwhere do I live?") == RecallQuestion(topic=True)


def test_no_text_takes_long() -> None:
    units = ["我", "what ", "`", "你还记得", ",", "记得我", "which a ", "我的 ", "do you know "]
    assert grows_linearly(recall_question, units, 200_000)


@given(st.text(max_size=300), st.sampled_from(["```", "~~~"]))
def test_code_asks_nothing(code: str, fence: str) -> None:
    assert recall_question(f"{fence}\n{code.replace(fence, '')}\nwho am I?\n{fence}") is None


@pytest.mark.parametrize(
    "text",
    [
        "what are my allergies according to you",
        "what did i say about how long answers should be",
        "what have you got about my car?",
        "where did we get engaged again",
        "remind me which nursery Otto's at",
        "说说你都了解我的哪些情况",
        "据你所知我有什么爱好",
    ],
)
def test_what_is_known_may_be_asked_for_in_passing(text: str) -> None:
    assert recall_question(text) is not None


@pytest.mark.parametrize(
    "text", ["how many cells do we have in our bodies", "我到底是选甲还是选乙", "remind me how a heap works"]
)
def test_choices_and_all_people_are_not_known_of_the_user(text: str) -> None:
    assert recall_question(text) is None
