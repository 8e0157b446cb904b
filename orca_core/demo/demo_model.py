"""The stand-in for the first minute: no network, no model. It uses what it is given or looks it up, and says so."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence

from orca_core import words
from orca_core.demo.demo_learner import statements_in
from orca_core.model.llm import (
    ChatRequest,
    Completed,
    Finish,
    ModelEvent,
    ModelToolCall,
    Span,
    TextDelta,
    ToolsCalled,
)
from orca_core.model.record_types import EPISODE, GUIDE, KNOWLEDGE, MEMORY
from orca_core.rules.requests.recall_triggers import recall_question, technical_signs
from orca_core.rules.requests.remember_and_forget import remember_request
from orca_core.rules.retrieval.prompt_assembly import FENCE, FENCE_NAME
from orca_core.rules.text.search_terms import CJK, index_terms, query_terms
from orca_core.rules.text.spelling import Language, language_of

_PIECE = re.compile(rf"(?P<run>[{CJK}]+)|[^\W{CJK}](?:(?:[^\W{CJK}]|[-.+#:/@])*(?:[^\W{CJK}]|[+#]))?")


def telling_words(question: str) -> str:
    """The words of a question that a search counts, as they are written; empty where none of them tells anything."""
    looked_for = frozenset(token for token in query_terms(question).tokens if not token.startswith("k_"))
    return " ".join(dict.fromkeys(_telling(question, looked_for)))


def _telling(question: str, looked_for: frozenset[str]) -> Iterator[str]:
    for match in _PIECE.finditer(question):
        if match["run"] is not None:
            yield from _telling_runs(match[0], looked_for)
        elif looked_for.intersection(index_terms(match[0])):
            yield match[0]


def _telling_runs(run: str, looked_for: frozenset[str]) -> Iterator[str]:
    """The stretches of a run without blanks whose pairs are looked for."""
    tells = [False] * len(run)
    for at in range(len(run) - 1):
        if run[at : at + 2] in looked_for:
            tells[at] = tells[at + 1] = True
    kept = "".join(character if is_telling else " " for character, is_telling in zip(run, tells, strict=True))
    yield from kept.split()


PAUSE_S = 0.015
LOOK_UP = "recall"
"""The tool that the demo calls."""
PIECE = re.compile(r"\s*\S{1,12}")
_BLOCK = re.compile(rf"{FENCE}{FENCE_NAME}\n(?P<rows>.*?)\n{FENCE}", re.DOTALL)

_MEMORY = re.compile(rf"{MEMORY.letter}\d+")
_WORK = re.compile(rf"[{EPISODE.letter}{KNOWLEDGE.letter}{GUIDE.letter}]\d+")

_TEXTS: Mapping[Language, Mapping[str, str]] = {
    "zh": {
        "used": "根据我记得的：{facts}。",
        "worked": "以前做过的——{facts}。",
        "shown": "你给我看的文字这样说你：{facts}。粘贴的内容不会让我学到什么，只有你亲手输入的才会。",
        "remembered": "好的，这一条已经记下了。",
        "nothing": "关于这个，我还什么都没记住。",
        "technical": "这个问题要由真正的模型来回答：它会先看到与问题有关的记忆，再作答。",
        "demo": "（这是内置的演示，不是真正的模型：它只会复述记忆。"
        "运行 `orca config init` 并填好服务商，就能连接真正的模型。）",
        "hello": "你好！试着对我说“记住：我写代码用 neovim”，再问“我写代码用什么？”。",
    },
    "en": {
        "used": "From what I remember: {facts}.",
        "worked": "From earlier work — {facts}.",
        "shown": "What you show me says of you: {facts}. What is pasted teaches me nothing; only what you type does.",
        "remembered": "Noted: that is remembered now.",
        "nothing": "I remember nothing about this yet.",
        "technical": "This takes a real model: it would be given the memories that bear on the question, and answer.",
        "demo": "(This is the built-in demo, no real model: it only repeats memories. Run `orca config init` and name a"
        " provider to connect one.)",
        "hello": 'Hello! Try "remember: I use neovim", then ask "which editor do I use?".',
    },
}


class DemoModel:
    """Answers from the memory block and from what it looked up, and cites both."""

    provider = "demo"
    model = "demo"
    endpoint = ""
    is_demo = True
    context_tokens = 8000

    def __init__(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._sleep = sleep

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        call = look_up(request)
        if call is not None:
            yield ToolsCalled((call,))
            yield Completed(Finish.STOP)
            return
        for piece in PIECE.findall(answer_to(request)):
            await self._sleep(PAUSE_S)
            yield TextDelta(piece)
        yield Completed(Finish.STOP)

    async def aclose(self) -> None:
        return None


def answer_to(request: ChatRequest) -> str:
    """The demo's answer. The first one of a chat says that it is a demo."""
    said = said_to(request)
    goes_on = any(message.role == "assistant" and not message.calls for message in request.messages)
    return said if goes_on else f"{said}\n\n{_texts_for(_asked(request)[0])['demo']}"


