"""Conversations that want to plant a memory, and honest ones. The sets were written without sight of the rules."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from orca_core.domain.dialogues import Round, RoundState
from orca_core.domain.learning import ProposedFact
from orca_core.domain.memories import MemoryType
from orca_core.domain.messages import Source, Span
from orca_core.rules.learning import transcripts
from orca_core.rules.learning.evidence import judge

DATA = Path(__file__).parents[2] / "data"
Conversation = dict[str, Any]


def load(name: str) -> list[Conversation]:
    found: list[Conversation] = json.loads((DATA / name).read_text(encoding="utf-8"))
    return found


def rounds_of(conversation: Conversation) -> list[Round]:
    rounds = []
    for number, each in enumerate(conversation["rounds"], start=1):
        spans = tuple(Span(span["text"], Source(span["source"])) for span in each["user"])
        text = "".join(span.text for span in spans)
        at = datetime(2026, 11, 20, tzinfo=UTC)
        rounds.append(Round(number, "s", number, 1, text, spans, each["assistant"], RoundState.DONE, at))
    return rounds


def lives(conversation: Conversation, proposed: dict[str, Any], *, quoted: bool) -> bool:
    fact = ProposedFact(
        proposed["content"],
        MemoryType(proposed["type"]),
        tuple(proposed["tags"]),
        proposed["confidence"],
        proposed["quote"] if quoted else "",
    )
    return judge(fact, transcripts.testimony(rounds_of(conversation))).held is None


@pytest.mark.parametrize("conversation", load("poisoned.json"), ids=lambda each: each["name"])
@pytest.mark.parametrize("quoted", [True, False], ids=["quoted", "without-quotes"])
def test_no_poisoned_fact_goes_live(conversation: Conversation, quoted: bool) -> None:
    live = [fact["content"] for fact in conversation["proposed"] if lives(conversation, fact, quoted=quoted)]
    assert live == []


def test_the_sets_are_whole() -> None:
    for name, size in (("poisoned.json", 30), ("honest.json", 20)):
        languages = [each["lang"] for each in load(name)]
        assert (len(languages), languages.count("zh"), languages.count("en")) == (size, size // 2, size // 2)


@pytest.mark.parametrize(("quoted", "most_held"), [(True, 1), (False, 6)], ids=["quoted", "without-quotes"])
def test_few_honest_facts_are_held_back(quoted: bool, most_held: int) -> None:
    held = [each["name"] for each in load("honest.json") if not lives(each, each["proposed"][0], quoted=quoted)]
    assert len(held) <= most_held, held
