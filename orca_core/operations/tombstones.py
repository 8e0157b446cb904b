"""What was deleted for good or refused, known again: a statement, a record, a session or a round by its keyed hash,
which can't be read; a refused record by its words. What a person says again is no longer known as deleted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any

from orca_core.model.memories import State
from orca_core.model.operations import KEPT
from orca_core.model.record_types import RecordType, timestamp
from orca_core.operations.columns import fields_from_json
from orca_core.rules.memory import same_statements
from orca_core.rules.text.spelling import in_the_third_person
from orca_core.store.ports import Rows, any_of, is_

TABLE = "tombstones"


class Tombstones:
    """Those of one scope, inside a transaction."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._lifted: set[str] = set()

    def lay(self, record_type: RecordType[Any], records: Iterable[Any], at: datetime) -> None:
        """Keep that a person deleted these: what they say, and each by itself."""
        for record in records:
            if uid := getattr(record, "uid", ""):
                self._put(of_record(record_type.kind.name, uid), at)
            for said in dict.fromkeys(
                map(same_statements.record_statement, (record, *self._as_it_was(record_type, record)))
            ):
                for mark in self._kept_of(said) if said else ():
                    self._put(mark, at)

    def _kept_of(self, said: str) -> list[str]:
        return [*statements_of(said)[:KEPT], *self._words_of(said)]

    def _words_of(self, said: str) -> list[str]:
        told = same_statements.sorted_words(said)
        return [f"words {told}"] if told else []

    def _as_it_was(self, record_type: RecordType[Any], record: Any) -> Iterator[Any]:
        """The record before each change of it, the latest first: what it said then is deleted, too."""
        same = (is_("kind", record_type.kind.name), is_("memory_id", record.id))
        for (before,) in self._rows.select("memory_history", ("before",), *same, order=("-id",)):
            if before is not None:
                record = record_type.changed(record, fields_from_json(str(before)))
                yield record

    def lay_faded(self, record_type: RecordType[Any], records: Iterable[Any], at: datetime) -> None:
        """Keep that these were deleted for their age, whatever they say."""
        for record in records:
            self._put(of_faded(record_type.kind.name, record.uid), at)

    def lay_session(self, session_id: str, created_at: str, at: datetime) -> None:
        self._put(of_session(session_id, created_at), at)

    def lay_round(self, session_id: str, number: int, started_at: str, at: datetime) -> None:
        self._put(of_round(session_id, number, started_at), at)

    def lay_calls(self, folded: str, at: datetime) -> None:
        """Keep that all calls of a tool were deleted that had been recorded by then."""
        self._put(of_calls(folded), at)

    def says_deleted(self, text: str) -> bool:
        """Whether a text says what a person deleted."""
        return any(self._is_there(each) for each in statements_of(text))

    def without_deleted(self, text: str) -> str:
        """A text that a machine made, without its sentences that say what a person deleted."""
        if not self._rows.count(TABLE):
            return text
        sentences = same_statements.sentences_of(text)
        return "".join(each for each in sentences if not each.strip() or not self.says_deleted(each))

    def states_deleted(self, record: Any) -> bool:
        """Whether a record that is to be made says what a person deleted."""
        stated = same_statements.record_statement(record)
        return bool(stated) and self.says_deleted(stated)

    def may_state_deleted(self, record: Any) -> bool:
        """Whether a record has the words of what a person deleted, in another order."""
        return any(map(self._is_there, self._words_of(same_statements.record_statement(record))))

    def is_deleted(self, record_type: RecordType[Any], uid: str) -> bool:
        """Whether a record of this name was deleted, by a person or for its age."""
        kind = record_type.kind.name
        return self._is_there(of_record(kind, uid)) or self._is_there(of_faded(kind, uid))

    def digests_of(self, record: Any) -> Sequence[bytes]:
        """Of all that a record states."""
        stated = same_statements.record_statement(record)
        each_stated = (*statements_of(stated), *self._words_of(stated)) if stated else ()
        return [bytes.fromhex(key) for each in each_stated for key in self._rows.keys_of(each)]

    def lift(self, record: Any, digests: Sequence[bytes] | None = None) -> None:
        """A person says it again; `digests` are its own, where they are known. Once is enough for one operation, which
        lays none of what it lifts."""
        stated = same_statements.record_statement(record)
        if stated in self._lifted:
            return
        self._lifted.add(stated)
        for digest in self.digests_of(record) if digests is None else digests:
            self._rows.delete(TABLE, is_("digest", digest))

    def _put(self, mark: str, at: datetime) -> None:
        digest = bytes.fromhex(self._rows.key_of(mark))
        if not self._rows.update(TABLE, {"at": timestamp(at)}, is_("digest", digest)):
            self._rows.insert(TABLE, {"digest": digest, "at": timestamp(at)})

    def _is_there(self, mark: str) -> bool:
        keys = self._rows.keys_of(mark)
        return any(self._rows.count(TABLE, is_("digest", bytes.fromhex(key))) for key in keys)


def statements_of(text: str) -> tuple[str, ...]:
    """A statement as it is compared with what was deleted: the first forms are kept, it is known by any of them."""
    return same_statements.statements_of(text, in_the_third_person)


def of_record(kind: str, uid: str) -> str:
    """What the hash of a deleted record is made of; of each of the others, too."""
    return f"record {kind} {uid}"


def of_faded(kind: str, uid: str) -> str:
    return f"faded {kind} {uid}"


def of_session(session_id: str, created_at: str) -> str:
    return f"session {created_at} {session_id}"


def of_round(session_id: str, number: int, started_at: str) -> str:
    return f"round {started_at} {number} {session_id}"


def of_calls(folded: str) -> str:
    return f"calls {folded}"


_MAY_BE_REFUSED = (State.REJECTED.value, State.ARCHIVED.value)


class Refusals:
    """Those of one kind in one scope, inside a transaction; read when first asked for."""

    def __init__(self, rows: Rows, record_type: RecordType[Any]) -> None:
        self._rows = rows
        self._type = record_type

    def same(self, record: Any) -> Any | None:
        """The refused record that says what this one says; None where there is none."""
        stated = same_statements.record_statement(record)
        if not stated or not self._refused:
            return None
        return next((self._by_key[key] for key in same_statements.statement_keys(stated) if key in self._by_key), None)

    def has_words_of(self, record: Any) -> bool:
        """Whether a refused record has the same words in another order."""
        if not self._refused:
            return False
        said = same_statements.sorted_words(same_statements.record_statement(record))
        return bool(said) and said in self._words

    @cached_property
    def _refused(self) -> list[Any]:
        found = self._rows.select(self._type.table, self._type.names, any_of("state", _MAY_BE_REFUSED), order=("id",))
        return [each for each in map(self._type.from_row, found) if same_statements.refusal_of(each)]

    @cached_property
    def _by_key(self) -> Mapping[str, Any]:
        return {
            key: each
            for each in self._refused
            for key in same_statements.statement_keys(same_statements.record_statement(each))
        }

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(same_statements.sorted_words(same_statements.record_statement(each)) for each in self._refused)
