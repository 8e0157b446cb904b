"""Memories that may say the same: a person keeps both, or merges them."""

from __future__ import annotations

import pytest
from fakes.facts import fact, finds, learn
from fakes.scripted_model import ScriptedModel
from fakes.turns import turn

from orca_core.model.errors import NotFound
from orca_core.model.memories import State


async def test_merging_keeps_one_with_all_that_they_had(open_engine) -> None:
    async with open_engine() as engine:
        first = (await engine.memories.add("用户用 vim", tags=["技术"])).memory
        second = (await engine.memories.add("用户的编辑器是 vim", tags=["偏好"])).memory
        await engine.memories.edit(second.id, weight=3.0)

        await engine.inbox.merge(first.id, [second.id], content="用户的编辑器是 Vim")

        kept, gone = await engine.memories.get([first.id, second.id])
        assert (kept.content, kept.weight, kept.seen, kept.tags) == ("用户的编辑器是 Vim", 3.0, 2, ("技术", "偏好"))
        assert (gone.state, gone.superseded_by) == (State.ARCHIVED, first.id)
        await engine.history.undo()
        assert (await engine.memories.get([first.id]))[0].content == "用户用 vim"


async def test_a_pair_in_doubt_is_listed_until_a_person_decides(open_engine) -> None:
    other = fact("用户对花生不过敏", "我对花生不过敏")
    async with open_engine(agent=ScriptedModel(finds(other))) as engine:
        known = (await engine.memories.add("用户对花生过敏", type_word="fact")).memory
        await turn(engine, "我对花生不过敏", session_id="s")
        [event] = await learn(engine)
        [stored] = event.learnt.stored
        assert known.id in stored.similar

        [pair] = await engine.inbox.undecided()
        assert {pair.newer.memory.id, pair.older.memory.id} == {known.id, stored.memory.id}
        for either in (pair.newer, pair.older):  # of one that is archived there is nothing to decide
            await engine.memories.archive([either.memory.id])
            assert await engine.inbox.undecided() == []
            await engine.history.undo()
        assert len(await engine.inbox.undecided()) == 1
        await engine.inbox.keep_both(known.id, stored.memory.id)
        assert await engine.inbox.undecided() == []
        with pytest.raises(NotFound):
            await engine.inbox.keep_both(known.id, 99)


async def test_what_a_merge_would_make_is_told_before_it_happens(open_engine) -> None:
    async with open_engine() as engine:
        ids = [
            (await engine.memories.add(text, tags=[tag])).memory.id
            for text, tag in (("用 vim", "a"), ("用 neovim", "b"))
        ]
        await engine.memories.edit(ids[0], weight=3.0)

        outcomes = await engine.inbox.merge_outcomes(ids)
        assert [(each.id, each.content, each.weight, set(each.tags)) for each in outcomes] == [
            (ids[0], "用 vim", 3.0, {"a", "b"}),
            (ids[1], "用 neovim", 3.0, {"a", "b"}),
        ]
        await engine.inbox.merge(ids[1], [ids[0]])
        [merged] = await engine.memories.get([ids[1]])
        assert (merged.weight, merged.tags, merged.seen) == (outcomes[1].weight, outcomes[1].tags, outcomes[1].seen)
