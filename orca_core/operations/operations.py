"""An operation: records of any kind made and changed, with their index and their history in one transaction."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import uuid4

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.episodes import EPISODES
from orca_core.model.errors import InvalidInput
from orca_core.model.knowledge import KNOWLEDGES, Knowledge
from orca_core.model.memories import MEMORIES, Added, Addition, Fields, Memory, NewMemory, SaidAgain, State
from orca_core.model.operations import DELETED, Actor, OperationHeader
from orca_core.model.record_types import Kind, RecordType, Ref, memory_ref, timestamp
from orca_core.operations.columns import fields_from_json, to_json
from orca_core.operations.records import RecordTypes, living_end, memories_there, record_of
from orca_core.operations.rounds import said_at
from orca_core.operations.tombstones import Refusals, Tombstones
from orca_core.rules.memory import said_again, same_statements
from orca_core.settings import MemorySettings
from orca_core.store.ports import Condition, Rows, Transactions, any_of, is_, is_not

_TABLE = "memory_history"
_MARK = "consolidated_into"
STANDING = (State.LIVE, State.CANDIDATE)
"""What knowledge is that is shown: any other marks no episode."""


class OperationChanges:
    """What an operation has noted of each record in the history, and notes further. One that `continues` knows what
    its earlier slices have noted."""

    def __init__(self, rows: Rows, *, continues: bool = False) -> None:
        self._rows = rows
        self._continues = continues
        self._noted: dict[Ref, tuple[Fields | None, Fields]] = {}

    def note(self, operation: int, ref: Ref, before: Fields | None, after: Fields) -> None:
        """Write the fields that changed, as they were, None for a new record, and as they are."""
        of_it = (is_("operation", operation), *_of(ref))
        if self._continues and ref not in self._noted:
            for was, now in self._rows.select(_TABLE, ("before", "after"), *of_it):
                self._noted[ref] = (None if was is None else fields_from_json(was), fields_from_json(now))
        is_known = ref in self._noted
        if is_known:
            first, then = self._noted[ref]
            before = None if first is None else {**(before or {}), **first}
            after = {**then, **after}
        self._noted[ref] = (before, after)
        kept = {"before": None if before is None else to_json(before), "after": to_json(after)}
        if not is_known or not self._rows.update(_TABLE, kept, *of_it):
            self._rows.insert(_TABLE, {"operation": operation, "kind": ref.kind.name, "memory_id": ref.id, **kept})

    def begin_anew(self, ref: Ref, fields: Fields) -> None:
        """Forget what the record was: it is made by this operation."""
        self._rows.delete(_TABLE, *_of(ref))
        self._noted[ref] = (None, fields)


def _of(ref: Ref) -> tuple[Condition, Condition]:
    return is_("kind", ref.kind.name), is_("memory_id", ref.id)


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
        self._noted = OperationChanges(rows, continues=continues is not None)
        self._tombstones = Tombstones(rows)
        self._refusals: dict[Kind, Refusals] = {}

    @property
    def at(self) -> datetime:
        return self._header.at

    @property
    def action(self) -> str:
        return self._header.action

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
        if not edit.fields:
            return before
        self._write(edit)
        self._touch_whole(record_type, before)
        self._noted.note(self.insert_row(), ref, edit.held, edit.fields)
        self._keep_memory(before, edit.after)
        self._mark_sources(before, edit.after)
        if edit.changes_its_life or edit.changes(record_type.text_column):
            self._lift_tombstones(record_type, edit.after)
        return edit.after

    def _write(self, edit: Edit) -> None:
        """The row of a record as it becomes, with its words and vector. Raises InvalidInput where another says just
        that."""
        record_type, ref, rows = edit.record_type, edit.ref, self._rows
        if not edit.changes(record_type.text_column):
            rows.update(record_type.table, edit.columns, is_("id", ref.id))
            if record_type.live is not None and edit.changes_its_life:
                column, values_that_live = record_type.live
                rows.vectors.set_live(ref, edit.fields[column] in values_that_live)
            return
        text = edit.fields[record_type.text_column]
        if record_type.is_text_unique:
            self._check_text_is_free(record_type, ref, text)
        rows.words.drop(record_type, ref.id)
        rows.vectors.drop(record_type, ref.id)
        indexed = self.index_columns(record_type, edit.before, text)
        rows.update(record_type.table, {**edit.columns, **indexed}, is_("id", ref.id))
        rows.words.put(record_type, ref.id, indexed)

    def index_columns(self, record_type: RecordType[Any], record: Any, text: str) -> Mapping[str, Any]:
        """The columns of the index in the row of a record of this text, and of the time at which it happened, as far as
        that is known: a memory is found by the day on which its words were typed, also where they are read later."""
        if not record_type.is_indexed:
            return {}
        made_at = record_type.made_at(record) or self.at
        at = said_at(self._rows, record.origin, made_at) if isinstance(record, Memory) else made_at
        return self._rows.words.columns(text, at)

    def _check_text_is_free(self, record_type: RecordType[Any], ref: Ref, text: str) -> None:
        same = (is_(record_type.text_column, text), is_not("id", ref.id))
        for (other,) in self._rows.select(record_type.table, ("id",), *same, limit=1):
            raise InvalidInput(
                template="{what} {other} says just that already",
                hint="delete or edit one of the two",
                what=ref.kind.name,
                other=other,
            )

    def make_anew(self, record_type: RecordType[Any], before: Any, wanted: Fields) -> Any:
        """Change a record, and forget what it was: to history it is made by this operation."""
        ref = record_type.ref(before)
        self._noted.begin_anew(ref, record_type.changeable_fields(before))
        return self.change(ref, wanted, before)

    def create(self, record_type: RecordType[Any], record: Any) -> Any:
        """Store a record and return it with its number."""
        row = record_type.to_row(record)
        del row["id"]
        indexed = self.index_columns(record_type, record, record_type.text(record)) if record_type.is_indexed else {}
        says = {SAYS: record_type.fingerprint(record)} if record_type.says else {}
        number = self._rows.insert(record_type.table, {**row, **indexed, **says})
        if record_type.is_indexed:
            self._rows.words.put(record_type, number, indexed)
        made = replace(record, id=number)
        self._touch_whole(record_type, made)
        fields = record_type.changeable_fields(made)
        self._noted.note(self.insert_row(), Ref(record_type.kind, number), None, fields)
        self._keep_memory(None, made)
        self._mark_sources(None, made)
        self._lift_tombstones(record_type, made)
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
        known = self.known(new)
        born = known or self.born(new)
        if self._header.actor is Actor.USER:
            self._tombstones.lift(born)
        elif known is None or known.state is not State.LIVE:
            if self.is_deleted(born):
                return Addition(Added.DROPPED, born, self.number, DELETED)
            if known is None:
                known = self._refused(MEMORIES).same(born)
        if known is not None:
            return self.say_again(known, said_again.said_again(known, new))
        if self._header.actor is not Actor.USER and born.state is State.LIVE and self._may_be_refused(born):
            born = self.born(replace(new, state=State.CANDIDATE, held_because=said_again.ASK))
        memory: Memory = self.create(MEMORIES, born)
        return Addition(Added.CREATED, memory, self.number)

    def known(self, new: NewMemory) -> Memory | None:
        """The memory that says it already, word for word."""
        found = self._rows.select(MEMORIES.table, MEMORIES.names, is_("content", new.content))
        return MEMORIES.from_row(found[0]) if found else None

    def born(self, new: NewMemory) -> Memory:
        """The memory as it would be made, without a number."""
        return new.born(uuid4().hex, self._header.at, said_again.confirmed_at_birth(new))

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
                self.change_memory(memory.id, said_again.superseded_fields(by))
                archived.append(memory.id)
        return archived

    def _lift_tombstones(self, record_type: RecordType[Any], record: Any) -> None:
        """What a person's own operation makes or lets live was not deleted any more."""
        if self._header.actor is Actor.USER and record_type.live is not None:
            column, values = record_type.live
            if record_type.plain(record, (column,))[column] in values:
                self._tombstones.lift(record)

    def _keep_memory(self, before: Any, after: Any) -> None:
        if isinstance(after, Memory):
            first = self._memories[after.id][0] if after.id in self._memories else before
            self._memories[after.id] = (first, after)

    def _mark_sources(self, before: Any, after: Any) -> None:
        """Whatever changes what knowledge was made of, or whether it stands, marks its episodes."""
        if isinstance(after, Knowledge):
            mark_sources(self._rows, before, after)

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


