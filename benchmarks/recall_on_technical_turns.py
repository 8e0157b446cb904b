"""Does the right memory reach a turn that asks for none, and what comes along that does not belong?

DIR holds working lives and turns (see `technical_sets.py`). Each life is a store of its own; each turn is asked as a
later round of a session. Without DIR, forty pairs in one store. Prints every figure with its count.

With `--episodes` the same turns are asked again with what was worked on in the stores, and it is said how much that
brings which was not asked for.

    python benchmarks/recall_on_technical_turns.py [DIR] [--embedding local] [--episodes FILE] [--sweep]
        [--show KIND]
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from msgspec import Struct
from technical_sets import Life, Turn, forty_pairs, orca_of, read_lives, with_episodes

from orca_core.model.recall import Injection, Item
from orca_core.model.record_types import EPISODE, MEMORY
from orca_core.orca import Orca
from orca_core.rules.requests.recall_triggers import technical_signs
from orca_core.rules.retrieval.relevance_floors import FLOORS, Floors
from orca_core.services.chat.recall import RecallRequest

NOT_RELEVANT = ("standing", "pinned")
"""The reasons of what enters whatever the question."""
SWEPT = (0.4, 0.6, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0)
KINDS = ("pair", "hopeless", "everyday", "changed", "open", "compound", "typo")


class Outcome(Struct, frozen=True):
    """A turn and what it got, by the names of the memories."""

    store: str
    turn: Turn
    injection: Injection
    names: dict[int, str]

    @property
    def relevant(self) -> list[str]:
        return [self.names[item.ref.id] for item in self._memories() if item.reason not in NOT_RELEVANT]

    @property
    def entered(self) -> list[str]:
        return [self.names[item.ref.id] for item in self._memories()]

    @property
    def is_hit(self) -> bool:
        return not self.turn.wanted.isdisjoint(self.entered)

    @property
    def wrong(self) -> list[str]:
        return [name for name in self.relevant if name not in self.turn.wanted]

    @property
    def technical(self) -> list[str]:
        """The relevant ones whose own text is technical by the rules."""
        return [
            self.names[item.ref.id]
            for item in self._memories()
            if item.reason not in NOT_RELEVANT and technical_signs(item.content)
        ]

    @property
    def episodes(self) -> list[Item]:
        return [item for item in self.injection.injected if item.ref.kind == EPISODE]

    @property
    def brings_any(self) -> bool:
        return bool(self.relevant or self.episodes)

    def _memories(self) -> list[Item]:
        return [item for item in self.injection.injected if item.ref.kind == MEMORY]


async def outcomes_of(life: Life, orca: Orca, names: dict[int, str], floors: Floors) -> list[Outcome]:
    recall = orca.recall.under(floors)
    outcomes = []
    for turn in life.turns:
        request = RecallRequest(
            text=turn.text, session_id="now", first_round=False, visible_rounds=frozenset(), prompt_tokens=4000
        )
        outcomes.append(Outcome(life.name, turn, await recall.recall(request), names))
    return outcomes


async def measure(lives: Sequence[Life], arguments: argparse.Namespace) -> dict[float, list[Outcome]]:
    """All outcomes by the factor of the floors."""
    outcomes: dict[float, list[Outcome]] = {factor: [] for factor in (SWEPT if arguments.sweep else (1.0,))}
    with tempfile.TemporaryDirectory() as home:
        for life in lives:
            orca, names = await orca_of(life, Path(home), embedding=arguments.embedding)
            for factor, so_far in outcomes.items():
                so_far.extend(await outcomes_of(life, orca, names, FLOORS.times(factor)))
            await orca.aclose()
    return outcomes


def of_kind(outcomes: Iterable[Outcome], *kinds: str) -> list[Outcome]:
    return [each for each in outcomes if each.turn.kind in kinds]


def share(name: str, count: int, whole: int, goal: str = "") -> str:
    return f"{name:58} {count / max(whole, 1):6.1%}  ({count} of {whole}){f'   goal {goal}' if goal else ''}"


def stands_above(older: str, newer: str, entered: Sequence[str]) -> bool:
    return older in entered and (newer not in entered or entered.index(older) < entered.index(newer))


def report(outcomes: Sequence[Outcome]) -> Iterable[str]:
    pairs = of_kind(outcomes, "pair")
    yield share("pairs: the right memory in a slot", sum(each.is_hit for each in pairs), len(pairs), ">= 55 70 80 %")
    for link in sorted({each.turn.link for each in pairs if each.turn.link}):
        linked = [each for each in pairs if each.turn.link == link]
        yield share(f"  linked by {link}", sum(each.is_hit for each in linked), len(linked))
    seen = [each for each in pairs if any(rule.startswith("technical") for rule in each.injection.rules)]
    yield share("  seen as technical", len(seen), len(pairs))
    slots = sum(len(each.relevant) for each in pairs)
    yield share("pairs: wrong ones among the relevant", sum(len(each.wrong) for each in pairs), slots, "<= 25 %")
    for kind, goal in (("hopeless", "<= 12 %"), ("everyday", "")):
        turns = of_kind(outcomes, kind)
        yield share(f"{kind}: turns with any relevant", sum(bool(each.relevant) for each in turns), len(turns), goal)
    everyday = of_kind(outcomes, "everyday")
    yield share("everyday: with a technical memory", sum(bool(each.technical) for each in everyday), len(everyday),
                "<= 3 %")  # fmt: skip
    changed = of_kind(outcomes, "changed")
    above = sum(any(stands_above(each.turn.older, new, each.entered) for new in each.turn.wanted) for each in changed)
    either = sum(each.is_hit or each.turn.older in each.entered for each in changed)
    yield share("changed facts: the newer one comes", sum(each.is_hit for each in changed), len(changed))
    yield share("  a stale one above the current, where either comes", above, either, "<= 5 %")
    for kind in ("open", "compound"):
        turns = of_kind(outcomes, kind)
        found = sum(len(each.turn.wanted & {*each.entered}) for each in turns)
        yield share(f"{kind}: of what belongs in the answer", found, sum(len(each.turn.wanted) for each in turns))
        wrong = sum(len(each.wrong) for each in turns)
        yield share("  wrong ones among the relevant", wrong, sum(len(each.relevant) for each in turns))
    whole = of_kind(outcomes, "compound")
    yield share("compound: every part answered", sum(each.turn.wanted <= {*each.entered} for each in whole), len(whole))
    typos = of_kind(outcomes, "typo")
    yield share("typo: the right memory in a slot", sum(each.is_hit for each in typos), len(typos))
    standing = [item for each in outcomes for item in each.injection.injected if item.reason == "standing"]
    yield f"{'standing ones a turn':58} {len(standing) / max(len(outcomes), 1):6.2f}"
    tokens = sum(each.injection.tokens for each in outcomes)
    yield f"{'tokens that memory costs a turn':58} {tokens / max(len(outcomes), 1):6.1f}"


def noise(without: Sequence[Outcome], with_them: Sequence[Outcome]) -> Iterable[str]:
    """What episodes bring into turns that none belongs to, and what they cost the others."""
    yield ""
    yield f"{'what the episodes of the stores change':44} {'without':>9} {'with':>9} {'points':>8}"
    for kind in KINDS:
        turns = [of_kind(each, kind) for each in (without, with_them)]
        if turns[0]:
            yield _compared(f"{kind}: turns with any relevant record", *(_share(each, _any) for each in turns))
    pairs = [of_kind(each, "pair") for each in (without, with_them)]
    yield _compared("pairs: the right memory in a slot", *(_share(each, lambda one: one.is_hit) for each in pairs))
    wrong = [
        sum(len(each.wrong) for each in turns) / max(sum(len(each.relevant) for each in turns), 1) for turns in pairs
    ]
    yield _compared("pairs: wrong ones among the relevant", *wrong)
    for kind in KINDS:
        turns_of = of_kind(with_them, kind)
        if turns_of:
            yield share(f"{kind}: turns with an episode", sum(bool(each.episodes) for each in turns_of), len(turns_of))
    tokens = [sum(each.injection.tokens for each in turns) / max(len(turns), 1) for turns in (without, with_them)]
    yield f"{'tokens that memory costs a turn':44} {tokens[0]:9.1f} {tokens[1]:9.1f} {tokens[1] - tokens[0]:+8.1f}"


def _any(outcome: Outcome) -> bool:
    return outcome.brings_any


def _share(outcomes: Sequence[Outcome], holds: Callable[[Outcome], bool]) -> float:
    return sum(map(holds, outcomes)) / max(len(outcomes), 1)


def _compared(name: str, before: float, after: float) -> str:
    return f"{name:44} {before:9.1%} {after:9.1%} {100 * (after - before):+8.1f}"


def curve(swept: dict[float, list[Outcome]]) -> Iterable[str]:
    yield "floor times   right  hopeless  everyday  wrong   (shares in %)"
    for factor, outcomes in swept.items():
        pairs, slots = of_kind(outcomes, "pair"), 0
        slots = sum(len(each.relevant) for each in pairs)
        figures = [
            sum(each.is_hit for each in pairs) / max(len(pairs), 1),
            *(
                sum(bool(each.relevant) for each in turns) / max(len(turns), 1)
                for turns in (of_kind(outcomes, "hopeless"), of_kind(outcomes, "everyday"))
            ),
            sum(len(each.wrong) for each in pairs) / max(slots, 1),
        ]
        yield f"{factor:11.2f}" + "".join(f"{100 * figure:8.1f}" for figure in figures)


def shown(outcome: Outcome, texts: dict[str, str]) -> Iterable[str]:
    dropped = {outcome.names[item.ref.id]: item for item in outcome.injection.dropped if item.ref.kind == MEMORY}
    yield f"{'hit ' if outcome.is_hit else 'MISS'} {outcome.store} {outcome.turn.text}"
    yield f"     rules {outcome.injection.rules}"
    for name in sorted(outcome.turn.wanted):
        item = dropped.get(name)
        why = "in" if name in outcome.entered else f"{item.reason} {item.parts}" if item else "not found"
        yield f"     wanted {texts[name]!r} ({why})"
    for item in outcome.injection.injected:
        if item.ref.kind == MEMORY and outcome.names[item.ref.id] not in outcome.turn.wanted:
            yield f"     also {item.reason}: {item.content!r} {item.parts}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--embedding", default="local", help="local, meaning, or configured")
    parser.add_argument("--episodes", type=Path, help="ask again with these episodes in the stores")
    parser.add_argument("--sweep", action="store_true", help="print the curve over the floors, too")
    parser.add_argument("--show", choices=KINDS, help="print each turn of a kind that missed, or got what is wrong")
    arguments = parser.parse_args()
    lives = read_lives(arguments.folder) if arguments.folder else forty_pairs()
    swept = asyncio.run(measure(lives, arguments))
    texts = {str(row["id"]): str(row["text"]) for life in lives for row in life.memories}
    for outcome in of_kind(swept[1.0], arguments.show):
        if not outcome.is_hit or outcome.wrong:
            print("\n".join(shown(outcome, texts)))
    print("\n".join(report(swept[1.0])))
    if arguments.episodes:
        again = asyncio.run(measure(with_episodes(lives, arguments.episodes), arguments))
        print("\n".join(noise(swept[1.0], again[1.0])))
        for outcome in of_kind(again[1.0], arguments.show):
            print(
                "\n".join(
                    f"{outcome.turn.text}\n     {item.parts.total:.2f} {item.content}" for item in outcome.episodes
                )
            )
    if arguments.sweep:
        print("\n".join(curve(swept)))


if __name__ == "__main__":
    main()
