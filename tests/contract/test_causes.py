"""Why a round ended, as it is stored."""

from __future__ import annotations

from fakes.records import AT, EVOLVE, begin, receipt, record
from msgspec.structs import replace

from orca_core.model.records import Cause


async def test_why_a_round_ended_so_is_kept_and_goes_along_with_a_fork(opened) -> None:
    cause = Cause("model_unavailable", "{provider}: the answer was cut off", "try again", {"provider": "p"})

    async with opened() as stores:
        started = await begin(stores)
        await stores.sessions.end_round(started.id, "interrupted", "half", "", receipt(), cause)
        started = await begin(stores)
        length = Cause("length", "the model stopped at its longest answer")
        await stores.sessions.finish_round(replace(record(started), cause=length), EVOLVE)
        await stores.sessions.fork("s", 2, "forked", AT)
        for session_id in ("s", "forked"):
            assert [each.cause for each in await stores.sessions.rounds(session_id)] == [cause, length]
