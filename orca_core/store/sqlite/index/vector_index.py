"""The vector index of a kind: sign codes in vec0, rescored by the exact float16 vectors.

The index is made for one model (its name stands in meta). When the model changes it is made anew, slice by slice:
until it is whole, searches do without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import apsw
from msgspec import Struct

from orca_core.model.errors import InvalidInput
from orca_core.model.recall import VectorHit, Which
from orca_core.model.record_types import Ref
from orca_core.operations.columns import to_json
from orca_core.store.ports import Row
from orca_core.store.sqlite.engine.meta import drop_meta, meta, set_meta
from orca_core.store.sqlite.engine.scope import among
from orca_core.store.sqlite.index.index_tables import MEMORY_TABLES, IndexTables, broken_index, forget_vector_table
from orca_core.store.sqlite.index.vector_format import cosines, from_blobs, sign_code

if TYPE_CHECKING:
    from orca_core.store.sqlite.index.vector_format import Array

KEPT_CHANGES = 20_000
"""As the triggers on `vectors` have it."""


def drop_vectors(connection: apsw.Connection, ids: Sequence[int], tables: IndexTables = MEMORY_TABLES) -> None:
    """Drop the vector of a record whose text changed."""
    for record_id in ids:
        connection.execute("DELETE FROM vectors WHERE kind = ? AND id = ?", (tables.kind.name, record_id))
        if has_vector_index(connection, tables):
            with broken_index():
                connection.execute(f"DELETE FROM {tables.vectors} WHERE id = ?", (record_id,))


def set_live(connection: apsw.Connection, record_id: int, is_live: bool, tables: IndexTables = MEMORY_TABLES) -> None:
    if has_vector_index(connection, tables):
        with broken_index():
            connection.execute(f"UPDATE {tables.vectors} SET live = ? WHERE id = ?", (int(is_live), record_id))
    connection.execute("INSERT INTO vector_changes (kind, id) VALUES (?, ?)", (tables.kind.name, record_id))
    connection.execute("DELETE FROM vector_changes WHERE seq <= last_insert_rowid() - ?", (KEPT_CHANGES,))


def has_vector_index(connection: apsw.Connection, tables: IndexTables = MEMORY_TABLES) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (tables.vectors,)).fetchone() is not None


RESCORED = 400
"""How many of the nearest codes are rescored (docs/decisions/0003): a smaller store is searched exactly."""
MAX_K = 4096
"""The most that vec0 returns."""
A_SLICE = 500
"""So many vectors are put into the index in one transaction: some 20 ms. Chosen by hand."""
CHUNK_SIZE = 64
"""Codes in one chunk of vec0: a search for the best k costs time a chunk, and small chunks cost half
(docs/decisions/0003)."""


class Sought(Struct, frozen=True):
    """The vector whose nearest are wanted, how many of them, and among which records."""

    tables: IndexTables
    scopes: tuple[str, ...]
    model: str
    vector: Array
    limit: int
    which: Which = Which.LIVE


def is_stale(connection: apsw.Connection, tables: IndexTables, model: str, dimensions: int) -> bool:
    """Whether the index is missing or was made for another model."""
    return meta(connection, tables.meta_key) != _name(model, dimensions)


def check_width(connection: apsw.Connection, kinds: Sequence[str], model: str, dimensions: int) -> None:
    """Refuse a vector whose width differs from the model's others. Newest first: those are most likely of this
    model."""
    for kind in kinds:
        row = connection.execute(
            "SELECT length(vector) / 2 FROM vectors WHERE kind = ? AND model = ? ORDER BY id DESC LIMIT 1",
            (kind, model),
        ).fetchone()
        if row is not None and row[0] != dimensions:
            raise InvalidInput(
                template="{provider}: vectors of {found} numbers, where {wanted} were expected",
                provider=model,
                found=dimensions,
                wanted=row[0],
            )
        if row is not None:
            return


def width_of(connection: apsw.Connection, tables: IndexTables, model: str) -> int | None:
    """How many numbers the memories' vectors of this model have; None where there are none."""
    row = connection.execute(
        "SELECT length(vector) / 2 FROM vectors WHERE kind = ? AND model = ? ORDER BY id DESC LIMIT 1",
        (tables.kind.name, model),
    ).fetchone()
    return None if row is None else int(row[0])


def fill_slice(connection: apsw.Connection, tables: IndexTables, model: str, dimensions: int) -> int:
    """Make the index for this model, or fill it further from `vectors`. Once all are in it, it is current. Returns how
    many came into it."""
    upto = filled_upto(connection, tables, model, dimensions)
    if upto is None:
        _make(connection, tables, model, dimensions)
        return 0
    rows = vectors_after(connection, tables, model, dimensions, upto, A_SLICE)
    vectors = from_blobs([blob for *_record, blob in rows], dimensions)
    connection.executemany(
        f"INSERT INTO {tables.vectors} (id, scope, live, code) VALUES (?, ?, ?, vec_bit(?))",
        [
            (number, scope, live, sign_code(vector))
            for (number, scope, live, _blob), vector in zip(rows, vectors, strict=True)
        ],
    )
    if len(rows) == A_SLICE:
        set_meta(connection, _filling(tables), f"{rows[-1][0]} {_name(model, dimensions)}")
    else:
        set_meta(connection, tables.meta_key, _name(model, dimensions))
        drop_meta(connection, _filling(tables))
    return len(rows)


