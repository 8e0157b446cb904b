"""Where what is to be forgotten begins and ends: the same words in every frame that people put around them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.domain.messages import Span
from orca_core.rules.asking.forgetting import forget_request

ENGLISH = (
    "forget {}",
    "please forget {}",
    "could you please forget {}",
    "would you mind forgetting {}",
    "you can forget about {} now",
    "forget everything I told you about {}",
    "forget whatever you know about {}",
    "forget that whole thing about {}",
    "forget anything to do with {}",
    "scratch what I said about {}",
    "you can drop the thing about {}",
    "get rid of what you have on {}",
    "wipe everything you know about {}",
    "no need to remember {}",
    "you don't need to remember {} any more",
    "btw, forget {}, it's not true any more",
    "forget {} as it changed",
    "{}, you can forget it",
)
THINGS = (
    "my salary",
    "my old address",
    "my ex",
    "my daughter's school",
    "our office in Leeds",
    "my mother-in-law's birthday",
    "my back pain",
    "my stay in hospital",
)
CHINESE = (
    "忘掉{}",
    "请忘记{}",
    "麻烦你忘掉{}吧",
    "忘记{}啦",
    "把{}忘掉吧",
    "帮我把{}忘了",
    "请把{}从记忆里删除",
    "{}你忘了吧",
    "{}就别记了",
    "{}不用再记了",
    "不用再记着{}了",
    "唔好记住{}",
    "就当我没说过{}",
    "忘掉关于{}，谢谢",
    "忘掉{}，已经变了",
    "忘掉{}因为已经变了",
)
ZH_THINGS = ("我的旧地址", "我的体重", "我前女友的名字", "我女儿的学校", "我喺沙田的屋企", "我爸的生日", "我的體檢結果")


@given(st.sampled_from(ENGLISH), st.sampled_from(THINGS))
def test_an_english_frame_leaves_the_thing(frame: str, thing: str) -> None:
    assert forget_request((Span(frame.format(thing)),)) == thing


@given(st.sampled_from(CHINESE), st.sampled_from(ZH_THINGS))
def test_a_chinese_frame_leaves_the_thing(frame: str, thing: str) -> None:
    assert forget_request((Span(frame.format(thing)),)) == thing


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("remove that I have diabetes", "I have diabetes"),
        ("forget how old I am", "how old I am"),
        ("forget Marta's number", "Marta's number"),
        ("please don't store my passport number", "my passport number"),
        ("can you please forget that I told you I'm pregnant?", "I'm pregnant"),
        ("forget that whole thing about me moving to Spain", "I am moving to Spain"),
        ("將我嘅生日刪咗佢", "我嘅生日"),
        ("請忘記我養了兩隻貓這件事", "我養了兩隻貓"),
        ("请不要保存我的身份证号", "我的身份证号"),
        ("清除关于我病史的记录", "我病史"),
        ("我结婚了那条删了吧", "我结婚"),
        ("我体重那个就别记了", "我体重"),
    ],
)
def test_what_is_to_be_forgotten_is_told_in_many_ways(text: str, what: str) -> None:
    assert forget_request((Span(text),)) == what


@pytest.mark.parametrize(
    "text",
    [
        "delete my last commit",
        "remove that I in the sentence",
        "delete the part about my hobbies from the cover letter",
        "wipe my phone",
        "scratch that, use tabs",
        "don't save my file yet",
        "what do I do to forget my ex",
        "删除我的评论",
        "把我的简历第一段删掉",
        "我的密码忘了",
        "当我没说",
        "撤回刚才的话",
    ],
)
def test_text_files_and_lapses_are_not_forgotten(text: str) -> None:
    assert forget_request((Span(text),)) is None
