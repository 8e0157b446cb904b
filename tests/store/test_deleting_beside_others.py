"""What was under way when something was deleted does not bring it back, and what stays beside it stays whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.deleting import count, database_of, opened, say, shows
from fakes.records import AT, EVOLVE, begin, chat, header, later, record, remember

from orca_core.model.learning import AgentMessage, Batch, DroppedFact, Due, RunEnd
from orca_core.model.memories import Origin, OriginKind
from orca_core.rules.learning import fact_extraction
from orca_core.store.protocols import Stores
from orca_core.store.sqlite.memories import deletion, gone


async def test_a_turn_that_ends_after_the_delete_does_not_bring_the_text_back(tmp_path: Path) -> None:
    stores = await opened(tmp_path)
    [memory_id] = await remember(stores, "a secret giraffe")
    await say(stores, "old", "about a tall animal")
    under_way = await begin(stores, "s", "a question")
    await stores.memories.delete([memory_id], header("delete"))
    await stores.sessions.delete("old", header("delete"))
    kept = shows("s", 1, (str(memory_id), "a secret giraffe"), ("s1", "summary of a tall animal"))
    await stores.dialogues.finish_round(record(under_way, receipt=kept), EVOLVE)

    shown = (await stores.receipts.receipt("s", 1)).injection
    assert [item.content for item in shown.injected] == ["", ""]
    assert "giraffe" not in shown.block
    assert "tall animal" not in shown.block


async def test_a_run_that_ends_after_the_delete_does_not_bring_the_words_back(tmp_path: Path) -> None:
    stores = await opened(tmp_path)
    for session_id in ("s", "t"):
        await chat(stores, session_id)
    due = Due(now=later(9), batch_size=1, idle_since=AT, ended=(), session_id=None, everything=True)
    batch = await stores.learning.claim(due, fact_extraction.how_many_fit)
    assert batch is not None
    assert batch.session_id == "s"
    await stores.sessions.delete("s", header("delete"))

    said = RunEnd(later(10), (AgentMessage("user", "a question about a giraffe", later(9)),))
    dropped = [DroppedFact("a giraffe", "too_short")]
    learnt = await stores.learning.finish_run(batch, [], dropped, lambda *_: pytest.fail("void"), said)

    assert learnt is None
    await stores.housekeeping.idle()
    await stores.housekeeping.aclose()
    assert b"giraffe" not in b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())


async def test_a_summary_that_made_way_leaves_other_chats_with_its_own(tmp_path: Path) -> None:
    stores = await opened(tmp_path)
    for number in range(4):
        await say(stores, "s", f"giraffe {number}", short_term_max_items=2)
    await say(stores, "other", "zebra", ("s1", "summary of giraffe 0"), ("s4", "summary of giraffe 3"))
    before = (await stores.receipts.receipt("other", 1)).injection.block
    assert "giraffe 0" in before  # expired, and still shown as it was sent

    await stores.sessions.delete("s", header("delete"))

    shown = (await stores.receipts.receipt("other", 1)).injection
    assert [item.content for item in shown.injected] == ["", ""]


async def test_a_delete_beside_the_end_of_another_one_is_not_forgotten(tmp_path: Path) -> None:
    stores = await opened(tmp_path)
    await say(stores, "s", "a giraffe")
    assert await stores.housekeeping.idle()
    database = database_of(stores)
    await database.write(lambda connection: deletion.hide_session(connection, "me", "s"))
    await database.write(gone.forget_note)  # as another process would, that had finished with its own

    assert await stores.housekeeping.idle()
    assert count(tmp_path / "orca.db", "SELECT count(*) FROM rounds") == 0


@pytest.mark.parametrize("is_late", [False, True])
async def test_a_fold_that_was_shown_the_summary_of_a_deleted_round_loses_its_words(
    tmp_path: Path, is_late: bool
) -> None:
    async def fold(stores: Stores, batch: Batch, summary: str) -> bool:
        shown = f"summary so far: {batch.summary}; rounds: {[each.user for each in batch.rounds]}"
        said = (AgentMessage("user", shown, later()), AgentMessage("assistant", summary, later()))
        return await stores.summaries.fold(batch, summary, RunEnd(later(), said))

    stores = await opened(tmp_path)
    for text in ("a giraffe", "a second question", "a third question"):
        await say(stores, "s", text)
    first = await stores.summaries.claim("s", 1, later())
    assert first is not None
    assert await fold(stores, first, "it was about a giraffe")
    second = await stores.summaries.claim("s", 2, later())
    assert second is not None
    assert is_late or await fold(stores, second, "a giraffe and more")

    [memory_id] = await remember(stores, "an animal", origin=Origin(OriginKind.EXTRACTION, "s", (1,)))
    await stores.memories.delete([memory_id], header("delete"), with_messages=True)
    assert not is_late or not await fold(stores, second, "a giraffe and more")
    await stores.housekeeping.idle()
    await stores.housekeeping.aclose()
    assert b"giraffe" not in b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
