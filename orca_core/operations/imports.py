"""An import: its records are staged, looked at beside what is here and what was deleted here, and brought in as one
operation in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from hashlib import blake2b
from itertools import groupby
from tempfile import TemporaryFile, gettempdir
from time import thread_time
from typing import Any

import msgspec
from msgspec import Struct

from orca_core.model.errors import InvalidInput, StorageError
from orca_core.model.import_export import (
    COMES,
    COMPARED_TO,
    HELD_BACK,
    LEFT_BEHIND,
    LINKS,
    TRAVELLING,
    Arrival,
    ExportedOperation,
    ExportedPair,
    ExportedRecord,
    ImportCounts,
    ImportedRecord,
    IncomingRecord,
)
from orca_core.model.memories import MEMORIES, Fields, Memory, State
from orca_core.model.operations import OperationHeader
from orca_core.model.record_types import (
    ACTION,
    CALL,
    EPISODE,
    GUIDE,
    KNOWLEDGE,
    MEMORY,
    SUPPORT,
    TASK,
    Kind,
    RecordType,
    Ref,
    parse_timestamp,
    timestamp,
)
from orca_core.model.tasks import STEP
from orca_core.model.tools import NewCall
from orca_core.operations.columns import to_json
from orca_core.operations.memory_pairs import PAIRS, look, make_ready, note, waiting_to_be_compared
from orca_core.operations.record_links import Linked, links_of, numbers_of, with_links
from orca_core.operations.rounds import said_at
from orca_core.operations.tombstones import of_calls, of_record, statements_of
from orca_core.rules.memory import same_statements
from orca_core.rules.work import consolidation_rules, reported_calls
from orca_core.store.ports import Rows, Transactions, any_of, is_

TYPES: Mapping[Kind, RecordType[Any]] = {each.kind: each for each in TRAVELLING.values()}
_NAMES = {each.kind: name for name, each in TRAVELLING.items()}
OWNERS = {STEP: (TASK, "task"), SUPPORT: (MEMORY, "memory")}
"""Kinds of which a record comes with another one or not at all, and the column that names that."""
_LABELS: dict[Kind, str] = {
    MEMORY: "content",
    SUPPORT: "source",
    TASK: "request",
    STEP: "description",
    EPISODE: "trigger_summary",
    KNOWLEDGE: "topic",
    GUIDE: "target",
    ACTION: "type",
    CALL: "tool",
}
"""By what a person knows one of a kind."""
_LABEL_CHARS = 200
_AT_ONCE = 500
"""So many records are looked up at once. Chosen by hand."""
_CALL_KEY = ("tool", "at", "session_id", "call_id")
_HISTORY = ("operation", "kind", "memory_id", "before", "after")
COMPARED_S = 0.02
"""So long one reading compares. Chosen by hand."""
COMPARED_AT_ONCE = 50
"""So many memories are compared in one reading at most; most often its time is over before. Chosen by hand."""


class ImportStore:
    """Brings records into one scope."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._is_ready = False

    async def is_empty(self) -> bool:
        """Whether nothing is here that could travel."""
        return await self._transactions.read(
            lambda rows: not any(rows.select(each.table, ("id",), limit=1) for each in TYPES.values()), own=True
        )

    def begin(self, *, again: bool) -> StagedImport:
        """`again`: what was deleted here comes, too. Close it."""
        return StagedImport(self._transactions, again=again)

    async def uncompared(self) -> int:
        """How many memories that came were not compared with others yet."""
        return await self._transactions.read(waiting_to_be_compared)

    async def compare(self, at: datetime) -> int:
        """Compare some of them, and list the pairs of which a person is to decide; returns how many were compared."""
        if not self._is_ready:
            await self._transactions.read(lambda _rows: make_ready())
            self._is_ready = True
        while (looked := await self._transactions.read(_look, own=True)) is not None:
            await self._transactions.write(partial(note, looked=looked, at=at))
            if looked.numbers:
                return len(looked.numbers)
        return 0


def _look(rows: Rows) -> Any:
    until = thread_time() + COMPARED_S
    return look(rows, COMPARED_AT_ONCE, lambda: thread_time() >= until)