def mark_sources(rows: Rows, before: Knowledge | None, after: Knowledge) -> None:
    """Mark the episodes that knowledge names, or named before it was changed, with what names them now: of several with
    what lives, then with the newest. Called when the change is written. It is no change of theirs: what changes the
    knowledge stands in history, and undoing that marks them anew."""
    named = {*(before.source_episodes if before else ()), *after.source_episodes}
    if not named or (before and (before.state, before.source_episodes) == (after.state, after.source_episodes)):
        return
    states = any_of("state", [state.value for state in STANDING])
    speakers: dict[int, tuple[bool, int]] = {}
    for number, state, sources in rows.select(KNOWLEDGES.table, ("id", "state", "source_episodes"), states):
        for each in named.intersection(json.loads(sources)):
            speakers[each] = max(speakers.get(each, (False, 0)), (state == State.LIVE, number))
    for number, mark in rows.select(EPISODES.table, ("id", _MARK), any_of("id", sorted(named))):
        speaks = speakers[number][1] if number in speakers else None
        if speaks != mark:
            rows.update(EPISODES.table, {_MARK: speaks}, is_("id", number))


class ScopedStore:
    """What is read and written of one scope. A method is one transaction."""

    def __init__(self, transactions: Transactions, types: RecordTypes, settings: MemorySettings) -> None:
        self._transactions = transactions
        self._types = types
        self._settings = settings

    def _operation(self, rows: Rows, header: OperationHeader, **about: int | None) -> OpenOperation:
        """Begin an operation; `about` is what else `OpenOperation` takes."""
        return OpenOperation(rows, self._types, self._settings, header, **about)
