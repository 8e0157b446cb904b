"""Candidates that waited too long: one operation, in their own scope, and what was touched since is left alone."""

from __future__ import annotations

import pytest
from fakes.records import AT, header, later, remember
from msgspec.structs import replace

from orca_core.model.episodes import Episode
from orca_core.model.errors import InvalidInput
from orca_core.model.knowledge import Knowledge
from orca_core.model.memories import Memory, State
from orca_core.model.operations import Actor
from orca_core.model.records import EPISODE, KNOWLEDGE
from orca_core.rules.memory import said_again, undo_rules
from orca_core.rules.memory.said_again import CANDIDATE_SOURCE
from orca_core.rules.work.episode_updates import expire

LONG_AGO, HELD = later(10), {"state": State.CANDIDATE, "held_because": "url"}
EXPIRE = header(said_again.EXPIRE, later(99), Actor.CLEAN)


async def test_what_waited_too_long_expires_in_one_operation_of_its_scope(opened) -> None:
    async with opened() as stores, opened("work") as work:
        old = await remember(stores, "a giraffe", "a zebra", **HELD)
        [live] = await remember(stores, "an okapi")
        [touched] = await remember(stores, "a gnu", **HELD)
        await stores.memories.change([touched], header("edit", later(50)), lambda _: {touched: {"confidence": 0.5}})
        [other] = await remember(work, "an eland", **HELD)

        changed = await stores.housekeeping.expire_candidates(LONG_AGO, EXPIRE, expire)

        assert [memory.id for memory in changed.records] == old
        states = [each.state for each in await stores.memories.get([*old, live, touched])]
        assert states == [State.REJECTED, State.REJECTED, State.LIVE, State.CANDIDATE]
        assert (await work.memories.get([other]))[0].state is State.CANDIDATE
        [latest, *_] = await stores.history.operations(9)
        assert (latest.id, latest.header.action, latest.header.actor) == (changed.operation, "expire", Actor.CLEAN)


async def test_an_expiry_without_anything_to_expire_is_no_operation(opened) -> None:
    async with opened() as stores:
        await remember(stores, "an okapi")
        assert (await stores.housekeeping.expire_candidates(LONG_AGO, EXPIRE, expire)).operation is None


async def test_an_expiry_that_was_taken_back_is_new_in_the_inbox(opened) -> None:
    async with opened() as stores:
        [old] = await remember(stores, "a giraffe", **HELD)
        changed = await stores.housekeeping.expire_candidates(LONG_AGO, EXPIRE, expire)
        await stores.history.undo(changed.operation, later(100), undo_rules.plan)
        [back] = await stores.memories.get([old])
        assert (back.state, back.held_because, said_again.waits_since(back)) == (State.CANDIDATE, "url", later(100))
        assert (await stores.housekeeping.expire_candidates(later(99), EXPIRE, expire)).operation is None


async def test_an_expiry_that_breaks_half_way_leaves_everything_as_it_was(opened) -> None:
    def breaks(memories: list[Memory], _sources: object) -> dict[int, dict[str, object]]:
        if not memories:
            return {}
        first, second = memories
        return {first.id: dict(said_again.expire(first)), second.id: {"content": first.content}}

    async with opened() as stores:
        both = await remember(stores, "a giraffe", "a zebra", **HELD)
        with pytest.raises(InvalidInput):
            await stores.housekeeping.expire_candidates(LONG_AGO, EXPIRE, breaks)
        assert [each.state for each in await stores.memories.get(both)] == [State.CANDIDATE] * 2
        assert [each.header.action for each in await stores.history.operations(9)] == ["add", "add"]


async def test_candidates_of_every_kind_expire_in_one_operation(opened) -> None:
    async with opened() as stores:
        await remember(stores, "a giraffe", **HELD)
        episode = Episode(0, "u", "nginx", "nginx", AT, AT, AT, state=State.CANDIDATE, held_because="not_typed")
        await stores.records[EPISODE].add(episode, header())
        known = Knowledge(0, "u", "nginx", "nginx", "restart it", AT, AT, state=State.CANDIDATE)
        await stores.records[KNOWLEDGE].add(known, header())

        changed = await stores.housekeeping.expire_candidates(LONG_AGO, EXPIRE, expire)

        assert [(type(each).__name__, each.state, each.held_because) for each in changed.records] == [
            ("Memory", State.REJECTED, "expired: url"),
            ("Episode", State.REJECTED, "expired: not_typed"),
            ("Knowledge", State.REJECTED, "expired"),
        ]
        assert len(await stores.history.changes_of([changed.operation])) == 3
        undone = await stores.history.undo(changed.operation, later(100), undo_rules.plan)
        assert len(undone.refs) == 3
        [back] = await stores.records[EPISODE].get([1])
        assert (back.state, back.held_because) == (State.CANDIDATE, "not_typed")


async def test_the_rule_is_told_how_the_sources_of_knowledge_stand(opened) -> None:
    async with opened() as stores:
        for number, state in enumerate((State.LIVE, State.CANDIDATE)):
            episode = Episode(0, f"u{number}", "nginx", "nginx", AT, later(60), AT, state=state)
            await stores.records[EPISODE].add(episode, header())
        for number, sources in enumerate(((1,), (1, 2), (1, 99))):
            known = Knowledge(0, f"k{number}", "nginx", "nginx", "restart it", AT, AT, source_episodes=sources)
            held = replace(known, state=State.CANDIDATE, held_because=CANDIDATE_SOURCE)
            await stores.records[KNOWLEDGE].add(held, header())

        changed = await stores.housekeeping.expire_candidates(LONG_AGO, EXPIRE, expire)

        assert [each.state for each in changed.records] == [State.LIVE, State.REJECTED, State.LIVE]
