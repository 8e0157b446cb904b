"""What a second reader is asked of the facts that would go live, and what becomes of those that it doubts. It can hold
a fact back, and release none: it is never asked about a fact that is held."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from orca_core.domain.learning import ProposedFact
from orca_core.rules.learning.trust.evidence import Held, Verdict
from orca_core.rules.learning.trust.statements import Statement

NOUN = "fact"
"""What the second reader is told that a statement is."""
UNREAD = "unread"
"""Why something waits, or is left out, that a second reader was to read and did not. A fact alone is left to the rules
then: of all else too much that only rules have read is not the user's (docs/work.md)."""


class JudgedFact(Struct, frozen=True):
    """A fact with what the rules make of it; `is_unread` where the second reader was asked about it, or was to be, and
    did not answer."""

    fact: ProposedFact
    verdict: Verdict
    is_unread: bool = False


def asked_about(judged: Sequence[JudgedFact]) -> list[JudgedFact]:
    """The facts that a second reader is asked about: those that would go live and are not plain."""
    return [each for each in judged if each.verdict.held is None and not each.verdict.is_plain]


def statement_of(judged: JudgedFact) -> Statement:
    """The fact as the second reader is shown it."""
    return Statement(judged.fact.content, judged.verdict.quote or "", judged.verdict.rounds)


def held_back(
    judged: Sequence[JudgedFact], asked: Sequence[JudgedFact], answers: Mapping[int, bool]
) -> list[JudgedFact]:
    """The facts, of which those that the second reader doubts are held. All else stays as the rules judged it; what it
    did not answer is marked."""
    numbers = {each: number for number, each in enumerate(asked, start=1)}
    return [_answered(each, answers.get(numbers[each])) if each in numbers else each for each in judged]


def _answered(judged: JudgedFact, says_so: bool | None) -> JudgedFact:
    assert judged.verdict.held is None  # nothing else is asked about
    if says_so is None:
        return replace(judged, is_unread=True)
    return judged if says_so else replace(judged, verdict=replace(judged.verdict, held=Held.SECOND_READER))
