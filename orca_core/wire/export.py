"""Everything of a scope as one JSON document, piece by piece: nothing of it need be in memory at once."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from orca_core.domain.dataclass import dataclass
from orca_core.domain.records import RecordType
from orca_core.wire.values import Json

VERSION = 1


@dataclass(frozen=True, slots=True)
class ExportedList:
    """The records of one kind, under the name that they have in the document."""

    name: str
    records: AsyncIterator[Any]
    to_json: Callable[[Any], Json]


async def export_document(lists: Sequence[ExportedList]) -> AsyncIterator[str]:
    """The document in pieces, a record each."""
    yield f'{{"orca_export": {VERSION}'
    for each in lists:
        yield f", {json.dumps(each.name)}: ["
        separator = "\n"
        async for record in each.records:
            yield separator + json.dumps(each.to_json(record), ensure_ascii=False)
            separator = ",\n"
        yield "]"
    yield "}\n"


def fields_json(record_type: RecordType[Any], record: Any) -> Json:
    """A record as its fields say, by the names of its columns."""
    return record_type.plain(record, record_type.names)