def said_to(request: ChatRequest) -> str:
    """What is said to a user's message and the memory block before it, or after the system prompt, or in what was
    looked up."""
    question, rows = _asked(request)
    return _shown(question) or _recalled(question, rows) or _texts_for(question)[_without_memories(question)]


_SHOWN = re.compile(r"[:：][ \t]*\n(?P<text>.+)", re.DOTALL)
"""What stands below a line that ends in a colon: nobody tells a model what was pasted."""


def _shown(question: str) -> str:
    """The answer to a text that is shown, and says something of the user: it is repeated, and nothing learnt of it."""
    found = _SHOWN.search(question)
    said = [f"“{quote}”" for _, quote in statements_in(found["text"])] if found else []
    return _texts_for(question)["shown"].format(facts=" ".join(said)) if said else ""


def look_up(request: ChatRequest) -> ModelToolCall | None:
    """What the demo calls before it answers: once, where nothing of the block is about what is asked."""
    question, rows = _asked(request)
    if not _asks_of_something(question) or _sharing_words(rows, question):
        return None
    return look_up_of(request, telling_words(question))


def look_up_of(request: ChatRequest, query: str) -> ModelToolCall | None:
    """The call that looks for this; none where there is nothing to look for, it may not look, or has looked already."""
    may_look = any(tool.name == LOOK_UP for tool in request.tools)
    if not query or not may_look or any(message.role == "tool" for message in request.messages):
        return None
    return ModelToolCall("look", LOOK_UP, json.dumps({"query": query}, ensure_ascii=False))


def _asks_of_something(question: str) -> bool:
    """Whether it asks, and not for all that is known of the user: of that the block holds what there is."""
    of_the_user = recall_question(question)
    if of_the_user is not None:
        return of_the_user.topic
    is_request = remember_request([Span(question)]) is not None
    return not is_request and words.pattern("demo.question").search(question) is not None


def _asked(request: ChatRequest) -> tuple[str, list[Mapping[str, str]]]:
    """The question, and the rows of the block and of what was looked up, each once."""
    at = max(number for number, each in enumerate(request.messages) if each.role == "user")
    *before, message = (each.content for each in request.messages[: at + 1])
    block = _BLOCK.search(message)
    question = message if block is None else message[block.end() :].strip()
    blocks = [block or next(filter(None, map(_BLOCK.search, before)), None)]
    blocks += [_BLOCK.search(each.content) for each in request.messages[at + 1 :] if each.role == "tool"]
    return question, list({row["id"]: row for each in blocks for row in _rows(each)}.values())


def _recalled(question: str, rows: Sequence[Mapping[str, str]]) -> str:
    """What the rows say to the question, cited: memories, then what work and tools taught. All memories answer a recall
    question; otherwise words must be shared. Empty where they say nothing."""
    texts = _texts_for(question)
    between, behind = ("；", "") if texts is _TEXTS["zh"] else ("; ", " ")
    memories = [row for row in rows if _MEMORY.fullmatch(row["id"])]
    work = [row for row in rows if _WORK.fullmatch(row["id"])]
    is_recalled = recall_question(question) is not None
    belonging = {
        "used": memories if is_recalled else _sharing_words(memories, question),
        "worked": _sharing_words(work, question) or (work if is_recalled else []),
    }
    return behind.join(
        texts[sentence].format(facts=between.join(f"{row['text']} [{row['id']}]" for row in found))
        for sentence, found in belonging.items()
        if found
    )


def _texts_for(question: str) -> Mapping[str, str]:
    return _TEXTS.get(language_of(question), _TEXTS[words.ENGLISH])


def _without_memories(question: str) -> str:
    """Which of the texts answers a message for which no memory was injected."""
    if recall_question(question) is not None:
        return "nothing"
    if remember_request([Span(question)]) is not None:
        return "remembered"
    if technical_signs(question):
        return "technical"
    return "nothing" if words.pattern("demo.question").search(question) else "hello"


def _rows(block: re.Match[str] | None) -> list[Mapping[str, str]]:
    """What a block has to cite: memories, episodes, knowledge. Summaries and the current task are skipped."""
    if block is None:
        return []
    try:
        rows = json.loads(block["rows"])
    except (ValueError, RecursionError):
        return []
    return [row for row in rows if _is_cited(row)] if isinstance(rows, list) else []


def _is_cited(row: object) -> bool:
    return (
        isinstance(row, dict)
        and isinstance(row.get("text"), str)
        and isinstance(row.get("id"), str)
        and any(ids.fullmatch(row["id"]) for ids in (_MEMORY, _WORK))
    )


def _sharing_words(rows: Sequence[Mapping[str, str]], question: str) -> list[Mapping[str, str]]:
    asked = set(query_terms(question).tokens)
    return [row for row in rows if asked & set(query_terms(row["text"]).tokens)]
