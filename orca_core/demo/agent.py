"""The demo's memory agent: facts by a few rules, summaries by cutting. No network, no model."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Iterator, Mapping
from typing import Any

from orca_core.demo import acts, episodes, guides, knowledge, verifier
from orca_core.demo.statements import statements_in
from orca_core.model.llm import ChatRequest, Completed, Finish, ModelEvent, TextDelta
from orca_core.rules.memory.round_summaries import compress
from orca_core.rules.requests.remember_requests import remembered_type

CONFIDENCE = 0.8
MAX_SUMMARY_CHARS = 1500

_ROUNDS = re.compile(r'^\[\{"round".*\]\s*\Z', re.DOTALL | re.MULTILINE)
_PLACEHOLDER = re.compile(r"\[(?:pasted|piped|file) [\d,]+ characters\]")


class DemoAgent:
    """Finds what is stated in the first person, and quotes it."""

    provider = "demo"
    model = "demo"
    endpoint = ""
    is_demo = True
    context_tokens = 8000

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        material = request.messages[-1].content
        if request.json_object:
            yield TextDelta(_answer_to(material))
        else:
            yield TextDelta(summary_of(material))
        yield Completed(Finish.STOP)

    async def aclose(self) -> None:
        return None


def _answer_to(material: str) -> str:
    """What is asked shows in the material."""
    asked = (
        episodes.confirms,
        acts.verifies,
        verifier.answers_to,
        _of_acts,
        episodes.answers_to,
        knowledge.answers_to,
        guides.confirms,
        guides.answers_to,
    )
    return next(filter(None, (answers(material) for answers in asked)), None) or facts_in(material)


def _of_acts(material: str) -> str | None:
    """What acts show, and what the queries among them state."""
    return acts.answers_to(material, lambda query: [(each["content"], each["quote"]) for each in _facts(query)])


def facts_in(material: str) -> str:
    """The facts of the rounds in an extraction's material, as the memory agent's JSON."""
    facts = [fact for text in _user_texts(material) for fact in _facts(text)]
    return json.dumps({"facts": facts}, ensure_ascii=False)


def summary_of(material: str) -> str:
    """The telling sentences of what there is, old summary first."""
    lines = [line.strip() for line in material.splitlines()]
    said = [
        re.sub(r"^\[\d+\] user: ", "", line) for line in lines if line and not re.match(r"^\[\d+\] assistant: ", line)
    ]
    return compress("\n".join(said[-40:]), MAX_SUMMARY_CHARS) or "-"


def _user_texts(material: str) -> Iterator[str]:
    found = _ROUNDS.search(material)
    if found is None:
        return
    for row in json.loads(found[0]):
        yield _PLACEHOLDER.sub("\n", str(row.get("user", "")))


def _facts(text: str) -> Iterator[Mapping[str, Any]]:
    for content, quote in statements_in(text):
        yield {
            "content": content,
            "type": remembered_type(quote).value,
            "tags": [],
            "confidence": CONFIDENCE,
            "quote": quote,
        }
