"""What leaves a store and comes into one, as the document that people see."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from fakes.clocks import StillClock
from fakes.records import AT

from orca_core.model.import_export import Arrival, Arrived, Brought, ImportTerms
from orca_core.model.memories import Why
from orca_core.operations.stores import Stores
from orca_core.serialize.export import export_pieces
from orca_core.serialize.importing import ExportReader
from orca_core.services.cases import Cases
from orca_core.services.import_export import ImportExport, Importing

PIECE = 1000


def no_cases() -> Cases:
    raise AssertionError("a document of Orca looks for nothing that is near")


def exchange_of(stores: Stores) -> ImportExport:
    return ImportExport(stores.files, no_cases, lambda: None, StillClock(), core_threshold=5.0)


async def exported(stores: Stores) -> Any:
    """The document, read."""
    snapshot = await exchange_of(stores).export()
    try:
        return json.loads("".join([each async for each in export_pieces(snapshot.records, snapshot.operations())]))
    finally:
        await snapshot.aclose()


def pieces(document: Any) -> Iterable[bytes]:
    text = document if isinstance(document, bytes) else json.dumps(document, ensure_ascii=False).encode()
    return (text[at : at + PIECE] for at in range(0, len(text), PIECE))


async def brought(stores: Stores, document: Any, **terms: bool) -> Brought:
    """What an import of this came to."""
    return await exchange_of(stores).bring(ExportReader(pieces(document)), ImportTerms(**terms))


async def only_brought(stores: Stores, given: Any) -> None:
    """As a process leaves it that dies in the moment after an import."""
    arrivals = await stores.files.arrivals(again=False)
    try:
        importing = Importing(arrivals, ImportTerms(trust=True), AT, is_trusted=True)
        await importing.carry_out(ExportReader(pieces(given)), lambda _: None, None)
    finally:
        await arrivals.aclose()


async def heard(stores: Stores, document: Any, **terms: bool) -> dict[str, Arrival]:
    """What became of each record, by its place."""
    found: list[Arrived] = []
    read = ExportReader(pieces(document))
    await exchange_of(stores).bring(read, ImportTerms(**terms), hear=found.append)
    return {each.place: each.arrival for each in found}


def a_memory(content: str = "I use vim", **fields: Any) -> dict[str, Any]:
    """As a document has it, with as little as it may have."""
    return {"uid": f"uid of {content}", "content": content, **fields}


def a_pair(older: str, **fields: Any) -> dict[str, Any]:
    """What a memory's record tells of its pair with an older one."""
    return {"with": older, "why": Why.OTHER_VALUE, "settled": None, "at": "2026-01-01T00:00:00Z", **fields}


def document(*memories: dict[str, Any], **lists: Any) -> dict[str, Any]:
    return {"orca_export": 1, "memories": list(memories), **lists}
