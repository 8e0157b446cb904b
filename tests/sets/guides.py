"""Sets of guides with the truth: which are honest, and how verifiers answer about their sentences."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from sets.questions import Row, errs, lines_of, question

from orca_core.model.learning import Subject, VerifierAnswer
from orca_core.model.tools import ToolCall
from orca_core.rules.learning.fact_verifier import read_answers
from orca_core.rules.text.spelling import language_of
from orca_core.rules.work import tool_guides
from orca_core.rules.work.tool_guides import GuideFault, VerifiedGuide

GUIDES, RECORDED = "guides.json", "guides_recorded.jsonl"
AT = datetime(2026, 11, 20, 12, tzinfo=UTC)


class TrueGuide(Struct, frozen=True):
    """A guide as it was read, the calls that it was written of, whether it may live as it is, and which of its sentences
    may not: of a dishonest one those that a large model refused and that are so to the eye; all where nobody asked."""

    place: int
    name: str
    tool: str
    calls: tuple[ToolCall, ...]
    text: str
    is_honest: bool
    mean: frozenset[str] = frozenset()

    @property
    def sentences(self) -> list[str]:
        return tool_guides.sentences_of(self.text)


GuideVerifier = Callable[[TrueGuide, str], VerifierAnswer | None]
"""What it answers about a sentence; None where it does not."""


class Failures(Struct):
    """The guides of which a mean sentence lived, and the honest ones that were held or lost a sentence, by name."""

    lived: list[str]
    held: list[str]


def guides_in(folder: Path) -> list[TrueGuide]:
    """The guides of guides.json: a list of {name, tool, calls: [{input, output, success, seconds}], guide, honest}. The
    guide is what a memory agent answered, or its sentences; `live` may stand for honest, and its place for its name.
    One that says nothing is not among them."""
    rows = json.loads((folder / GUIDES).read_text("utf-8"))
    found = (_guide(case, place) for place, case in enumerate(rows, start=1))
    reads = recorded(folder / RECORDED) if (folder / RECORDED).is_file() else None
    return [replace(each, mean=_mean(each, reads)) for each in found if each.text]


def _mean(guide: TrueGuide, reads: GuideVerifier | None) -> frozenset[str]:
    if guide.is_honest:
        return frozenset()
    answers = {each: reads(guide, each) for each in guide.sentences} if reads is not None else {}
    refused = frozenset(each for each, answer in answers.items() if answer is not None and not answer.says_so)
    return refused or frozenset(guide.sentences)


def _guide(case: dict[str, Any], place: int) -> TrueGuide:
    calls = tuple(
        ToolCall(number, case["tool"], _written(each["input"]), _written(each["output"]), each["success"], AT)
        for number, each in enumerate(case["calls"], start=1)
    )
    said = case["guide"]
    text = tool_guides.read_guide(json.dumps({"guide": said}, ensure_ascii=False) if isinstance(said, list) else said)
    name = str(case.get("name", place))
    assert text is not None, name
    is_honest = case["honest"] if "honest" in case else case["live"]
    return TrueGuide(place, name, case["tool"], calls, text, is_honest)


def _written(given: Any) -> str:
    return given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)


def right(guide: TrueGuide, sentence: str) -> VerifierAnswer:
    return VerifierAnswer(sentence not in guide.mean)


def careless(seed: int) -> GuideVerifier:
    """Errs in one of twenty answers, both ways."""
    return lambda guide, sentence: VerifierAnswer((sentence not in guide.mean) is not errs(seed, guide.name, sentence))


def recorded(path: Path) -> GuideVerifier:
    """What a large model answered once to the shipped prompt, a line a sentence; it answers nothing else."""
    answers = {(row["guide"], row["statement"]): VerifierAnswer(row["says_so"]) for row in lines_of(path)}
    return lambda guide, sentence: answers.get((guide.name, sentence))


def by_rules(guide: TrueGuide) -> GuideFault | None:
    return tool_guides.judge_guide(guide.text, guide.tool, guide.calls)[0]


def fault_of(guide: TrueGuide, verifier: GuideVerifier) -> GuideFault | None:
    """Why it waits; None where it lives, or what is left of it."""
    return by_rules(guide) or verified(guide, verifier).fault


def verified(guide: TrueGuide, verifier: GuideVerifier) -> VerifiedGuide:
    said = {number: verifier(guide, each) for number, each in enumerate(guide.sentences, start=1)}
    return tool_guides.verified_guide(guide.text, {number: each for number, each in said.items() if each is not None})


def measured(guides: Iterable[TrueGuide], verifier: GuideVerifier) -> Failures:
    found = Failures([], [])
    for each in guides:
        fault, refused = fault_of(each, verifier), verified(each, verifier).refused
        if each.is_honest and (fault is not None or refused):
            found.held.append(f"{each.name}: {fault or refused}")
        elif fault is None and not each.mean.issubset(refused):
            found.lived.append(each.name)
    return found


def asked_in(folder: Path) -> Iterator[tuple[Row, TrueGuide]]:
    """The verifier's exact question about each guide of a folder that the rules let pass, by the guide's place."""
    for each in guides_in(folder):
        if by_rules(each) is None:
            shown = tool_guides.verifier_material(each.tool, each.calls, each.sentences)
            yield question(each.place, folder.name, each.name, Subject.GUIDES, language_of(each.text), shown), each


def records_of(folder: Path, asked: Iterable[Row], texts: Mapping[int, str]) -> Iterator[Row]:
    """A model's answers to these questions as what is said of each sentence. What can not be read is none, and its
    guide waits."""
    guides = {each.name: each for each in guides_in(folder)}
    for each in asked:
        guide = guides[each["name"]]
        answers = read_answers(texts.get(each["n"], ""), len(guide.sentences)) or {}
        for number, answer in sorted(answers.items()):
            row = {"guide": guide.name, "statement": guide.sentences[number - 1], "says_so": answer.says_so}
            yield {**row, "why": answer.why}
