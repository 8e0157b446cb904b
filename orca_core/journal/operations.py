"""The one way to make or change a record: row, index and history in step, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import uuid4

from orca_core.domain.deleting import DELETED
from orca_core.domain.errors import InvalidInput
from orca_core.domain.journal import Actor, OperationHeader
from orca_core.domain.memories import MEMORIES, Added, Addition, Fields, Memory, NewMemory, SaidAgain, State
from orca_core.domain.records import RecordType
from orca_core.domain.refs import Ref, memory_ref
from orca_core.domain.stores.rows import Rows, is_, is_not
from orca_core.domain.times import timestamp
from orca_core.domain.work.knowledge import Knowledge
from orca_core.journal.noting import Noted
from orca_core.journal.records import JournalRules, RecordTypes, living_end, memories_there, record_of
from orca_core.journal.said import said_at
from orca_core.journal.sources import Sources, is_made_otherwise
from orca_core.journal.tombstones import Tombstones

_UPDATED_AT = "updated_at"
_SAYS = "says"


class OpenOperation:
    """An operation while it is carried out. Its row is inserted with its first change: without a change it leaves no
    trace. One that `continues` an operation is its next slice."""

    def __init__(
        self,
        rows: Rows,
        types: RecordTypes,
        rules: JournalRules,
        header: OperationHeader,
        *,
        round_id: int | None = None,
        undoes: int | None = None,
        continues: int | None = None,
    ) -> None:
        self.number = continues
        self._rows = rows
        self._types = types
        self._rules = rules
        self._header = header
        self._round_id = round_id
        self._undoes = undoes
        self._memories: dict[int, tuple[Memory | None, Memory]] = {}
        self._noted = Noted(rows, goes_on=continues is not None)
        self._sources = Sources(rows)
        self._tombstones = Tombstones(rows, rules.deleting)

    @property
    def at(self) -> datetime:
        return self._header.at

    def insert_row(self) -> int:
        """Insert its row, once, and return its number. Called directly where the operation changes no record."""
        if self.number is None:
            header = self._header
            values = {
                "actor": header.actor.value,
                "action": header.action,
                "at": timestamp(header.at),
                "session_id": header.session_id,
                "round": header.round,
                "round_id": self._round_id,
                "undoes": self._undoes,
            }
            self.number = self._rows.insert("operations", values)
        return self.number

    def change(self, ref: Ref, wanted: Fields, before: Any = None) -> Any:
        """Change a record and return it changed; `before` is the record as it is, if the caller has read it. Raises
        NotFound."""
        record_type = self._types.of(ref.kind)
        if before is None:
            before = record_of(self._rows, record_type, ref.id)
        assert set(wanted) <= set(record_type.changeable)
        wanted = self._with_its_age(record_type, before, wanted)
        held = record_type.plain(before, tuple(wanted))
        different = {field: value for field, value in wanted.items() if held[field] != value}
        if not different:
            return before
        self._write(record_type, before, ref, different)
        self._touch_whole(record_type, before)
        self._noted.note(self.insert_row(), ref, {field: held[field] for field in different}, different)
        dated = {_UPDATED_AT: self._header.at} if _UPDATED_AT in record_type.names else {}
        after = record_type.changed(before, different, dated)
        self._index_cues(record_type, after, different)
        self._keep_memory(before, after)
        self._keep_marks(before, after)
        if record_type.text_column in different or (record_type.live and record_type.live[0] in different):
            self._say_by_hand(record_type, after)
        return after

    def make_anew(self, record_type: RecordType[Any], before: Any, wanted: Fields) -> Any:
        """Change a record, and forget what it was: to history it is made by this operation."""
        ref = record_type.ref(before)
        self._noted.begin_anew(ref, record_type.changeable_fields(before))
        return self.change(ref, wanted, before)

    def create(self, record_type: RecordType[Any], record: Any) -> Any:
        """Store a record and return it with its number."""
        row = record_type.to_row(record)
        del row["id"]
        kept = self._words_of(record_type, record)
        says = {_SAYS: record_type.fingerprint(record)} if record_type.says else {}
        number = self._rows.insert(record_type.table, {**row, **kept, **says})
        if record_type.is_indexed:
            self._rows.index.put(record_type, number, kept)
        made = replace(record, id=number)
        self._touch_whole(record_type, made)
        self._index_cues(record_type, made, dict.fromkeys((record_type.cues,)))
        fields = record_type.changeable_fields(made)
        self._noted.note(self.insert_row(), Ref(record_type.kind, number), None, fields)
        self._keep_memory(None, made)
        self._keep_marks(None, made)
        self._say_by_hand(record_type, made)
        return made

    @property
    def memories(self) -> tuple[tuple[Memory | None, Memory], ...]:
        """The memories that it has changed: each as it was, None for a new one, and as it is."""
        return tuple(self._memories.values())

    def change_memory(self, memory_id: int, wanted: Fields) -> Memory:
        memory: Memory = self.change(memory_ref(memory_id), wanted)
        return memory

    def add(self, new: NewMemory) -> Addition:
        """Store a memory, or do what the rule says where its content is stored already. What a person deleted only a
        person says again."""
        found = self._rows.select(MEMORIES.table, MEMORIES.names, is_("content", new.content))
        known = MEMORIES.from_row(found[0]) if found else None
        born = known or new.born(uuid4().hex, self._header.at, self._rules.born_by(new))
        if self._header.actor is Actor.USER:
            self._tombstones.lift(born)
        elif (known is None or known.state is not State.LIVE) and self.is_deleted(born):
            return Addition(Added.DROPPED, born, self.number, DELETED)
        if known is not None:
            return self.say_again(known, self._rules.said_again(known, new))
        memory: Memory = self.create(MEMORIES, born)
        return Addition(Added.CREATED, memory, self.number)

    def is_deleted(self, record: Any) -> bool:
        """Whether a record that a machine would make, or let live, says what a person deleted."""
        return self._tombstones.states_deleted(record)

    def say_again(self, known: Memory, decided: SaidAgain) -> Addition:
        """Carry out what the rule decided for a memory that says it already."""
        memory = self.change_memory(known.id, decided.changes)
        successor = known.superseded_by
        in_its_place = [living_end(self._rows, each) if each == successor else each for each in decided.archives]
        superseded = tuple(self.supersede(in_its_place, by=memory.id))
        return Addition(decided.outcome, memory, self.number, decided.reason, superseded)

    def supersede(self, ids: Sequence[int], *, by: int) -> list[int]:
        """Archive the live and unpinned ones as superseded by another memory; returns their numbers."""
        archived = []
        for memory in memories_there(self._rows, ids):
            if _may_be_put_aside(memory) and memory.id != by:
                self.change_memory(memory.id, self._rules.superseded_by(by))
                archived.append(memory.id)
        return archived

    def retract(self, ids: Sequence[int]) -> list[int]:
        """Archive the live and unpinned ones as no longer so; returns their numbers."""
        live = [memory.id for memory in memories_there(self._rows, ids) if _may_be_put_aside(memory)]
        for memory_id in live:
            self.change_memory(memory_id, self._rules.retracted)
        return live

    def _say_by_hand(self, record_type: RecordType[Any], record: Any) -> None:
        """What a person's own operation makes or lets live was not deleted any more."""
        if self._header.actor is Actor.USER and record_type.live is not None:
            column, values = record_type.live
            if record_type.plain(record, (column,))[column] in values:
                self._tombstones.lift(record)

    def _keep_memory(self, before: Any, after: Any) -> None:
        if isinstance(after, Memory):
            first = self._memories[after.id][0] if after.id in self._memories else before
            self._memories[after.id] = (first, after)

    def _keep_marks(self, before: Any, after: Any) -> None:
        """Whatever changes what knowledge was made of, or whether it stands, marks its episodes."""
        if isinstance(after, Knowledge) and is_made_otherwise(before, after):
            self._sources.mark(before, after)

    def put_away(self, candidates: Sequence[int]) -> None:
        """Archive candidates for which nothing is left to decide."""
        for memory in memories_there(self._rows, candidates):
            if memory.state is State.CANDIDATE:
                self.change_memory(memory.id, self._rules.retracted)

    def _with_its_age(self, record_type: RecordType[Any], before: Any, wanted: Fields) -> Fields:
        """With the time from which a record ages that is brought back by this operation."""
        column, values = record_type.live or ("", ())
        if not record_type.restarts or wanted.get(column) not in values:
            return wanted
        was_live = record_type.plain(before, (column,))[column] in values
        return wanted if was_live else {**wanted, record_type.restarts: timestamp(self._header.at)}

    def _words_of(self, record_type: RecordType[Any], record: Any) -> Mapping[str, Any]:
        """The columns of the index in the row of a record."""
        if not record_type.is_indexed:
            return {}
        return self._rows.index.columns(record_type.text(record), self._dated(record_type, record))

    def _write(self, record_type: RecordType[Any], before: Any, ref: Ref, fields: Fields) -> None:
        values = record_type.columns_from_plain(fields)
        if _UPDATED_AT in record_type.names:
            values[_UPDATED_AT] = timestamp(self._header.at)
        if not fields.keys().isdisjoint(record_type.says):
            values[_SAYS] = record_type.fingerprint(record_type.changed(before, fields))
        if record_type.text_column not in fields:
            self._rows.update(record_type.table, values, is_("id", ref.id))
            if record_type.live is not None and record_type.live[0] in fields:
                column, values_that_live = record_type.live
                self._rows.index.set_live(ref, fields[column] in values_that_live)
            return
        text = fields[record_type.text_column]
        if record_type.is_text_unique:
            self._check_text_is_free(record_type, ref, text)
        self._rows.index.drop(record_type, ref.id)
        kept = self._rows.index.columns(text, self._dated(record_type, before))
        self._rows.update(record_type.table, {**values, **kept}, is_("id", ref.id))
        self._rows.index.put(record_type, ref.id, kept)

    def _dated(self, record_type: RecordType[Any], record: Any) -> datetime:
        """When it happened, as far as is known: a memory is found by the day on which its words were typed, also
        where they are read later."""
        made_at = record_type.made_at(record) or self._header.at
        return said_at(self._rows, record.origin, made_at) if isinstance(record, Memory) else made_at

    def _index_cues(self, record_type: RecordType[Any], record: Any, changed: Fields) -> None:
        """Keep the cues by which a record is found in step with what has changed of it."""
        column, values = record_type.live or ("", ())
        if record_type.cues and (record_type.cues in changed or column in changed):
            is_live = not column or record_type.plain(record, (column,))[column] in values
            self._rows.index.put_cues(record_type, record.id, getattr(record, record_type.cues), is_live)

    def _touch_whole(self, record_type: RecordType[Any], record: Any) -> None:
        """Note on what the record is a part of that it was worked on."""
        if record_type.part_of:
            column, table = record_type.part_of
            whole = is_("id", getattr(record, column))
            self._rows.update(table, {_UPDATED_AT: timestamp(self._header.at)}, whole)

    def _check_text_is_free(self, record_type: RecordType[Any], ref: Ref, text: str) -> None:
        same = is_(record_type.text_column, text)
        others = self._rows.select(record_type.table, ("id",), same, is_not("id", ref.id))
        if others:
            raise InvalidInput(
                template="{what} {other} says just that already",
                hint="delete or edit one of the two",
                what=ref.kind.name,
                other=others[0][0],
            )


def _may_be_put_aside(memory: Memory) -> bool:
    return memory.state is State.LIVE and not memory.pinned


def apply_changes(operation: OpenOperation, changes: Mapping[Ref, Fields], current: Mapping[Ref, Any]) -> list[Any]:
    """Change records that were read in this transaction; returns them changed."""
    return [operation.change(ref, wanted, current.get(ref)) for ref, wanted in changes.items()]
