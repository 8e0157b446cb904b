"""A kind that the core has never heard of: an operation makes and changes its records, undo and redo take them back."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from fakes.records import AT, header, later
from msgspec import Struct

from orca_core.model.errors import NotFound
from orca_core.model.memories import MEMORIES
from orca_core.model.records import Changeable, Kind, RecordType, Ref
from orca_core.operations.operations import OpenOperation
from orca_core.operations.records import RecordTypes, record_of
from orca_core.rules.memory import undo_rules
from orca_core.settings import MemorySettings
from orca_core.store.ports import Rows
from orca_core.store.sqlite.store import open_database


class Note(Struct, frozen=True):
    id: int
    text: Changeable[str]
    done: Changeable[bool]
    created_at: datetime


NOTE = Kind("note", "n")
NOTES = RecordType(NOTE, Note, "notes", text="text", unmade=None)
TYPES = RecordTypes((MEMORIES, NOTES))


async def test_a_record_of_any_kind_is_made_changed_taken_back_and_done_again(tmp_path: Path) -> None:
    database = await open_database(tmp_path / "orca.db", must_exist=False, kinds=(MEMORIES, NOTES))
    stores, others = database.scope("me"), database.scope("work")
    transactions = stores.dialogues._transactions  # type: ignore[attr-defined]

    def make(rows: Rows) -> Note:
        note: Note = OpenOperation(rows, TYPES, MemorySettings(), header()).create(
            NOTES, Note(0, "a giraffe", False, AT)
        )
        return note

    note = await transactions.write(make)
    ref = Ref(NOTE, note.id)

    def change(rows: Rows) -> Note:
        operation = OpenOperation(rows, TYPES, MemorySettings(), header("edit", later()))
        operation.change(ref, {"done": True})
        changed: Note = operation.change(ref, {"text": "a zebra"})
        return changed

    def note_of(rows: Rows) -> Note:
        return record_of(rows, NOTES, note.id)

    assert await transactions.write(change) == Note(note.id, "a zebra", True, AT)
    [edit, _made] = await stores.history.operations(9)
    [changed] = await stores.history.changes_of([edit.id])
    assert (changed.ref, changed.before) == (ref, {"text": "a giraffe", "done": False})
    undone = await stores.history.undo(None, later(2), undo_rules.plan)
    assert (undone.undid.id, undone.memories, undone.conflicts) == (edit.id, (), ())
    assert await transactions.read(note_of) == note
    await stores.history.redo(None, later(3), undo_rules.plan)
    assert await transactions.read(note_of) == Note(note.id, "a zebra", True, AT)
    with pytest.raises(NotFound):
        await others.dialogues._transactions.write(change)  # type: ignore[attr-defined]
    for each in (stores, others):
        await each.housekeeping.aclose()
    await database.aclose()