class _StagedRecord(Struct):
    """What is kept of a record in memory until all of them come. `sole` is what no two of a kind may share beside the
    name; `stated`, what it says, of a call when it was made; it comes only with all that it `rests_on`; `target` is
    what at most one living record may be about; `operations`, those of its history."""

    kind: Kind
    uid: str
    sole: str
    label: str
    stated: str
    rests_on: tuple[Linked, ...]
    target: str
    place: str
    line: int
    may: Arrival
    has_pairs: bool
    operations: tuple[int, ...]
    arrival: Arrival = Arrival.LEFT_OUT
    number: int | None = None

    @property
    def is_held_back_here(self) -> bool:
        """Whether it waits for what is here, not by what its file says."""
        return self.may is Arrival.NEW and self.arrival is Arrival.CANDIDATE


class _PreparedRecord(Struct, array_like=True):
    """What waits of it in a file: the columns of its row, without numbers of its own and of others; the index's
    columns; its fields, and what was done to it."""

    row: dict[str, Any]
    kept: dict[str, Any]
    fields: dict[str, Any]
    history: list[tuple[int, Fields | None, Fields]]
    pairs: list[ExportedPair]


_DECODER = msgspec.msgpack.Decoder(_PreparedRecord)
_OPERATION = msgspec.msgpack.Decoder(ExportedOperation)
_ENCODER = msgspec.msgpack.Encoder()


