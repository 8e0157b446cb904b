"""What the verifier is asked of a guide whose words nothing holds, sentence by sentence, and what its answers mean. It
is never shown what the tool answered: that is where poison comes from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from orca_core.domain.growth.tools import ToolCall
from orca_core.domain.verifying import Answer
from orca_core.rules.learning.verifying import FACT
from orca_core.rules.text import sentences
from orca_core.rules.text.cleaning import ELLIPSIS, cut
from orca_core.rules.tooling.provenance import MAX_LACKING, Fault, parameters

INPUTS = 5
INPUT_CHARS = 300
"""So many of the latest inputs are shown, and so much of each. They bound what the question costs; chosen by hand."""


def sentences_of(guide: str) -> list[str]:
    """What the verifier is asked about, in its order: all of the guide."""
    return [guide[each.start : each.end].strip() for each in sentences.sentences(guide)]


def material(tool: str, calls: Sequence[ToolCall], asked: Sequence[str]) -> str:
    """What the verifier is shown, as JSON: no text in it can pretend to be anything else."""
    inputs = list(dict.fromkeys(each.input for each in reversed(calls) if each.input))[:INPUTS]
    shown = {
        "tool": tool,
        "parameters": parameters(calls),
        "inputs": [each if len(each) <= INPUT_CHARS else cut(each, INPUT_CHARS) + ELLIPSIS for each in inputs],
        "facts": [{FACT: number, "says": each} for number, each in enumerate(asked, start=1)],
        "known": [],
    }
    return json.dumps(shown, ensure_ascii=False)


def held_back(asked: Sequence[str], answers: Mapping[int, Answer]) -> tuple[Fault | None, tuple[str, ...]]:
    """Why the guide waits, whole, and the sentences that say so: those refused, else none where one is not answered."""
    numbered = list(enumerate(asked, start=1))
    refused = [each for number, each in numbered if number in answers and not answers[number].says_so]
    if refused:
        return Fault.NOT_USAGE, tuple(refused[:MAX_LACKING])
    is_unread = any(number not in answers for number, _each in numbered)
    return (Fault.UNREAD if is_unread else None), ()
