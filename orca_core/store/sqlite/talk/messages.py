"""Writes the messages of a round and its receipt, inside the caller's transaction."""

from __future__ import annotations

import apsw

from orca_core.model.recall import Receipt
from orca_core.store.sqlite.memories import gone
from orca_core.store.sqlite.talk import receipt_bodies


def save_receipt(connection: apsw.Connection, round_id: int, receipt: Receipt) -> None:
    """Store a receipt without what was deleted meanwhile."""
    refs = frozenset(item.ref for item in (*receipt.injection.considered, *receipt.injection.looked_up))
    receipt_bodies.save_body(connection, round_id, receipt, gone.gone_refs(connection, refs))
