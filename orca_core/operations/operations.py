"""An operation: records of any kind made and changed, with their index and their history in one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple
from uuid import uuid4

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.errors import InvalidInput
from orca_core.model.knowledge import Knowledge
from orca_core.model.memories import MEMORIES, Added, Addition, Fields, Memory, NewMemory, SaidAgain, State
from orca_core.model.operations import DELETED, Actor, OperationHeader
from orca_core.model.record_types import Kind, RecordType, Ref, memory_ref, timestamp
from orca_core.operations.columns import fields_from_json, to_json
from orca_core.operations.knowledge_sources import Sources, is_made_otherwise
from orca_core.operations.records import RecordTypes, living_end, memories_there, record_of
from orca_core.operations.rounds import said_at
from orca_core.operations.tombstones import Refusals, Tombstones
from orca_core.rules.memory import said_again, same_statements
from orca_core.settings import MemorySettings
from orca_core.store.ports import Condition, Rows, Transactions, any_of, is_, is_not

_TABLE = "memory_history"
_COLUMNS = ("operation", "kind", "memory_id", "before", "after")

Noting = tuple[Ref, Mapping[str, Any] | None, Fields]
"""A record, the fields that changed as they were, None for a new record, and as they are."""


class Noted:
    """What an operation has noted of each record, and notes further."""

    def __init__(self, rows: Rows, *, goes_on: bool = False) -> None:
        self._rows = rows
        self._goes_on = goes_on
        self._noted: dict[Ref, tuple[Mapping[str, Any] | None, Mapping[str, Any]]] = {}

    def note(self, operation: int, *changes: Noting) -> None:
        """Write changes, each of another record, into the history."""
        if self._goes_on:
            self._recall(operation, [ref for ref, _, _ in changes if ref not in self._noted])
        values = []
        for ref, held, fields in changes:
            before, after = held, fields
            if ref in self._noted:
                first, then = self._noted[ref]
                before = None if first is None else {**(held or {}), **first}
                after = {**then, **fields}
                self._rows.delete(_TABLE, is_("operation", operation), *_of(ref))
            self._noted[ref] = (before, after)
            was = None if before is None else to_json(before)
            values.append((operation, ref.kind.name, ref.id, was, to_json(after)))
        self._rows.insert_all(_TABLE, _COLUMNS, values)

    def _recall(self, operation: int, refs: Sequence[Ref]) -> None:
        """What earlier slices of the operation have noted."""
        for kind in dict.fromkeys(ref.kind for ref in refs):
            these = any_of("memory_id", [ref.id for ref in refs if ref.kind == kind])
            same = (is_("operation", operation), is_("kind", kind.name), these)
            for number, before, after in self._rows.select(_TABLE, ("memory_id", "before", "after"), *same):
                was = None if before is None else fields_from_json(before)
                self._noted[Ref(kind, number)] = (was, fields_from_json(after))

    def begin_anew(self, ref: Ref, fields: Mapping[str, Any]) -> None:
        """Forget what the record was: it is made by this operation."""
        self._rows.delete(_TABLE, *_of(ref))
        self._noted[ref] = (None, fields)


def _of(ref: Ref) -> tuple[Condition, Condition]:
    return is_("kind", ref.kind.name), is_("memory_id", ref.id)


class IndexSync:
    """The rows of records, their words and vectors, as an operation writes them."""

    def __init__(self, rows: Rows, at: datetime) -> None:
        self._rows = rows
        self._at = at

    def words_of(self, record_type: RecordType[Any], record: Any) -> Mapping[str, Any]:
        """The columns of the index in the row of a record."""
        if not record_type.is_indexed:
            return {}
        return self._rows.words.columns(record_type.text(record), self._dated(record_type, record))

    def write(self, edit: Edit) -> None:
        """The row of a record as it becomes. Raises InvalidInput where another says just that."""
        record_type, ref = edit.record_type, edit.ref
        if not edit.changes(record_type.text_column):
            self._rows.update(record_type.table, edit.columns, is_("id", ref.id))
            if record_type.live is not None and edit.changes_its_life:
                column, values_that_live = record_type.live
                self._rows.vectors.set_live(ref, edit.fields[column] in values_that_live)
            return
        text = edit.fields[record_type.text_column]
        if record_type.is_text_unique:
            self._check_text_is_free(record_type, ref, text)
        self._rows.words.drop(record_type, ref.id)
        self._rows.vectors.drop(record_type, ref.id)
        kept = self._rows.words.columns(text, self._dated(record_type, edit.before))
        self._rows.update(record_type.table, {**edit.columns, **kept}, is_("id", ref.id))
        self._rows.words.put(record_type, ref.id, kept)

    def write_rows(self, edits: Iterable[Edit]) -> None:
        """The rows of records of which nothing else has to follow: those with the same columns at once."""
        alike: dict[tuple[str, tuple[str, ...]], dict[int, Sequence[Any]]] = {}
        for each in edits:
            same = alike.setdefault((each.record_type.table, tuple(each.columns)), {})
            same[each.ref.id] = tuple(each.columns.values())
        for (table, columns), values in alike.items():
            self._rows.update_each(table, columns, values)

    def _dated(self, record_type: RecordType[Any], record: Any) -> datetime:
        """When it happened, as far as is known: a memory is found by the day on which its words were typed, also
        where they are read later."""
        made_at = record_type.made_at(record) or self._at
        return said_at(self._rows, record.origin, made_at) if isinstance(record, Memory) else made_at

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


UPDATED_AT = "updated_at"
SAYS = "says"


class Edit(Struct, frozen=True):
    """A record before and after, the fields that differ as they were and as they are, and the columns that change;
    without any it stays what it is."""

    record_type: RecordType[Any]
    ref: Ref
    before: Any
    after: Any
    held: Fields
    fields: Fields
    columns: Mapping[str, Any]

    @property
    def is_of_the_row_alone(self) -> bool:
        """Whether nothing else has to follow: no index, no mark, no record that this one is a part of."""
        return (
            self.record_type.part_of is None
            and not isinstance(self.after, Knowledge)
            and not self.changes(self.record_type.text_column)
            and not self.changes_its_life
        )

    @property
    def changes_its_life(self) -> bool:
        live = self.record_type.live
        return live is not None and live[0] in self.fields

    def changes(self, *fields: str) -> bool:
        return not self.fields.keys().isdisjoint(fields)


def edit_of(record_type: RecordType[Any], before: Any, wanted: Fields, at: datetime) -> Edit:
    """What it takes to give the record these fields. One that is brought back ages anew."""
    assert set(wanted) <= set(record_type.changeable)
    wanted = _with_its_age(record_type, before, wanted, at)
    held = record_type.plain(before, tuple(wanted))
    fields = {field: value for field, value in wanted.items() if held[field] != value}
    if not fields:
        return Edit(record_type, record_type.ref(before), before, before, {}, {}, {})
    columns = record_type.columns_from_plain(fields)
    if UPDATED_AT in record_type.names:
        columns[UPDATED_AT] = timestamp(at)
        after = record_type.changed(before, fields, {UPDATED_AT: at})
    else:
        after = record_type.changed(before, fields)
    if not fields.keys().isdisjoint(record_type.says):
        columns[SAYS] = record_type.fingerprint(after)
    held = {field: held[field] for field in fields}
    return Edit(record_type, record_type.ref(before), before, after, held, fields, columns)


def _with_its_age(record_type: RecordType[Any], before: Any, wanted: Fields, at: datetime) -> Fields:
    """With the time from which a record ages that is brought back by this operation."""
    column, values = record_type.live or ("", ())
    if not record_type.restarts or wanted.get(column) not in values:
        return wanted
    was_live = record_type.plain(before, (column,))[column] in values
    return wanted if was_live else {**wanted, record_type.restarts: timestamp(at)}


class Drafted(NamedTuple):
    """A memory that is to be made, without its number; the columns of its index, and what it states as tombstones have
    that."""

    memory: Memory
    kept: Mapping[str, Any]
    digests: Sequence[bytes]


class OpenOperation:
    """An operation while it is carried out. Its row is inserted with its first change: without a change it leaves no
    trace. One that `continues` an operation is its next slice."""

    def __init__(
        self,
        rows: Rows,
        types: RecordTypes,
        settings: MemorySettings,
        header: OperationHeader,
        *,
        round_id: int | None = None,
        undoes: int | None = None,
        continues: int | None = None,
    ) -> None:
        self.number = continues
        self.settings = settings
        self._rows = rows
        self._types = types
        self._header = header
        self._round_id = round_id
        self._undoes = undoes
        self._memories: dict[int, tuple[Memory | None, Memory]] = {}
        self._noted = Noted(rows, goes_on=continues is not None)
        self._sync = IndexSync(rows, header.at)
        self._sources = Sources(rows)
        self._tombstones = Tombstones(rows)
        self._refusals: dict[Kind, Refusals] = {}

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
        edit = edit_of(record_type, before, wanted, self.at)
        if edit.fields:
            self._carry_out(edit)
        return edit.after

    def edits(self, changes: Mapping[Ref, Fields], current: Mapping[Ref, Any]) -> list[Edit]:
        """What these changes come to; `current` are those records that the caller has read. Raises NotFound."""
        before = {
            ref: current[ref] if ref in current else record_of(self._rows, self._types.of(ref.kind), ref.id)
            for ref in changes
        }
        return [edit_of(self._types.of(ref.kind), before[ref], wanted, self.at) for ref, wanted in changes.items()]

    def change_all(self, changes: Mapping[Ref, Fields], current: Mapping[Ref, Any]) -> list[Any]:
        """Change records and return them changed, by their `edits`. Raises NotFound."""
        return self.carry_out(self.edits(changes, current))

    def carry_out(self, edits: Sequence[Edit]) -> list[Any]:
        """Write edits of different records in their order, together those that no index and no other record follows;
        the records as they are now."""
        changing = (each for each in edits if each.fields)
        for is_alone, some in groupby(changing, key=lambda each: each.is_of_the_row_alone):
            if is_alone:
                self._carry_out_together(list(some))
            else:
                for each in some:
                    self._carry_out(each)
        return [each.after for each in edits]

    def _carry_out_together(self, edits: Sequence[Edit]) -> None:
        self._sync.write_rows(edits)
        self._noted.note(self.insert_row(), *((each.ref, each.held, each.fields) for each in edits))
        for each in edits:
            self._keep_memory(each.before, each.after)

    def _carry_out(self, edit: Edit) -> None:
        record_type = edit.record_type
        self._sync.write(edit)
        self._touch_whole(record_type, edit.before)
        self._noted.note(self.insert_row(), (edit.ref, edit.held, edit.fields))
        self._keep_memory(edit.before, edit.after)
        self._keep_marks(edit.before, edit.after)
        if edit.changes_its_life or edit.changes(record_type.text_column):
            self._say_by_hand(record_type, edit.after)

    def make_anew(self, record_type: RecordType[Any], before: Any, wanted: Fields) -> Any:
        """Change a record, and forget what it was: to history it is made by this operation."""
        ref = record_type.ref(before)
        self._noted.begin_anew(ref, record_type.changeable_fields(before))
        return self.change(ref, wanted, before)

    def create(self, record_type: RecordType[Any], record: Any, kept: Mapping[str, Any] | None = None) -> Any:
        """Store a record and return it with its number; `kept` are the columns of its index, where they are known."""
        row = record_type.to_row(record)
        del row["id"]
        if kept is None:
            kept = self._sync.words_of(record_type, record)
        says = {SAYS: record_type.fingerprint(record)} if record_type.says else {}
        number = self._rows.insert(record_type.table, {**row, **kept, **says})
        if record_type.is_indexed:
            self._rows.words.put(record_type, number, kept)
        made = replace(record, id=number)
        self._touch_whole(record_type, made)
        fields = record_type.changeable_fields(made)
        self._noted.note(self.insert_row(), (Ref(record_type.kind, number), None, fields))
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

    def draft(self, new: NewMemory) -> Drafted | None:
        """In a reading: the memory that `add` would make; None where its content is stored already."""
        if self._known(new) is not None:
            return None
        born = self._born(new)
        return Drafted(born, self._sync.words_of(MEMORIES, born), self._tombstones.digests_of(born))

    def add(self, new: NewMemory, drafted: Drafted | None = None) -> Addition:
        """Store a memory, or do what the rule says where its content is stored already. What a person deleted only a
        person says again. What was `drafted` is still what is to be made."""
        known = None if drafted else self._known(new)
        born = drafted.memory if drafted else known or self._born(new)
        if self._header.actor is Actor.USER:
            self._tombstones.lift(born, drafted.digests if drafted else None)
        elif known is None or known.state is not State.LIVE:
            if self.is_deleted(born):
                return Addition(Added.DROPPED, born, self.number, DELETED)
            if known is None:
                known = self._refused(MEMORIES).same(born)
        if known is not None:
            return self.say_again(known, said_again.said_again(known, new))
        if self._header.actor is not Actor.USER and born.state is State.LIVE and self._may_be_refused(born):
            born = self._born(replace(new, state=State.CANDIDATE, held_because=said_again.ASK))
        memory: Memory = self.create(MEMORIES, born, drafted and drafted.kept)
        return Addition(Added.CREATED, memory, self.number)

    def _known(self, new: NewMemory) -> Memory | None:
        """The memory that says it already."""
        found = self._rows.select(MEMORIES.table, MEMORIES.names, is_("content", new.content))
        return MEMORIES.from_row(found[0]) if found else None

    def _born(self, new: NewMemory) -> Memory:
        return new.born(uuid4().hex, self._header.at, said_again.born_by(new))

    def is_deleted(self, record: Any) -> bool:
        """Whether a record that a machine would make, or let live, says what a person deleted."""
        return self._tombstones.states_deleted(record)

    def why_refused(self, record_type: RecordType[Any], record: Any) -> str:
        """Why a machine may not make a record: a person deleted or refused what it says; empty where it may."""
        if self.is_deleted(record):
            return DELETED
        same = self._refused(record_type).same(record)
        return same_statements.refusal_of(same) if same is not None else ""

    def _refused(self, record_type: RecordType[Any]) -> Refusals:
        if record_type.kind not in self._refusals:
            self._refusals[record_type.kind] = Refusals(self._rows, record_type)
        return self._refusals[record_type.kind]

    def _may_be_refused(self, memory: Memory) -> bool:
        """Whether it has the words of what a person deleted or refused, in an order that may tell something else."""
        return self._refused(MEMORIES).has_words_of(memory) or self._tombstones.may_state_deleted(memory)

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
                self.change_memory(memory.id, said_again.superseded_by(by))
                archived.append(memory.id)
        return archived

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
                self.change_memory(memory.id, said_again.RETRACTED)

    def _touch_whole(self, record_type: RecordType[Any], record: Any) -> None:
        """Note on what the record is a part of that it was worked on."""
        if record_type.part_of:
            column, table = record_type.part_of
            whole = is_("id", getattr(record, column))
            self._rows.update(table, {UPDATED_AT: timestamp(self._header.at)}, whole)


def _may_be_put_aside(memory: Memory) -> bool:
    return memory.state is State.LIVE and not memory.pinned


class ScopedStore:
    """What is read and written of one scope. A method is one transaction."""

    def __init__(self, transactions: Transactions, types: RecordTypes, settings: MemorySettings) -> None:
        self._transactions = transactions
        self._types = types
        self._settings = settings

    def _operation(self, rows: Rows, header: OperationHeader, **about: int | None) -> OpenOperation:
        """Begin an operation; `about` is what else `OpenOperation` takes."""
        return OpenOperation(rows, self._types, self._settings, header, **about)
