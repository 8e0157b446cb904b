"""What a second reader is asked of a guide that may live by the rules, sentence by sentence, and what its answers mean.
It is never shown what the tool answered: that is where poison comes from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from orca_core.domain.growth.tools import ToolCall
from orca_core.rules.clauses import splitting
from orca_core.rules.text.cleaning import ELLIPSIS, cut
from orca_core.rules.tooling.trust import MAX_LACKING, Fault, parameters

NOUN = "sentence"
"""What the second reader is told that a statement is."""
INPUTS = 5
INPUT_CHARS = 300
"""So many of the latest inputs are shown, and so much of each. They bound what the question costs; chosen by hand."""


def sentences_of(guide: str) -> list[str]:
    """What the second reader is asked about, in its order: all of the guide."""
    return [guide[each.start : each.end].strip() for each in splitting.sentences(guide)]


def material(tool: str, calls: Sequence[ToolCall], sentences: Sequence[str]) -> str:
    """What the second reader is shown, as JSON: no text in it can pretend to be anything else."""
    inputs = list(dict.fromkeys(each.input for each in reversed(calls) if each.input))[:INPUTS]
    shown = {
        "tool": tool,
        "parameters": parameters(calls),
        "inputs": [each if len(each) <= INPUT_CHARS else cut(each, INPUT_CHARS) + ELLIPSIS for each in inputs],
        f"{NOUN}s": [{NOUN: number, "says": each} for number, each in enumerate(sentences, start=1)],
    }
    return json.dumps(shown, ensure_ascii=False)


def held_back(sentences: Sequence[str], answers: Mapping[int, bool]) -> tuple[Fault | None, tuple[str, ...]]:
    """Why the guide waits, whole, and the sentences that say so: those doubted, else those not answered."""
    numbered = list(enumerate(sentences, start=1))
    doubted = [each for number, each in numbered if answers.get(number) is False]
    if doubted:
        return Fault.SECOND_READER, tuple(doubted[:MAX_LACKING])
    is_unread = any(number not in answers for number, _each in numbered)
    return (Fault.UNREAD if is_unread else None), ()
