"""The demo's memory agent: notes what is stated in the first person and quotes it; cuts summaries. No model."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Iterator, Mapping
from functools import cache
from typing import Any

from orca_core import words
from orca_core.demo import acts, episodes, guides, knowledge, verifier
from orca_core.model.llm import ChatRequest, Completed, Finish, ModelEvent, TextDelta
from orca_core.rules.learning.fact_extraction import MIN_FACT_CHARS, max_fact_chars
from orca_core.rules.learning.typed_sources import MIN_QUOTE
from orca_core.rules.memory.round_summaries import compress
from orca_core.rules.requests.recall_questions import MASK, own_words, without_opening
from orca_core.rules.requests.remember_requests import remembered_type
from orca_core.rules.text import typed_spans
from orca_core.rules.text.spelling import in_the_third_person, language_of

_SPEAKER = {"zh": "我"}
_AROUND = " 。.!！；;，,：:\n…"


def statements_in(text: str) -> Iterator[tuple[str, str]]:
    """What a typed text plainly says of its speaker, each as a memory says it and as it was typed. What stands behind a
    text at hand, or in a play, is nobody's."""
    plain = own_words(text)
    aside = words.pattern("recall.sets_aside").search(plain)
    for piece in typed_spans.sentences(plain[: aside.start()] if aside else plain):
        for told, begin, end in _told(text, plain, piece.start, piece.end):
            quote = text[begin:end]
            if typed_spans.weight_of(quote) < MIN_QUOTE:  # it would prove nothing: all that was said with it does
                quote = text[piece.start : end].strip(_AROUND)
            if MIN_FACT_CHARS <= len(told) <= max_fact_chars(language_of(told)) and MASK not in plain[begin:end]:
                yield told, quote


def _told(text: str, plain: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """The clauses of a sentence that state something, and their places; a wish of how to be answered is one."""
    if words.pattern("recall.supposes").search(plain, start, end):
        return
    if words.pattern("demo.wishes").match(plain, *_trimmed(plain, start, end)):
        begin, stop = _trimmed(plain, start, end)
        yield text[begin:stop], begin, stop
        return
    speaks = False
    for first, last in _clauses(plain, start, end):
        begin = last - len(without_opening(plain[first:last]))
        clause = plain[begin:last]
        if words.pattern("demo.first_person").match(clause):
            told = in_the_third_person(text[begin:last])
            speaks = not _is_of_something_of_theirs(told)
        elif speaks and not words.pattern("demo.others").match(clause) and _goes_on(clause):
            told = in_the_third_person(f"{_SPEAKER.get(language_of(clause), 'I ')}{text[begin:last]}")
        else:
            speaks = False
            continue
        if not words.pattern("demo.says_nothing").search(clause):
            yield told, begin, last


def _is_of_something_of_theirs(told: str) -> bool:
    """What goes on behind "my wife is a cellist" may be of her."""
    return words.pattern("demo.theirs").match(told) is not None


def _goes_on(clause: str) -> bool:
    """Whether a clause without a subject has a verb of the speaker's: in Chinese it needs no sign of it."""
    return language_of(clause) != words.ENGLISH or words.pattern("demo.goes_on").match(clause) is not None


def _clauses(plain: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for mark in [*_joint().finditer(plain, start, end), None]:
        first, last = _trimmed(plain, start, mark.start() if mark else end)
        if first < last:
            yield first, last
        start = mark.end() if mark else start


def _trimmed(plain: str, start: int, end: int) -> tuple[int, int]:
    while start < end and plain[start] in _AROUND:
        start += 1
    while start < end and plain[end - 1] in _AROUND:
        end -= 1
    return start, end


@cache
def _joint() -> re.Pattern[str]:
    """Where a clause ends: not behind one that is too short to stand alone."""
    return re.compile(rf"(?<=[^，,；;]{{4}})[，,；;]\s*|[：:]\s*|{words.source('demo.joins')}", re.IGNORECASE)


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
