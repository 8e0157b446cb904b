"""The part of migration 4 that SQL can not do: stored receipts in pieces, without the texts of deleted records."""

from __future__ import annotations

import apsw

from orca_core.domain.refs import MEMORY
from orca_core.storage.sqlite.memories import gone, texts
from orca_core.storage.sqlite.schema.old_receipts import receipt_from_json
from orca_core.storage.sqlite.talk import receipt_bodies


def move_in(connection: apsw.Connection) -> None:
    """Runs after `0004_house.sql`. Texts that wait to be wiped are left out of the receipts."""
    round_ids = [int(str(row[0])) for row in connection.execute("SELECT round_id FROM turn_receipts")]
    for round_id in round_ids:
        row = connection.execute("SELECT body FROM turn_receipts WHERE round_id = ?", (round_id,)).fetchone()
        assert row is not None
        receipt_bodies.save_body(connection, round_id, receipt_from_json(str(row[0])), gone=())
    deleted = connection.execute(f"SELECT id FROM long_term_memories WHERE {gone.IS_GONE}").fetchall()
    texts.forget_texts(connection, MEMORY, [int(str(row[0])) for row in deleted])
    rounds = connection.execute(f"SELECT id FROM rounds WHERE {gone.IS_GONE}").fetchall()
    texts.forget_of_rounds(connection, [int(str(row[0])) for row in rounds])
