"""The demo's memory agent and its verifier: they answer by the material that they are shown, by looking at words."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from functools import cache

from orca_core import words
from orca_core.demo import demo_learner
from orca_core.demo.demo_learner import Json
from orca_core.model.llm import ChatRequest, Completed, Finish, ModelEvent, TextDelta
from orca_core.rules.memory.round_summaries import compress
from orca_core.rules.text.spelling import folded

MAX_SUMMARY_CHARS = 1500


class DemoAgent:
    """Notes what is stated in the first person, verifies it by a few patterns, and cuts summaries."""

    provider = "demo"
    model = "demo"
    endpoint = ""
    is_demo = True
    context_tokens = 8000

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        material = request.messages[-1].content
        yield TextDelta(answer_to(material) if request.json_object else summary_of(material))
        yield Completed(Finish.STOP)

    async def aclose(self) -> None:
        return None


def answer_to(material: str) -> str:
    """The memory agent's JSON; what is asked shows in the names of the material's JSON object, or it is a chat."""
    try:
        asked = json.loads(material)
    except ValueError:
        asked = None
    answers = _ANSWERS.get(frozenset(asked)) if isinstance(asked, dict) else None
    answer = demo_learner.learnt_from_chat(material) if answers is None else answers(asked)
    return json.dumps(answer, ensure_ascii=False)


def summary_of(material: str) -> str:
    """The telling sentences of what there is, old summary first."""
    lines = [line.strip() for line in material.splitlines()]
    said = [
        re.sub(r"^\[\d+\] user: ", "", line) for line in lines if line and not re.match(r"^\[\d+\] assistant: ", line)
    ]
    return compress("\n".join(said[-40:]), MAX_SUMMARY_CHARS) or "-"


NOT_SAID = "no words that say it"
MIN_DAYS = 3

_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")
_ASKED = re.compile(r"[?？]\s*\Z|(?:吗|呢)[。.]?\s*\Z")
_SUPPOSED = re.compile(
    r"\b(?:if|suppose|imagine|pretend|let's say|wouldn't say|role-?play|maybe|perhaps|probably|I guess)\b"
    r"|如果|假如|要是|假设|扮演|也许|大概",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"\bused to\b|\bno longer\b|以前|曾经|过去|不再", re.IGNORECASE)
_CHANGED = re.compile(r"\b(?:now|moved|switched|from now on)\b|现在|改|换|搬", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z0-9_.'-]+|[^\W\dA-Za-z_]")


def _verified(fact: Json, says_so: bool, quote: str = "", why: str = "", known: Json | None = None) -> Json:
    return {"fact": fact["fact"], "words": quote, "why": why, "says_so": says_so, "known": known}


def _verified_statements(asked: Json) -> Json:
    """Whether the user states what was noted; of an episode, whether it stands in what they say word for word."""
    noted = [_noted_episode().fullmatch(str(each["says"])) for each in asked["facts"]]
    if not all(noted):
        return {"answers": [_verified_fact(fact, asked) for fact in asked["facts"]]}
    told = [part for each in asked["messages"] for part in demo_learner.parts_of(str(each["typed"]))]
    said = [(fact, found["said"]) for fact, found in zip(asked["facts"], noted, strict=True) if found]
    return {
        "answers": [
            _verified(fact, True, quote, "stated") if quote in told else _verified(fact, False, why=NOT_SAID)
            for fact, quote in said
        ]
    }


@cache
def _noted_episode() -> re.Pattern[str]:
    """A statement about an episode, in any language; `said` is what was noted."""
    shapes = []
    for language in words.languages():
        on = re.escape(words.text("work.noted", "on", language)).replace(re.escape("{}"), ".*?")
        point = words.text("work.joins", "point", language).format("")
        ends = [words.text("work.noted", key, language).format(point) for key in ("success", "partial", "failed")]
        leads = [words.text("work.noted", key, language).format("") for key in ("work", "step", "target")]
        shapes.append(f"{on} (?:{'|'.join(map(re.escape, (*leads, *ends)))})")
    return re.compile(f"(?:{'|'.join(shapes)})(?P<said>.*)")


def _verified_fact(fact: Json, asked: Json) -> Json:
    says, quote = str(fact["says"]), str(fact["quote"])
    texts = [str(each["typed"]) for each in asked["messages"] if not fact["rounds"] or each["round"] in fact["rounds"]]
    known = _relation(says, quote, asked["known"])
    why = next(_doubts(says, quote, texts), "")
    return _verified(fact, False, why=why, known=known) if why else _verified(fact, True, quote, "stated", known)


def _doubts(says: str, quote: str, texts: Sequence[str]) -> Iterator[str]:
    """Why the quote does not state it, where it does not."""
    if not quote.strip() or not any(folded(quote) in folded(text) for text in texts):
        yield NOT_SAID
    if any(_SUPPOSED.search(text) for text in texts):
        yield "supposed"
    sentences = [match[0] for text in texts for match in _SENTENCE.finditer(text)]
    if any(_ASKED.search(sentence) and _fills(quote, sentence) for sentence in sentences):
        yield "asked"
    if _BEFORE.search(quote) and not _BEFORE.search(says):
        yield "not now"


def _fills(quote: str, sentence: str) -> bool:
    """Whether a quote is most of a sentence, so that what is asked is asked about it."""
    return folded(quote) in folded(sentence) and 3 * len(folded(quote)) >= 2 * len(folded(sentence))


def _relation(says: str, quote: str, known: Sequence[Json]) -> Json | None:
    """A known note in the same words, or one that begins alike and ends otherwise where the user tells of a change."""
    for note in known:
        if folded(says) == folded(str(note["text"])):
            return {"id": note["id"], "relation": "same"}
    for note in known if _CHANGED.search(quote) else ():
        if _begins_alike(says, str(note["text"])):
            return {"id": note["id"], "relation": "replaces"}
    return None


def _begins_alike(one: str, other: str) -> bool:
    """Whether two notes are the same but for one word, or one Latin word among Chinese ones."""
    ours, theirs = _WORD.findall(one), _WORD.findall(other)
    differ = [mine != yours for mine, yours in zip(ours, theirs, strict=False)]
    return len(ours) == len(theirs) > 2 and sum(differ) == 1


def _verified_preferences(asked: Json) -> Json:
    """Whether acts of three days speak for the shape that each candidate names, and at most half as many against it."""
    answers = []
    for fact in asked["facts"]:
        named = demo_learner.preference_named(str(fact["says"]))
        speaks = [demo_learner.speaks_for(act, *named) if named else 0 for act in asked["acts"]]
        days = {act["day"] for act, each in zip(asked["acts"], speaks, strict=True) if each > 0}
        answers.append(_verified(fact, len(days) >= MIN_DAYS and speaks.count(1) >= 2 * speaks.count(-1)))
    return {"answers": answers}


def _verified_guide(asked: Json) -> Json:
    """True of what the demo writes, and of no other sentences."""
    is_own = demo_learner.own_guides().fullmatch(" ".join(each["says"] for each in asked["facts"])) is not None
    why = "usage" if is_own else "not of the demo's own sentences"
    return {"answers": [_verified(each, is_own, why=why) for each in asked["facts"]]}


_ANSWERS: Mapping[frozenset[str], Callable[[Json], Json]] = {
    frozenset({"messages", "facts", "known"}): _verified_statements,
    frozenset({"acts", "said", "facts"}): _verified_preferences,
    frozenset({"tool", "parameters", "inputs", "facts", "known"}): _verified_guide,
    frozenset({"known", "acts"}): demo_learner.preferences,
    frozenset({"target", "known", "earlier", "episodes"}): demo_learner.knowledge,
    frozenset({"tool", "known", "figures", "calls"}): demo_learner.guide,
}
"""By the names in the material."""
