"""How large a database becomes by what its receipts keep: so many rounds, at so many memories.

    python benchmarks/receipt_size.py [--memories 2000] [--rounds 2000]

The sizes are of tables with their indexes, as SQLite's dbstat counts them; the file is measured after its journal is
folded in.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from pathlib import Path

import apsw
from stores import ScriptedModel, orca_with, says, sentence

from orca_core.model.llm import Span
from orca_core.model.sessions import SessionById, TurnRequest

ROUNDS_A_SESSION = 20
OF_RECEIPTS = ("turn_receipts", "receipt_texts", "texts_of_records", "receipt_heads", "receipt_refs")


async def fill(home: Path, memories: int, rounds: int) -> float:
    """Seconds that the rounds took."""
    model = ScriptedModel(says("Use port 5433 of the postgres container, and look at its log first. " * 4))
    orca = await orca_with(home, memories, model=model)
    chance = random.Random(7)
    started = time.perf_counter()
    for number in range(rounds):
        question = f"docker 报错: {sentence(number, chance)}?"
        session = SessionById(f"s{number // ROUNDS_A_SESSION}", may_be_new=True)
        async for _ in orca.chat.turn(TurnRequest((Span(question),), session)):
            pass
    seconds = time.perf_counter() - started
    await orca.aclose()
    return seconds


def sizes(path: Path) -> dict[str, int]:
    """Bytes of each table that receipts need, indexes with it."""
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    rows = connection.execute(
        "SELECT s.tbl_name, sum(d.pgsize) FROM dbstat d JOIN sqlite_schema s ON s.name = d.name GROUP BY s.tbl_name"
    )
    return {str(name): int(str(size)) for name, size in rows if name in OF_RECEIPTS}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=2_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        seconds = asyncio.run(fill(home, options.memories, options.rounds))
        by_table = sizes(home / "orca.db")
        print(f"{options.memories:,} memories, {options.rounds:,} rounds in {seconds:.0f} s")
        print(f"the file           {(home / 'orca.db').stat().st_size / 1e6:8.2f} MB")
        print(f"what receipts keep {sum(by_table.values()) / 1e6:8.2f} MB")
        for name, size in sorted(by_table.items()):
            print(f"  {name:<17}{size / 1e6:8.2f} MB")


if __name__ == "__main__":
    main()
