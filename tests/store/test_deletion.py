"""What is deleted is out of sight at once, wiped in slices, and not brought back by what was under way."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest
from fakes.asking import asked
from fakes.deleting import count, database_of, opened, say, shows
from fakes.records import AT, begin, chat, header, later, receipt, record, remember, said_with
from fakes.rows import rows_on
from fakes.teaching import an_episode

from orca_core.model.errors import NotFound
from orca_core.model.learning import AgentMessage, Batch, DroppedFact, Due, RunEnd
from orca_core.model.memories import Origin, OriginKind, Use
from orca_core.model.record_types import EPISODE, memory_ref
from orca_core.operations import deletion
from orca_core.operations.stores import Stores
from orca_core.rules.learning import transcripts
from orca_core.rules.memory import memory_curation
from orca_core.store.sqlite import deleted_rows, wiping
from orca_core.store.sqlite.index import vector_format
from orca_core.store.sqlite.store import open_stores


def test_a_chat_is_out_of_sight_before_it_is_wiped_and_the_next_start_goes_on(run, tmp_path: Path) -> None:
    async def first_life() -> None:
        stores = await opened(tmp_path)
        for number in range(40):
            await say(stores, "s", f"giraffe {number}", ("s1", "summary of giraffe 0"), short_term_max_items=50)
        await say(stores, "other", "zebra", ("s1", "summary of giraffe 0"))
        await database_of(stores).write(lambda connection: deletion.hide_session(rows_on(connection), "s"))
        assert await database_of(stores).write(wiping.wipe_slice)
        await stores.upkeep.aclose()  # the process dies in the middle

    async def second_life() -> None:
        stores = await opened(tmp_path)
        assert 0 < count(tmp_path / "orca.db", "SELECT count(*) FROM rounds WHERE session_id = 's'") < 40
        assert [each.id for each in await stores.sessions.sessions()] == ["other"]
        assert await stores.sessions.rounds("s") == []
        assert await said_with(stores, "giraffe") == []
        assert await stores.sessions.questions(50) == [(await stores.sessions.rounds("other"))[0].spans]
        assert [each.session_id for each in await stores.search.short_term("s", later(), 30, 50)] == ["other"]
        assert (await stores.learning.queue()).waiting == {"other": 1}
        assert "giraffe" not in (await stores.sessions.receipt("other", 1)).injection.block
        with pytest.raises(NotFound):
            await stores.sessions.receipt("s", 1)
        with pytest.raises(NotFound):
            await stores.sessions.delete("s", header("delete"))

        assert await stores.upkeep.idle()
        await stores.upkeep.aclose()

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
            lambda connection: deletion.hide_memories(rows_on(connection), ids[:2], AT, with_messages=False)
        )
        await stores.upkeep.aclose()

    async def second_life() -> None:
        stores = await opened(tmp_path)
        assert count(tmp_path / "orca.db", f"SELECT count(*) FROM long_term_memories WHERE {deleted_rows.IS_GONE}") == 2
        with pytest.raises(NotFound):
            await stores.memories.get([1])
        assert [hit.ref.id for hit in await asked(stores).by_vector("m", [1.0, 0.0], 3)] == [3]
        assert await asked(stores).by_tokens(["giraff"], 5) == []
        for number in (1, 40):
            shown = (await stores.sessions.receipt("s", number)).injection
            assert [item.content for item in shown.injected] == ["", "zebra"]
            assert "giraffe" not in shown.block
        assert await remember(stores, "giraffe one") == [4]
        assert await stores.upkeep.idle()
        await stores.memories.delete([4], header("delete"))
        await stores.upkeep.aclose()

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
        await database.write(lambda connection: deletion.hide_session(rows_on(connection), "s"))
        left = [rounds]
        while await database.write(wiping.wipe_slice):
            left.append(count(database.path, "SELECT count(*) FROM rounds"))
        assert all(before - after <= wiping.PIECES_A_SLICE for before, after in zip(left, left[1:], strict=False))
        slices.append(len(left))
    assert slices[0] < slices[1]


async def test_a_turn_that_ends_after_the_delete_does_not_bring_the_text_back(tmp_path: Path) -> None:
    stores = await opened(tmp_path)
    [memory_id] = await remember(stores, "a secret giraffe")
    await say(stores, "old", "about a tall animal")
    under_way = await begin(stores, "s", "a question")
    await stores.memories.delete([memory_id], header("delete"))
    await stores.sessions.delete("old", header("delete"))
    kept = shows("s", 1, (str(memory_id), "a secret giraffe"), ("s1", "summary of a tall animal"))
    await stores.sessions.finish_round(record(under_way, receipt=kept))

    shown = (await stores.sessions.receipt("s", 1)).injection
    assert [item.content for item in shown.injected] == ["", ""]
    assert "giraffe" not in shown.block
    assert "tall animal" not in shown.block


async def test_a_run_that_ends_after_the_delete_does_not_bring_the_words_back(tmp_path: Path) -> None:
    stores = await opened(tmp_path)
    for session_id in ("s", "t"):
        await chat(stores, session_id)
    due = Due(now=later(9), batch_size=1, idle_since=AT, ended=(), session_id=None, everything=True)
    batch = await stores.learning.claim(due, transcripts.how_many_fit)
    assert batch is not None
    assert batch.session_id == "s"
    await stores.sessions.delete("s", header("delete"))

    said = RunEnd(later(10), (AgentMessage("user", "a question about a giraffe", later(9)),))
    dropped = [DroppedFact("a giraffe", "too_short")]
    learnt = await stores.learning.finish_run(batch, [], dropped, lambda *_: pytest.fail("void"), said)

    assert learnt is None
    await stores.upkeep.idle()
    await stores.upkeep.aclose()
    assert b"giraffe" not in b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())


@pytest.mark.parametrize("is_late", [False, True])
async def test_a_fold_that_was_shown_the_summary_of_a_deleted_round_loses_its_words(
    tmp_path: Path, is_late: bool
) -> None:
    async def fold(stores: Stores, batch: Batch, summary: str) -> bool:
        shown = f"summary so far: {batch.summary}; rounds: {[each.user for each in batch.rounds]}"
        said = (AgentMessage("user", shown, later()), AgentMessage("assistant", summary, later()))
        return await stores.learning.fold(batch, summary, RunEnd(later(), said))

    stores = await opened(tmp_path)
    for text in ("a giraffe", "a second question", "a third question"):
        await say(stores, "s", text)
    first = await stores.learning.claim_fold("s", 1, later())
    assert first is not None
    assert await fold(stores, first, "it was about a giraffe")
    second = await stores.learning.claim_fold("s", 2, later())
    assert second is not None
    assert is_late or await fold(stores, second, "a giraffe and more")

    [memory_id] = await remember(stores, "an animal", origin=Origin(OriginKind.EXTRACTION, "s", (1,)))
    await stores.memories.delete([memory_id], header("delete"), with_messages=True)
    assert not is_late or not await fold(stores, second, "a giraffe and more")
    await stores.upkeep.idle()
    await stores.upkeep.aclose()
    assert b"giraffe" not in b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())


def places(folder: Path, needle: bytes) -> int:
    return sum(each.read_bytes().count(needle) for each in folder.iterdir() if each.is_file())


@pytest.mark.parametrize("secret", ["我的银行密码是长颈鹿四十二", "my passphrase is giraffe-quartz-forty-two"])
async def test_no_byte_of_a_deleted_memory_is_left(tmp_path: Path, secret: str) -> None:
    stores = await open_stores(tmp_path / "orca.db", scope="me", must_exist=False)
    vector = vector_format.unit([float(number % 7) - 2.9 for number in range(64)])
    await remember(stores, *(f"other memory {number}" for number in range(40)))
    [memory_id] = await remember(stores, secret)
    await stores.memories.change_all(
        [memory_id], header("edit"), memory_curation.each(lambda memory: {"content": secret + " indeed"})
    )
    await stores.memories.change_all(
        [memory_id], header("edit"), memory_curation.each(lambda memory: {"content": secret})
    )
    await stores.vectors.put("m", [(memory_ref(memory_id), secret, vector)])
    assert await stores.vectors.refresh_index("m")
    await stores.vectors.cache("m", {secret: vector})
    started = await begin(stores)
    kept = receipt(content=secret, block=f'[{{"text": "{secret}"}}]', ref=str(memory_id))
    await stores.sessions.finish_round(record(started, receipt=kept))
    forms = (
        secret.encode(),
        vector_format.to_blob(vector),
        vector_format.to_exact(vector),
        vector_format.sign_code(vector),
    )
    assert all(places(tmp_path, form) > 0 for form in forms)

    deletion = await stores.memories.delete([memory_id], header("delete"))

    assert deletion.finished
    assert [places(tmp_path, form) for form in forms] == [0, 0, 0, 0]
    assert places(tmp_path, b"giraff") == 0


async def test_a_reader_in_the_way_is_said_and_finished_later(tmp_path: Path) -> None:

    path = tmp_path / "orca.db"
    stores = await open_stores(path, scope="me", must_exist=False)
    await stores.upkeep._scope._database.raw(lambda c: c.set_busy_timeout(50))
    [memory_id] = await remember(stores, "a secret giraffe")
    reader = apsw.Connection(str(path))
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM long_term_memories").fetchall()

    deletion = await stores.memories.delete([memory_id], header("delete"))
    assert not deletion.finished
    reader.execute("ROLLBACK")
    reader.close()

    assert await stores.upkeep.idle()
    assert places(tmp_path, b"secret giraffe") == 0


async def test_it_can_not_be_read(tmp_path: Path) -> None:
    stores = await opened(tmp_path)
    await say(stores, "the quokka chat", "do you like quokkas?")
    [memory_id] = await remember(stores, "User likes quokkas")
    episode = await stores.records[EPISODE].add(an_episode("the quokka ran away"), header("add"))
    await stores.memories.delete([memory_id], header("delete"))
    await stores.records[EPISODE].delete([episode.id], header("delete"))
    await stores.sessions.delete("the quokka chat", header("delete"))
    await stores.upkeep.aclose()

    # a memory and an episode: what each says, its words in one order, in its own and sorted, and each by itself; a
    # session as a whole
    assert count(tmp_path / "orca.db", "SELECT count(*) FROM tombstones") == 9
    assert b"quokka" not in b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file()).lower()