class StagedImport:
    """One import. What it stages stands in a file that has no name, of which nothing is left however the process
    ends."""

    def __init__(self, transactions: Transactions, *, again: bool) -> None:
        self._transactions = transactions
        self._again = again
        self._records: list[_StagedRecord] = []
        self._places: dict[tuple[Kind, str, str], str] = {}
        self._operations: dict[int, int] = {}
        self._calls: dict[str, int] = {}
        self._lifted: set[bytes] = set()
        self._file = TemporaryFile()  # noqa: SIM115  # `close` closes it

    def close(self) -> None:
        self._file.close()

    async def stage(self, batch: Sequence[IncomingRecord | ExportedOperation]) -> None:
        """Add records in the order of `IMPORT_ORDER`, and behind them operations. Raises InvalidInput for one that
        stands twice in the document."""

        def stage(rows: Rows) -> None:
            for each in batch:
                if isinstance(each, ExportedOperation):
                    self._stage_operation(each)
                else:
                    self._stage_record(rows, each)

        await self._transactions.read(stage, own=True)

    async def look(self) -> ImportCounts:
        """What would become of the records, beside what is here now. Raises InvalidInput where the document does not
        hold together."""
        self._check_operations()
        await self._transactions.read(self._decide, own=True)
        return self._counts()

    async def bring(self, header: OperationHeader) -> tuple[int, ImportCounts]:
        """In one transaction, as one operation that can be undone. Returns the operation."""
        operation = await self._transactions.write(partial(self._bring, header=header))
        return operation, self._counts()

    def records(self) -> Iterator[ImportedRecord]:
        """What became, or would become, of each record."""
        for each in self._records:
            ref = None if each.number is None else Ref(each.kind, each.number)
            name = _NAMES[each.kind]
            yield ImportedRecord(name, each.label, each.uid, each.place, each.line, each.arrival, ref)

    def _stage_operation(self, operation: ExportedOperation) -> None:
        if operation.number in self._operations:
            raise InvalidInput(
                template="{place}, line {line}: operation {number} stands here twice",
                place=f"{operation.place}.number",
                line=operation.line,
                number=operation.number,
            )
        self._operations[operation.number] = self._file.tell()
        self._write(operation)

    def _write(self, staged: Struct) -> None:
        told = _ENCODER.encode(staged)
        try:
            self._file.write(len(told).to_bytes(4, "little") + told)
        except OSError as error:
            raise StorageError(path=gettempdir(), detail=error.strerror or str(error)) from error

    def _read(self) -> bytes:
        return self._file.read(int.from_bytes(self._file.read(4), "little"))

    def _stage_record(self, rows: Rows, incoming: IncomingRecord) -> None:
        record = incoming.record
        kind, fields = record.kind, record.fields
        uid, sole = self._uid(record), _sole(record)
        for key in ((kind, "uid", uid), *([(kind, "sole", sole)] if sole else ())):
            other = self._places.setdefault(key, record.place)
            if other is not record.place:
                raise InvalidInput(
                    template="{place}, line {line}: the same as {other}",
                    hint="one of them must go",
                    place=record.place,
                    line=record.line,
                    other=other,
                )
        prepared, made = _prepared(rows, record)
        self._write(prepared)
        self._records.append(
            _StagedRecord(
                kind,
                uid,
                sole,
                str(fields[_LABELS[kind]])[:_LABEL_CHARS],
                str(fields["at"]) if kind == CALL else same_statements.record_statement(made),
                _rests_on(record),
                _target(record),
                record.place,
                record.line,
                incoming.may,
                record.pairs is not None,
                tuple(each.operation for each in record.history),
            )
        )

    def _uid(self, record: ExportedRecord) -> str:
        """What a record is known by, in every home."""
        fields = record.fields
        if record.kind == STEP:
            return f"{fields['task']}/{fields['number']}"
        if record.kind == SUPPORT:
            return _digest([fields[each] for each in ("memory", "kind", "source", "act")])
        if record.kind != CALL:
            return str(fields["uid"])
        same = _digest([fields[each] for each in _CALL_KEY])
        # A call that nobody named may have been made twice: the second is the second, also when it comes again.
        before = self._calls[same] = self._calls.get(same, -1) + 1
        return f"{same}/{before}"

    def _check_operations(self) -> None:
        for each in self._records:
            for number in each.operations:
                if number not in self._operations:
                    raise InvalidInput(
                        template="{place}, line {line}: there is no operation {number} in this document",
                        place=f"{each.place}.history",
                        line=each.line,
                        number=number,
                    )

    def _decide(self, rows: Rows) -> None:
        home = _Home(rows, again=self._again)
        arrivals: dict[Linked, Arrival] = {}
        for kind, some in groupby(self._records, key=lambda each: each.kind):
            records = list(some)
            for at in range(0, len(records), _AT_ONCE):
                home.decide(records[at : at + _AT_ONCE], arrivals)
            if kind in (TASK, MEMORY, ACTION):
                arrivals |= {(kind, each.uid): each.arrival for each in records}
        self._lifted = home.lifted

    def _counts(self) -> ImportCounts:
        counts: dict[str, dict[Arrival, int]] = {}
        for each in self._records:
            of_kind = counts.setdefault(_NAMES[each.kind], {})
            of_kind[each.arrival] = of_kind.get(each.arrival, 0) + 1
        return {name: dict(sorted(counts[name].items())) for name in sorted(counts)}

    def _bring(self, rows: Rows, header: OperationHeader) -> int:
        self._decide(rows)
        any_lived = bool(rows.select(MEMORIES.table, ("id",), is_("state", State.LIVE.value), limit=1))
        came = {(each.kind, each.uid): each.number for each in self._records if each.number is not None}
        for each, prepared in self._prepared():
            if each.arrival in COMES:
                each.number = _insert(rows, each, prepared, came)
                if each.number is not None:
                    came[each.kind, each.uid] = each.number
        numbers = self._bring_operations(rows)
        operation = rows.insert(
            "operations", {"actor": header.actor.value, "action": header.action, "at": timestamp(header.at)}
        )
        for each, prepared in self._prepared():
            if each.arrival in COMES and each.number is not None:
                _link(rows, each, prepared, came)
                _insert_history(rows, each, prepared, came, numbers, operation)
        self._bring_pairs(rows, came)
        for digest in self._lifted:
            rows.delete("tombstones", is_("digest", digest))
        new = [each for each in self._records if each.kind == MEMORY and each.arrival is Arrival.NEW]
        if new and (any_lived or not all(each.has_pairs for each in new)):
            rows.insert("meta", {"key": f"{COMPARED_TO}{operation}", "value": "0"}, if_absent=True)
        return operation

    def _prepared(self) -> Iterator[tuple[_StagedRecord, _PreparedRecord]]:
        self._file.seek(0)
        for each in self._records:
            yield each, _DECODER.decode(self._read())

    def _bring_operations(self, rows: Rows) -> dict[int, int]:
        """Insert those of which something comes, in their order; their numbers here by those in the document."""
        told = {number for each in self._records if each.arrival is Arrival.NEW for number in each.operations}
        numbers: dict[int, int] = {}
        turned: list[ExportedOperation] = []
        for number in sorted(told):
            self._file.seek(self._operations[number])
            operation = _OPERATION.decode(self._read())
            header = operation.header
            if operation.undoes is not None or operation.undone_by is not None:
                turned.append(operation)
            values = {
                "actor": header.actor.value,
                "action": header.action,
                "at": timestamp(header.at),
                "session_id": header.session_id,
                "round": header.round,
            }
            numbers[number] = rows.insert("operations", values)
        for each in turned:
            both = {"undoes": each.undoes, "undone_by": each.undone_by}
            both = {name: numbers.get(number) for name, number in both.items() if number is not None}
            rows.update("operations", both, is_("id", numbers[each.number]))
        return numbers

    def _bring_pairs(self, rows: Rows, came: Mapping[Linked, int]) -> None:
        """What waits for a person brings the pairs among itself: it says nothing of what is here."""
        arrivals = {each.uid: each.arrival for each in self._records if each.kind == MEMORY}
        for each, prepared in self._prepared():
            if each.kind != MEMORY:
                return
            for pair in prepared.pairs:
                both = {each.arrival, arrivals.get(pair.older)}
                newer, older = came.get((MEMORY, each.uid)), came.get((MEMORY, pair.older))
                if newer and older and newer != older and (Arrival.NEW in both or both == {Arrival.CANDIDATE}):
                    told = {"why": pair.why, "at": timestamp(pair.at), "settled": int(pair.settled is not None)}
                    rows.insert(PAIRS, {"newer": newer, "older": older, **told}, if_absent=True)


