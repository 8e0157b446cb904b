"""The stand-in for the first minute: no network, no model. It uses what was injected, and says that it is a demo."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from typing import Any

from orca_core.domain.messages import ChatRequest, Completed, Finish, ModelEvent, TextDelta
from orca_core.rules.languages import Language, language_of
from orca_core.rules.recall_questions import recall_question
from orca_core.rules.terms import query_terms

PAUSE_S = 0.015
PIECE = re.compile(r"\s*\S{1,12}")
_BLOCK = re.compile(r"```orca-memory\n(?P<rows>.*?)\n```", re.DOTALL)
_REMEMBER = re.compile(r"记住|记一下|记下|remember", re.IGNORECASE)

_TEXTS: Mapping[Language, Mapping[str, str]] = {
    "zh": {
        "used": "根据我记得的：{facts}。",
        "remembered": "好的，这一条已经记下了。",
        "nothing": "关于这个，我还什么都没记住。",
        "demo": "（这是内置的演示，不是真正的模型：它只会复述记忆。"
        "运行 `orca config init` 并填好服务商，就能连接真正的模型。）",
        "hello": "你好！试着对我说“记住：我用 neovim”，再问“我用什么编辑器？”。",
    },
    "en": {
        "used": "From what I remember: {facts}.",
        "remembered": "Noted: that is remembered now.",
        "nothing": "I remember nothing about this yet.",
        "demo": "(This is the built-in demo, no real model: it only repeats memories. Run `orca config init` and name a"
        " provider to connect one.)",
        "hello": 'Hello! Try "remember: I use neovim", then ask "which editor do I use?".',
    },
}


class DemoModel:
    """Answers from the memory block alone, and cites it."""

    provider = "demo"
    model = "demo"
    is_demo = True
    context_tokens = 8000

    def __init__(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._sleep = sleep

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        for piece in PIECE.findall(answer_to(request.messages[-1].content)):
            await self._sleep(PAUSE_S)
            yield TextDelta(piece)
        yield Completed(Finish.STOP)

    async def aclose(self) -> None:
        return None


def answer_to(message: str) -> str:
    """What the demo says to a user's message with its memory block."""
    question, rows = _taken_apart(message)
    texts = _TEXTS[language_of(question)]
    facts = [f"{row['text']} [{row['id']}]" for row in rows if row["id"].startswith("m") and _belongs(row, question)]
    if facts:
        said = texts["used"].format(facts=("；" if texts is _TEXTS["zh"] else "; ").join(facts))
    elif _REMEMBER.search(question[:40]) and recall_question(question) is None:
        said = texts["remembered"]
    elif recall_question(question) is not None or len(query_terms(question).tokens) > 4:
        said = texts["nothing"]
    else:
        said = texts["hello"]
    return f"{said}\n\n{texts['demo']}"


def _taken_apart(message: str) -> tuple[str, list[dict[str, Any]]]:
    """The user's own text, and the rows of the memory block before it."""
    match = _BLOCK.search(message)
    if match is None:
        return message, []
    try:
        rows = json.loads(match["rows"])
    except ValueError:
        return message[match.end() :].strip(), []
    return message[match.end() :].strip(), [
        row for row in rows if isinstance(row, dict) and "id" in row and "text" in row
    ]


def _belongs(row: Mapping[str, Any], question: str) -> bool:
    """Everything that was injected answers a recall question; otherwise words or concepts must be shared."""
    if recall_question(question) is not None:
        return True
    return bool(set(query_terms(question).tokens) & set(query_terms(str(row["text"])).tokens))
