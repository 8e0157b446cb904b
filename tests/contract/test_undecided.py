"""Pairs that the rules left to a person, and what operations did to memories."""

from __future__ import annotations

from datetime import timedelta

import pytest
from fakes.records import AT, EVOLVE, begin, chat, header, later, record, remember

from orca_core.model.errors import NotFound
from orca_core.model.learning import Due, Known, Proposal, RunEnd, Settlement
from orca_core.model.memories import NewMemory, Origin, OriginKind, Why
from orca_core.operations.stores import Stores
from orca_core.rules.learning import fact_extraction
from orca_core.rules.memory import memory_curation


async def told_apart(stores: Stores, older: int, *contents: str) -> list[int]:
    """A run that stores facts, none of which it can tell from the older memory."""
    await chat(stores)
    batch = await stores.learning.claim(Due(AT, 1, AT - timedelta(days=1)), fact_extraction.how_many_fit)
    assert batch is not None

    def undecided(proposal: Proposal, _beside: Known) -> Settlement:
        return Settlement(store=proposal.new, undecided=((older, "near"),))

    facts = [Proposal(NewMemory(content), (older,)) for content in contents]
    learnt = await stores.learning.finish_run(batch, facts, [], undecided, RunEnd(later()))
    assert learnt is not None
    return [fact.memory.id for fact in learnt.stored]


async def test_undecided_pairs_are_listed_newest_first_until_a_person_keeps_both(opened) -> None:
    async with opened() as stores, opened("work") as work:
        [older] = await remember(stores, "a giraffe")
        first, second = await told_apart(stores, older, "a tall giraffe", "a small giraffe")

        pairs = await stores.memories.undecided()
        assert [(pair.newer.id, pair.older.id, pair.why) for pair in pairs] == [
            (second, older, "near"),
            (first, older, "near"),
        ]
        assert await work.memories.undecided() == []
        with pytest.raises(NotFound):
            await work.memories.keep_both(first, older)
        await stores.memories.keep_both(older, second)
        assert [pair.newer.id for pair in await stores.memories.undecided()] == [first]
        with pytest.raises(NotFound):
            await stores.memories.keep_both(first, second)


async def test_a_pair_is_decided_once_one_of_the_two_is_put_away(opened) -> None:
    async with opened() as stores:
        [older] = await remember(stores, "a giraffe")
        [newer] = await told_apart(stores, older, "a tall giraffe")
        away = {"state": "archived", "archived_because": "hand"}
        await stores.memories.change([newer], header("archive"), memory_curation.each(lambda memory: away))
        assert await stores.memories.undecided() == []


async def test_what_operations_did_is_told_in_its_order(opened) -> None:
    async with opened() as stores, opened("work") as work:
        first, second = await remember(stores, "a giraffe", "a zebra")
        await stores.memories.change([second, first], header("pin"), memory_curation.each(memory_curation.pin))
        pinning, *added = await stores.history.operations(9)

        changes = await stores.history.changes_of([pinning.id])
        assert [(each.ref.id, each.before, each.after) for each in changes] == [
            (second, {"pinned": False}, {"pinned": True}),
            (first, {"pinned": False}, {"pinned": True}),
        ]
        made = await stores.history.changes_of([each.id for each in added])
        assert [(each.ref.id, each.before) for each in made] == [(first, None), (second, None)]
        assert await work.history.changes_of([pinning.id]) == []


async def read(stores: Stores, session_id: str, content: str, older: int | None = None) -> int:
    """A run over a session that stores a fact from its first round, with another value than the older memory's."""
    batch = await stores.learning.claim(Due(later(99), 1, AT, session_id=session_id, everything=True), lambda _: 1)
    assert batch is not None
    origin = Origin(OriginKind.EXTRACTION, session_id, (1,))

    def listed(proposal: Proposal, _beside: Known) -> Settlement:
        return Settlement(store=proposal.new, undecided=() if older is None else ((older, Why.OTHER_VALUE),))

    facts = [Proposal(NewMemory(content, origin=origin), () if older is None else (older,))]
    learnt = await stores.learning.finish_run(batch, facts, [], listed, RunEnd(later(99)))
    assert learnt is not None
    return learnt.stored[0].memory.id


async def test_the_newer_of_a_pair_was_said_later_whatever_was_read_first(opened) -> None:
    async with opened() as stores:
        for session_id, minutes in (("early", 1), ("late", 60)):
            started = await begin(stores, session_id, at=later(minutes))
            await stores.sessions.finish_round(record(started, at=later(minutes + 1)), EVOLVE)
        late = await read(stores, "late", "lives in Ghent")
        early = await read(stores, "early", "lives in Lyon", older=late)

        assert [(each.newer.id, each.older.id) for each in await stores.memories.undecided()] == [(late, early)]


async def test_open_pairs_are_told_among_those_asked_for_alone(opened) -> None:
    async with opened() as stores, opened("work") as work:
        [older] = await remember(stores, "a giraffe")
        first, second = await told_apart(stores, older, "a tall giraffe", "a small giraffe")

        assert await stores.memories.open_pairs([older, first, second]) == {(first, older), (second, older)}
        assert await stores.memories.open_pairs([first, second]) == set()
        assert await work.memories.open_pairs([older, first]) == set()
        await stores.memories.keep_both(older, second)
        assert await stores.memories.open_pairs([older, first, second]) == {(first, older)}