def _prepared(rows: Rows, record: ExportedRecord) -> tuple[_PreparedRecord, Any]:
    """What is to be written of a record but for what is not known yet, and the record itself."""
    record_type, fields = TYPES[record.kind], record.fields
    unlinked: Fields = {name: [] if isinstance(fields[name], list) else None for name in LINKS.get(record.kind, ())}
    left = LEFT_BEHIND.get(record.kind, frozenset())
    row = record_type.columns_from_plain({**fields, "id": 0, **unlinked})
    row |= {column.name: column.default for column in record_type.columns if column.name in left}
    made = record_type.from_row([row[name] for name in record_type.names])
    kept: dict[str, Any] = {}
    if record_type.is_indexed:
        made_at = record_type.made_at(made)
        assert made_at is not None
        if isinstance(made, Memory):
            made_at = said_at(rows, made.origin, made_at)
        kept = dict(rows.words.columns(record_type.text(made), made_at))
    if record_type.says:
        row["says"] = record_type.fingerprint(made)
        row["read_as"] = row["says"] if record.is_read else None
    del row["id"]
    history = [(each.operation, each.before, each.after) for each in record.history]
    return _PreparedRecord(row, kept, {**fields}, history, list(record.pairs or ())), made


def _insert(rows: Rows, staged: _StagedRecord, prepared: _PreparedRecord, came: Mapping[Linked, int]) -> int | None:
    """Insert the row, with the numbers of others that are known by now; None where that call is here meanwhile."""
    kind, record_type = staged.kind, TYPES[staged.kind]
    row = {**prepared.row, **prepared.kept}
    if staged.is_held_back_here:
        row |= record_type.columns_from_plain(HELD_BACK)
    if kind in LINKS:
        row |= _linked_columns(rows, staged, prepared, came)
    if kind == CALL:
        row |= {"folded": reported_calls.fold_tool(row["tool"]), "identity": _identity(rows, staged.uid, prepared, row)}
    number = rows.insert(record_type.table, row, if_absent=kind == CALL)
    if record_type.is_indexed:
        rows.words.put(record_type, number, prepared.kept)
    return number or None


def _link(rows: Rows, staged: _StagedRecord, prepared: _PreparedRecord, came: Mapping[Linked, int]) -> None:
    """Name those others that came after it."""
    if staged.kind in LINKS and (columns := _linked_columns(rows, staged, prepared, came)):
        rows.update(TYPES[staged.kind].table, columns, is_("id", staged.number))


def _linked_columns(
    rows: Rows, staged: _StagedRecord, prepared: _PreparedRecord, came: Mapping[Linked, int]
) -> dict[str, Any]:
    """The columns that speak of others; none where it speaks of nobody."""
    kind = staged.kind
    if not links_of(kind, [prepared.fields]):
        return {}
    fields = _at_home(rows, kind, prepared.fields, came)
    if kind == EPISODE and fields["task"] is not None and staged.number is None:
        taken = rows.count("episodes", is_("task", fields["task"]))
        fields["task"] = None if taken else fields["task"]  # another one stands for itself
    elif kind == EPISODE:
        fields.pop("task")
    return TYPES[kind].columns_from_plain({name: fields[name] for name in _SPEAKING[kind] if name in fields})


