"""The demo's memory agent: facts by a few rules, summaries by cutting. No network, no model."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Iterator, Mapping
from typing import Any

from orca_core.domain.memories import MemoryType
from orca_core.domain.messages import ChatRequest, Completed, Finish, ModelEvent, TextDelta
from orca_core.rules.assertions import own_words, sentences
from orca_core.rules.compression import compress
from orca_core.rules.languages import language_of
from orca_core.rules.parsing import MAX_FACT_CHARS, MIN_FACT_CHARS
from orca_core.rules.remember_phrases import to_the_end_of_the_line, to_the_end_of_the_sentence
from orca_core.rules.remembering import remembered_type

CONFIDENCE = 0.8
MAX_SUMMARY_CHARS = 1500

_ROUNDS = re.compile(r'^\[\{"round".*\]\s*\Z', re.DOTALL | re.MULTILINE)
_PLACEHOLDER = re.compile(r"\[(?:pasted|piped|file) [\d,]+ characters\]")
_CHINESE_FIRST_PERSON = re.compile(r"^(?:其实|另外|对了|而且|还有|现在|目前|今年|最近|平时)?[，,]?(?:我们|我)")
_ENGLISH_VERBS = {
    "am": "is",
    "'m": "is",
    "have": "has",
    "do": "does",
    "study": "studies",
    "teach": "teaches",
    **{verb: f"{verb}s" for verb in "use like prefer love hate live work write own run need want speak drive".split()},
    **{verb: f"{verb}s" for verb in "play code deploy build maintain".split()},
    **{verb: verb for verb in "was moved started switched joined".split()},
}
_ENGLISH_I = re.compile(
    r"^(?:(?:and|but|so|well|btw|also|actually|currently|now)[ ,]+)*(?:i|we) ?(?P<verb>" + "|".join(_ENGLISH_VERBS)
    + r")\b(?P<rest>.*)", re.IGNORECASE,
)  # fmt: skip
_ENGLISH_MY = re.compile(
    r"^(?:(?:and|but|so|also)[ ,]+)*(?:my|our) (?P<rest>.*\b(?:is|are|was|runs|uses|lives|works)\b.*)", re.I
)
_CHINESE_STATES = re.compile(r"[是用住在做喜欢讨厌过敏有叫养学写负责要]")


class DemoAgent:
    """Finds what is stated in the first person, and quotes it."""

    provider = "demo"
    model = "demo"
    is_demo = True
    context_tokens = 8000

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        material = request.messages[-1].content
        yield TextDelta(facts_in(material) if request.json_object else summary_of(material))
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
        if sentence.asks or sentence.supposes:
            continue
        said = sentence.text.strip(" 。.!！；;，,\n…")
        content = _in_third_person(_without_request(said))
        if content is None or not MIN_FACT_CHARS <= len(content) <= MAX_FACT_CHARS[language_of(content)]:
            continue
        yield {
            "content": content,
            "type": remembered_type(said).value,
            "tags": [],
            "confidence": CONFIDENCE,
            "quote": said,
        }


def _without_request(said: str) -> str:
    """What stands behind "remember that": it is known already, and said in the same words."""
    for opening in (to_the_end_of_the_line(), to_the_end_of_the_sentence()):
        if match := opening.match(said):
            return said[match.end() :].strip(" ：:，,")
    return said


def _in_third_person(said: str) -> str | None:
    """The statement as one about the user; None where it states nothing of the kind. A wish stays as it was said."""
    if remembered_type(said) is MemoryType.INSTRUCTION:
        return said
    if match := _CHINESE_FIRST_PERSON.match(said):
        rest = said[match.end() :]
        return f"用户{rest}" if _CHINESE_STATES.search(rest) and "我" not in rest else None
    if match := _ENGLISH_I.match(said):
        return f"User {_ENGLISH_VERBS[match['verb'].lower()]}{match['rest']}"
    if match := _ENGLISH_MY.match(said):
        return f"User's {match['rest']}"
    return None
