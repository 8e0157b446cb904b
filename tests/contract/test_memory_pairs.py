"""Pairs of memories that may say different things: found beside other writers, listed, decided, brought from elsewhere."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from fakes.documents import a_memory, a_pair, brought, document, exported, only_brought
from fakes.records import AT, begin, chat, header, later, record, remember
from hypothesis import strategies as st

from orca_core.model.errors import NotFound
from orca_core.model.learning import Due, KnownMemories, Proposal, Resolution, RunEnd
from orca_core.model.memories import MEMORIES, NewMemory, Origin, OriginKind, PairReason, State
from orca_core.model.views import MemoryQuery, StatusCriteria
from orca_core.operations.memory_pairs import NEAR
from orca_core.operations.stores import Stores
from orca_core.rules.learning import transcripts
from orca_core.rules.memory.memory_curation import each as to_each
from orca_core.rules.retrieval.match_evidence import most_telling_words_of_record
from orca_core.store.ports import Coming, Rows


async def told_apart(stores: Stores, older: int, *contents: str) -> list[int]:
    """A run that stores facts, none of which it can tell from the older memory."""
    await chat(stores)
    batch = await stores.learning.claim(Due(AT, 1, AT - timedelta(days=1)), transcripts.how_many_fit)

    def undecided(proposal: Proposal, _beside: KnownMemories) -> Resolution:
        return Resolution(store=proposal.new, undecided=((older, "near"),))

    facts = [Proposal(NewMemory(content), (older,)) for content in contents]
    learnt = await stores.learning.finish_run(batch, facts, [], undecided, RunEnd(later()))
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


async def read(stores: Stores, session_id: str, content: str, older: int | None = None) -> int:
    """A run over a session that stores a fact from its first round, with another value than the older memory's."""
    batch = await stores.learning.claim(Due(later(99), 1, AT, session_id=session_id, everything=True), lambda _: 1)
    origin = Origin(OriginKind.EXTRACTION, session_id, (1,))

    def listed(proposal: Proposal, _beside: KnownMemories) -> Resolution:
        return Resolution(store=proposal.new, undecided=() if older is None else ((older, PairReason.OTHER_VALUE),))

    facts = [Proposal(NewMemory(content, origin=origin), () if older is None else (older,))]
    learnt = await stores.learning.finish_run(batch, facts, [], listed, RunEnd(later(99)))
    return learnt.stored[0].memory.id


async def test_the_newer_of_a_pair_was_said_later_whatever_was_read_first(stores) -> None:
    for session_id, minutes in (("early", 1), ("late", 60)):
        started = await begin(stores, session_id, at=later(minutes))
        await stores.sessions.finish_round(record(started, at=later(minutes + 1)))
    late = await read(stores, "late", "lives in Ghent")
    early = await read(stores, "early", "lives in Lyon", older=late)

    assert [(each.newer.id, each.older.id) for each in await stores.memories.undecided()] == [(late, early)]


FRAMES = ("I live in {}", "My flat in {} has a garden", "The shop runs on {}", "The shop now runs on {}", "我在{}上班")
VALUES = ("Berlin", "Munich", "Oslo", "Postgres 14", "Postgres 15", "上海", "北京", "ſtraße")
TEXTS = [frame.format(value) for frame in FRAMES for value in VALUES]
texts = st.lists(st.sampled_from(TEXTS), max_size=len(TEXTS), unique=True)


def near(rows: Rows, memory: Any, coming: Coming | None, called: Any = None) -> list[int]:
    limit, telling = NEAR + 1, most_telling_words_of_record
    found = rows.words.live_near(MEMORIES, memory.content, memory.created_at, limit, telling, coming)
    return [(called or {}).get(each, each) for each in found]


async def everything(stores: Stores) -> list[Any]:
    page = await stores.memories.page(MemoryQuery(StatusCriteria(tuple(State))))
    return sorted(page.records, key=lambda each: each.id)


CHEAP, DEAR = "The rent is 900 euros", "The rent is 950 euros"


async def listed_pairs(stores: Stores) -> list[tuple[str, str, str]]:
    found = await stores.memories.undecided()
    return [(each.newer.content, each.older.content, each.why) for each in found]


async def test_many_are_compared_in_slices(stores: Stores) -> None:
    many = [
        a_memory(f"{one}{two}{one} {two}{one}{two} {one}{one}{two}") for one in "bcdfghklmnpr" for two in "stvwxzaeio"
    ]
    await only_brought(stores, document(*many, a_memory(CHEAP), a_memory(DEAR)))
    sizes = []
    while size := await stores.imports.compare(later()):
        sizes.append(size)
    assert (len(sizes) > 1, sum(sizes)) == (True, 122)
    assert len(await listed_pairs(stores)) == 1


async def test_what_a_process_left_uncompared_is_compared_by_the_next(opened: Any) -> None:
    async with opened() as stores:
        await only_brought(stores, document(a_memory(CHEAP), a_memory(DEAR)))
    async with opened() as stores:
        assert (await listed_pairs(stores), await stores.imports.uncompared()) == ([], 2)
        await stores.imports.compare(later())
        await stores.imports.compare(later())
        assert (len(await listed_pairs(stores)), await stores.imports.uncompared()) == (1, 0)


LOW, MIDDLE, HIGH = "The rent is 900 euros", "The rent is 950 euros", "The rent is 990 euros"


async def pairs(stores: Stores) -> set[tuple[str, str, str]]:
    found = await stores.memories.undecided()
    return {(each.newer.content, each.older.content, each.why) for each in found}


async def rents(stores: Stores, *texts: str) -> Any:
    """An export of a home that remembers these, and whose first two a person keeps both."""
    first, second, *_ = await remember(stores, *texts)
    await stores.memories.keep_both(first, second)
    return await exported(stores)


async def test_a_decision_comes_with_what_waits_for_a_person_but_says_nothing_of_what_is_here(opened: Any) -> None:
    async with opened() as stores, opened("other") as other:
        home = await rents(stores, LOW, MIDDLE)
        await remember(other, HIGH)
        [oslo] = (await exported(other))["memories"]
        home["memories"][0]["pairs"] = [a_pair(oslo["uid"])]
        home["memories"].append({**oslo, "pairs": []})
        await brought(other, home)
        assert await pairs(other) == set()

        everything = await other.memories.get(range(1, 10), missing_ok=True)
        waiting = [each.id for each in everything if each.state is State.CANDIDATE]
        await other.memories.change_all(waiting, header("accept", later()), to_each(lambda _: {"state": "live"}))

        asked = {frozenset(each[:2]) for each in await pairs(other)}
        assert frozenset({LOW, MIDDLE}) not in asked


async def test_undo_takes_pairs_back_and_redo_brings_them(opened: Any) -> None:
    async with opened() as stores, opened("other") as other:
        await brought(other, await rents(stores, LOW, MIDDLE, HIGH))
        asked = await pairs(other)
        await other.history.undo(None, later())
        assert await pairs(other) == set()
        await other.history.redo(None, later(2))
        assert await pairs(other) == asked