_SPEAKING: Mapping[Kind, Sequence[str]] = {
    kind: (*columns, *{SUPPORT: ("source",), ACTION: ("data",)}.get(kind, ())) for kind, columns in LINKS.items()
}
"""Columns that name other records, also within what else they say."""


def _at_home(rows: Rows, kind: Kind, fields: Fields, came: Mapping[Linked, int]) -> dict[str, Any]:
    """Fields with numbers in place of the names of other records."""
    links = links_of(kind, [fields])
    if not links:
        return {**fields}
    numbers = numbers_of(rows, [each for each in links if each not in came])
    return with_links(kind, fields, lambda other, name: came.get((other, name), numbers.get((other, name))))


def _insert_history(
    rows: Rows,
    staged: _StagedRecord,
    prepared: _PreparedRecord,
    came: Mapping[Linked, int],
    numbers: Mapping[int, int],
    operation: int,
) -> None:
    """What was done to it, and at last that this import brought it. Calls have none."""
    kind = staged.kind
    if kind == CALL:
        return
    at_home = partial(_at_home, rows, kind, came=came)
    values = []
    if staged.arrival is Arrival.NEW:
        for number, before, after in prepared.history:
            was = None if before is None else to_json(at_home(before))
            values.append((numbers[number], kind.name, staged.number, was, to_json(at_home(after))))
    changeable = TYPES[kind].changeable
    made = {name: value for name, value in at_home(prepared.fields).items() if name in changeable}
    if staged.is_held_back_here:
        made |= HELD_BACK
    values.append((operation, kind.name, staged.number, None, to_json(made)))
    rows.insert_all("memory_history", _HISTORY, values)


def _identity(rows: Rows, uid: str, prepared: _PreparedRecord, row: Mapping[str, Any]) -> str:
    """By which a program's report of the same call is known. Of a slim one too little is left for that."""
    fields = prepared.fields
    call = NewCall(
        tool=fields["tool"],
        input=fields["input"],
        output=fields["output"],
        success=fields["success"],
        at=parse_timestamp(fields["at"]),
        call_id=fields["call_id"],
        session_id=fields["session_id"],
        step=row["step"],
    )
    is_named = call.step is not None or (call.session_id and call.call_id)
    said = reported_calls.call_identity(call) if is_named or not fields["is_slim"] else f"slim {uid}"
    return rows.key_of(said)


