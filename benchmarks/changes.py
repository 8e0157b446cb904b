"""Which pairs of memories are listed as two values of one thing, and does a stale one stand above the current one?

Each FOLDER holds working lives and turns (see `technical_sets.py`). Its turns about what changed name an older and a
newer memory: these pairs should be listed. All others are called false here, though a life also holds changes that no
turn asks for (`--show` prints them). `--sweep` draws the curve over where the first word in common must stand
(`rules/learning/likeness/openings.py`). A folder with a `corpus.jsonl` holds facts without known changes: its pairs are
counted.

    python benchmarks/changes.py FOLDER… [--embedding local] [--cues] [--sweep] [--show]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace
from recall_on_technical_turns import of_kind, outcomes_of, stands_above
from technical_sets import Life, engine_of, read_lives

from orca_core.domain.pairs import OTHER_VALUE
from orca_core.journal.records import JournalRules
from orca_core.journal_rules import JOURNAL_RULES
from orca_core.rules.learning.likeness import openings
from orca_core.rules.recalling.finding.floors import FLOORS

NEVER = -1
FIRST_DAY = date(2025, 1, 1)
SWEPT = (NEVER, 0, openings.LATEST_BEGINNING, 2, 3, 9)


class Counts(Struct):
    """What came out for one threshold."""

    changes: int = 0
    seen: int = 0
    false: int = 0
    either: int = 0
    stale: int = 0
    memories: int = 0


def rules_from(latest: int) -> JournalRules:
    if latest == NEVER:
        return replace(JOURNAL_RULES, may_take_the_place=lambda newer, older: False)
    return replace(
        JOURNAL_RULES,
        may_take_the_place=partial(openings.may_take_the_place, latest=latest),
        takes_the_place=partial(openings.takes_the_place, latest=latest),
    )


def lives_in(folder: Path, *, with_cues: bool) -> list[Life]:
    return read_lives(folder, with_cues=with_cues) if (folder / "memories.jsonl").exists() else _facts(folder)


def _facts(folder: Path) -> list[Life]:
    """One life for each store of a retrieval set, a memory a day: only their order counts."""
    lives: dict[str, Life] = {}
    for line in (folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        store = str(row["conversation"])
        session = row["session"] or f"alone-{row['id']}"
        day = FIRST_DAY + timedelta(days=len(lives.get(store, Life(store)).memories))
        memory = {"id": row["id"], "text": row["text"], "type": "fact", "date": day.isoformat(), "session": session}
        lives.setdefault(store, Life(store)).memories.append(memory)
    return list(lives.values())


async def measure(life: Life, latest: int, counts: Counts, arguments: argparse.Namespace) -> Iterable[str]:
    """Add what comes out to the counts. Yields the pairs that are called false."""
    with tempfile.TemporaryDirectory() as home:
        engine, names = await engine_of(life, Path(home), embedding=arguments.embedding, rules=rules_from(latest))
        pairs = [pair for pair in await engine.inbox.undecided() if pair.why == OTHER_VALUE]
        changed = [turn for turn in life.turns if turn.kind == "changed"]
        outcomes = await outcomes_of(replace(life, turns=changed), engine, names, FLOORS)
        await engine.aclose()
    listed = {
        (names[pair.newer.memory.id], names[pair.older.memory.id]): (
            pair.older.memory.content,
            pair.newer.memory.content,
        )
        for pair in pairs
    }
    wanted = {(newer, turn.older) for turn in changed for newer in turn.wanted}
    counts.memories += len(life.memories)
    counts.changes += len(wanted)
    counts.seen += len(wanted & listed.keys())
    counts.false += len(listed.keys() - wanted)
    for each in of_kind(outcomes, "changed"):
        counts.either += each.is_hit or each.turn.older in each.entered
        counts.stale += any(stands_above(each.turn.older, newer, each.entered) for newer in each.turn.wanted)
    return [f"{life.name}: {older}\n    {newer}" for pair, (older, newer) in listed.items() if pair not in wanted]


async def report(folders: Sequence[Path], arguments: argparse.Namespace) -> None:
    print(f"{'folder':32} {'latest':>6} {'changes seen':>14} {'false a life':>14} {'stale above current':>20}")
    for folder in folders:
        lives = lives_in(folder, with_cues=arguments.cues)
        for latest in SWEPT if arguments.sweep else (openings.LATEST_BEGINNING,):
            counts, false = Counts(), list[str]()
            for life in lives:
                false += await measure(life, latest, counts, arguments)
            print(
                f"{folder.name:32} {latest:6} {counts.seen:6} of {counts.changes:4}"
                f" {counts.false:4} in {len(lives):3} {counts.stale:12} of {counts.either:4}"
                f"   ({counts.memories} memories)"
            )
            if arguments.show:
                print("\n".join(false))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument(
        "--embedding", default="local", help="local, meaning, or PROVIDER/MODEL@DIMENSIONS as configured"
    )
    parser.add_argument("--cues", action="store_true", help="store the cues that memories carry")
    parser.add_argument("--sweep", action="store_true", help="draw the curve")
    parser.add_argument("--show", action="store_true", help="print the pairs that no turn asks for")
    arguments = parser.parse_args()
    asyncio.run(report(arguments.folders, arguments))


if __name__ == "__main__":
    main()
