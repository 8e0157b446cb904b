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
        "你还记得我是谁吗",
        "你知道我是谁吗？",
        "你记得我什么",
        "你都记得我哪些事情？",
        "你记住了什么",
        "你对我了解多少？",
        "关于我，你知道些什么？",
        "你认识我吗",
        "说说你对我的了解",
        "我之前说过什么",
        "我都跟你说过些什么？",
        "Who am I?",
        "who am i",
        "what do you know about me?",
        "So, what do you remember about me so far?",
        "What else do you know about me",
        "what have you learned about me?",
        "Do you know who I am?",
        "Tell me everything you know about me.",
        "what did I tell you before?",
        "Orca, what do you remember?",
    ],
)
def test_a_question_without_a_topic_asks_for_everything(text: str) -> None:
    assert recall_question(text) == RecallQuestion(topic=False)


@pytest.mark.parametrize(
    "text",
    [
        # the remembering is named
        "你知道我用什么编辑器吗",
        "你还记得我们选了哪个数据库吗",
        "你还记得，我们选了哪个数据库吗？",
        "记不记得上次聊的方案叫什么？",
        "提醒我一下我们选了哪个数据库",
        "告诉我我住在哪里",
        "你之前给我推荐过哪些画家？",
        "我有没有跟你说过我的生日？",
        "我曾经和你推荐过一部科幻电影，它的名字是？",
        "我在写文档。你还记得我的项目叫什么吗？",
        "remind me which database we chose",
        "Could you remind me what my deadline is?",
        "do you remember when my sister visits?",
        "Do you still know my name?",
        "do you know how I take my coffee?",
        "Remember what we decided about the logo?",
        "tell me what my favourite editor is",
        "did I ever tell you my birthday?",
        "which painters did you recommend to me last time?",
        # plain questions
        "我叫什么",
        "我叫什么名字？",
        "我用什么编辑器？",
        "我的生日是几号",
        "我家住哪里？",
        "我养了几只猫？",
        "我多大了",
        "上次我们选了哪个库来着",
        "我的猫叫啥来着",
        "我平时怎么上班",
        "我昨晚吃了什么？",
        "我对花生过敏吗？",
        "我结婚了吗",
        "我是左撇子吗",
        "我们的项目用的是什么数据库？",
        "对了，我的牙医是谁？",
        "4月30号我做了一道什么菜？",
        "我曾看过一部爱情电影，它的名字是？",
        "我不喜欢看喜剧片，对吗？",
        "I don't like comedies, right?",
        "what's my timezone?",
        "What is my favourite colour?",
        "who's my dentist",
        "what's the name of my dog?",
        "which framework does my team use?",
        "what’s my dog called?",
        "where do I live?",
        "which editor do I use?",
        "What language do I write in?",
        "how often do I run?",
        "why did we choose Postgres?",
        "what did we decide about the logo?",
        "what am I allergic to?",
        "where was I born?",
        "how old am I",
        "am I allergic to peanuts?",
        "do I have any kids?",
        "When is my flight?",
        "btw, what's my IBAN again",
        "I'm packing. Where do I work?",
    ],
)
def test_a_question_about_the_user_has_a_topic(text: str) -> None:
    assert recall_question(text) == RecallQuestion(topic=True)


@pytest.mark.parametrize(
    "text",
    [
        # advice
        "我应该用什么编辑器",
        "我怎么安装 docker",
        "我该怎么办",
        "我今晚吃什么？",
        "我可以用什么代替黄油",
        "我为什么会报错",
        "我要去哪里办护照？",
        "我适合什么运动？",
        "我买哪个手机好",
        "我有什么办法提高英语",
        "我想知道什么是闭包",
        "what's my best option for sorting in Rust?",
        "which editor should I use?",
        "what do I do if it fails?",
        "what can I cook tonight?",
        "where can I buy stamps?",
        "which command do I use to list files?",
        "how do I install docker?",
        "what are my options?",
        "where do we go from here if I fail?",
        # knowledge
        "你知道 docker 怎么装吗",
        "你知道法国的首都吗",
        "你知道我怎么安装 docker 吗",
        "你记得关文件吗",
        "do you know how to boil an egg?",
        "do you know how I can install docker?",
        "can you tell me what a monad is?",
        "tell me about Lisbon",
        "what is the capital of France?",
        # code and what is at hand
        "what is my-var in this code",
        "what's wrong with my code?",
        "where is my bug?",
        "我的代码哪里错了？",
        "我这个函数返回什么？",
        "what did I do wrong?",
        "the whoami command prints nothing",
        "whoami",
        "```\nwho am i\n```",
        "> who am I?",
        "what does `who am i` do?",
        # instructions, idioms, statements
        "remember to close the file in your code",
        "remind me to call mum",
        "提醒我明天开会",
        "do you know what I mean?",
        "你知道我的意思吗",
        "你知道我在说什么吗",
        "我用 neovim",
        "我喜欢喜剧和爱情片。",
        "我住的那个小区叫绿洲家园",
        "我在这家公司工作了几年，但是有点乏味。",
        "好的，那我们聊些什么呢？",
        "我什么都不想吃",
        "我谁也不认识",
        "我不知道该吃什么",
        "记住：我用 neovim",
        "I remember what you said.",
        "my name is Ann",
        "I live in Berlin and work at Acme.",
        "帮我写一首关于我家乡的诗",
        "",
        "？",
    ],
)
def test_other_texts_ask_for_nothing_of_the_user(text: str) -> None:
    assert recall_question(text) is None


@pytest.mark.parametrize("filler", ["啦" * 500, "word " * 120])
def test_only_the_edges_of_a_long_text_are_read(filler: str) -> None:
    assert recall_question(f"{filler}\nwho am I?\n{filler}") is None
    assert recall_question(f"who am I?\n{filler}{filler}") == RecallQuestion(topic=False)
    assert recall_question(f"{filler}{filler}\nwhere do I live?") == RecallQuestion(topic=True)


@pytest.mark.parametrize("piece", ["我", "what ", "`", "你还记得", ",", "记得我", "which a ", "我的 ", "do you know "])
def test_no_text_takes_long(piece: str) -> None:
    assert grows_linearly(recall_question, piece, 200_000)


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
