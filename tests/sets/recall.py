"""The figures of histories: what was named is carried out, the newest value comes to mind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

from msgspec.structs import replace
from sets import verifiers
from sets.figures import PART, Failure, Figure, bad, good
from sets.histories import Noted, Played, play
from sets.reading import Claim, History
from sets.verifiers import Verifier

from orca_core.model.learning import Relation
from orca_core.model.memories import State

CHANGED, RETRACTED, FORGOTTEN = "changed", "retracted", "forgotten"
SAID_AGAIN, RESTS = "said_again", "rests"
"""The kinds of histories."""


async def play_all(
    histories: Sequence[History], home: Path, verifier: Verifier = verifiers.right, note: Noted | None = None
) -> list[Played]:
    """Each with a database of its own below a folder."""
    return [await play(history, home / str(number), verifier, note) for number, history in enumerate(histories)]


def figures_of_histories(played: Sequence[Played], verifier: str = "") -> list[Figure]:
    """The figures, by the name of who verified."""
    if not played:
        return []
    changed = [each for each in played if each.history.kind == CHANGED]
    retracted = [each for each in played if each.history.kind == RETRACTED]
    again = [each for each in played if each.history.kind == SAID_AGAIN]
    resting = [each for each in played if each.history.kind == RESTS]
    others = [each for each in played if each.history.kind in (RETRACTED, FORGOTTEN)]
    pairs = sum(len(list(combinations(each.memory_of, 2))) for each in played)
    facts = sum(len(each.memory_of) for each in played)
    figures = [
        good("changed and retracted resolved", _unresolved([*changed, *retracted]), len([*changed, *retracted])),
        good(f"{PART}changed", _unresolved(changed), len(changed)),
        good(f"{PART}retracted", _unresolved(retracted), len(retracted)),
        _named("named changes carried out", played),
        good("said again lives", _unresolved(again), len(again)),
        good(
            "said again merged", _not_merged(played), sum(_is_same(claim) for each in played for claim in _claims(each))
        ),
        good("what rests is kept", _unresolved(resting), len(resting)),
        good("newest recalled", _not_alone(changed, wrong=False), len(changed)),
        good("what is gone stays away", _not_alone(others, lacking=False), len(others)),
        good("the rest is recalled", _not_alone(others, wrong=False), len(others)),
        good("forget proposals exact", _not_meant(played), sum(len(each.forgotten) for each in played)),
        bad("facts merged wrongly", _merged(played), pairs),
        bad("wrong replacements", _archived(played), facts),
        bad(
            "false facts in sequences taken", _false(played), sum(not c.live for each in played for c in _claims(each))
        ),
    ]
    return [replace(each, name=f"{each.name}: {verifier}") for each in figures] if verifier else figures


def _claims(played: Played) -> list[Claim]:
    return [claim for chat in played.history.chats for claim in chat.claims.values()]


def _unresolved(played: Sequence[Played]) -> Iterator[Failure]:
    """Where a fact does not live in the end that holds now, or one does that no longer holds."""
    for each in played:
        history = each.history
        living = {fact for fact, memory in each.memory_of.items() if each.memories[memory].state is State.LIVE}
        told = [f"lacks {_outcome(each, fact)}" for fact in history.expect if fact not in living]
        kept = {each.memory_of[fact] for fact in history.expect if fact in each.memory_of}
        told += [
            f"keeps {_outcome(each, fact)}"
            for fact in history.never
            if fact in living and each.memory_of[fact] not in kept
        ]
        if told:
            yield Failure(history.name, history.kind, history.question, "; ".join(told))


def _outcome(played: Played, fact: str) -> str:
    return f"“{played.claim(fact).content}” ({played.outcome_of.get(fact, 'not proposed')})"


def _false(played: Sequence[Played]) -> Iterator[Failure]:
    for each in played:
        for fact, memory in each.memory_of.items():
            claim = each.claim(fact)
            if not claim.live and each.memories[memory].state is State.LIVE:
                yield Failure(each.history.name, claim.why, claim.content, "live", claim.quote)


def _named(name: str, played: Sequence[Played]) -> Figure:
    """What the set, or the memory agent in it, says to replace or to retract."""
    failures, of = [], 0
    for each in played:
        for fact, missed in each.carried_out.items():
            of += 1
            if missed:
                claim = each.claim(fact)
                failures.append(Failure(each.history.name, each.history.kind, claim.content, missed, claim.quote))
    return good(name, failures, of)


def _is_same(claim: Claim) -> bool:
    return claim.relation is not None and claim.relation[1] == Relation.SAME


def _not_merged(played: Sequence[Played]) -> Iterator[Failure]:
    """Facts that say a known one again, and are another memory than it."""
    for each in played:
        memories = {each.claim(fact).content: memory for fact, memory in each.memory_of.items()}
        for chat in each.history.chats:
            for fact, claim in chat.claims.items():
                if _is_same(claim) and claim.relation is not None:
                    known = memories.get(claim.relation[0])
                    if known is None or each.memory_of.get(fact) != known:
                        yield Failure(each.history.name, claim.relation[0], claim.content, _outcome(each, fact))


def _not_alone(played: Sequence[Played], *, lacking: bool = True, wrong: bool = True) -> Iterator[Failure]:
    """Where a fact does not come to mind that must, or one does that must not."""
    for each in played:
        history, recalled = each.history, set(each.recalled)
        told = [f"lacks {_told(each, fact)}" for fact in history.expect if each.memory_of.get(fact) not in recalled]
        told = told if lacking else []
        if wrong:
            told += [f"recalls {_told(each, fact)}" for fact in history.never if each.memory_of.get(fact) in recalled]
        if told:
            yield Failure(history.name, history.kind, history.question, "; ".join(told))


def _told(played: Played, fact: str) -> str:
    outcome, memory_id = played.outcome_of.get(fact, "not proposed"), played.memory_of.get(fact, 0)
    if outcome == "live" and memory_id not in played.recalled:
        outcome += f", {played.left_out.get(memory_id, 'not considered')}"
    return f"“{played.claim(fact).content}” ({outcome})"


def _not_meant(played: Sequence[Played]) -> Iterator[Failure]:
    for each in played:
        for number, (meant, proposed) in each.forgotten.items():
            if meant != proposed:
                asked = " / ".join("".join(s.text for s in said.spans) for said in each.history.chats[number - 1].said)
                outcome = f"meant {_texts(each, meant)}; proposed {_texts(each, proposed)}"
                yield Failure(each.history.name, "forget", asked, outcome)


def _texts(played: Played, ids: set[int]) -> str:
    told = [f"“{played.memories[each].content}”" if each in played.memories else f"m{each}" for each in sorted(ids)]
    return ", ".join(told) or "nothing"


def _archived(played: Sequence[Played]) -> Iterator[Failure]:
    """Facts that nothing took back, and that went all the same."""
    for each in played:
        for fact, memory_id in each.memory_of.items():
            memory = each.memories[memory_id]
            is_over = fact in each.history.never or each.claim(fact).item.get("retract")
            if memory.state is State.ARCHIVED and not is_over:
                by = each.memories.get(memory.superseded_by or 0)
                outcome = "archived" if by is None else f"archived for “{by.content}”"
                yield Failure(each.history.name, each.history.kind, each.claim(fact).content, outcome)


def _is_one(played: Played, first: str, second: str) -> bool:
    """Whether two facts say the same, in the same words or by the set."""
    claims = (played.claim(first), played.claim(second))
    texts = {claim.content.casefold() for claim in claims}
    named = {claim.relation[0].casefold() for claim in claims if claim.relation is not None and _is_same(claim)}
    return len(texts) == 1 or bool(texts & named)


def _merged(played: Sequence[Played]) -> Iterator[Failure]:
    """Two facts of other words that are one memory now."""
    for each in played:
        for first, second in combinations(each.memory_of, 2):
            texts = (each.claim(first).content, each.claim(second).content)
            if each.memory_of[first] == each.memory_of[second] and not _is_one(each, first, second):
                yield Failure(each.history.name, "two facts", "  |  ".join(texts), "one memory")
