"""What receipts show is kept once, counted, and gone with what it belongs to."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest
from fakes.deleting import count, opened, say
from fakes.records import begin, header, record, remember

from orca_core.model.recall import (
    Injection,
    Item,
    Level,
    LookUp,
    Receipt,
    References,
    ScoreParts,
)
from orca_core.model.record_types import Cause, memory_ref
from orca_core.rules.retrieval import prompt_assembly

HOSTILE = [
    "a `tick` and ```a fence```",
    'a "quote", a \\ and a \\"',
    "two\nlines\r\nand a tab\t.",
    '"}]\n```\n[{"id": "m1", "text": "x"}',
    "\\u0060 \\ud83d [deleted]",
    "字" * 2000,
    "a\u2028b\u0085c\x00d",
    "🐋 \U0001f468\u200d\U0001f469",
]


def held(path: Path) -> list[tuple[object, ...]]:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    return connection.execute("SELECT content, held_by FROM receipt_texts ORDER BY id").fetchall()


async def test_a_text_stands_once_however_many_receipts_show_it(tmp_path: Path) -> None:
    stores = await opened(tmp_path)
    await remember(stores, "giraffe", "zebra")
    for _ in range(3):
        await say(stores, "s", "a question", ("1", "giraffe"), ("2", "zebra"))
    await say(stores, "other", "a question", ("1", "giraffe"))
    assert held(tmp_path / "orca.db") == [("giraffe", 4), ("zebra", 3)]

    await stores.sessions.delete("s", header("delete"))
    assert held(tmp_path / "orca.db") == [("giraffe", 1)]
    await stores.sessions.delete("other", header("delete"))
    assert held(tmp_path / "orca.db") == []


async def test_deleting_a_memory_takes_its_texts_and_opens_no_receipt(tmp_path: Path) -> None:
    stores = await opened(tmp_path)
    [first, _] = await remember(stores, "giraffe", "zebra")
    for text in ("giraffe", "giraffe", "giraffe as it was"):
        await say(stores, "s", "a question", ("1", text), ("2", "zebra"))
    bodies = "SELECT group_concat(body) FROM turn_receipts"
    connection = apsw.Connection(str(tmp_path / "orca.db"))
    before = connection.execute(bodies).get

    await stores.memories.delete([first], header("delete"))

    assert held(tmp_path / "orca.db") == [("zebra", 3)]
    assert connection.execute(bodies).get == before
    assert count(tmp_path / "orca.db", "SELECT count(*) FROM texts_of_records") == 1
    connection.close()


@pytest.mark.parametrize("deleted", [None, 1, 4, 6])
def test_a_receipt_of_hostile_texts_is_read_as_it_was_sent(run, tmp_path: Path, deleted: int | None) -> None:
    items = tuple(
        Item(memory_ref(number), text, ScoreParts(0.25, 0.5, 0.05, 0.0125), "recall", "fact")
        for number, text in enumerate(HOSTILE, 1)
    )
    shown, left_out = items[:6], items[6:]
    injection = Injection(
        Level.FULL, ("recall",), shown, left_out, prompt_assembly.memory_block(shown, "a `header`"), 400, 900, 0.5
    )
    judged = References((memory_ref(1),), (memory_ref(2),), (memory_ref(3),))

    async def scenario() -> None:
        stores = await opened(tmp_path)
        await remember(stores, *(f"memory {number}" for number in range(len(items))))
        started = await begin(stores)
        sent = Receipt("s", 1, injection, judged, ())
        await stores.sessions.finish_round(record(started, receipt=sent))
        if deleted is None:
            assert await stores.sessions.receipt("s", 1) == sent
        else:
            await stores.memories.delete([deleted], header("delete"))
            seen = (await stores.sessions.receipt("s", 1)).injection
            wanted = tuple(
                Item(each.ref, "[deleted]" if each.ref.id == deleted else each.content, each.parts, "recall", "fact")
                for each in shown
            )
            assert seen.block == prompt_assembly.memory_block(wanted, "a `header`")
            assert [each.content for each in seen.considered] == [
                "" if each.ref.id == deleted else each.content for each in items
            ]
        await stores.upkeep.aclose()

    run(scenario())


@pytest.mark.parametrize("deleted", [None, 1, 3])
def test_what_was_looked_up_is_kept_and_goes_with_its_records(run, tmp_path: Path, deleted: int | None) -> None:
    injected, found, nothing = (
        Item(memory_ref(number), text, ScoreParts(0.25), reason, "fact")
        for number, text, reason in ((1, "giraffe", "near"), (2, "zebra", "looked_up"), (3, "okapi", "looked_up"))
    )
    looked = (
        LookUp("striped animals", (injected, found, nothing), 0.25),
        LookUp("the weather", (), 0.125, Cause("locked", template="the database is locked")),
    )
    block = prompt_assembly.memory_block([injected], "a header")
    injection = Injection(Level.FULL, ("short_term",), (injected,), (), block, 40, 90, 0.5, lookups=looked)
    used = References(used=(memory_ref(2),))

    async def scenario() -> None:
        stores = await opened(tmp_path)
        await remember(stores, "giraffe", "zebra", "okapi")
        started = await begin(stores)
        sent = Receipt("s", 1, injection, used)
        await stores.sessions.finish_round(record(started, receipt=sent))
        if deleted is None:
            assert await stores.sessions.receipt("s", 1) == sent
            assert sorted(held(tmp_path / "orca.db")) == [
                (text, 1) for text in ("giraffe", "okapi", "striped animals", "the weather", "zebra")
            ]
        else:
            await stores.memories.delete([deleted], header("delete"))
            first, second = (await stores.sessions.receipt("s", 1)).injection.lookups
            assert (first.query, second.query) == ("[deleted]", "[deleted]")
            assert [item.content for item in first.items] == [
                "" if item.ref.id == deleted else item.content for item in (injected, found, nothing)
            ]
            await stores.memories.delete([each for each in (1, 2, 3) if each != deleted], header("delete"))
            assert held(tmp_path / "orca.db") == []
        await stores.upkeep.aclose()

    run(scenario())
