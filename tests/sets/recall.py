"""The figures of histories: what was named is carried out, the newest value comes to mind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

from sets.figures import PART, Failure, Figure, bad, good
from sets.histories import Played, play
from sets.reading import History

from orca_core.domain.memories import State


async def play_all(histories: Sequence[History], home: Path) -> list[Played]:
    """Each with a database of its own below a folder."""
    return [await play(history, home / str(number)) for number, history in enumerate(histories)]


def figures_of_histories(played: Sequence[Played]) -> list[Figure]:
    if not played:
        return []
    changed = [each for each in played if each.history.kind == "changed"]
    others = [each for each in played if each.history.kind != "changed"]
    pairs = sum(len(list(combinations(each.memory_of, 2))) for each in played)
    return [
        _named("named changes carried out", ("replace", "retract"), played),
        _named(f"{PART}updates", ("replace",), played),
        _named(f"{PART}retractions", ("retract",), played),
        good("newest recalled", _not_alone(changed, wrong=False), len(changed)),
        good("what is gone stays away", _not_alone(others, lacking=False), len(others)),
        good("the rest is recalled", _not_alone(others, wrong=False), len(others)),
        good("forget proposals exact", _not_meant(played), sum(len(each.forgotten) for each in played)),
        bad("facts merged wrongly", _merged(played), pairs),
        bad("facts archived wrongly", _archived(played), sum(len(each.memory_of) for each in played)),
    ]


def _named(name: str, labels: tuple[str, ...], played: Sequence[Played]) -> Figure:
    """What the memory agent said to replace or to retract."""
    failures, of = [], 0
    for each in played:
        for fact, missed in each.carried_out.items():
            claim = each.claim(fact)
            told = [f"{label}: {claim.item[label]}" for label in labels if claim.item.get(label)]
            of += bool(told)
            if told and missed:
                failures.append(Failure(each.history.name, told[0], claim.content, missed, claim.quote))
    return good(name, failures, of)


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


def _merged(played: Sequence[Played]) -> Iterator[Failure]:
    """Two facts of other words that are one memory now."""
    for each in played:
        for first, second in combinations(each.memory_of, 2):
            texts = (each.claim(first).content, each.claim(second).content)
            if each.memory_of[first] == each.memory_of[second] and texts[0].casefold() != texts[1].casefold():
                yield Failure(each.history.name, "two facts", "  |  ".join(texts), "one memory")
