"""The demo's memory agent: facts by a few rules, summaries by cutting. No network, no model."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Iterator, Mapping
from typing import Any

from orca_core import words
from orca_core.demo import acts, clauses, cues, episodes, guides, knowledge, second_reader
from orca_core.demo.clauses import Statement
from orca_core.domain.memories import MemoryType
from orca_core.domain.messages import ChatRequest, Completed, Finish, ModelEvent, TextDelta
from orca_core.rules.asking.remembering import remembered_type
from orca_core.rules.clauses import splitting
from orca_core.rules.clauses.clause import Clause, Frame, Mood
from orca_core.rules.clauses.reading import read_clauses
from orca_core.rules.clauses.splitting import MASK
from orca_core.rules.keeping.compression import compress
from orca_core.rules.learning.agent.parsing import MIN_FACT_CHARS, max_fact_chars
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
            yield TextDelta(_answer_to(material))
        else:
            yield TextDelta(summary_of(material))
        yield Completed(Finish.STOP)

    async def aclose(self) -> None:
        return None


def _answer_to(material: str) -> str:
    """What is asked shows in the material."""
    asked = (
        second_reader.answers_to,
        acts.confirms,
        acts.answers_to,
        episodes.answers_to,
        cues.answers_to,
        knowledge.answers_to,
        guides.answers_to,
    )
    return next(filter(None, (answers(material) for answers in asked)), None) or facts_in(material)


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
    for told in _told(text):
        said = _without_request(told.strip(" 。.!！；;，,\n…"))
        for statement in _statements(said):
            if MIN_FACT_CHARS <= len(statement.content) <= max_fact_chars(language_of(statement.content)):
                yield {
                    "content": statement.content,
                    "type": remembered_type(statement.quote).value,
                    "tags": [],
                    "confidence": CONFIDENCE,
                    "quote": statement.quote,
                    "cues": cues.cues_for(statement.content),
                }


def _told(text: str) -> Iterator[str]:
    """What each sentence says in earnest: its clauses that follow each other, without what is asked, supposed, quoted
    or said in play."""
    masked = splitting.masked(text)
    run: list[Clause] = []
    for clause in read_clauses(text):
        goes_on = run and run[-1].sentence == clause.sentence and MASK not in masked[run[-1].end : clause.start]
        if run and not (goes_on and _is_told(clause)):
            yield text[run[0].start : run[-1].end]
            run = []
        if _is_told(clause):
            run.append(clause)
    if run:
        yield text[run[0].start : run[-1].end]


def _is_told(clause: Clause) -> bool:
    return clause.mood not in (Mood.ASKED, Mood.SUPPOSED) and clause.frame in (Frame.NONE, Frame.POSSIBLE)


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
