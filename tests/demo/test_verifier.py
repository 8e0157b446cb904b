"""The demo's verifier refuses, by a few patterns, what is not stated now."""

from __future__ import annotations

import asyncio
import json

import pytest

from orca_core.demo.demo_agent import DemoAgent
from orca_core.demo.verifier import answers_to
from orca_core.model.llm import ChatMessage, ChatRequest, TextDelta


def material(typed: str, says: str, quote: str, known: str = "") -> str:
    fact = {"fact": 1, "says": says, "quote": quote, "rounds": [1]}
    messages = [{"round": 1, "date": "2026-11-20 Friday", "typed": typed}]
    return json.dumps({"messages": messages, "facts": [fact], "known": [{"id": 7, "text": known}]}, ensure_ascii=False)


@pytest.mark.parametrize(
    ("typed", "says", "quote", "why"),
    [
        ("I live in Berlin, where is good food?", "User lives in Berlin", "I live in Berlin", "stated"),
        ("我在成都住，周末去哪里好？", "用户在成都住", "我在成都住", "stated"),
        ("In 2019 I used to live in Berlin", "User used to live in Berlin", "I used to live in Berlin", "stated"),
        ("In 2019 I used to live in Berlin", "User lives in Berlin", "I used to live in Berlin", "not now"),
        ("我以前住在上海", "用户住在上海", "我以前住在上海", "not now"),
        ("If I lived in Berlin, I would cycle.", "User lives in Berlin", "I lived in Berlin", "supposed"),
        ("Which editor do I use?", "User uses an editor", "editor do I use", "asked"),
        ("I wouldn't say I trust ACME", "User trusts ACME", "I trust ACME", "supposed"),
        ("来玩个角色扮演。我住在月球", "用户住在月球", "我住在月球", "supposed"),
        ("I like tea", "User lives in Berlin", "I live in Berlin", "no words that say it"),
        ("I like tea", "User likes tea", "", "no words that say it"),
    ],
)
def test_a_fact_is_confirmed_where_it_is_stated(typed: str, says: str, quote: str, why: str) -> None:
    answered = json.loads(answers_to(material(typed, says, quote)) or "")
    words = quote if why == "stated" else ""
    assert answered == {"answers": [{"fact": 1, "words": words, "why": why, "says_so": why == "stated", "known": None}]}


@pytest.mark.parametrize(
    ("typed", "says", "known", "relation"),
    [
        ("I live in Bonn now", "User lives in Bonn", "User lives in Berlin", "replaces"),
        ("I live in Bonn", "User lives in Bonn", "user lives in  Bonn", "same"),
        ("I live in Bonn", "User lives in Bonn", "User lives in Berlin", None),
        ("I live in Bonn now", "User lives in Bonn", "User likes tea", None),
        ("我现在用 helix 写代码", "用户用 helix 写代码", "用户用 neovim 写代码", "replaces"),
        ("我用 helix 写代码", "用户用 helix 写代码", "用户养猫", None),
    ],
)
def test_a_known_note_is_named_by_its_words(typed: str, says: str, known: str, relation: str | None) -> None:
    [answer] = json.loads(answers_to(material(typed, says, typed, known)) or "")["answers"]
    assert answer["known"] == (relation and {"id": 7, "relation": relation})


@pytest.mark.parametrize(
    ("typed", "quote", "why"),
    [
        ("raised the timeout and reloaded nginx", "raised the timeout and reloaded nginx", "stated"),
        ("昨天把超时改成了 60 秒", "昨天把超时改成了 60 秒", "stated"),
        ("should I raise the timeout?", "should I raise the timeout", "asked"),
        ("raised the timeout", "", "no words that say it"),
    ],
)
def test_a_statement_of_an_episode_is_confirmed_where_it_is_stated_of_any_time(
    typed: str, quote: str, why: str
) -> None:
    noted = {"statement": 1, "says": "they did this: raised the timeout", "quote": quote, "rounds": [1]}
    messages = [{"round": 1, "date": "2026-11-20 Friday", "typed": typed}]
    answered = json.loads(answers_to(json.dumps({"messages": messages, "statements": [noted]})) or "")
    words = quote if why == "stated" else ""
    assert answered == {"answers": [{"statement": 1, "words": words, "why": why, "says_so": why == "stated"}]}


@pytest.mark.parametrize("other", ["", "Already stored:\n[]", "[]", '{"messages": []}', '{"facts": []}', "\x00{"])
def test_other_material_is_not_answered(other: str) -> None:
    assert answers_to(other) is None


def test_the_demo_s_memory_agent_answers_both_readings() -> None:
    async def said(text: str) -> str:
        request = ChatRequest((ChatMessage("system", "…"), ChatMessage("user", text)), json_object=True)
        return "".join([each.text async for each in DemoAgent().stream(request) if isinstance(each, TextDelta)])

    assert json.loads(asyncio.run(said(material("I like tea", "User likes tea", "I like tea")))).keys() == {"answers"}
    assert json.loads(asyncio.run(said("Already stored:\n[]"))) == {"facts": []}
