"""What no database can hold is refused as input is, and nothing of it is written."""

from __future__ import annotations

import pytest
from fakes.notes import NOTE, Note
from fakes.records import begin, header

from orca_core.model.errors import InvalidInput
from orca_core.model.sessions import MessagesSought, Phrase

HALF = "half a character \ud83d"


async def test_half_a_character_is_no_text(opened) -> None:
    async with opened() as stores:
        with pytest.raises(InvalidInput, match="half a character"):
            await stores.records[NOTE].add(Note(0, HALF), header())
        with pytest.raises(InvalidInput, match="half a character"):
            await stores.sessions.session(HALF)
        with pytest.raises(InvalidInput, match="half a character"):
            await stores.messages.find(MessagesSought((Phrase((HALF,)),), 5), lambda _text: 0)
        with pytest.raises(InvalidInput, match="half a character"):
            await begin(stores, HALF)

        assert await stores.history.operations(5) == []
        assert await stores.sessions.sessions() == []


async def test_a_number_of_more_than_64_bits_names_nothing(opened) -> None:
    async with opened() as stores:
        with pytest.raises(InvalidInput, match="too large"):
            await stores.sessions.questions(2**64)
        with pytest.raises(InvalidInput, match="too large"):
            await stores.history.operations_after(2**64, 5)