class _Home:
    """What is here as records come, and what was deleted here; inside a transaction."""

    def __init__(self, rows: Rows, *, again: bool) -> None:
        self._rows = rows
        self._again = again
        self.lifted: set[bytes] = set()
        self._deleted = {bytes(digest): at for digest, at in rows.select("tombstones", ("digest", "at"))}
        self._by_key: Mapping[str, int] | None = None
        self._calls: dict[str, int] | None = None
        self._living = {
            KNOWLEDGE: self._living_targets(KNOWLEDGE, consolidation_rules.fold_target),
            GUIDE: self._living_targets(GUIDE, reported_calls.fold_tool),
        }

    def decide(self, records: Sequence[_StagedRecord], arrivals: Mapping[Linked, Arrival]) -> None:
        """Say of some records of one kind what becomes of each; `arrivals` are those of the kinds before it."""
        kind = records[0].kind
        here = self._here(kind, "uid", [each.uid for each in records]) if "uid" in TYPES[kind].names else {}
        others = [each.sole for each in records if each.uid not in here] if kind == MEMORY else []
        same = self._same_here(others) if others else {}
        for each in records:
            each.number = here.get(each.uid, same.get(each.sole))
            if each.uid in here or (kind == CALL and self._is_known_call(each)):
                each.arrival = Arrival.KNOWN
            elif each.number is not None:
                each.arrival = Arrival.SAME_WORDS
            elif each.rests_on:
                resting = [arrivals.get(other, Arrival.LEFT_OUT) for other in each.rests_on]
                comes = all(other in (Arrival.NEW, Arrival.KNOWN) for other in resting)
                each.arrival = resting[0] if comes else Arrival.LEFT_OUT
            elif self._is_deleted(each):
                each.arrival = Arrival.DELETED_HERE
            elif each.may is Arrival.NEW and self._lives_beside(each):
                each.arrival = Arrival.CANDIDATE
            else:
                each.arrival = each.may

    def _same_here(self, contents: list[str]) -> dict[str, int]:
        """The memory here that says each of these already, in whichever spelling."""
        if self._by_key is None:
            self._by_key = dict(self._keys_here())
        keys = ((each, same_statements.statement_keys(each)) for each in contents) if self._by_key else ()
        spelled_anew = {each: self._by_key[key] for each, known in keys for key in known if key in self._by_key}
        return {**spelled_anew, **self._here(MEMORY, "content", contents)}

    def _keys_here(self) -> Iterator[tuple[str, int]]:
        """The memories here: those that a person refused by each key of what they say, all others by their letters."""
        for known in map(MEMORIES.from_row, self._rows.select(MEMORIES.table, MEMORIES.names)):
            keys = same_statements.statement_keys(known.content)
            for key in keys if same_statements.refusal_of(known) else keys[1:]:
                yield key, known.id

    def _is_known_call(self, call: _StagedRecord) -> bool:
        if self._calls is None:
            found = self._rows.grouped(TYPES[CALL].table, _CALL_KEY, ("count",))
            self._calls = {_digest(key): count for *key, count in found}
        same, _, place = call.uid.rpartition("/")
        return self._calls.get(same, 0) > int(place)

    def _is_deleted(self, staged: _StagedRecord) -> bool:
        """Not so where a person brings it again: that is noted."""
        if not self._deleted or staged.kind in OWNERS:
            return False
        digests = self._tombstones_of(staged)
        if digests and self._again and staged.may is not Arrival.LEFT_OUT:
            self.lifted.update(digests)
        return bool(digests) and not self._again

    def _tombstones_of(self, staged: _StagedRecord) -> list[bytes]:
        """The digests by which a record is known as deleted; none where it is not."""
        if staged.kind == CALL:  # those that were made before all of the tool were deleted
            return [each for each in self._digests([of_calls(staged.target)]) if self._deleted[each] >= staged.stated]
        marks = [of_record(staged.kind.name, staged.uid)]
        return self._digests([*marks, *(statements_of(staged.stated) if staged.stated else ())])

    def _digests(self, marks: Sequence[str]) -> list[bytes]:
        found = [bytes.fromhex(key) for mark in marks for key in self._rows.keys_of(mark)]
        return [each for each in found if each in self._deleted]

    def _lives_beside(self, staged: _StagedRecord) -> bool:
        """On one target one of a kind lives: another one waits for a person."""
        return bool(staged.target) and staged.target in self._living.get(staged.kind, ())

    def _here(self, kind: Kind, column: str, values: list[str]) -> dict[str, int]:
        found = self._rows.select(TYPES[kind].table, (column, "id"), any_of(column, values))
        return {str(value): int(number) for value, number in found}

    def _living_targets(self, kind: Kind, fold: Callable[[str], str]) -> frozenset[str]:
        found = self._rows.select(TYPES[kind].table, ("target",), is_("state", State.LIVE.value))
        return frozenset(fold(target) for (target,) in found)


def _sole(record: ExportedRecord) -> str:
    """What no two records of a kind may share beside the name."""
    if record.kind == MEMORY:
        return str(record.fields["content"])
    return str(record.fields["task"] or "") if record.kind == EPISODE else ""


def _rests_on(record: ExportedRecord) -> tuple[Linked, ...]:
    if record.kind not in OWNERS:
        return ()
    owner, column = OWNERS[record.kind]
    act = record.fields.get("act")
    return ((owner, record.fields[column]), *([(ACTION, act)] if act is not None else []))


def _target(record: ExportedRecord) -> str:
    fields = record.fields
    if record.kind == CALL:
        return reported_calls.fold_tool(fields["tool"])
    if record.kind == KNOWLEDGE and fields["state"] == State.LIVE:
        return consolidation_rules.fold_target(fields["target"])
    return reported_calls.fold_tool(fields["target"]) if record.kind == GUIDE and fields["state"] == State.LIVE else ""


def _digest(values: Sequence[Any]) -> str:
    return blake2b(to_json(list(values)).encode(), digest_size=16).hexdigest()