def vectors_after(
    connection: apsw.Connection, tables: IndexTables, model: str, dimensions: int, after: int, most: int
) -> Sequence[Row]:
    """The next records that have a vector of the model: number, scope, whether it lives, vector."""
    rows: Sequence[Row] = connection.execute(
        f"SELECT v.id, m.scope, {tables.live}, v.vector FROM vectors v CROSS JOIN {tables.rows} m ON m.id = v.id"
        " WHERE v.kind = ? AND v.id > ? AND v.model = ? AND length(v.vector) = ? ORDER BY v.id LIMIT ?",
        (tables.kind.name, after, model, 2 * dimensions, most),
    ).fetchall()
    return rows


def holds(connection: apsw.Connection, tables: IndexTables, record_id: int, model: str, dimensions: int) -> bool:
    """Whether the index should have a vector of this record by now: what lies ahead of who fills it comes with the
    others."""
    upto = filled_upto(connection, tables, model, dimensions)
    return record_id <= upto if upto is not None else not is_stale(connection, tables, model, dimensions)


def filled_upto(connection: apsw.Connection, tables: IndexTables, model: str, dimensions: int) -> int | None:
    """Up to which record the index holds this model's vectors, while it is being filled; None where it is not."""
    upto, _, name = (meta(connection, _filling(tables)) or "").partition(" ")
    return int(upto) if name == _name(model, dimensions) else None


def drop(connection: apsw.Connection, tables: IndexTables) -> None:
    """Drop the index, whatever is left of it; the next look of who fills it makes it anew."""
    forget_vector_table(connection, tables.vectors)
    drop_meta(connection, tables.meta_key, _filling(tables))


def _make(connection: apsw.Connection, tables: IndexTables, model: str, dimensions: int) -> None:
    check_width(connection, (tables.kind.name,), model, dimensions)
    drop(connection, tables)
    bits = -(-dimensions // 8) * 8
    connection.execute(
        f"CREATE VIRTUAL TABLE {tables.vectors} USING vec0 ("
        f"id INTEGER PRIMARY KEY, scope TEXT PARTITION KEY, live INTEGER, code BIT[{bits:d}], chunk_size={CHUNK_SIZE})"
    )
    set_meta(connection, _filling(tables), f"0 {_name(model, dimensions)}")


def put_vector(connection: apsw.Connection, tables: IndexTables, record_id: int, vector: Array) -> None:
    """Add or replace one record's code. vec0 can not update bits: the row is made anew."""
    with broken_index():
        connection.execute(f"DELETE FROM {tables.vectors} WHERE id = ?", (record_id,))
        connection.execute(
            f"INSERT INTO {tables.vectors} (id, scope, live, code)"
            f" SELECT m.id, m.scope, {tables.live}, vec_bit(?) FROM {tables.rows} m WHERE m.id = ?",
            (sign_code(vector), record_id),
        )


def nearest(connection: apsw.Connection, sought: Sought) -> list[VectorHit]:
    """The nearest records by the index: the best codes, rescored by their vectors."""
    query = f"SELECT id FROM {sought.tables.vectors} WHERE code MATCH vec_bit(?) AND k = ? AND scope = ?"
    query += " AND live = 1" if sought.which is Which.LIVE else ""
    code, count = sign_code(sought.vector), min(MAX_K, max(RESCORED, 8 * sought.limit))
    # vec0 searches one partition at a time.
    with broken_index():
        ids = sorted(row[0] for scope in sought.scopes for row in connection.execute(query, (code, count, scope)))
    return best_of(connection, sought, ids)


def nearest_exact(connection: apsw.Connection, sought: Sought) -> list[VectorHit]:
    """The nearest records, every vector compared."""
    tables = sought.tables
    check_width(connection, (tables.kind.name,), sought.model, len(sought.vector))
    rows = connection.execute(
        f"SELECT m.id FROM {tables.rows} m WHERE {among('m.scope', sought.scopes)} AND {tables.found(sought.which)}",
        sought.scopes,
    )
    return best_of(connection, sought, sorted(row[0] for row in rows))


def best_of(connection: apsw.Connection, sought: Sought, ids: Sequence[int]) -> list[VectorHit]:
    """The nearest of these records by their exact vectors; what is no record of the scopes any more is left out."""
    tables = sought.tables
    # CROSS JOIN keeps the planner from walking every vector to find these few.
    rows = connection.execute(
        "SELECT v.id, v.vector FROM json_each(?) wanted"
        " CROSS JOIN vectors v ON v.kind = ? AND v.id = wanted.value AND v.model = ?"
        f" CROSS JOIN {tables.rows} m ON m.id = v.id AND {among('m.scope', sought.scopes)}"
        f" AND {tables.found(sought.which)}",
        (to_json(list(ids)), tables.kind.name, sought.model, *sought.scopes),
    )
    return _best(sought, dict(rows))


def _best(sought: Sought, blobs: dict[int, bytes]) -> list[VectorHit]:
    near = cosines(blobs, sought.vector)
    best = sorted(near.items(), key=lambda pair: (-pair[1], pair[0]))[: sought.limit]
    return [VectorHit(Ref(sought.tables.kind, record_id), cosine) for record_id, cosine in best]


def _filling(tables: IndexTables) -> str:
    return f"{tables.meta_key} filling"


def _name(model: str, dimensions: int) -> str:
    return f"{model} {dimensions}"
