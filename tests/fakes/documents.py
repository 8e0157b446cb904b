"""What leaves a store and comes into one, as the document that people see."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from fakes.clocks import StillClock
from fakes.records import header

from orca_core.model.import_export import IMPORT, Arrival, ExportedOperation, ImportedRecord, ImportResult, ImportTerms
from orca_core.model.memories import PairReason
from orca_core.operations.stores import Stores
from orca_core.rules.memory.import_records import checked_operation, incoming
from orca_core.serialize.export_reader import ExportReader
from orca_core.services.import_export import ImportExport

PIECE = 1000


def exchange_of(stores: Stores) -> ImportExport:
    return ImportExport(stores.imports, stores.exports, lambda: None, StillClock(), core_threshold=5.0)


async def exported(stores: Stores) -> Any:
    """The document, read."""
    return json.loads(b"".join(await exchange_of(stores).export()))


def pieces(document: Any) -> Iterable[bytes]:
    text = document if isinstance(document, bytes) else json.dumps(document, ensure_ascii=False).encode()
    return (text[at : at + PIECE] for at in range(0, len(text), PIECE))


async def brought(stores: Stores, document: Any, **terms: bool) -> ImportResult:
    """What an import of this came to."""
    return await exchange_of(stores).import_records(ExportReader(pieces(document)), ImportTerms(**terms))


async def only_brought(stores: Stores, given: Any) -> None:
    """As a process leaves it that dies in the moment after an import."""
    staged = stores.imports.begin(again=False)
    at = StillClock().now()
    await staged.stage(
        [
            checked_operation(each) if isinstance(each, ExportedOperation) else incoming(each, at, is_trusted=True)
            for each in ExportReader(pieces(given))
        ]
    )
    await staged.look()
    await staged.bring(header(IMPORT, at))
    staged.close()


async def heard(stores: Stores, document: Any, **terms: bool) -> dict[str, Arrival]:
    """What became of each record, by its place."""
    found: list[Any] = []
    read = ExportReader(pieces(document))
    await exchange_of(stores).import_records(read, ImportTerms(**terms), hear=found.append)
    return {each.place: each.arrival for each in found if isinstance(each, ImportedRecord)}


def a_memory(content: str = "I use vim", **fields: Any) -> dict[str, Any]:
    """As a document has it, with as little as it may have."""
    return {"uid": f"uid of {content}", "content": content, **fields}


def a_pair(older: str, **fields: Any) -> dict[str, Any]:
    """What a memory's record tells of its pair with an older one."""
    return {"with": older, "why": PairReason.OTHER_VALUE, "settled": None, "at": "2026-01-01T00:00:00Z", **fields}


def document(*memories: dict[str, Any], **lists: Any) -> dict[str, Any]:
    return {"orca_export": 1, "memories": list(memories), **lists}
