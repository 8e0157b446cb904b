"""The demo's memory agent: facts by a few rules, summaries by cutting. No network, no model."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Iterator, Mapping
from typing import Any

from orca_core import words
from orca_core.demo import clauses, second_reader
from orca_core.demo.clauses import Statement
from orca_core.domain.memories import MemoryType
from orca_core.domain.messages import ChatRequest, Completed, Finish, ModelEvent, TextDelta
from orca_core.rules.asking.remembering import remembered_type
from orca_core.rules.keeping.compression import compress
from orca_core.rules.learning.assertions import own_words, sentences
from orca_core.rules.learning.parsing import MIN_FACT_CHARS, max_fact_chars
from orca_core.rules.text.languages import language_of

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
            yield TextDelta(second_reader.answers_to(material) or facts_in(material))
        else:
            yield TextDelta(summary_of(material))
        yield Completed(Finish.STOP)

    async def aclose(self) -> None:
        return None


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
    for sentence in sentences(own_words(text)):
        if clauses.is_in_play(sentence.text):
            return
        if sentence.asks or sentence.supposes:
            continue
        said = _without_request(sentence.text.strip(" 。.!！；;，,\n…"))
        for statement in _statements(said):
            if MIN_FACT_CHARS <= len(statement.content) <= max_fact_chars(language_of(statement.content)):
                yield {
                    "content": statement.content,
                    "type": remembered_type(statement.quote).value,
                    "tags": [],
                    "confidence": CONFIDENCE,
                    "quote": statement.quote,
                }


def _statements(said: str) -> Iterator[Statement]:
    """A wish of how to be answered stays as it was said; all else is read clause by clause."""
    if remembered_type(said) is MemoryType.INSTRUCTION and not clauses.is_a_task(said):
        yield Statement(said, said)
    else:
        yield from clauses.statements(said)


def _without_request(said: str) -> str:
    """The clause without "remember that", so that it matches the memory that was stored at once."""
    for opening in ("remember.to_the_end_of_the_line", "remember.to_the_end_of_the_sentence"):
        if match := words.pattern(opening).match(said):
            return said[match.end() :].strip(" ：:，,")
    return said
