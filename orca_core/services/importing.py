"""What comes into a home: read as it comes, checked, and brought in as one operation of a person."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import islice

from msgspec.structs import replace

from orca_core.model.errors import InvalidInput
from orca_core.model.import_export import (
    IMPORT,
    Arrival,
    Arrived,
    Arriving,
    Brought,
    Coming,
    ImportProgress,
    ImportStage,
    ImportTerms,
    PackedOperation,
)
from orca_core.model.operations import Actor, OperationHeader
from orca_core.rules.importing.records import checked, checked_operation, untrusted
from orca_core.store.protocols.exchange import Arrivals

BATCH = 200
"""So many records are put down at once. Chosen by hand."""
COMES = (Arrival.NEW, Arrival.CANDIDATE)

Tell = Callable[[ImportProgress], None]
Hear = Callable[[Arrived], None]


class Importing:
    """One import, at one time."""

    def __init__(self, arrivals: Arrivals, terms: ImportTerms, at: datetime, *, is_trusted: bool) -> None:
        self._arrivals = arrivals
        self._terms = terms
        self._at = at
        self._is_trusted = is_trusted

    async def carry_out(self, arriving: Iterable[Arriving], tell: Tell, hear: Hear | None) -> Brought:
        """Read all of it, then bring it in, unless it only looks."""
        reading = iter(arriving)
        done = 0
        while batch := list(islice(reading, BATCH)):
            await self._arrivals.put([self._coming(each) for each in batch])
            done += len(batch)
            tell(ImportProgress(ImportStage.READING, done))
        brought = Brought(None, await self._arrivals.decide(), self._is_trusted)
        if brought.count(*COMES) and not self._terms.looks_only:
            header = OperationHeader(Actor.USER, IMPORT, self._at)
            operation, counts = await self._arrivals.bring(header, tell)
            brought = replace(brought, operation=operation, counts=counts)
        if hear is not None:
            async for each in self._arrivals.arrived():
                hear(each)
        return brought

    def _coming(self, arriving: Arriving) -> Coming:
        with _at_its_place(arriving):
            if isinstance(arriving.packed, PackedOperation):
                return Coming(replace(arriving, packed=checked_operation(arriving.packed)))
            whole = checked(arriving.packed, self._at)
        if self._is_trusted:
            return Coming(replace(arriving, packed=whole))
        waiting = untrusted(whole, self._at)
        if waiting is None:
            return Coming(replace(arriving, packed=replace(whole, history=())), Arrival.LEFT_OUT)
        return Coming(replace(arriving, packed=waiting), Arrival.CANDIDATE)


@contextmanager
def _at_its_place(arriving: Arriving) -> Iterator[None]:
    """Say of a record that is refused where it stands."""
    try:
        yield
    except InvalidInput as error:
        field = str(error.fields.get("field") or "")
        raise InvalidInput(
            template="{place}, line {line}: {reason}",
            hint=error.way_out_template,
            reason_template=error.sentence_template,
            **{
                **error.fields,
                "reason": error.message,
                "place": f"{arriving.place}.{field}".removesuffix("."),
                "line": arriving.line,
            },
        ) from error
