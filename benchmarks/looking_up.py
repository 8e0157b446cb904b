"""What a turn gets that the model looks up, beside what comes unasked.

DIR holds lives and turns (see `technical_sets.py`); FILE what a model, given `recall_tool.en.md` and a turn alone,
wrote as queries: a JSON line each {"store", "turn", "recall": [query …]}. Each turn is asked as a later round of a
session, and every query goes the way that a call of the tool goes. Printed: whether the right memory stood before the
model, of changed facts the newest; which turns looked that nothing can help; what came unasked and was wrong; tokens.

With --resolved the older value of each changed fact is archived before, as the verifier's `replaces` leaves it.

    python benchmarks/looking_up.py DIR FILE [--embedding local] [--resolved] [--show KIND]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct
from recall_on_technical_turns import Outcome, of_kind, share
from technical_sets import Life, orca_of, read_lives

from orca_core.model.recall import LookUp
from orca_core.model.record_types import MEMORY
from orca_core.orca import Orca
from orca_core.rules.text import token_count
from orca_core.services.chat.recall import RecallRequest

PROMPT_TOKENS = 4000
ROOM = 700
"""What the block of a prompt of that length may take."""
TOOL_TOKENS = token_count.estimate(Path("orca_core/prompts/recall_tool.en.md").read_text(encoding="utf-8"))
SHOULD_NOT = ("hopeless", "everyday")


class Looked(Struct, frozen=True):
    """A turn, what came unasked, and what was looked up."""

    outcome: Outcome
    lookups: tuple[LookUp, ...]
    tokens: int

    @property
    def found(self) -> list[str]:
        items = [item for each in self.lookups for item in each.items if item.ref.kind == MEMORY]
        return [self.outcome.names[item.ref.id] for item in items]

    @property
    def shown(self) -> set[str]:
        return {*self.outcome.entered, *self.found}

    @property
    def is_hit(self) -> bool:
        return not self.outcome.turn.wanted.isdisjoint(self.shown)


async def looked(
    life: Life, orca: Orca, names: dict[int, str], recorded: dict[tuple[str, str], list[str]]
) -> list[Looked]:
    told = []
    for turn in life.turns:
        request = RecallRequest(
            text=turn.text,
            session_id="now",
            first_round=False,
            visible_rounds=frozenset(),
            prompt_tokens=PROMPT_TOKENS,
            may_look=True,
        )
        outcome = Outcome(life.name, turn, await orca.recall.recall(request), names)
        answers = [await orca.recall.look_up(query, request, ROOM) for query in recorded[life.name, turn.text]]
        spent = sum(token_count.estimate(text) for _, text in answers)
        told.append(Looked(outcome, tuple(lookup for lookup, _ in answers), spent))
    return told


async def archive_older(life: Life, orca: Orca, names: dict[int, str]) -> None:
    numbers = {name: number for number, name in names.items()}
    older = {numbers[turn.older] for turn in life.turns if turn.older}
    if older:
        await orca.memories.archive(sorted(older))


async def measure(
    lives: Sequence[Life], recorded: dict[tuple[str, str], list[str]], embedding: str, *, resolved: bool
) -> list[Looked]:
    told = []
    with tempfile.TemporaryDirectory() as home:
        for life in lives:
            orca, names = await orca_of(life, Path(home), embedding=embedding)
            if resolved:
                await archive_older(life, orca, names)
            told += await looked(life, orca, names, recorded)
            await orca.aclose()
    return told


def report(told: Sequence[Looked]) -> Iterable[str]:
    def turns(*kinds: str) -> list[Looked]:
        return [each for each in told if each.outcome.turn.kind in kinds]

    for name, kinds, goal in (
        ("pairs", ("pair",), ">= 90 %"),
        ("questions about oneself", ("question",), ">= 90 %"),
        ("changed facts, the newest", ("changed",), ">= 98 %"),
        ("open, compound, misspelt", ("open", "compound", "typo"), ""),
    ):
        asked = turns(*kinds)
        if asked:
            yield share(f"{name}: the right memory stood there", sum(each.is_hit for each in asked), len(asked), goal)
            yield share("  of it unasked", sum(each.outcome.is_hit for each in asked), len(asked))
            yield share("  turns that looked", sum(bool(each.lookups) for each in asked), len(asked))
    for link in sorted({each.outcome.turn.link for each in turns("pair") if each.outcome.turn.link}):
        linked = [each for each in turns("pair") if each.outcome.turn.link == link]
        yield share(f"  pairs linked by {link}", sum(each.is_hit for each in linked), len(linked))
    for kind in SHOULD_NOT:
        asked = turns(kind)
        yield share(f"{kind}: turns that looked", sum(bool(each.lookups) for each in asked), len(asked), "<= 4 %")
        yield share("  that got any unasked", sum(bool(each.outcome.relevant) for each in asked), len(asked), "<= 5 %")
    unasked = turns("pair", "changed", *SHOULD_NOT)
    slots = sum(len(each.outcome.relevant) for each in unasked)
    yield share("unasked: wrong among what is injected as relevant", sum(len(each.outcome.wrong) for each in unasked),
                slots, "<= 25 %")  # fmt: skip
    changed = turns("changed")
    stale = sum(each.outcome.turn.older in each.shown and not each.is_hit for each in changed)
    yield share("changed facts: only the older stood there", stale, len(changed))
    whole = max(len(told), 1)
    yield f"{'tokens a turn: the block':58} {sum(each.outcome.injection.tokens for each in told) / whole:6.1f}"
    yield f"{'  answers of the tool':58} {sum(each.tokens for each in told) / whole:6.1f}"
    yield f"{'  the tool itself, in each request':58} {TOOL_TOKENS:6}"


def shown(each: Looked, texts: dict[str, str]) -> Iterable[str]:
    yield f"{'hit ' if each.is_hit else 'MISS'} {each.outcome.store} {each.outcome.turn.text}"
    for name in sorted(each.outcome.turn.wanted):
        yield f"     wanted {texts[name]!r}"
    for lookup in each.lookups:
        yield f"     looked {lookup.query!r}"
        yield from (f"       {item.content!r}" for item in lookup.items)
    yield from (f"     unasked {item.reason}: {item.content!r}" for item in each.outcome.injection.injected)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("recorded", type=Path)
    parser.add_argument("--embedding", default="local")
    parser.add_argument("--resolved", action="store_true", help="archive the older value of what changed")
    parser.add_argument("--show", help="print each turn of a kind that missed, or got what is wrong")
    arguments = parser.parse_args()
    rows = map(json.loads, arguments.recorded.read_text(encoding="utf-8").splitlines())
    recorded = {(row["store"], row["turn"]): list(row["recall"]) for row in rows}
    lives = read_lives(arguments.folder)
    for life in lives:
        life.turns = [turn for turn in life.turns if (life.name, turn.text) in recorded]
    told = asyncio.run(measure(lives, recorded, arguments.embedding, resolved=arguments.resolved))
    texts = {str(row["id"]): str(row["text"]) for life in lives for row in life.memories}
    for each in told:
        if each.outcome in of_kind([each.outcome], arguments.show) and (not each.is_hit or each.outcome.wrong):
            print("\n".join(shown(each, texts)))
    print("\n".join(report(told)))


if __name__ == "__main__":
    main()
