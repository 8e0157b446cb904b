"""What saying a memory again may do to others, and never to itself."""

from __future__ import annotations

from fakes.records import header, remember

from orca_core.domain.memories import Added, NewMemory, SaidAgain, State


def test_a_memory_never_takes_its_own_place(run, opened) -> None:
    async def scenario() -> None:
        async with opened() as stores:
            first, second = await remember(stores, "aa", "bb")

            def takes_both(known, new) -> SaidAgain:
                return SaidAgain(Added.RESTORED, {}, archives=(first, second))

            await stores.memories.add(NewMemory("aa"), header(), takes_both)
            kept, gone = await stores.memories.get([first, second])
            assert (kept.state, kept.superseded_by) == (State.LIVE, None)
            assert (gone.state, gone.superseded_by) == (State.ARCHIVED, first)

    run(scenario())
