"""The demo's verifier: says by a few patterns whether the user states what was noted of them, in sentences
like its own. A model reads; this looks at words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from orca_core.rules.text.spelling import folded

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
_NOUNS = {"facts": "fact", "statements": "statement"}
"""What was noted, by where it stands in the material."""


def answers_to(material: str) -> str | None:
    """The verifier's answer, as the memory agent's JSON; None where the material is of another kind."""
    try:
        asked = json.loads(material)
    except ValueError:
        return None
    if not isinstance(asked, dict):
        return None
    named = next((name for name in _NOUNS if asked.keys() - {"known"} == {"messages", name}), None)
    if named is None:
        return None
    answers = [_answer(noted, _NOUNS[named], asked) for noted in asked[named]]
    return json.dumps({"answers": answers}, ensure_ascii=False)


def _answer(noted: Mapping[str, Any], noun: str, asked: Mapping[str, Any]) -> Mapping[str, object]:
    texts = [
        str(each["typed"]) for each in asked["messages"] if not noted["rounds"] or each["round"] in noted["rounds"]
    ]
    says, quote = str(noted["says"]), str(noted["quote"])
    why = next(_doubts(says, quote, texts), "")
    answer = {noun: noted[noun], "words": "" if why else quote, "why": why or "stated", "says_so": not why}
    return answer if "known" not in asked else {**answer, "known": _relation(says, quote, asked["known"])}


def _doubts(says: str, quote: str, texts: Sequence[str]) -> Iterator[str]:
    """Why the quote does not state it, where it does not."""
    sentences = [match[0] for text in texts for match in _SENTENCE.finditer(text)]
    holding = [sentence for sentence in sentences if folded(quote) in folded(sentence)] if quote.strip() else []
    if not holding and not (quote.strip() and any(folded(quote) in folded(text) for text in texts)):
        yield "no words that say it"
    if any(_SUPPOSED.search(text) for text in texts):
        yield "supposed"
    if any(_ASKED.search(sentence) and _fills(quote, sentence) for sentence in holding):
        yield "asked"
    if _BEFORE.search(quote) and not _BEFORE.search(says):
        yield "not now"


def _fills(quote: str, sentence: str) -> bool:
    """Whether a quote is most of a sentence, so that what is asked is asked about it."""
    return 3 * len(folded(quote)) >= 2 * len(folded(sentence))


def _relation(says: str, quote: str, known: Sequence[Mapping[str, Any]]) -> Mapping[str, object] | None:
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
