"""What an import puts into the database before it comes is seen by nobody, and goes where the import does not come."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from fakes.deleting import opened
from fakes.exchange import a_memory, document, exchange_of, pieces
from fakes.records import remember

from orca_core.domain.exchange import IMPORT, ImportProgress, ImportStage, ImportTerms
from orca_core.storage.sqlite.engine import owners
from orca_core.storage.sqlite.memories import ahead
from orca_core.wire.importing import ExportReader

GIVEN = document(*(a_memory(f"I use tool {number}") for number in range(30)))


class GivenUpError(Exception):
    pass


def rows_in(path: Path) -> tuple[int, int, int]:
    """How many changes, notes and operations there are."""
    connection = apsw.Connection(str(path))
    counts = [
        connection.execute(f"SELECT count(*) FROM {what}").get
        for what in ("memory_history", "meta WHERE key LIKE 'arriving %'", "operations")
    ]
    connection.close()
    return counts[0], counts[1], counts[2]


async def test_an_import_that_is_given_up_takes_its_history_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ahead, "SLICE", 7)
    seen: list[tuple[int, int, int]] = []

    def give_up(progress: ImportProgress) -> None:
        if progress.stage is ImportStage.COMING:
            seen.append(rows_in(tmp_path / "orca.db"))
            raise GivenUpError

    stores = await opened(tmp_path)
    await remember(stores, "I live in Oslo")
    with pytest.raises(GivenUpError):
        await exchange_of(stores).bring(ExportReader(pieces(GIVEN)), ImportTerms(), tell=give_up)

    assert seen == [(31, 1, 1)]
    assert rows_in(tmp_path / "orca.db") == (1, 0, 1)
    await stores.housekeeping.aclose()


async def test_an_import_is_the_operation_whose_number_was_reserved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ahead, "SLICE", 7)
    stores = await opened(tmp_path)
    await remember(stores, "I live in Oslo")
    brought = await exchange_of(stores).bring(ExportReader(pieces(GIVEN)), ImportTerms(), tell=lambda _progress: None)

    [newest] = await stores.history.operations(1)
    assert (newest.id, newest.header.action) == (brought.operation, IMPORT)
    assert len(await stores.history.changes_of([newest.id])) == 30
    assert rows_in(tmp_path / "orca.db") == (31, 0, 2)
    assert not apsw.Connection(str(tmp_path / "orca.db")).execute("PRAGMA foreign_key_check").fetchall()
    await stores.housekeeping.aclose()


@pytest.fixture
def another() -> Iterator[subprocess.Popen[bytes]]:
    """A process that does nothing, and ends when it is told to."""
    child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
    yield child
    child.communicate()


async def test_only_what_nobody_carries_on_is_taken_away(tmp_path: Path, another: subprocess.Popen[bytes]) -> None:
    stores = await opened(tmp_path)
    [memory] = await remember(stores, "I live in Oslo")
    living = f"{another.pid}:{owners._started(another.pid)}"
    connection = apsw.Connection(str(tmp_path / "orca.db"))
    for first, owner in ((100, living), (200, owners.this_process())):
        note = f'{{"last": {first + 9}, "owner": "{owner}"}}'
        connection.execute("INSERT INTO meta (key, value) VALUES (?, ?)", (f"arriving {first}", note))
        connection.execute(
            "INSERT INTO memory_history (operation, memory_id, after) VALUES (?, ?, '{}')", (first, 100 * memory)
        )
    await stores.housekeeping.idle()
    assert rows_in(tmp_path / "orca.db") == (3, 2, 1)

    another.kill()
    another.wait()
    await stores.housekeeping.idle()

    assert rows_in(tmp_path / "orca.db") == (2, 1, 1)
    connection.close()
    await stores.housekeeping.aclose()
