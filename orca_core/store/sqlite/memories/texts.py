"""Texts that receipts show: each text of a record is stored once and counted, and deleted with its record in one
step."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import apsw

from orca_core.model.records import SUMMARY, Kind, Ref
from orca_core.store.sqlite.engine.rows import to_json

_KNOWN = """
    SELECT o.record, t.content, t.id FROM json_each(?) wanted
    CROSS JOIN texts_of_records o ON o.kind = ? AND o.record = wanted.value
    CROSS JOIN receipt_texts t ON t.id = o.text
"""
_FORGET = """
    DELETE FROM receipt_texts WHERE id IN
    (SELECT text FROM texts_of_records WHERE kind = ? AND record IN (SELECT value FROM json_each(?)))
"""
_FORGET_OF_ROUNDS = """
    DELETE FROM receipt_texts WHERE id IN
    (SELECT o.text FROM short_term_sources s JOIN texts_of_records o ON o.kind = ? AND o.record = s.id
     WHERE s.round_id IN (SELECT value FROM json_each(?)))
"""


def text_ids(connection: apsw.Connection, said: Collection[tuple[Ref, str]]) -> dict[tuple[Ref, str], int]:
    """The number of each text of a record; stored where no receipt holds it yet."""
    known: dict[tuple[Ref, str], int] = {}
    for kind in {ref.kind for ref, _ in said}:
        wanted = to_json(sorted({ref.id for ref, _ in said if ref.kind == kind}))
        for record, content, number in connection.execute(_KNOWN, (wanted, kind.name)):
            known[Ref(kind, record), content] = number
    for ref, content in said:
        if (ref, content) not in known:
            known[ref, content] = text_of_several(connection, [ref], content)
    return {each: known[each] for each in said}


def text_of_several(connection: apsw.Connection, refs: Sequence[Ref], content: str) -> int:
    """Store a new text, which is deleted with any of these records."""
    connection.execute("INSERT INTO receipt_texts (content) VALUES (?)", (content,))
    made = connection.last_insert_rowid()
    connection.executemany(
        "INSERT INTO texts_of_records (kind, record, text) VALUES (?, ?, ?)",
        [(ref.kind.name, ref.id, made) for ref in dict.fromkeys(refs)],
    )
    return made


def count(connection: apsw.Connection, ids: Iterable[int]) -> None:
    """Count one more receipt for these texts. A trigger counts down when the receipt is deleted."""
    connection.execute(
        "UPDATE receipt_texts SET held_by = held_by + 1 WHERE id IN (SELECT value FROM json_each(?))",
        (to_json(list(ids)),),
    )


def contents(connection: apsw.Connection, ids: Iterable[int]) -> Mapping[int, str]:
    """The texts that are there."""
    rows = connection.execute(
        "SELECT id, content FROM receipt_texts WHERE id IN (SELECT value FROM json_each(?))", (to_json(list(ids)),)
    )
    return dict(rows)


def forget_texts(connection: apsw.Connection, kind: Kind, ids: Sequence[int]) -> None:
    """Delete the texts of deleted records: no receipt shows them any more."""
    connection.execute(_FORGET, (kind.name, to_json(list(ids))))


def forget_of_rounds(connection: apsw.Connection, round_ids: Sequence[int]) -> None:
    """Delete the summaries of deleted rounds from receipts, also expired ones."""
    connection.execute(_FORGET_OF_ROUNDS, (SUMMARY.name, to_json(list(round_ids))))
