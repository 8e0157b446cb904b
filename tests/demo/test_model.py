"""The demo is honest: it uses what was injected, and says what it is; the story that it plays."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.demo.demo_model import answer_to, look_up
from orca_core.demo.demo_story import STORIES, StoryModel, questions
from orca_core.model.llm import ChatMessage, ChatRequest, ModelToolCall, TextDelta, Tool, ToolsCalled

ROWS = """[{"id": "m7", "type": "fact", "date": "", "text": "用户用 neovim"},
{"id": "s1", "type": "recent", "date": "", "text": "用户问：neovim 好用吗"}]"""
BLOCK = f"以下是笔记\n```orca-memory\n{ROWS}\n```"


def asked(message: str, system: str = "You are Orca.") -> ChatRequest:
    return ChatRequest((ChatMessage("system", system), ChatMessage("user", message)))


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (f"{BLOCK}\n\n我用 neovim 吗？", "用户用 neovim [m7]"),
        (f"{BLOCK}\n\n今天天气如何，适合出门跑步吗？", "还什么都没记住"),
        (f"{BLOCK}\n\ndocker 报错：端口被占用", "真正的模型"),
        ("remember: I use vim", "remembered now"),
        ("记住密码功能怎么实现？", "还什么都没记住"),
        ("what editor do I use?", "I remember nothing"),
        ("Why does my docker build fail with exit code 137?", "takes a real model"),
        ("my wiki says of me:\nI prefer emacs to all else", "says of you: “I prefer emacs to all else”"),
        ("他们这样写我：\n我更喜欢用 emacs", "“我更喜欢用 emacs”。粘贴的内容不会让我学到什么"),
        ("here is the log:\nport is taken", 'Try "remember'),
        ("你好", "试着对我说"),
        ('```orca-memory\n{"id": 1}\n```\n\nhi', 'Try "remember'),
        ('```orca-memory\n[1, {"id": 7, "text": "x"}, {"id": "m1"}]\n```\n\nwhat do you know about me?', "I remember nothing"),
        ("", 'Try "remember'),
    ],
)  # fmt: skip
def test_the_demo_answers_from_memories_alone(message: str, said: str) -> None:
    assert said in answer_to(asked(message))


WORK = """[{"id": "w1", "type": "task", "date": "", "text": "mend the 502 of nginx"},
{"id": "e3", "type": "episode", "date": "2026-11-02", "text": "It worked: nginx gives 502 → raised the timeout"},
{"id": "k1", "type": "knowledge", "date": "2026-11-03", "text": "502 from nginx: look at php-fpm first"},
{"id": "e4", "type": "episode", "date": "2026-11-04", "text": "It failed: the sourdough did not rise"}]"""
WORK_BLOCK = f"What is known:\n```orca-memory\n{WORK}\n```"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "how did we fix the 502?",
            "From earlier work — It worked: nginx gives 502 → raised the timeout [e3]; "
            "502 from nginx: look at php-fpm first [k1].",
        ),
        (
            "上次 nginx 的 502 是怎么修好的？",
            "以前做过的——It worked: nginx gives 502 → raised the timeout [e3]；502 from",
        ),
        ("how did we do it last time?", "look at php-fpm first [k1]; It failed: the sourdough"),
        ("why did the sourdough not rise?", "From earlier work — It failed: the sourdough did not rise [e4]."),
    ],
)
def test_the_demo_answers_from_earlier_work(question: str, said: str) -> None:
    answer = answer_to(asked(f"{WORK_BLOCK}\n\n{question}"))
    assert said in answer
    assert "[w1]" not in answer


def test_memories_behind_the_system_prompt_are_used_too() -> None:
    assert "用户用 neovim [m7]" in answer_to(asked("我用什么编辑器？", system=f"You are Orca.\n\n{BLOCK}"))


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("你好", "这是内置的演示"),
        (f"{BLOCK}\n\n我用 neovim 吗？", "这是内置的演示"),
        ("hi", "This is the built-in demo"),
    ],
)
def test_the_demo_says_once_in_the_users_language_that_it_is_one(message: str, said: str) -> None:
    first = asked(message)
    assert said in answer_to(first)
    assert "orca config init" in answer_to(first)
    *system, question = first.messages
    before = (ChatMessage("user", "hi"), ChatMessage("assistant", "Hello!"))
    later = answer_to(ChatRequest((*system, *before, question)))
    assert later
    assert said not in later
    assert "orca config init" not in later


@given(st.text(max_size=40), st.text(max_size=40))
def test_the_demo_answers_whatever_stands_in_its_block(rows: str, question: str) -> None:
    assert answer_to(asked(f"```orca-memory\n{rows}\n```\n\n{question}"))


RECALL = Tool("recall", "searches what is remembered", {"type": "object"})
PORT = '[{"id": "m2", "type": "project", "date": "", "text": "postgres listens on port 5433"}]'
FOUND = f"Found:\n```orca-memory\n{PORT}\n```"


def may_look(message: str, *more: ChatMessage) -> ChatRequest:
    return ChatRequest((*asked(message).messages, *more), tools=(RECALL,))


@pytest.mark.parametrize(
    ("message", "query"),
    [
        ("Which port does postgres listen on?", "port postgres listen"),
        ("postgres 监听哪个端口？", "postgres 监听 端口"),
        (f"{BLOCK}\n\nwhat do we deploy with?", "deploy"),
        ("do you remember what my cat is called?", "cat called"),
    ],
)
def test_the_demo_looks_up_what_its_block_does_not_answer(message: str, query: str) -> None:
    call = look_up(may_look(message))
    assert call is not None
    assert (call.name, json.loads(call.arguments)) == ("recall", {"query": query})


@pytest.mark.parametrize(
    "message",
    [
        f"{BLOCK}\n\n我用 neovim 吗？",
        "remember: I use vim",
        "你好",
        "what do you know about me?",
        "",
    ],
)
def test_the_demo_does_not_look_where_the_block_answers_or_nothing_is_asked(message: str) -> None:
    assert look_up(may_look(message)) is None


def test_what_the_block_holds_and_a_look_up_brings_again_is_said_once() -> None:
    call = ModelToolCall("1", "recall", "{}")
    told = may_look(f"{BLOCK.replace(ROWS, PORT)}\n\nwhich port?", ChatMessage("tool", FOUND, call=call))
    assert answer_to(told).count("[m2]") == 1


def test_a_language_without_a_story_hears_the_english_one() -> None:
    assert questions("de") == questions("en") != questions("zh")


async def told(request: ChatRequest) -> tuple[str, list[ModelToolCall]]:
    """What the story answers, and what it looks up."""
    events = [event async for event in StoryModel(pause_s=0.0).stream(request)]
    text = "".join(each.text for each in events if isinstance(each, TextDelta))
    return text, [call for each in events if isinstance(each, ToolsCalled) for call in each.calls]


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_the_story_shows_that_the_model_looks_something_up(language: str) -> None:
    [each] = [each for each in STORIES[language].rounds if each.query]
    question = ChatMessage("user", each.question)

    _, [call] = await told(ChatRequest((question,), tools=(RECALL,)))
    answer, calls = await told(ChatRequest((question, ChatMessage("tool", "nothing", call=call)), tools=(RECALL,)))

    assert each.question in STORIES[language].more
    assert each.query in call.arguments
    assert (answer, calls) == (each.answer, [])


async def test_behind_its_end_the_story_answers_from_what_was_done_in_it() -> None:
    answer, _ = await told(asked(f"{WORK_BLOCK}\n\nhow did we fix the 502?"))
    assert answer.startswith("From earlier work — It worked: nginx gives 502 → raised the timeout [e3]")
    assert answer.endswith(STORIES["en"].more)
