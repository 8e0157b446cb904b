"""How many false facts would live and how many honest ones wait: by the rules alone, and with second readers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace
from sets import pastes, second_readers
from sets.figures import Failure, Figure, bad, good
from sets.reading import Claim, Conversation
from sets.second_readers import SEEDS, SecondReader, careless

from orca_core.rules.learning.agent import parsing, transcripts
from orca_core.rules.learning.trust import evidence, second_reading
from orca_core.rules.learning.trust.second_reading import JudgedFact
from orca_core.settings import ExtractSettings

COUNTED_APART = ("sarcasm", "joke")
FOREIGN = ("paste", "file", "quotation", "assistant", "smuggled")
"""Why a fact is false whose words come from what the user did not type."""
NO_QUOTES = ", no quotes"
READERS = ("rules", "right", "careless")


class Judged(Struct, frozen=True):
    """A claim with what the rules make of it; None where its form alone refuses it (`dropped` says why)."""

    conversation: Conversation
    claim: Claim
    result: JudgedFact | None
    dropped: str = ""

    @property
    def lives(self) -> bool:
        return self.result is not None and self.result.verdict.held is None

    @property
    def is_plain(self) -> bool:
        """Whether it lives, and no second reader is asked."""
        return self.lives and self.result is not None and self.result.verdict.is_plain

    @property
    def outcome(self) -> str:
        if self.result is None:
            return f"dropped: {self.dropped}"
        verdict = self.result.verdict
        if verdict.held is None:
            return "live, plain (no second reader is asked)" if verdict.is_plain else "live"
        return f"held: {verdict.held.value}"

    def failure(self, outcome: str = "") -> Failure:
        claim = self.claim
        typed = self.conversation.typed_around(claim.quote)
        return Failure(self.conversation.name, claim.why, claim.content, outcome or self.outcome, claim.quote, typed)


def judged(conversation: Conversation, *, quoted: bool = True) -> list[Judged]:
    """Every claim, judged by the rules as a run judges it."""
    said = transcripts.testimony(conversation.rounds())
    claims = [given if quoted else given.without_quote() for given in conversation.claims]
    return [_judged(conversation, claim, said) for claim in claims]


def _judged(conversation: Conversation, claim: Claim, said: transcripts.Testimony) -> Judged:
    reading = parsing.read_facts(json.dumps({"facts": [dict(claim.item)]}), ExtractSettings())
    assert reading is not None
    if not reading.facts:
        return Judged(conversation, claim, None, reading.dropped[0].reason)
    [fact] = reading.facts
    return Judged(conversation, claim, JudgedFact(fact, evidence.judge(fact, said, conversation.known)))


def second_read(facts: Sequence[Judged], reader: SecondReader) -> list[Judged]:
    """The facts of a conversation after a second reader, whose answers go the way that a run's go."""
    asked = second_reading.asked_about([each.result for each in facts if each.result is not None])
    claims = [each for each in facts if any(each.result is other for other in asked)]
    answers = {number: reader(each.conversation, each.claim) for number, each in enumerate(claims, start=1)}
    return [
        each
        if each.result is None
        else replace(each, result=second_reading.held_back([each.result], asked, answers)[0])
        for each in facts
    ]


def figures_of_facts(conversations: Sequence[Conversation]) -> list[Figure]:
    """With quotes and without: false facts live (each `why` besides) and honest ones held, by reader; with quotes also
    the honest ones that no second reader is asked about."""
    found: list[Figure] = []
    both = [(judged(each), judged(each, quoted=False)) for each in conversations]  # in a row: each is read once
    with_quotes, without = [each for each, _ in both], [each for _, each in both]
    for quoted, suffix, alone in ((True, "", with_quotes), (False, NO_QUOTES, without)):
        by_reader = {
            "rules": [_flat(alone)],
            "right": [_flat(second_read(each, second_readers.right) for each in alone)],
            "careless": [_flat(second_read(each, careless(seed)) for each in alone) for seed in SEEDS],
        }
        for reader, runs in by_reader.items():
            found.append(_counted(f"false live: {reader}{suffix}", runs, _is_false, failed=_lives))
            found.append(_counted(f"honest held: {reader}{suffix}", runs, _is_honest, failed=_waits))
        if quoted:
            honest = [each for each in _flat(alone) if _is_honest(each)]
            found.append(good("honest plain", [each.failure() for each in honest if not each.is_plain], len(honest)))
        whys = sorted({each.claim.why for each in _flat(alone) if not each.claim.live})
        for why in whys:
            for reader, runs in by_reader.items():
                found.append(_counted(f"{why} live: {reader}{suffix}", runs, _is_because(why), failed=_lives))
    return found


def _flat(facts: Iterable[Sequence[Judged]]) -> list[Judged]:
    return list(chain.from_iterable(facts))


def _lives(each: Judged) -> bool:
    return each.lives


def _waits(each: Judged) -> bool:
    return not each.lives


def _is_false(each: Judged) -> bool:
    return not each.claim.live and each.claim.why not in COUNTED_APART


def _is_honest(each: Judged) -> bool:
    return each.claim.live


def _is_because(why: str) -> Callable[[Judged], bool]:
    return lambda each: not each.claim.live and each.claim.why == why


def _counted(
    name: str,
    runs: Sequence[Sequence[Judged]],
    is_meant: Callable[[Judged], bool],
    *,
    failed: Callable[[Judged], bool],
) -> Figure:
    """How many of those that are meant failed, on the average of the runs."""
    of = sum(map(is_meant, runs[0]))
    times: Counter[int] = Counter()
    last: dict[int, Judged] = {}
    for run in runs:
        for number, each in enumerate(run):
            if is_meant(each) and failed(each):
                times[number] += 1
                last[number] = each
    failures = tuple(
        last[number].failure(f"{last[number].outcome}, with {times[number]} of {len(runs)}" if len(runs) > 1 else "")
        for number in sorted(times)
    )
    return Figure(name, times.total() / len(runs), of, failures)


def figures_of_pastes(conversations: Sequence[Conversation]) -> list[Figure]:
    """How many honest facts wait only because an unrelated text stands beside them, by its length. All that is beside
    one conversation is judged in a row: it itself is read once."""
    failures: dict[int, list[Failure]] = {length: [] for length in pastes.LENGTHS}
    of: Counter[int] = Counter()
    for honest in (each.honest() for each in conversations):
        alone = judged(honest)
        for length in pastes.LENGTHS:
            for kind in pastes.kinds_for(honest.name, length):
                beside = judged(honest.beside(pastes.unrelated(kind, length, honest.name)))
                of[length] += len(beside)
                failures[length] += [
                    each.failure(f"{each.outcome}, beside {kind}")
                    for lone, each in zip(alone, beside, strict=True)
                    if lone.lives and not each.lives
                ]
    return [bad(f"honest held more: pasted {each:,}", failures[each], of[each]) for each in pastes.LENGTHS]
