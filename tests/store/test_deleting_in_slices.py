"""Deleting holds the write lock in short pieces, and what a crash leaves over is wiped by the next start."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.asking import asked
from fakes.deleting import NOTHING_KEPT, count, database_of, opened, say
from fakes.records import header, later, remember, said_with

from orca_core.model.errors import NotFound
from orca_core.model.memories import Use
from orca_core.model.records import memory_ref
from orca_core.store.sqlite.memories import deletion, gone, texts, wiping


def test_a_chat_is_out_of_sight_before_it_is_wiped_and_the_next_start_goes_on(run, tmp_path: Path) -> None:
    async def first_life() -> None:
        stores = await opened(tmp_path)
        for number in range(40):
            await say(stores, "s", f"giraffe {number}", ("s1", "summary of giraffe 0"), short_term_max_items=50)
        await say(stores, "other", "zebra", ("s1", "summary of giraffe 0"))
        await database_of(stores).write(lambda connection: deletion.hide_session(connection, "me", "s"))
        assert await database_of(stores).write(wiping.wipe_slice)
        await stores.housekeeping.aclose()  # the process dies in the middle

    async def second_life() -> None:
        stores = await opened(tmp_path)
        assert 0 < count(tmp_path / "orca.db", "SELECT count(*) FROM rounds WHERE session_id = 's'") < 40
        assert [each.id for each in await stores.dialogues.sessions()] == ["other"]
        assert await stores.dialogues.rounds("s") == []
        assert await said_with(stores, "giraffe") == []
        assert await stores.sessions.questions(50) == [(await stores.dialogues.rounds("other"))[0].spans]
        assert [each.session_id for each in await stores.search.short_term("s", later(), 30, 50)] == ["other"]
        assert (await stores.learning.queue()).waiting == {"other": 1}
        assert "giraffe" not in (await stores.receipts.receipt("other", 1)).injection.block
        with pytest.raises(NotFound):
            await stores.receipts.receipt("s", 1)
        with pytest.raises(NotFound):
            await stores.sessions.delete("s", header("delete"))

        assert await stores.housekeeping.idle()
        await stores.housekeeping.aclose()

    run(first_life())
    run(second_life())
    assert b"giraffe" not in b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    for table in ("rounds", "sessions", "short_term_memories", "short_term_sources", "turn_receipts"):
        assert count(tmp_path / "orca.db", f"SELECT count(*) FROM {table}") == 1, table


def test_memories_are_out_of_sight_before_they_are_wiped_and_the_next_start_goes_on(run, tmp_path: Path) -> None:
    async def first_life() -> None:
        stores = await opened(tmp_path)
        ids = await remember(stores, "giraffe one", "giraffe two", "zebra")
        await stores.vectors.put(
            "m", [(memory_ref(ids[0]), "giraffe one", [1.0, 0.0]), (memory_ref(ids[2]), "zebra", [0.0, 1.0])]
        )
        await asked(stores).by_vector("m", [1.0, 0.0], 3)
        for number in range(40):
            shown = (str(ids[0]), "giraffe one"), (str(ids[2]), "zebra")
            await say(stores, "s", f"question {number}", *shown, uses={ids[0]: Use.USED})
        await database_of(stores).write(
            lambda connection: deletion.hide_memories(connection, "me", ids[:2], with_messages=False, kept=NOTHING_KEPT)
        )
        await stores.housekeeping.aclose()

    async def second_life() -> None:
        stores = await opened(tmp_path)
        assert count(tmp_path / "orca.db", f"SELECT count(*) FROM long_term_memories WHERE {gone.IS_GONE}") == 2
        with pytest.raises(NotFound):
            await stores.memories.get([1])
        assert [hit.ref.id for hit in await asked(stores).by_vector("m", [1.0, 0.0], 3)] == [3]
        assert await asked(stores).by_tokens(["giraff"], 5) == []
        for number in (1, 40):
            shown = (await stores.receipts.receipt("s", number)).injection
            assert [item.content for item in shown.injected] == ["", "zebra"]
            assert "giraffe" not in shown.block
        assert await remember(stores, "giraffe one") == [4]
        assert await stores.housekeeping.idle()
        await stores.memories.delete([4], header("delete"))
        await stores.housekeeping.aclose()

    run(first_life())
    run(second_life())
    assert b"giraffe" not in b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert count(tmp_path / "orca.db", "SELECT count(*) FROM long_term_memories") == 1
    assert count(tmp_path / "orca.db", "SELECT count(*) FROM memory_usage_log") == 0


async def test_no_transaction_of_a_delete_grows_with_what_is_deleted(tmp_path: Path) -> None:
    """Counted in pieces, not in seconds: a slice wipes so many and no more."""

    stores = await opened(tmp_path)
    slices: list[int] = []
    for rounds in (10, 60):
        for number in range(rounds):
            await say(stores, "s", f"giraffe {number}")
        database = database_of(stores)
        await database.write(lambda connection: deletion.hide_session(connection, "me", "s"))
        left = [rounds]
        while await database.write(wiping.wipe_slice):
            left.append(count(database.path, "SELECT count(*) FROM rounds"))
        assert all(before - after <= wiping.PIECES_A_SLICE for before, after in zip(left, left[1:], strict=False))
        slices.append(len(left))
    assert slices[0] < slices[1]


@pytest.mark.parametrize(
    "query",
    [
        "UPDATE long_term_memories SET superseded_by = NULL WHERE superseded_by = 5",
        "UPDATE long_term_memories SET would_replace = NULL WHERE would_replace = 5",
        "DELETE FROM undecided_pairs WHERE older = 5",
        "DELETE FROM memory_history WHERE memory_id = 5",
        "SELECT run FROM run_memories WHERE memory_id = 5 LIMIT 1",
        f"SELECT id FROM long_term_memories WHERE {gone.IS_GONE} LIMIT 1",
        f"SELECT id FROM rounds WHERE {gone.IS_GONE} ORDER BY scope, session_id, number, attempt LIMIT 1",
        f"SELECT rowid, scope, id FROM sessions WHERE {gone.IS_GONE} LIMIT 1",
        "SELECT 1 FROM rounds WHERE replaced_by = 5",
        "SELECT id FROM extraction_runs WHERE scope = 'x' AND session_id = 'y' LIMIT 1",
        "DELETE FROM embedding_cache WHERE key = x'00'",
        texts._KNOWN,
        texts._FORGET,
        texts._FORGET_OF_ROUNDS,
        deletion._RUNS_OF_ROUNDS,
        deletion._FIRST_QUESTION,
    ],
)
async def test_no_statement_of_a_delete_reads_a_whole_table(tmp_path: Path, query: str) -> None:
    stores = await opened(tmp_path)
    bindings = (1,) * (3 if "?3" in query else query.count("?"))
    plan = await database_of(stores).read(
        lambda connection: [str(row[3]) for row in connection.execute(f"EXPLAIN QUERY PLAN {query}", bindings)]
    )
    await stores.housekeeping.aclose()
    scanned = [step for step in plan if step.startswith("SCAN") and "VIRTUAL TABLE" not in step]
    assert scanned == [], plan
