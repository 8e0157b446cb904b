"""While memories are compared with others, which takes long, nobody waits to write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw
import pytest
from fakes.exchange import a_memory, document, only_brought
from fakes.records import later

from orca_core.model.memories import Memory
from orca_core.rules.learning import similarity
from orca_core.rules.memory import undo_rules
from orca_core.store.protocols import Stores
from orca_core.store.sqlite.store import open_stores

TOLD = document(a_memory("The rent is 900 euros"), a_memory("The rent is 950 euros"))


class Comparing:
    """Compares as the rule does, and tries to write meanwhile."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._path = path
        self._why_a_pair = similarity.why_a_pair
        monkeypatch.setattr(similarity, "why_a_pair", self.why_a_pair)
        self.could_write: list[bool] = []

    def why_a_pair(self, newer: Memory, older: Memory) -> str:
        connection = apsw.Connection(str(self._path))
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
            self.could_write.append(True)
        except apsw.BusyError:
            self.could_write.append(False)
        finally:
            connection.close()
        return self._why_a_pair(newer, older)

    async def opened(self) -> Stores:
        return await open_stores(self._path, scope="me", must_exist=False)


async def pairs(stores: Stores) -> set[str]:
    return {each.newer.content + each.older.content for each in await stores.memories.undecided()}


async def test_an_import_is_compared_beside_writers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    comparing = Comparing(tmp_path / "orca.db", monkeypatch)
    stores = await comparing.opened()
    await only_brought(stores, TOLD)
    while await stores.exchange.compare(later()):
        continue
    assert len(await pairs(stores)) == 1
    await stores.housekeeping.aclose()
    assert len(comparing.could_write) > 1
    assert all(comparing.could_write)


async def test_what_was_changed_after_it_was_compared_is_not_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    comparing: Any = Comparing(tmp_path / "orca.db", monkeypatch)
    stores = await comparing.opened()
    await only_brought(stores, TOLD)
    writer = await comparing.opened()
    write = stores.exchange._transactions.write  # type: ignore[attr-defined]

    async def after_another(work: Any) -> Any:
        await writer.history.undo(None, later(), undo_rules.plan)
        stores.exchange._transactions.write = write  # type: ignore[attr-defined]
        return await write(work)

    stores.exchange._transactions.write = after_another  # type: ignore[attr-defined]
    await stores.exchange.compare(later())
    assert await pairs(stores) == set()
