"""How long another Orca's saves take while this one does something large.

    python benchmarks/beside.py [--memories 20000] [--rounds 2000]

Each operation is a command of its own; `neighbour.py` saves rounds meanwhile. No save may be lost, and none is to take
longer than 50 ms. Below each stands how long its own transactions held the lock (`holding.py`): what another process
on the core, or the disk, adds is in the time by the clock, and not in that of the processor.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from pathlib import Path

from deletion import fill_chat
from export_import import pieces, run

from orca_core.store.sqlite.store import open_stores

from fakes.records import remember  # isort: skip  # `stores` says where fakes are

CHAT = "long"


async def with_a_long_chat(home: Path, rounds: int) -> None:
    stores = await open_stores(home / "orca.db", scope="me", must_exist=True)
    texts = {
        each: f"fact {number}" for number, each in enumerate(await remember(stores, *map("fact {}".format, range(10))))
    }
    await fill_chat(stores, rounds, list(texts), texts)
    await stores.upkeep.idle()
    await stores.upkeep.aclose()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=2_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home, document = Path(folder) / "home", Path(folder) / "a.json"
        with document.open("w", encoding="utf-8") as file:
            file.writelines(pieces(arguments.memories))
        run(home, "memory", "list")
        run(home, "memory", "import", "--json", stdin=document)
        run(home, "memory", "undo", "--json")
        run(home, "memory", "redo", "--json")
        run(home, "memory", "clean", "--json")
        run(home, "memory", "reindex", "--json")
        asyncio.run(with_a_long_chat(home, arguments.rounds))
        run(home, "session", "delete", CHAT, "--yes", "--json")
        run(home, "backup", "--json")


if __name__ == "__main__":
    main()
