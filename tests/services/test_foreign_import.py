"""An import of another program's file is left when its reader wants that, however long one chat of it is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from orca_core.model.import_export import ForeignFormat, ForeignMemory, ImportProgress, ImportTerms


def without_end() -> Iterator[ForeignMemory]:
    number = 0
    while True:
        number += 1
        yield ForeignMemory(ForeignFormat.LINES, f"I use tool {number}", f"line {number}")


async def test_a_file_that_takes_long_is_left_at_the_next_message(open_orca) -> None:
    loop, is_reading = asyncio.get_running_loop(), asyncio.Event()

    def tell(_progress: ImportProgress) -> None:
        loop.call_soon_threadsafe(is_reading.set)

    async with open_orca() as orca:
        terms = ImportTerms(looks_only=True)
        importing = asyncio.create_task(orca.files.bring_foreign(without_end(), terms, tell=tell))
        await is_reading.wait()
        importing.cancel()

        with pytest.raises(asyncio.CancelledError):
            await importing
        assert not (await orca.memories.candidates())
