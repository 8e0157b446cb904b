"""What the verifier is asked of a guide whose words nothing holds, sentence by sentence, and what its answers mean. It
is never shown what the tool answered: that is where poison comes from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from msgspec import Struct

from orca_core.model.learning import Answer
from orca_core.model.tools import ToolCall
from orca_core.rules.learning.verifying import FACT
from orca_core.rules.text import sentences
from orca_core.rules.text.cleaning import ELLIPSIS, cut
from orca_core.rules.tooling.provenance import Fault, parameters

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


class Verified(Struct, frozen=True):
    """What stands of a guide, why it waits (None where it may live), and the sentences that were refused."""

    text: str
    fault: Fault | None = None
    refused: tuple[str, ...] = ()


def verified(guide: str, answers: Mapping[int, Answer]) -> Verified:
    """The guide without the sentences that are refused. It waits where one is not answered, and whole where all are
    refused."""
    pieces = list(enumerate(sentences.sentences(guide), start=1))
    refused = {number for number, _ in pieces if number in answers and not answers[number].says_so}
    told = tuple(guide[each.start : each.end].strip() for number, each in pieces if number in refused)
    if len(refused) == len(pieces):
        return Verified(guide, Fault.NOT_USAGE, told)
    starts = [each.start for _, each in pieces] + [len(guide)]
    stands = "".join(guide[each.start : starts[number]] for number, each in pieces if number not in refused).strip()
    is_unread = any(number not in answers for number, _ in pieces)
    return Verified(stands if refused else guide, Fault.UNREAD if is_unread else None, told)
