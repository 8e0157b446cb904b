"""Which of the memories found a reranker puts in order, and what its order changes: who stands where, no score."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from orca_core.rules.retrieval.choosing.ranking import Found

CANDIDATES_A_PLACE = 3
"""So many memories are ordered for each one that is wanted. No benchmark chose it: more of them take longer, and what
leaves this machine is to be little."""

REFUSED = "rerank_"
LATE = f"{REFUSED}late"
RESTING = f"{REFUSED}resting"
UNREADABLE = f"{REFUSED}unreadable"
MISTAKE = f"{REFUSED}mistake"


def candidates(relevant: Sequence[Found], wanted: int) -> Sequence[Found]:
    """The best of those above the floor, which a reranker may put in another order."""
    return relevant[: CANDIDATES_A_PLACE * wanted]


def positions(answer: object) -> list[int] | None:
    """A reranker's answer as positions; None where it is something else, whatever the reranker promises."""
    if not isinstance(answer, list | tuple):
        return None
    return list(answer) if all(type(each) is int for each in answer) else None


def reordered(found: Sequence[Found], ranks: Sequence[int]) -> list[Found]:
    """The memories in the order of `ranks`, positions in `found`, each with its place. What was not ranked comes after,
    in the order that it had."""
    named, rest = in_order(len(found), ranks)
    return [*(replace(found[at], place=place) for place, at in enumerate(named)), *(found[at] for at in rest)]


def in_order(count: int, ranks: Sequence[int]) -> tuple[list[int], list[int]]:
    """Of so many positions those that were ranked, best first, and those that were not, in their own order."""
    named = [at for at in dict.fromkeys(ranks) if 0 <= at < count]
    ranked = set(named)
    return named, [at for at in range(count) if at not in ranked]


def reranked_rule(model: str) -> str:
    """What a receipt says of an order that a reranker made."""
    return f"reranked: {model}"


def refused_rule(code: str, status: object) -> str:
    """What a receipt says where the reranker failed: no word of a server, which may repeat a memory that is deleted
    later."""
    return f"{REFUSED}{code}" if status is None else f"{REFUSED}{code}: {status}"


def is_refusal(rule: str) -> bool:
    """Whether a rule says that the reranker left the order as it was."""
    return rule.startswith(REFUSED)
