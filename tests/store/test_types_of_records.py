"""What a record type says of its records beside their fields, and what follows from it in a store."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from fakes.notes import NOTE, Note
from fakes.records import AT, header
from msgspec import Struct

from orca_core.model.errors import InvalidInput, StoreRefused
from orca_core.model.record_types import Changeable, RecordType
from orca_core.operations.stores import Stores
from orca_core.store.sqlite.index.index_tables import tables_of
from orca_core.store.sqlite.store import open_stores


def test_two_records_may_say_the_same_unless_their_kind_forbids_it(run, tmp_path: Path) -> None:
    async def scenario(*, is_unique: bool) -> Note:
        notes = RecordType(NOTE, Note, "notes", text="text", unmade=None, is_text_unique=is_unique)
        stores = await open_stores(tmp_path / f"{is_unique}.db", scope="me", must_exist=False, kinds=(notes,))
        try:
            await stores.records[NOTE].add(Note(0, "a giraffe"), header())
            other = await stores.records[NOTE].add(Note(0, "a zebra"), header())
            changed: Note = await stores.records[NOTE].change(other.id, {"text": "a giraffe"}, header("edit"))
            return changed
        finally:
            await stores.upkeep.aclose()

    assert run(scenario(is_unique=False)).text == "a giraffe"
    with pytest.raises(InvalidInput, match="note 1 says just that already"):
        run(scenario(is_unique=True))


class ShortNote(Struct, frozen=True):
    id: int
    text: Changeable[str]
    created_at: datetime = AT


class DemandingNote(Struct, frozen=True):
    id: int
    text: Changeable[str]
    place: Changeable[str]
    created_at: datetime = AT


def note_type(record: type[Any]) -> RecordType[Any]:
    return RecordType(NOTE, record, "notes", text="text", unmade=None)


async def test_a_field_that_a_kind_has_gained_is_added_to_its_table(tmp_path: Path) -> None:
    async def opened(record: type[Any]) -> Stores:
        kinds = (note_type(record),)
        return await open_stores(tmp_path / "o.db", scope="me", must_exist=False, kinds=kinds)

    stores = await opened(ShortNote)
    await stores.records[NOTE].add(ShortNote(0, "a giraffe"), header())
    await stores.upkeep.aclose()

    with pytest.raises(StoreRefused, match="the table notes has no column place, and the new field has no default"):
        await opened(DemandingNote)

    for _ in range(2):  # what was added is not added again
        stores = await opened(Note)
        assert await stores.records[NOTE].get([1]) == [Note(1, "a giraffe")]
        await stores.upkeep.aclose()
    stores = await opened(Note)
    starred = await stores.records[NOTE].change(1, {"stars": 3, "tags": ["it's"]}, header("edit"))
    await stores.history.undo(None, AT)
    assert (starred.stars, await stores.records[NOTE].get([1])) == (3, [Note(1, "a giraffe")])


LIVE = ("state", ("live",))


@pytest.mark.parametrize(
    ("live", "embedded", "waiting"),
    [
        (None, None, "0"),
        (None, LIVE, "0"),
        (LIVE, ("state", ("live", "candidate", "held")), "m.state IN ('candidate', 'held')"),
        (LIVE, None, "1 AND NOT m.state IN ('live')"),
        (LIVE, ("kept", ("yes",)), "m.kept IN ('yes') AND NOT m.state IN ('live')"),
    ],
)
def test_what_waits_has_a_vector_and_does_not_live(live: Any, embedded: Any, waiting: str) -> None:
    notes = RecordType(NOTE, Note, "notes", text="text", unmade=None, live=live, embedded=embedded)

    assert tables_of(notes).waiting == waiting
