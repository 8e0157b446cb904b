"""The demo is honest: it uses what was injected, and says what it is."""

from __future__ import annotations

import asyncio

import pytest

from orca_core.domain.messages import ChatMessage, ChatRequest, Completed, TextDelta
from orca_core.llm.demo import DemoModel, answer_to

BLOCK = '以下是笔记\n```orca-memory\n[{"id": "m7", "type": "fact", "date": "", "text": "用户用 neovim"},\n{"id": "s1", "type": "recent", "date": "", "text": "x"}]\n```\n\n'


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (BLOCK + "我用什么编辑器？", "用户用 neovim [m7]"),
        (BLOCK + "neovim 怎么配置 LSP？", "用户用 neovim [m7]"),
        (BLOCK + "今天天气如何，适合出门跑步吗？", "还什么都没记住"),
        ("记住：我用 neovim", "已经记下了"),
        ("remember: I use vim", "remembered now"),
        ("我用什么编辑器？", "还什么都没记住"),
        ("what editor do I use?", "I remember nothing"),
        ("你好", "试着对我说"),
        ("hi", 'Try "remember'),
        ("```orca-memory\nbroken\n```\n\nhi", 'Try "remember'),
        ("", 'Try "remember'),
    ],
)
def test_the_demo_answers_from_memories_alone(message: str, said: str) -> None:
    assert said in answer_to(message)


@pytest.mark.parametrize("message", ["你好", "hi", BLOCK + "我用什么编辑器？"])
def test_the_demo_always_says_that_it_is_one(message: str) -> None:
    assert "demo" in answer_to(message) or "演示" in answer_to(message)


def test_the_demo_streams_its_answer() -> None:
    async def nothing(_: float) -> None:
        return None

    async def collect() -> list[object]:
        request = ChatRequest((ChatMessage("user", BLOCK + "我用什么编辑器？"),))
        return [event async for event in DemoModel(nothing).stream(request)]

    events = asyncio.run(collect())

    assert isinstance(events[-1], Completed)
    assert "".join(each.text for each in events if isinstance(each, TextDelta)) == answer_to(BLOCK + "我用什么编辑器？")
    assert len(events) > 5
