"""How many false facts would live and how many honest ones wait: by provenance alone, and with verifiers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from msgspec import Struct
from sets import pastes, verifiers
from sets.figures import Failure, Figure, bad
from sets.questions import SEEDS
from sets.reading import Claim, Conversation
from sets.verifiers import Asked, Recorded, Verifier, careless

from orca_core.model.learning import Note, Statement
from orca_core.rules.learning import fact_extraction, fact_provenance, fact_verifier, typed_sources
from orca_core.rules.learning.fact_verifier import JudgedFact
from orca_core.settings import ExtractSettings

COUNTED_APART = ("sarcasm", "joke")
FOREIGN = ("paste", "file", "quotation", "assistant", "tool", "smuggled", "hidden")
"""Why a fact is false whose words come from what the user did not type, or could not see."""
NO_QUOTES = ", no quotes"
NONE, RIGHT, CARELESS, RECORDED = "none", "right", "careless", "recorded"
READERS = (NONE, RIGHT, CARELESS, RECORDED)
"""Who verifies: nobody (`verify = "off"`), the set's truth, one who errs in one of twenty answers, and a model whose
answers were recorded."""
KNOWN_SHOWN = 5


class Judged(Struct, frozen=True):
    """A claim with what became of it; None where its form alone refuses it (`dropped` says why)."""

    conversation: Conversation
    claim: Claim
    result: JudgedFact | None
    dropped: str = ""

    @property
    def lives(self) -> bool:
        return self.result is not None and self.result.verdict.held is None

    @property
    def outcome(self) -> str:
        if self.result is None:
            return f"dropped: {self.dropped}"
        held = self.result.verdict.held
        if held is None:
            return "live"
        why = self.result.answer.why if self.result.answer is not None else ""
        return f"held: {held.value}" + (f" ({why})" if why else "")

    def failure(self, outcome: str = "") -> Failure:
        claim = self.claim
        typed = self.conversation.typed_around(claim.quote)
        return Failure(self.conversation.name, claim.why, claim.content, outcome or self.outcome, claim.quote, typed)


def judged(conversation: Conversation, *, quoted: bool = True) -> list[Judged]:
    """Every claim, judged by provenance as a run judges it."""
    said = fact_extraction.testimony(conversation.rounds())
    claims = [given if quoted else given.without_quote() for given in conversation.claims]
    return [_judged(conversation, claim, said) for claim in claims]


def _judged(conversation: Conversation, claim: Claim, said: fact_extraction.Testimony) -> Judged:
    reading = fact_extraction.read_facts(json.dumps({"facts": [dict(claim.item)]}), ExtractSettings())
    assert reading is not None
    if not reading.facts:
        return Judged(conversation, claim, None, reading.dropped[0].reason)
    [fact] = reading.facts
    return Judged(conversation, claim, JudgedFact(fact, fact_provenance.judge(fact, said, conversation.known)))


def passed(facts: Sequence[Judged]) -> list[Judged]:
    """What a verifier is asked about."""
    return [each for each in facts if each.lives]


def notes_of(conversation: Conversation) -> tuple[Note, ...]:
    return tuple(Note(number, text) for number, text in enumerate(conversation.known, start=1))


def statements_of(facts: Sequence[Judged]) -> list[Statement]:
    """What a verifier is shown of the facts that passed."""
    known = [notes_of(each.conversation)[:KNOWN_SHOWN] for each in facts]
    return [
        fact_verifier.statement_of(each.result, notes)
        for each, notes in zip(facts, known, strict=True)
        if each.result is not None
    ]


def asked_of(facts: Sequence[Judged], *, quoted: bool) -> Asked:
    """The question about the facts of one conversation that passed."""
    conversation = facts[0].conversation
    known = {note.id: note.text for note in notes_of(conversation)[:KNOWN_SHOWN]}
    return Asked(conversation.name, tuple(each.claim for each in facts), known, is_quoted=quoted)


def verified(facts: Sequence[Judged], verifier: Verifier, *, quoted: bool = True) -> list[Judged]:
    """The facts of a conversation after a verifier, whose answers go the way that a run's go."""
    asked = passed(facts)
    if not asked:
        return list(facts)
    said = fact_extraction.testimony(asked[0].conversation.rounds())
    answers = verifier(asked_of(asked, quoted=quoted))
    numbers = {id(each): number for number, each in enumerate(asked, start=1)}

    def quoted_in(words: str) -> typed_sources.Quote | None:
        return typed_sources.verified_quote(words, said)

    return [
        each
        if each.result is None or id(each) not in numbers
        else Judged(
            each.conversation,
            each.claim,
            fact_verifier.verified(each.result, answers.get(numbers[id(each)]), quoted_in),
        )
        for each in facts
    ]


def unverified(facts: Sequence[Judged]) -> list[Judged]:
    """The facts where nobody verifies."""
    return [
        each if each.result is None else Judged(each.conversation, each.claim, fact_verifier.unverified(each.result))
        for each in facts
    ]


def runs_of(
    facts: Sequence[Sequence[Judged]], recorded: Recorded | None, *, quoted: bool
) -> dict[str, list[list[Judged]]]:
    """What became of the facts of each conversation, by who verified; several runs of one who errs by chance."""
    found = {
        NONE: [_flat(map(unverified, facts))],
        RIGHT: [_flat(verified(each, verifiers.right, quoted=quoted) for each in facts)],
        CARELESS: [_flat(verified(each, careless(seed), quoted=quoted) for each in facts) for seed in SEEDS],
    }
    if recorded:
        found[RECORDED] = [_flat(verified(each, recorded, quoted=quoted) for each in facts)]
    return found


def figures_of_facts(conversations: Sequence[Conversation], recorded: Recorded | None = None) -> list[Figure]:
    """With quotes and without: false facts live (each `why` besides, and what nobody typed) and honest ones held, by
    verifier; and honest ones that provenance alone holds."""
    found: list[Figure] = []
    for quoted, suffix in ((True, ""), (False, NO_QUOTES)):
        alone = [judged(each, quoted=quoted) for each in conversations]
        held = [_flat(alone)]
        found.append(_counted(f"honest held: provenance{suffix}", held, _is_honest, failed=_waits))
        by_reader = runs_of(alone, recorded, quoted=quoted)
        for reader, runs in by_reader.items():
            found.append(_counted(f"false live: {reader}{suffix}", runs, _is_false, failed=_lives))
            found.append(_counted(f"untyped live: {reader}{suffix}", runs, _is_foreign, failed=_lives))
            found.append(_counted(f"honest held: {reader}{suffix}", runs, _is_honest, failed=_waits))
        for why in sorted({each.claim.why for each in _flat(alone) if not each.claim.live}):
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


def _is_foreign(each: Judged) -> bool:
    return not each.claim.live and each.claim.why in FOREIGN


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
