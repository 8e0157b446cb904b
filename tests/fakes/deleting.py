"""Rounds whose receipts show memories, and a look into the database behind the stores."""

from __future__ import annotations

from pathlib import Path

import apsw
from fakes.records import begin, record

from orca_core.model.memories import NewShortTerm
from orca_core.model.recall import Injection, Item, Level, Receipt, References, ScoreParts
from orca_core.model.record_types import BUILT_IN_KINDS
from orca_core.operations.stores import Stores
from orca_core.rules.retrieval import prompt_assembly
from orca_core.store.sqlite.engine.database import Database
from orca_core.store.sqlite.store import open_stores


def database_of(stores: Stores) -> Database:
    return stores.upkeep._scope._database  # type: ignore[attr-defined, no-any-return]


def shows(session_id: str, number: int, *refs: tuple[str, str]) -> Receipt:
    items = tuple(
        Item(BUILT_IN_KINDS.ref(int(ref) if ref.isdecimal() else ref), text, ScoreParts(text=0.5), "recall")
        for ref, text in refs
    )
    injection = Injection(Level.FULL, ("recall",), items, (), prompt_assembly.memory_block(items, "header"))
    return Receipt(session_id, number, injection, References())


async def say(stores: Stores, session_id: str, text: str, *refs: tuple[str, str], **fields: object) -> int:
    """A finished round whose receipt shows these; its number."""
    started = await begin(stores, session_id, text)
    summary = NewShortTerm(f"summary of {text}", text, True, ("summari",))
    kept = shows(session_id, started.number, *refs)
    await stores.sessions.finish_round(record(started, receipt=kept, short_term=summary, **fields))
    return started.number


def count(stores_path: Path, query: str) -> int:
    return int(apsw.Connection(str(stores_path)).execute(query).get or 0)


async def opened(folder: Path, scope: str = "me") -> Stores:
    return await open_stores(folder / "orca.db", scope=scope, must_exist=False)
